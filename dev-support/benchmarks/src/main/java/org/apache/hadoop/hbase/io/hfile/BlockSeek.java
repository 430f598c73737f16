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

import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/*
 * One file, read through the cache that a region server builds: data blocks off heap. Seeks have
 * keys of random cells, made before. A get here is a scanner's: index, look-up of the block, seek.
 * Upstream doesn't know the keys that turn indexes on, and walks the block.
 */

/** Seeks in data blocks that are in the block cache. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class BlockSeek {
  /** A file whose blocks are all cached. */
  @State(Scope.Benchmark)
  public abstract static class CachedFile {
    private static final byte[] FAMILY = { 'f' };
    /** Bytes of a cell beside its value: lengths, row, family, qualifier, timestamp, MVCC. */
    private static final int CELL_BYTES_WITHOUT_VALUE = 43;
    private static final long WRITE_SECONDS = 60;
    private static final int KEYS = 1 << 16;

    /** Bytes off heap / 2^20; the file takes half of them. */
    @Param("512")
    public int cacheMb;

    @Param({ "16", "64" })
    public int blockKb;

    /** Of a cell. */
    @Param({ "70", "143", "1024" })
    public int cellBytes;

    private final Configuration conf = HBaseConfiguration.create();
    private java.nio.file.Path folder;
    private BlockCache cache;
    private HFile.Reader reader;
    private HFile.Reader uncachedReader;
    private int cells;
    private final Cell[] keys = new Cell[KEYS];
    private int nextKey;

    /** @param share of the cache that the file takes */
    final void fill(double share) throws Exception {
      SeekIndexes.configure(true);
      conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
      conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, cacheMb);
      conf.setLong(BucketCache.QUEUE_ADDITION_WAIT_TIME, TimeUnit.SECONDS.toMillis(WRITE_SECONDS));
      cache = BlockCacheFactory.createBlockCache(conf);
      folder = Files.createTempDirectory("block-seek");
      FileSystem fs = FileSystem.getLocal(conf);
      Path file = new Path(folder.toUri().toString(), "0123456789abcdef0123456789abcdef");
      cells = (int) Math.max(blockKb * 1024 / cellBytes,
        (long) cacheMb * (1 << 20) * share / cellBytes);
      write(fs, file);
      reader = HFile.createReader(fs, file,
        new CacheConfig(conf, null, cache, ByteBuffAllocator.create(conf, true)), true, conf);
      uncachedReader = HFile.createReader(fs, file, CacheConfig.DISABLED, true, conf);
      for (int i = 0; i < KEYS; i++) {
        keys[i] = key(ThreadLocalRandom.current().nextInt(1, cells));
      }
      HFileScanner scanner = reader.getScanner(conf, true, true);
      long seen = 0;
      for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
        if (++seen % 1_000 == 0) {
          scanner.shipped();
        }
      }
      scanner.close();
      await();
      for (int round = 0; round < 3; round++) {
        for (long cell = 0; cell < cells; cell += blockKb * 1024 / cellBytes) {
          get(key((int) cell));
        }
      }
    }

    private void write(FileSystem fs, Path file) throws IOException {
      try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
        .withPath(fs, file).withFileContext(new HFileContextBuilder()
          .withBlockSize(blockKb * 1024).withIncludesMvcc(true).build()).create()) {
        byte[] value = new byte[cellBytes - CELL_BYTES_WITHOUT_VALUE];
        for (int i = 0; i < cells; i++) {
          KeyValue cell = new KeyValue(row(i), FAMILY, FAMILY, 1, value);
          cell.setSequenceId(1 + i % 2);
          writer.append(cell);
        }
        writer.appendTrackedTimestampsToMetadata();
      }
    }

    private void await() throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WRITE_SECONDS);
      for (BlockCache level : cache.getBlockCaches()) {
        while (
          level instanceof BucketCache l2 && l2.getBlockCount() > l2.getBackingMap().size()
        ) {
          if (System.nanoTime() - end > 0) {
            throw new IllegalStateException("blocks aren't written after " + WRITE_SECONDS + " s");
          }
          Thread.sleep(1);
        }
      }
    }

    private static byte[] row(int number) {
      return Bytes.toBytes(String.format("user%012d", number));
    }

    private static Cell key(int number) {
      return new KeyValue(row(number), FAMILY, FAMILY, Long.MAX_VALUE, KeyValue.Type.Maximum);
    }

    final Cell randomKey() {
      return keys[nextKey++ & KEYS - 1];
    }

    final HFileScanner open() {
      return reader.getScanner(conf, true, true);
    }

    /** Returns a scanner whose blocks are in no cache, and have no index. */
    final HFileScanner openUncached() {
      return uncachedReader.getScanner(conf, false, true);
    }

    final Cell get(Cell key) throws IOException {
      HFileScanner scanner = open();
      scanner.seekTo(key);
      Cell found = scanner.getCell();
      scanner.close();
      return found;
    }

    @TearDown
    public void close() throws Exception {
      reader.close(true);
      uncachedReader.close(true);
      cache.shutdown();
      SeekIndexes.configure(false);
      try (var files = Files.list(folder)) {
        for (java.nio.file.Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(folder);
    }
  }

  /** A single block, which stays in the processor's caches. */
  public static class OneBlock extends CachedFile {
    private HFileScanner scanner;
    private HFileScanner unindexed;

    @Setup
    public void fill() throws Exception {
      fill(0);
      scanner = open();
      unindexed = openUncached();
    }

    @Override
    public void close() throws Exception {
      scanner.close();
      unindexed.close();
      super.close();
    }
  }

  /** Many blocks, which don't. */
  public static class ManyBlocks extends CachedFile {
    @Setup
    public void fill() throws Exception {
      fill(0.5);
    }
  }

  /** The seek alone, in the block that the scanner has. */
  @Benchmark
  public int seekInBlock(OneBlock file) throws IOException {
    return file.scanner.seekTo(file.randomKey());
  }

  /** The same in a block without index. */
  @Benchmark
  public int seekInBlockWithoutIndex(OneBlock file) throws IOException {
    return file.unindexed.seekTo(file.randomKey());
  }

  /** A new scanner's seek, in a block whose bytes the processor hasn't seen for long. */
  @Benchmark
  public Cell seekInFile(ManyBlocks file) throws IOException {
    return file.get(file.randomKey());
  }

  /** From the first cell to the last one of a block. */
  @Benchmark
  public void scanOfBlock(OneBlock file, Blackhole consumer) throws IOException {
    HFileScanner scanner = file.unindexed;
    for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
      consumer.consume(scanner.getCell());
    }
  }
}
