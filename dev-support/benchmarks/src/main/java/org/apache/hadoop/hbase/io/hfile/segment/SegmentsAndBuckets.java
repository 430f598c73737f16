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

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.ReaderFile;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;

/** A cache of segments and a BucketCache of as many blocks, one after the other. */
public final class SegmentsAndBuckets {
  private static final int BLOCK = 64 * 1024;
  /** Bytes of blocks that are there to be indexed only. */
  private static final int LITTLE = 256;
  private static final int SLOT = 512;
  private static final int HOT = 1_000;
  private static final int LOOK_UPS = 5_000_000;
  private static final int ROUNDS = 5;
  private static final double NANOS = 1e9;
  private static final double MS = 1e3;
  private static final int POLL_MS = 20;
  private static final int LOAD_SECONDS = 40;
  private static final int KB = 1 << 10;
  private static final int CHURN = 1 << 15;

  /** Always 0, which the compiler doesn't know. */
  private static volatile long zero;

  private final PrintWriter out;

  public SegmentsAndBuckets(PrintWriter out) {
    this.out = out;
  }

  private void tell(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }

  /**
   * Tells how long it takes to find a block's entry by its key, one of all or one of 1,000, and
   * how long one word takes in as much direct memory: no look-up of one of all is faster.
   */
  public void lookUp(int blocks, int bucketBlocks) throws IOException, InterruptedException {
    tell("a word of %d MB of direct memory: %.0f ns", floorBytes(blocks) >> 20, floor(blocks));
    segmentLookUps(blocks);
    segmentLookUps(bucketBlocks);
    BucketCache buckets = buckets(bucketBlocks);
    tell("BucketCache, %d blocks: %s", buckets.getBackingMap().size(),
      lookUps(files(bucketBlocks), bucketBlocks, (file, offset) ->
        buckets.getBackingMap().get(new BlockCacheKey(file.name, offset)).hashCode()));
    buckets.shutdown();
  }

  private void segmentLookUps(int blocks) {
    SegmentIndex index = index(blocks);
    tell("segments, %d blocks, as an open reader: %s", blocks,
      lookUps(files(blocks), blocks, (file, offset) -> {
        BlockCacheKey key = new BlockCacheKey(file.name, offset);
        key.setReaderFile(file.reader);
        return index.get(key).findToRead(key.getOffset());
      }));
    tell("segments, %d blocks, by the file's name: %s", blocks,
      lookUps(files(blocks), blocks, (file, offset) -> {
        BlockCacheKey key = new BlockCacheKey(file.name, offset);
        return index.get(key).findToRead(key.getOffset());
      }));
    index.clear();
  }

  /** Returns the bytes of direct memory that an index of so many blocks takes at least. */
  private static int floorBytes(int blocks) {
    return (int) Math.min(Integer.MAX_VALUE - KB, blocks * 20L);
  }

  private static double floor(int blocks) {
    int bytes = floorBytes(blocks);
    ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
    double least = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      least = Math.min(least, nanos(bytes / Long.BYTES, 0, i -> memory.getLong(i * Long.BYTES)));
    }
    return least;
  }

  private interface LookUp {
    long find(OpenFile file, long offset);
  }

  /** A file, as who reads it has it. */
  private static final class OpenFile {
    private final String name;
    private final ReaderFile reader;

    OpenFile(int number) {
      name = Blocks.file(number);
      reader = ReaderFile.of(name);
    }
  }

  private static OpenFile[] files(int blocks) {
    OpenFile[] files = new OpenFile[blocks / Blocks.ENTRIES_OF_FILE + 1];
    Arrays.setAll(files, OpenFile::new);
    return files;
  }

  private static String lookUps(OpenFile[] files, int blocks, LookUp lookUp) {
    IntToLongFunction one = i -> lookUp.find(files[i / Blocks.ENTRIES_OF_FILE],
      (long) (i % Blocks.ENTRIES_OF_FILE) * BLOCK);
    if (one.applyAsLong(blocks - 1) == 0) {
      throw new IllegalStateException("nothing was found");
    }
    double cold = Double.MAX_VALUE;
    double hot = Double.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      cold = Math.min(cold, nanos(blocks, 0, one));
      hot = Math.min(hot, nanos(Math.min(blocks, HOT), blocks / 2, one));
    }
    return String.format(Locale.ROOT, "%.0f ns one of all, %.0f one of %d", cold, hot, HOT);
  }

  /** Returns how long one takes, which is chosen once the one before is found. */
  private static double nanos(int bound, int from, IntToLongFunction lookUp) {
    SplittableRandom random = new SplittableRandom(bound);
    long dependence = zero;
    long last = 0;
    long start = System.nanoTime();
    for (int i = 0; i < LOOK_UPS; i++) {
      last = lookUp.applyAsLong(from + (int) (last & dependence) + random.nextInt(bound));
    }
    return (System.nanoTime() - start) / (double) LOOK_UPS;
  }

  /** Returns an index of blocks that are nowhere. */
  private static SegmentIndex index(int blocks) {
    SegmentIndex index = new SegmentIndex(Long.MAX_VALUE / 2, new Occupancy(1 << 16));
    Blocks.addEntries(index, blocks);
    return index;
  }

  /** Returns a cache of blocks with little in them. */
  private static BucketCache buckets(int blocks) throws IOException, InterruptedException {
    BucketCache buckets = new BucketCache("offheap", (long) blocks * SLOT * 11 / 10, BLOCK,
      new int[] { SLOT, 66_560 }, 2, 1 << 14, null);
    for (int i = 0; i < blocks; i++) {
      Blocks.cache(buckets, Blocks.file(i / Blocks.ENTRIES_OF_FILE),
        (long) (i % Blocks.ENTRIES_OF_FILE) * BLOCK, LITTLE);
      while (i % KB == 0 && buckets.heapSize() > 8 << 20) {
        Thread.sleep(1);
      }
    }
    while (buckets.heapSize() > 0) {
      Thread.sleep(POLL_MS);
    }
    return buckets;
  }

  /**
   * Tells what collections of garbage take under a load that makes much of it, some of which lives
   * for a while. The heap's size is the JVM's.
   */
  public void collections(int blocks, int bucketBlocks) throws IOException, InterruptedException {
    load("nothing cached");
    SegmentIndex index = index(blocks);
    load(String.format(Locale.ROOT, "segments, %d blocks", index.getOccupancy().getBlocks()));
    index.clear();
    BucketCache buckets = buckets(bucketBlocks);
    load(String.format(Locale.ROOT, "BucketCache, %d blocks", buckets.getBackingMap().size()));
    buckets.shutdown();
  }

  private void load(String what) throws InterruptedException {
    System.gc();
    long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    long[] before = collected();
    long cpu = processCpu();
    long ownCpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long start = System.nanoTime();
    byte[][] living = new byte[CHURN][];
    SplittableRandom random = new SplittableRandom(1);
    long made = 0;
    while (System.nanoTime() - start < LOAD_SECONDS * NANOS) {
      for (int i = 0; i < 200; i++) {
        byte[] garbage = new byte[KB + random.nextInt(4 * KB)];
        made += garbage.length;
        if (i % 8 == 0) {
          living[random.nextInt(CHURN)] = garbage;
        }
      }
      // 200 MB a second or so.
      Thread.sleep(0, 500_000);
      while (made > (System.nanoTime() - start) / NANOS * (200 << 20)) {
        Thread.sleep(1);
      }
    }
    long[] after = collected();
    double seconds = (System.nanoTime() - start) / NANOS;
    double others = (processCpu() - cpu
      - (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - ownCpu)) / NANOS;
    tell("%s: %d MB of heap used, %d MB a second made: %d young collections, %d old, %.2f ms a"
      + " second in them; %.1f ms of CPU a second in other threads", what, used >> 20,
      (long) (made / seconds) >> 20, after[0] - before[0], after[2] - before[2],
      (after[1] - before[1] + after[3] - before[3]) / seconds, others * MS / seconds);
  }

  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory
      .getOperatingSystemMXBean()).getProcessCpuTime();
  }

  /** Returns the number of young collections, their milliseconds, and the same of others. */
  private static long[] collected() {
    long[] sums = new long[4];
    for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
      int at = bean.getName().contains("Young") ? 0 : 2;
      sums[at] += bean.getCollectionCount();
      sums[at + 1] += bean.getCollectionTime();
    }
    return sums;
  }
}
