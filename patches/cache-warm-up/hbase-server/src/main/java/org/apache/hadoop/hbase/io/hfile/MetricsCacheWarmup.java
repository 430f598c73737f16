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

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.metrics.BaseSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Counts the work of this process's warm-ups, for JMX as
 * {@code Hadoop:service=HBase,name=RegionServer,sub=CacheWarmup}, and for Prometheus. Thread-safe.
 */
@InterfaceAudience.Private
final class MetricsCacheWarmup extends BaseSourceImpl implements CacheWarmupMXBean {
  private static MetricsCacheWarmup instance;

  /** Progress of ended warm-ups by encoded region name, for regions with other warm-ups. */
  private static final Map<String, Progress> ended = new ConcurrentHashMap<>();

  // Static, since the superclass's constructor makes the metrics system read them.
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
    MBeans.register("HBase", "RegionServer,sub=CacheWarmupProgress", this);
  }

  static synchronized MetricsCacheWarmup get() {
    if (instance == null) {
      instance = new MetricsCacheWarmup();
    }
    return instance;
  }

  void ended(WarmupProgress file, boolean complete, boolean cancelled) {
    Progress done = new Progress(file.getRegion(), null, null, 0, file.getBlocks(),
      file.getBlocksDone(), 0, -1);
    if (unended().anyMatch(other -> other.getRegion().equals(file.getRegion()))) {
      ended.merge(file.getRegion(), done,
        (first, second) -> sum(file.getRegion(), Stream.of(first, second)));
    } else {
      ended.remove(file.getRegion());
    }
    if (cancelled) {
      filesCancelled.increment();
      return;
    }
    (complete ? filesWarmed : filesFailed).increment();
    if (complete && file.getBytesRead() == 0) {
      filesWithoutRead.increment();
    }
    blocksMissing.add(file.getBlocks() - file.getBlocksDone());
  }

  static void closed(String region) {
    ended.remove(region);
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
        unended().filter(file -> !file.isRunning()).count())
      .addGauge(Interns.info("filesRunning", "Files that are being warmed"),
        unended().filter(WarmupProgress::isRunning).count());
  }

  /** Returns the warm-ups that are running or wait. */
  static Stream<WarmupProgress> unended() {
    return PrefetchExecutor.getRequested().filter(HFileWarmup.class::isInstance)
      .map(warmup -> ((HFileWarmup) warmup).getProgress()).filter(file -> !file.isEnded());
  }

  @Override
  public List<Progress> getFiles() {
    return unended()
      .map(file -> new Progress(file.getRegion(), file.getFamily(), file.getFile(),
        file.isRunning() ? 0 : 1, file.getBlocks(), file.getBlocksDone(),
        file.getBytesPerSecond(), file.getMillisLeft()))
      .collect(Collectors.toList());
  }

  @Override
  public List<Progress> getRegions() {
    Map<String, List<Progress>> regions =
      getFiles().stream().collect(Collectors.groupingBy(Progress::getRegion));
    return regions.entrySet().stream().map(region -> {
      Progress before = ended.get(region.getKey());
      return sum(region.getKey(), before == null ? region.getValue().stream()
        : Stream.concat(Stream.of(before), region.getValue().stream()));
    }).collect(Collectors.toList());
  }

  private static Progress sum(String region, Stream<Progress> files) {
    return files.reduce(new Progress(region, null, null, 0, 0, 0, 0, -1),
      (one, other) -> new Progress(region, null, null,
        one.getFilesWaiting() + other.getFilesWaiting(), one.getBlocks() + other.getBlocks(),
        one.getBlocksDone() + other.getBlocksDone(),
        one.getBytesPerSecond() + other.getBytesPerSecond(),
        Math.max(one.getMillisLeft(), other.getMillisLeft())));
  }
}
