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

  private volatile AlignedBufferPool pool;
  private volatile long files;
  private volatile long directFiles;

  private MetricsDirectFiles() {
    super("BlockCacheDirectFiles", "Metrics about the block cache's engine direct:",
      "regionserver", "RegionServer,sub=BlockCacheDirectFiles");
  }

  /**
   * Shows an engine instead of the one shown before.
   * @param pool        what it reads blocks into
   * @param files       the number of its files
   * @param directFiles those of them that are used past the page cache
   */
  static synchronized void show(AlignedBufferPool pool, long files, long directFiles) {
    if (source == null) {
      source = new MetricsDirectFiles();
    }
    source.files = files;
    source.directFiles = directFiles;
    source.pool = pool;
  }

  /** Stops showing the engine with this pool, if it is the one shown. */
  static synchronized void hide(AlignedBufferPool pool) {
    if (source != null && source.pool == pool) {
      source.pool = null;
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    AlignedBufferPool current = pool;
    if (current == null) {
      return;
    }
    collector.addRecord(metricsName).setContext(metricsContext)
      .addGauge(Interns.info("directFileCount", "Files that are used past the page cache"),
        directFiles)
      .addGauge(Interns.info("bufferedFileCount", "Files whose file system or JDK can't do that"),
        files - directFiles)
      .addGauge(Interns.info("poolSize", "Bytes of direct memory that the pool has taken"),
        current.getBytes())
      .addGauge(Interns.info("poolCapacity", "Bytes that it may take"), current.getMaxBytes())
      .addCounter(
        Interns.info("poolExhaustedCount", "Reads and writes that found no buffer in the pool, and "
          + "went through the page cache"),
        current.getExhaustedCount());
  }
}
