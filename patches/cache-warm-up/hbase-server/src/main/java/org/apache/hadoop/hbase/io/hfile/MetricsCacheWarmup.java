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

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the work of this process's warm-ups, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=CacheWarmup}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsCacheWarmup extends BaseSourceImpl {
  private static MetricsCacheWarmup instance;

  // Static, since the superclass's constructor makes the metrics system read them.
  private static volatile LongSupplier filesWaiting = () -> 0;
  private static volatile LongSupplier filesRunning = () -> 0;
  private static final LongAdder filesWarmed = new LongAdder();
  private static final LongAdder filesWithoutRead = new LongAdder();
  private static final LongAdder filesCancelled = new LongAdder();
  private static final LongAdder filesFailed = new LongAdder();
  private static final LongAdder blocksCachedBefore = new LongAdder();
  private static final LongAdder blocksRead = new LongAdder();
  private static final LongAdder bytesRead = new LongAdder();
  private static final LongAdder blocksDropped = new LongAdder();
  private static final LongAdder blocksDroppedOnWrite = new LongAdder();
  private static final LongAdder blocksMissing = new LongAdder();

  private MetricsCacheWarmup() {
    super("CacheWarmup", "Metrics about what is cached of files that are written or opened",
      "regionserver", "RegionServer,sub=CacheWarmup");
  }

  static synchronized MetricsCacheWarmup get() {
    if (instance == null) {
      instance = new MetricsCacheWarmup();
    }
    return instance;
  }

  /**
   * Has gauges show how many files are being warmed, and how many wait.
   * @param waitingFiles for their warm-up to begin or go on
   */
  static void show(LongSupplier waitingFiles, LongSupplier runningFiles) {
    filesWaiting = waitingFiles;
    filesRunning = runningFiles;
  }

  /**
   * Counts a warm-up that ended.
   * @param read    whether it read a block
   * @param missing blocks that it left out
   */
  void ended(boolean complete, boolean cancelled, boolean read, long missing) {
    if (cancelled) {
      filesCancelled.increment();
      return;
    }
    (complete ? filesWarmed : filesFailed).increment();
    if (complete && !read) {
      filesWithoutRead.increment();
    }
    blocksMissing.add(missing);
  }

  void cachedBefore() {
    blocksCachedBefore.increment();
  }

  void read(int bytes) {
    blocksRead.increment();
    bytesRead.add(bytes);
  }

  void dropped() {
    blocksDropped.increment();
  }

  void droppedOnWrite() {
    blocksDroppedOnWrite.increment();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    collector.addRecord(metricsName).setContext(metricsContext)
      .addCounter(Interns.info("filesWarmed", "Files whose blocks are cached as configured, or "
        + "as far as there was room"), filesWarmed.sum())
      .addCounter(Interns.info("filesWarmedWithoutRead", "Files warmed without reading a block, as "
        + "the writer or an earlier reader had cached them"), filesWithoutRead.sum())
      .addCounter(Interns.info("filesCancelled", "Files closed while they were warmed"),
        filesCancelled.sum())
      .addCounter(Interns.info("filesFailed", "Files that couldn't be read while they were "
        + "warmed, or whose blocks couldn't be found"), filesFailed.sum())
      .addCounter(Interns.info("blocksCachedBefore", "Blocks that were cached before"),
        blocksCachedBefore.sum())
      .addCounter(Interns.info("blocksRead", "Blocks read from the file system"),
        blocksRead.sum())
      .addCounter(Interns.info("bytesRead", "Bytes of these blocks"), bytesRead.sum())
      .addCounter(Interns.info("blocksDropped", "Blocks that the cache took, but evicted or failed "
        + "to write before the end of the warm-up"), blocksDropped.sum())
      .addCounter(Interns.info("blocksDroppedOnWrite", "Blocks of a file being written that the "
        + "cache's full queue didn't take; they are read when the file is opened, if its data, or "
        + "its index and bloom filters, were to be cached"),
        blocksDroppedOnWrite.sum())
      .addCounter(Interns.info("blocksMissing", "Blocks that a warm-up that wasn't cancelled left "
        + "out, as the cache has no room, or reading failed"),
        blocksMissing.sum())
      .addGauge(Interns.info("filesWaiting", "Files that wait for their warm-up to begin or go on"),
        filesWaiting.getAsLong())
      .addGauge(Interns.info("filesRunning", "Files that are being warmed"),
        filesRunning.getAsLong());
  }
}
