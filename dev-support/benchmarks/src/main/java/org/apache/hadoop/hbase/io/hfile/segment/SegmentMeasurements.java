/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.segment;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFileLock;
import org.apache.hadoop.hbase.io.util.IOEngineType;

/** What a cache of segments takes, writes, keeps and finds again, by itself, without a server. */
public final class SegmentMeasurements {
  private static final int BLOCK = 64 * 1024;
  /** Cells of 1 KB and their keys: the last one of a block goes beyond its size. */
  private static final int CELL = 1_100;
  private static final int POLL_MS = 20;
  /** Headers of a record and a block, and what follows the block; little less than that. */
  private static final int RECORD_OVERHEAD = 96;
  private static final double NANOS = 1e9;
  private static final int WAIT_MS = 60_000;

  private final PrintWriter out;

  public SegmentMeasurements(PrintWriter out) {
    this.out = out;
  }

  private void tell(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }

  private static Configuration conf(String engine, long megabytes) {
    Configuration conf = new Configuration(false);
    conf.set("hbase.bucketcache.ioengine", engine);
    conf.set("hbase.bucketcache.size", Long.toString(megabytes));
    conf.setInt(BucketCache.QUEUE_ADDITION_WAIT_TIME, WAIT_MS);
    return conf;
  }

  private static SegmentCache segments(Configuration conf) throws IOException {
    return new SegmentCache(new SegmentCacheSettings(conf, Long.MAX_VALUE),
      new CacheStats("measured"));
  }

  private static int size(long number) {
    return BLOCK + new SplittableRandom(number).nextInt(CELL);
  }

  /** Tells which part of a cache's size are blocks that it has, after three turnovers. */
  public void space(Path folder, int megabytes) throws IOException, InterruptedException {
    SegmentCache memory = segments(conf("segments", megabytes));
    tell("segments in memory: %.3f", heldPart(memory, megabytes));
    memory.shutdown();
    SegmentCache device = segments(conf("segments:" + folder.resolve("space"), megabytes));
    tell("segments on a device: %.3f", heldPart(device, megabytes));
    device.shutdown();
    BucketCache buckets = new BucketCache("offheap", (long) megabytes << 20, BLOCK, null, 1, 64,
      null);
    tell("BucketCache: %.3f", heldPart(buckets, megabytes));
    buckets.shutdown();
  }

  private static double heldPart(BlockCache cache, int megabytes) throws InterruptedException {
    long blocks = 3L * megabytes * (1 << 20) / BLOCK;
    for (long i = 0; i < blocks; i++) {
      Blocks.cache(cache, i, size(i), true);
      if (cache instanceof BucketCache) {
        while (((BucketCache) cache).heapSize() > (1 << 20)) {
          Thread.sleep(1);
        }
      }
    }
    Thread.sleep(WAIT_MS / 30);
    long bytes = 0;
    for (long i = 0; i < blocks; i++) {
      bytes += cache.isAlreadyCached(Blocks.key(i)).orElse(false) ? size(i) : 0;
    }
    return bytes / (double) ((long) megabytes << 20);
  }

  /** Tells what is written to a device for each byte of blocks that came, in three turnovers. */
  public void writes(Path folder, int megabytes) throws IOException {
    Device device = new Device(folder);
    for (boolean reads : new boolean[] { false, true }) {
      SegmentCache cache =
        segments(conf("segments:" + folder.resolve("writes-" + reads), megabytes));
      SegmentStore store = cache.getStore();
      int full = (int) (((long) megabytes << 20) / BLOCK);
      long before = device.getWrittenBytes();
      long[] hot = Traces.ZIPF.references(3 * full, full, 1);
      for (int i = 0; i < 3 * full; i++) {
        Blocks.cache(cache, i, size(i), true);
        if (reads) {
          Blocks.read(cache, Math.max(0, i - full / 2) + hot[i] % (full / 2));
        }
      }
      cache.shutdown();
      double came = store.getAdmittedBytes();
      tell("%s: %.0f MB came, %.3f bytes written for each, %.3f by the sectors of the device",
        reads ? "a read for each block that comes" : "no reads", came / (1 << 20),
        store.getWrittenBytes() / came, (device.getWrittenBytes() - before) / came);
    }
  }

  /** Tells what an index takes; no block is anywhere. */
  public void index(int blocks) {
    Occupancy occupancy = new Occupancy(1 << 16);
    SegmentIndex index = new SegmentIndex(Long.MAX_VALUE / 2, occupancy);
    System.gc();
    long heap = usedHeap();
    long start = System.nanoTime();
    Blocks.addEntries(index, blocks);
    double seconds = (System.nanoTime() - start) / NANOS;
    System.gc();
    tell("%d blocks of %d files in %.1f s: %.2f bytes each off the heap, %.2f on it",
      occupancy.getBlocks(), index.tables().size(), seconds,
      index.getBytes() / (double) blocks, (usedHeap() - heap) / (double) blocks);
    tell("%s", histogram());
    index.clear();
  }

  private static long usedHeap() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Returns the ten classes whose objects take most of the heap. */
  private static String histogram() {
    try {
      String all = (String) ManagementFactory.getPlatformMBeanServer().invoke(
        new ObjectName("com.sun.management:type=DiagnosticCommand"),
        "gcClassHistogram", new Object[] { new String[0] },
        new String[] { String[].class.getName() });
      return all.lines().limit(12).reduce("", (one, other) -> one + other + System.lineSeparator());
    } catch (JMException e) {
      return "no histogram: " + e;
    }
  }

  /**
   * Tells how long a start takes until it knows all blocks; these themselves are holes.
   * @param pause seconds between writing the footers and the start
   */
  public void start(Path folder, int blocks, int pause) throws IOException, InterruptedException {
    long megabytes = (long) blocks * 66_176 * 101 / 100 >> 20;
    Path path = folder.resolve("start");
    SegmentCacheSettings settings =
      new SegmentCacheSettings(conf("segments:" + path, megabytes), Long.MAX_VALUE);
    writeFooters(path, settings, blocks);
    tell("the footers are written");
    Thread.sleep(TimeUnit.SECONDS.toMillis(pause));
    long start = System.nanoTime();
    SegmentCache cache = new SegmentCache(settings, new CacheStats("measured"));
    double opened = (System.nanoTime() - start) / NANOS;
    double first = -1;
    while (cache.getStore().getPartsRecovering() > 0) {
      first = first < 0 && cache.getBlockCount() > 0 ? (System.nanoTime() - start) / NANOS : first;
      Thread.sleep(POLL_MS);
    }
    tell("%d blocks in %d segments: serves after %.2f s, has blocks after %.2f s, all %d after"
      + " %.2f s", blocks, settings.getSegments(), opened, first, cache.getBlockCount(),
      (System.nanoTime() - start) / NANOS);
    cache.shutdown();
  }

  private static void writeFooters(Path path, SegmentCacheSettings settings, int blocks)
    throws IOException {
    int segmentSize = settings.getSegmentSize();
    CacheFileLock lock = new CacheFileLock(IOEngineType.SEGMENTS.prefix() + ":" + path, null);
    SegmentFile file = new SegmentFile(path, segmentSize, settings.getSegments(), lock);
    IOException failure = file.open();
    if (failure != null) {
      file.close();
      lock.close();
      throw failure;
    }
    SegmentFooters footers = new SegmentFooters(file);
    int number = 0;
    for (int i = 0; i < settings.getSegments() && number < blocks; i++) {
      DeviceSegment segment = new DeviceSegment(i, file.offset(i));
      segment.open(i + 1);
      int position = 0;
      String name = Blocks.file(number / Blocks.ENTRIES_OF_FILE);
      while (
        number < blocks
          && position + 66_176 + segment.getFooter().lengthWith(name) + SegmentFile.PAGE
            <= segmentSize
      ) {
        segment.getFooter().add(name, (long) (number % Blocks.ENTRIES_OF_FILE) * BLOCK, BLOCK,
          position, 66_176, BlockClass.DATA);
        position += 66_176;
        name = Blocks.file(++number / Blocks.ENTRIES_OF_FILE);
      }
      footers.write(segment, segment.getFooter());
    }
    file.close();
    lock.close();
  }

  /** Tells the hits of the caches that ship, and of others, in traces, for three sizes. */
  public void replay(int blocks, int count, long seed) throws IOException {
    tellNames();
    for (Traces trace : Traces.values()) {
      replay(trace.toString(), trace.references(count, blocks, seed), blocks);
    }
  }

  /** Tells the same for references that a region makes, by the part of its blocks. */
  public void replayRecorded(Path folder, int rows, int count, long seed) throws IOException {
    tellNames();
    for (RecordedTraces trace : RecordedTraces.values()) {
      long[] references = trace.references(folder, count, rows, seed);
      replay(trace.toString(), references,
        (int) Arrays.stream(references).max().orElse(0) + 1);
    }
  }

  private void tellNames() {
    tell("%-22s %8s %8s %9s %9s %10s %9s", "trace", "blocks", "cache", "segments", "LRU",
      "W-TinyLFU", "S3-FIFO");
  }

  private void replay(String name, long[] references, int blocks) throws IOException {
    int count = references.length;
    for (int part : new int[] { 100, 20, 5 }) {
      int capacity = blocks / part;
      tell("%-22s %8d %7d%% %8.1f%% %8.1f%% %9.1f%% %8.1f%%", name, blocks, 100 / part,
        percent(segmentHits(references, capacity), count),
        percent(lruHits(references, capacity), count),
        percent(tinyLfuHits(references, capacity), count),
        percent(s3FifoHits(references, capacity), count));
    }
  }

  private static double percent(long hits, int count) {
    return 100.0 * hits / count;
  }

  /** Blocks are small, but the cache has the 64 segments that all but tiny caches have. */
  private static long segmentHits(long[] references, int capacity) throws IOException {
    int record = Math.max(1 << 11, ((1 << 23) / capacity + 63) / 64 * 64);
    Configuration conf = conf("segments", 1);
    conf.set("hbase.bucketcache.size", Float.toString((float) capacity * record / (1 << 20)));
    conf.setInt("hbase.blockcache.minblocksize", record);
    SegmentCache cache = segments(conf);
    int bytes = record - RECORD_OVERHEAD;
    long hits = 0;
    for (long reference : references) {
      if (Blocks.read(cache, reference)) {
        hits++;
      } else {
        Blocks.cache(cache, reference, bytes, false);
      }
    }
    cache.shutdown();
    return hits;
  }

  private static long lruHits(long[] references, int capacity) {
    Map<Long, Boolean> lru = new LinkedHashMap<>(capacity, 0.75f, true) {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
        return size() > capacity;
      }
    };
    long hits = 0;
    for (long reference : references) {
      hits += lru.put(reference, true) == null ? 0 : 1;
    }
    return hits;
  }

  private static long tinyLfuHits(long[] references, int capacity) {
    Cache<Long, Boolean> cache =
      Caffeine.newBuilder().maximumSize(capacity).executor(Runnable::run).build();
    long hits = 0;
    for (long reference : references) {
      if (cache.getIfPresent(reference) != null) {
        hits++;
      } else {
        cache.put(reference, true);
      }
    }
    return hits;
  }

  private static long s3FifoHits(long[] references, int capacity) {
    S3Fifo cache = new S3Fifo(capacity);
    long hits = 0;
    for (long reference : references) {
      hits += cache.read(reference) ? 1 : 0;
    }
    return hits;
  }
}
