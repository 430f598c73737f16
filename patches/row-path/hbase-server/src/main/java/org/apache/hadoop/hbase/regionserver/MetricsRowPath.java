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

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@link RowPath} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=Gets}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsRowPath extends BaseSourceImpl {
  /** Why a get was read by a region scanner. */
  enum Reason {
    UNCOMMITTED("Uncommitted", "that asked for uncommitted data"),
    COPROCESSOR("Coprocessor", "whose cells or operations coprocessors observe, or to which"
      + " coprocessors added cells"),
    META("Meta", "of hbase:meta"),
    FAMILY("Family", "of a family with MOB, MIN_VERSIONS or NEW_VERSION_BEHAVIOR, with files that"
      + " are sought in parallel, or of several columns of a family with ROWCOL bloom filters"),
    TRACED("Traced", "whose call is traced"),
    FAILED("Failed", "that met an exception, or whose client had gone"),
    OTHER("Other", "of regions or stores of other classes than HBase's own");

    private final String name;
    private final String description;

    Reason(String name, String description) {
      this.name = name;
      this.description = description;
    }
  }

  private static final MetricsRowPath INSTANCE = new MetricsRowPath();

  private final MutableFastCounter rowPathGets;
  private final MutableFastCounter rowPathWrites;
  private final Map<Reason, MutableFastCounter> scannerGets = new EnumMap<>(Reason.class);

  private MetricsRowPath() {
    super("Gets", "Metrics about how gets are read", "regionserver", "RegionServer,sub=Gets");
    rowPathGets = newCounter("rowPathGetCount", "Gets that were read without a region scanner");
    rowPathWrites = newCounter("rowPathWriteCount", "Increments and appends to a family, and"
      + " checkAndMutate, whose row was read without a region scanner");
    for (Reason reason : Reason.values()) {
      scannerGets.put(reason, newCounter("scanner" + reason.name + "GetCount",
        "Gets that a region scanner read, " + reason.description));
    }
  }

  private MutableFastCounter newCounter(String name, String description) {
    return getMetricsRegistry().newCounter(name, description, 0L);
  }

  static MetricsRowPath getInstance() {
    return INSTANCE;
  }

  /** Counts a get that needed no region scanner. */
  void incrRowPath() {
    rowPathGets.incr();
  }

  /** Counts a write whose row was read without a region scanner. */
  void incrWrite() {
    rowPathWrites.incr();
  }

  /** Counts a get that a region scanner reads, for this reason. */
  void incrScanner(Reason reason) {
    scannerGets.get(reason).incr();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName);
    getMetricsRegistry().snapshot(record, all);
  }
}
