/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricHistogram;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@code ParallelMultiGet} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=MultiGet}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsParallelMultiGet extends BaseSourceImpl {
  /** Why a handler served a request's gets alone. */
  enum Reason {
    FEW_GETS("FewGets", "that had too few gets"),
    MIXED("Mixed", "whose gets were among other actions"),
    SYSTEM_TABLE("SystemTable", "to system tables"),
    CHEAP("Cheap", "whose gets took too little time"),
    NO_IDLE_CPU("NoIdleCpu", "served from memory while processors were busy"),
    QUEUE_FULL("QueueFull", "while the queue for helpers was full"),
    LATE("Late", "whose helpers found nothing left to do");

    private final String name;
    private final String description;

    Reason(String name, String description) {
      this.name = name;
      this.description = description;
    }
  }

  /** Why serving a request's gets ahead stopped before all were served. */
  enum Stop {
    LIMIT("stoppedByLimitCount", "Requests that came near their size limit"),
    DEADLINE("stoppedByDeadlineCount", "Requests whose deadline passed"),
    DISCONNECT("stoppedByDisconnectCount", "Requests whose client went away");

    private final String name;
    private final String description;

    Stop(String name, String description) {
      this.name = name;
      this.description = description;
    }
  }

  /** Threads that help. */
  interface Pool {
    int getThreads();

    /** Returns the number of threads that are helping. */
    int getActiveCount();

    /** Returns the number of helpers that wait for a thread. */
    int getQueueSize();
  }

  // Declared before the instance, whose constructor makes the metrics system read it.
  private static final Collection<Pool> POOLS = new CopyOnWriteArraySet<>();
  private static final MetricsParallelMultiGet INSTANCE = new MetricsParallelMultiGet();

  private final MutableFastCounter parallelRequests;
  private final MutableFastCounter helperGets;
  private final MutableFastCounter handlerGets;
  private final MutableFastCounter droppedGets;
  private final Map<Reason, MutableFastCounter> serialRequests = new EnumMap<>(Reason.class);
  private final Map<Reason, MutableFastCounter> serialGets = new EnumMap<>(Reason.class);
  private final Map<Stop, MutableFastCounter> stops = new EnumMap<>(Stop.class);
  private final MetricHistogram handOverTime;

  private MetricsParallelMultiGet() {
    super("MultiGet", "Metrics about gets of multi requests that are served in parallel",
      "regionserver", "RegionServer,sub=MultiGet");
    parallelRequests =
      newCounter("parallelRequestCount", "Requests of which helpers served at least one get");
    helperGets = newCounter("parallelHelperGetCount", "Gets that helpers served");
    handlerGets =
      newCounter("parallelHandlerGetCount", "Gets of the same requests that handlers served");
    droppedGets =
      newCounter("droppedGetCount", "Gets served ahead whose results the answer had no room for");
    for (Reason reason : Reason.values()) {
      serialRequests.put(reason, newCounter("serial" + reason.name + "RequestCount",
        "Requests without help, " + reason.description));
      serialGets.put(reason,
        newCounter("serial" + reason.name + "GetCount", "Gets of requests " + reason.description));
    }
    for (Stop stop : Stop.values()) {
      stops.put(stop, newCounter(stop.name, stop.description));
    }
    handOverTime = getMetricsRegistry().newHistogram("HandOverMicros",
      "Microseconds that helpers waited for a thread");
  }

  private MutableFastCounter newCounter(String name, String description) {
    return getMetricsRegistry().newCounter(name, description, 0L);
  }

  static MetricsParallelMultiGet getInstance() {
    return INSTANCE;
  }

  /** Includes this pool's threads and queue in the metrics. */
  void addPool(Pool pool) {
    POOLS.add(pool);
  }

  void removePool(Pool pool) {
    POOLS.remove(pool);
  }

  void updateHandOverTime(long nanos) {
    handOverTime.add(TimeUnit.NANOSECONDS.toMicros(nanos));
  }

  /** Counts a request that had helpers. */
  void incrParallel(int byHelpers, int byHandler) {
    parallelRequests.incr();
    helperGets.incr(byHelpers);
    handlerGets.incr(byHandler);
  }

  /** Counts a request that had no helpers. */
  void incrSerial(Reason reason, int gets) {
    serialRequests.get(reason).incr();
    serialGets.get(reason).incr(gets);
  }

  void incrStop(Stop stop) {
    stops.get(stop).incr();
  }

  void incrDropped(int gets) {
    droppedGets.incr(gets);
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    int threads = 0;
    int active = 0;
    int queued = 0;
    for (Pool pool : POOLS) {
      threads += pool.getThreads();
      active += pool.getActiveCount();
      queued += pool.getQueueSize();
    }
    record.addGauge(Interns.info("poolThreads", "Threads that may help"), threads)
      .addGauge(Interns.info("poolActive", "Threads that help now"), active)
      .addGauge(Interns.info("poolQueued", "Helpers that wait for a thread"), queued);
    getMetricsRegistry().snapshot(record, all);
  }
}
