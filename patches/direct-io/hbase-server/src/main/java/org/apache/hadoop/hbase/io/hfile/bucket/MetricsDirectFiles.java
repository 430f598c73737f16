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
package org.apache.hadoop.hbase.io.hfile.bucket;

import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Metrics of this process's engine {@code direct:}, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=BlockCacheDirectFiles}, and for Prometheus.
 */
@InterfaceAudience.Private
final class MetricsDirectFiles extends BaseSourceImpl {
  private static MetricsDirectFiles source;

  private volatile DirectFileIOEngine engine;

  private MetricsDirectFiles() {
    super("BlockCacheDirectFiles", "Metrics about the block cache's engine direct:",
      "regionserver", "RegionServer,sub=BlockCacheDirectFiles");
  }

  /** Shows this engine instead of the one shown before. */
  static synchronized void show(DirectFileIOEngine engine) {
    if (source == null) {
      source = new MetricsDirectFiles();
    }
    source.engine = engine;
  }

  /** Stops showing this engine, if it is the one shown. */
  static synchronized void hide(DirectFileIOEngine engine) {
    if (source != null && source.engine == engine) {
      source.engine = null;
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    DirectFileIOEngine current = engine;
    if (current == null) {
      return;
    }
    AlignedBufferPool pool = current.getPool();
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(Interns.info("directFileCount", "Files that are used past the page cache"),
        current.getDirectFileCount())
      .addGauge(Interns.info("bufferedFileCount", "Files whose file system or JDK can't do that"),
        current.getFileCount() - current.getDirectFileCount())
      .addGauge(Interns.info("poolSize", "Bytes of direct memory that the pool has taken"),
        pool.getBytes())
      .addGauge(Interns.info("poolCapacity", "Bytes that it may take"), pool.getMaxBytes())
      .addCounter(
        Interns.info("poolExhaustedCount", "Reads and writes that found no buffer in the pool, and "
          + "went through the page cache"),
        pool.getExhaustedCount());
  }
}
