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
package org.apache.hadoop.hbase.io.hfile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/*
 * The cache is the one that a region server builds, from its configuration: index blocks in an
 * on-heap LruBlockCache, data blocks off heap in a BucketCache. With tiers it is our
 * CompositeBucketCache, index blocks in its L1 and data blocks in its L2, both off heap; upstream
 * doesn't know the keys and has what it has without, so that the two are compared. Keys are made
 * for each look-up, as HFile readers do. What is in a block doesn't matter: no look-up reads it.
 */

/** A block that is looked up in the block cache and released. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class BlockCacheLookup {
  /** A cache that is half full with blocks of one size. */
  @State(Scope.Benchmark)
  public abstract static class FilledCache {
    private static final int FILES = 16;
    private static final long FILL_SECONDS = 60;
    private static final long RELEASE_SECONDS = 10;
    /** Bytes, one for each size of blocks here, so that a small L1 will do. */
    private static final String BUCKET_SIZES = "33792,66560,132096";
    private static final HFileContext CONTEXT = new HFileContextBuilder().build();

    /** Bytes off heap / 2^20. */
    @Param("512")
    public int cacheMb;

    /**
     * none; a composite's: split, in which blocks don't move, or with promotion; or segments, a
     * cache of segments in place of BucketCache; or segment-tiers, as promotion, of segments.
     * Upstream has none for each.
     */
    @Param({ "none", "split", "promotion", "segments", "segment-tiers" })
    public String tiers;

    private BlockType type;
    private int blockBytes;
    private BlockCache cache;
    private Path[] files;
    private long[] offsets;

    /**
     * Builds the cache and fills it.
     * @param bytes of a block without its header
     * @param l1Mb  of L1, if there are tiers
     */
    final void fill(BlockType blockType, int bytes, int l1Mb) throws InterruptedException {
      type = blockType;
      blockBytes = bytes;
      Configuration conf = HBaseConfiguration.create();
      conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, cacheMb);
      String engine = isInSegments() ? "segments" : "offheap";
      conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine);
      if (!tiers.equals("none") && !tiers.equals("segments")) {
        conf.set("hbase.bucketcache.l1.ioengine", engine);
        conf.setInt("hbase.bucketcache.l1.size", l1Mb);
        conf.set("hbase.bucketcache.bucket.sizes", BUCKET_SIZES);
        conf.setBoolean("hbase.bucketcache.composite.promotion", !tiers.equals("split"));
      }
      // A full writer queue makes the filling wait, not drop blocks.
      conf.setLong(BucketCache.QUEUE_ADDITION_WAIT_TIME, TimeUnit.SECONDS.toMillis(FILL_SECONDS));
      cache = BlockCacheFactory.createBlockCache(conf);

      int blocks = (int) ((long) cacheMb * (1 << 20) / 2 / blockBytes);
      Path family = new Path("/hbase/data/default/usertable/" + name(0) + "/f");
      List<BlockCacheKey> keys = new ArrayList<>(blocks);
      for (int i = 0; i < blocks; i++) {
        keys.add(new BlockCacheKey(new Path(family, name(1 + i % FILES)),
          (long) (i / FILES) * blockBytes, true, type));
      }
      for (BlockCacheKey key : keys) {
        HFileBlock block = block(key.getOffset());
        cache.cacheBlock(key, block, false, true);
        block.release();
      }
      await(blocks);
      Collections.shuffle(keys, new Random(1));
      files = keys.stream().map(BlockCacheKey::getFilePath).toArray(Path[]::new);
      offsets = keys.stream().mapToLong(BlockCacheKey::getOffset).toArray();
    }

    private boolean isInSegments() {
      try {
        Class.forName("org.apache.hadoop.hbase.io.hfile.segment.SegmentCache");
        return tiers.startsWith("segment");
      } catch (ClassNotFoundException e) {
        return false;
      }
    }

    /** As HFiles are named. */
    private static String name(int number) {
      return UUID.nameUUIDFromBytes(new byte[] { (byte) number }).toString().replace("-", "");
    }

    private HFileBlock block(long offset) {
      ByteBuff buffer =
        ByteBuffAllocator.HEAP.allocate(HConstants.HFILEBLOCK_HEADER_SIZE + blockBytes);
      return new HFileBlock(type, blockBytes, blockBytes, -1, buffer, HFileBlock.FILL_HEADER,
        offset, -1, HConstants.HFILEBLOCK_HEADER_SIZE + blockBytes, CONTEXT,
        ByteBuffAllocator.HEAP);
    }

    /** Waits until the writer threads have put all blocks where they belong. */
    private void await(int blocks) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FILL_SECONDS);
      while (blocksInPlace() < blocks) {
        if (System.nanoTime() - end > 0) {
          throw new IllegalStateException("after " + FILL_SECONDS + " s the cache holds "
            + blocksInPlace() + " of " + blocks + " blocks");
        }
        Thread.sleep(1);
      }
    }

    private long blocksInPlace() {
      return Stream.of(cache.getBlockCaches()).mapToLong(level -> level instanceof BucketCache l2
        ? l2.getBackingMap().size() : level.getBlockCount()).sum();
    }

    /** A key of the number-th block, new as for each look-up of a reader. */
    final BlockCacheKey key(int number) {
      return new BlockCacheKey(files[number], offsets[number], true, type);
    }

    /** A key with the file of the number-th block, and an offset at which no block is. */
    final BlockCacheKey absentKey(int number) {
      return new BlockCacheKey(files[number], offsets[number] + 1, true, type);
    }

    final int blocks() {
      return files.length;
    }

    final Cacheable get(BlockCacheKey key) {
      return cache.getBlock(key, true, false, true);
    }

    /** Fails when a look-up has kept a block that it should have released. */
    @TearDown
    public void shutdown() throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(RELEASE_SECONDS);
      for (int i = 0; i < blocks(); i++) {
        // A block that is being promoted is held for that long.
        while (references(key(i)) != 2) {
          if (System.nanoTime() - end > 0) {
            throw new IllegalStateException("block " + key(i) + " has " + references(key(i))
              + " references; expected 2, the cache's and this one");
          }
          Thread.sleep(1);
        }
      }
      cache.shutdown();
    }

    /**
     * References to a block while it is looked up; 2 for one on the heap, which has no count, and
     * for one in segments, where each look-up has a count of its own.
     */
    private int references(BlockCacheKey key) {
      Cacheable block = cache.getBlock(key, false, false, false);
      if (block == null) {
        throw new IllegalStateException("block " + key + " has left the cache");
      }
      int references =
        ((HFileBlock) block).isSharedMem() && !isInSegments() ? block.refCnt() : 2;
      block.release();
      return references;
    }
  }

  /** Data blocks, off heap. L1 has room for few, so that most look-ups go to L2. */
  public static class DataBlocks extends FilledCache {
    private static final int L1_SHARE = 16;
    /** An HFile's data block ends with the first cell that passes the size set for it. */
    private static final int LAST_CELL_BYTES = 150;

    @Param({ "32", "64" })
    public int blockKb;

    @Setup
    public void fill() throws InterruptedException {
      fill(BlockType.DATA, blockKb * 1024 + LAST_CELL_BYTES, cacheMb / L1_SHARE);
    }
  }

  /** Leaf blocks of indexes, in the cache's first level. */
  public static class IndexBlocks extends FilledCache {
    private static final int BYTES = 128 * 1024;

    @Setup
    public void fill() throws InterruptedException {
      fill(BlockType.LEAF_INDEX, BYTES, cacheMb);
    }
  }

  /** Where a thread is among the blocks, which are in random order. */
  @State(Scope.Thread)
  public static class Position {
    private int position;

    @Setup(Level.Iteration)
    public void start() {
      position = ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
    }

    final int next(int bound) {
      position = position + 1 < bound ? position + 1 : position % bound;
      return position;
    }
  }

  @Benchmark
  public void dataHit(DataBlocks blocks, Position position, Blackhole consumer) {
    hit(blocks, position, consumer);
  }

  @Benchmark
  public void indexHit(IndexBlocks blocks, Position position, Blackhole consumer) {
    hit(blocks, position, consumer);
  }

  private static void hit(FilledCache blocks, Position position, Blackhole consumer) {
    Cacheable block = blocks.get(blocks.key(position.next(blocks.blocks())));
    consumer.consume(block);
    block.release();
  }

  @Benchmark
  public Cacheable miss(DataBlocks blocks, Position position) {
    Cacheable block = blocks.get(blocks.absentKey(position.next(blocks.blocks())));
    if (block != null) {
      throw new IllegalStateException("a hit: " + block);
    }
    return block;
  }

  /** A single caller. */
  @Threads(1)
  public static class Threads1 extends BlockCacheLookup {
  }

  /** A few callers. */
  @Threads(2)
  public static class Threads2 extends BlockCacheLookup {
  }

  /** More callers than most test machines have CPUs, as a region server has handlers. */
  @Threads(8)
  public static class Threads8 extends BlockCacheLookup {
  }
}
