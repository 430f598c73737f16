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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.util.IOEngineType;

/** A cache of segments and a BucketCache of the engine {@code direct}, each in a file. */
public final class CachesInFiles {
  private static final String BUCKETS = "direct";
  private static final int BLOCK = 64 * 1024;
  private static final int KB = 1 << 10;
  private static final int WAIT_MS = 60_000;
  private static final int POLL_MS = 20;
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e3;
  private static final int LEAST_SECONDS = 5;
  private static final int LAST_READS = 2_000;
  private static final int READERS = 4;
  private static final int ROUNDS = 4;
  private static final int SLICE_SECONDS = 10;

  private final PrintWriter out;

  public CachesInFiles(PrintWriter out) {
    this.out = out;
  }

  private void tell(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / NANOS;
  }

  /** Returns how many blocks a cache holds for sure. */
  private static int blocksOf(int megabytes) {
    return (int) ((long) megabytes * 95 / 100 * (1 << 20) / (BLOCK + KB));
  }

  private static BlockCache open(String engine, Path file, int megabytes) throws IOException {
    if (engine.equals(IOEngineType.SEGMENTS.prefix())) {
      Configuration conf = new Configuration(false);
      conf.set("hbase.bucketcache.ioengine", engine + ":" + file);
      conf.set("hbase.bucketcache.size", Integer.toString(megabytes));
      conf.setInt(BucketCache.QUEUE_ADDITION_WAIT_TIME, WAIT_MS);
      return new SegmentCache(new SegmentCacheSettings(conf, Long.MAX_VALUE),
        new CacheStats("measured"));
    }
    Configuration conf = new Configuration();
    conf.setInt(BucketCache.QUEUE_ADDITION_WAIT_TIME, WAIT_MS);
    return new BucketCache(engine + ":" + file, (long) megabytes << 20, BLOCK,
      new int[] { 5 * KB, 69_632 }, 3, 64, file + ".list", WAIT_MS, conf);
  }

  /** Returns true once a cache has read or checked what an earlier process left. */
  private static boolean isStarted(BlockCache cache) {
    return cache instanceof SegmentCache
      ? ((SegmentCache) cache).getStore().getPartsRecovering() == 0
      : ((BucketCache) cache).getBackingMapValidated().get();
  }

  /**
   * Fills a cache in a file, with a line when that is done: the process, which goes on writing, is
   * to be killed then. If the file is there, starts a cache on it, reads blocks at random from then
   * on, each of which is compared with what was written, and tells when all are known.
   * @param engine {@code segments} or {@code direct}
   */
  public void real(Path folder, String engine, int megabytes)
    throws IOException, InterruptedException {
    Path file = folder.resolve(engine);
    boolean fills = Files.notExists(file);
    int blocks = blocksOf(megabytes);
    long start = System.nanoTime();
    BlockCache cache = open(engine, file, megabytes);
    tell("%s: open after %.2f s", engine, since(start));
    if (fills) {
      for (int i = 0; i < blocks; i++) {
        Blocks.cacheOwn(cache, i, BLOCK);
      }
      tell("%s: %d blocks are written after %.0f s, and some more each second; kill it", engine,
        cache.getBlockCount(), since(start));
      for (int i = blocks;; i++) {
        Blocks.cacheOwn(cache, i, BLOCK);
        Thread.sleep(POLL_MS);
      }
    }
    boolean started = false;
    int hits = 0;
    int reads = 0;
    SplittableRandom random = new SplittableRandom(1);
    for (int second = 1; !started || second <= LEAST_SECONDS; second++) {
      int before = hits;
      reads = 0;
      while (since(start) < second) {
        reads++;
        if (Blocks.readOwn(cache, random.nextInt(blocks), BLOCK) && ++hits == 1) {
          tell("%s: first hit after %.2f s", engine, since(start));
        }
        if (!started && isStarted(cache)) {
          started = true;
          tell("%s: all %d blocks of %d known after %.2f s", engine, cache.getBlockCount(), blocks,
            since(start));
        }
      }
      tell("%s: until second %d: %d of %d random reads are hits, each verified", engine, second,
        hits - before, reads);
    }
    hits = 0;
    for (int i = 0; i < LAST_READS; i++) {
      hits += Blocks.readOwn(cache, random.nextInt(blocks), BLOCK) ? 1 : 0;
    }
    tell("%s: then %d of %d, each verified", engine, hits, LAST_READS);
    Runtime.getRuntime().halt(0);
  }

  /**
   * Tells how fast threads read both caches, in turns, without and beside a thread that writes
   * blocks of 64 KB.
   * @param rate MB that are offered in a second
   */
  public void beside(Path folder, int megabytes, int rate)
    throws IOException, InterruptedException {
    Device device = new Device(folder);
    Filled[] caches = new Filled[] { new Filled(IOEngineType.SEGMENTS.prefix(), folder, megabytes),
      new Filled(BUCKETS, folder, megabytes) };
    tell("%-9s %8s %9s %9s %9s %9s %9s %9s %9s", "engine", "offered", "written", "reads/s",
      "misses", "P50 us", "P99 us", "P999 us", "longest");
    for (int round = 0; round < ROUNDS; round++) {
      for (int toWrite : new int[] { 0, rate }) {
        for (int i = 0; i < caches.length; i++) {
          tell("%s", caches[(i + round) % caches.length].slice(toWrite, device));
        }
      }
    }
    for (Filled cache : caches) {
      cache.cache.shutdown();
    }
  }

  /** A cache that has as many blocks as it holds, the last that were written. */
  private static final class Filled {
    private final String engine;
    private final BlockCache cache;
    /** Of those that were written last, so that hardly one is evicted while it is read. */
    private final int readable;
    private final AtomicLong next = new AtomicLong();

    Filled(String engine, Path folder, int megabytes) throws IOException {
      this.engine = engine;
      cache = open(engine, folder.resolve("beside-" + engine), megabytes);
      int blocks = blocksOf(megabytes);
      readable = blocks / 2;
      for (int i = 0; i < blocks; i++) {
        Blocks.cache(cache, next.getAndIncrement(), BLOCK, true);
      }
    }

    /**
     * Reads for a while.
     * @param rate MB to offer in a second
     * @return a line of figures
     */
    String slice(int rate, Device device) throws IOException, InterruptedException {
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        long start = System.nanoTime();
        long end = start + TimeUnit.SECONDS.toNanos(SLICE_SECONDS);
        long first = next.get();
        long written = device.getWrittenBytes();
        Callable<long[]> reader = () -> read(end);
        List<Future<long[]>> readers =
          IntStream.range(0, READERS).mapToObj(i -> threads.submit(reader)).toList();
        write(rate, end);
        // A write may have waited for the device.
        double seconds = (System.nanoTime() - start) / 1e9;
        long offered = next.get() - first;
        long[] nanos = readers.stream().map(CachesInFiles::get).flatMapToLong(Arrays::stream)
          .sorted().toArray();
        int misses = (int) Arrays.stream(nanos).filter(each -> each < 0).count();
        long[] hits = Arrays.copyOfRange(nanos, misses, nanos.length);
        return String.format(Locale.ROOT,
          "%-9s %8.0f %9.0f %9d %9d %9.0f %9.0f %9.0f %9.0f", engine,
          (offered * BLOCK >> 20) / seconds, (device.getWrittenBytes() - written >> 20) / seconds,
          hits.length / SLICE_SECONDS, misses,
          micros(hits, 0.5), micros(hits, 0.99), micros(hits, 0.999), micros(hits, 1));
      } finally {
        threads.shutdown();
      }
    }

    private static double micros(long[] sorted, double part) {
      return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.min(sorted.length - 1, sorted.length * part)] / MICROS;
    }

    private void write(int rate, long end) throws InterruptedException {
      long start = System.nanoTime();
      double perSecond = rate * (double) (1 << 20) / BLOCK;
      for (long written = 0; System.nanoTime() < end;) {
        if (written < since(start) * perSecond) {
          Blocks.cache(cache, next.getAndIncrement(), BLOCK, true);
          written++;
        } else {
          Thread.sleep(1);
        }
      }
    }

    /** Returns nanoseconds of each read, -1 for a miss. */
    private long[] read(long end) {
      SplittableRandom random = new SplittableRandom(Thread.currentThread().getId());
      long[] nanos = new long[1 << 10];
      int reads = 0;
      for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
        boolean hit = Blocks.read(cache, next.get() - 1 - random.nextInt(readable));
        if (reads == nanos.length) {
          nanos = Arrays.copyOf(nanos, 2 * reads);
        }
        nanos[reads++] = hit ? System.nanoTime() - start : -1;
      }
      return Arrays.copyOf(nanos, reads);
    }
  }

  private static long[] get(Future<long[]> future) {
    try {
      return future.get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
