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
package org.apache.hadoop.hbase.io.hfile;

import java.lang.ref.WeakReference;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DeadNodeDetector;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of {@link SuspectDataNodes} in this process, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=SuspectDataNodes}, and for Prometheus.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class MetricsSuspectDataNodes extends BaseSourceImpl {
  private static final MetricsSuspectDataNodes INSTANCE = new MetricsSuspectDataNodes();

  final MutableFastCounter slowReads = getMetricsRegistry().newCounter("suspectingReadCount",
    "Positional reads of HFiles that took as long as the key says", 0L);
  final MutableFastCounter suspects = getMetricsRegistry().newCounter("suspectDataNodeCount",
    "How often a DataNode was given to HDFS's client to be probed", 0L);

  private volatile WeakReference<DFSClient> client = new WeakReference<>(null);

  private MetricsSuspectDataNodes() {
    super("SuspectDataNodes", "Metrics about DataNodes that reads waited for", "regionserver",
      "RegionServer,sub=SuspectDataNodes");
  }

  public static MetricsSuspectDataNodes getInstance() {
    return INSTANCE;
  }

  /** @param setsAside detects dead nodes */
  void watch(DFSClient setsAside) {
    client = new WeakReference<>(setsAside);
  }

  /** Returns how many DataNodes no file is read from now. */
  private int deadDataNodes() {
    DFSClient watched = client.get();
    // A client that has been closed has no detector.
    DeadNodeDetector detector = watched == null ? null : watched.getDeadNodeDetector();
    return detector == null ? 0 : detector.clearAndGetDetectedDeadNodes().size();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    // The registry's snapshot sets the context.
    MetricsRecordBuilder record = collector.addRecord(metricsName)
      .addGauge(Interns.info("deadDataNodes", "DataNodes that HDFS's client has set aside for all"
        + " files, since they didn't answer"), deadDataNodes());
    getMetricsRegistry().snapshot(record, all);
  }
}
