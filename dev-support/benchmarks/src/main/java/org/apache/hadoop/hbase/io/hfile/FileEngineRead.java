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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
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

/*
 * With the engine file the page cache holds all blocks, so that a read is a copy. With direct each
 * read goes to the device. Upstream has neither direct nor checksums; there file is measured
 * instead.
 *
 * A block of 64 KB fits into one buffer of 65 KB, upstream's default, and takes two of 48 KB, like
 * a block with a big last cell in buffers of 65 KB. With direct it is always in one buffer.
 */

/** Reads a block, or a row of it, from the file of a BucketCache. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FileEngineRead {
  /** A BucketCache with all blocks of an HFile. */
  @State(Scope.Benchmark)
  public abstract static class CachedFile {
    private static final int CELL_BYTES = 100;
    private static final int POOL_BUFFERS = 64;
    private static final long FILL_SECONDS = 60;
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] QUALIFIER = Bytes.toBytes("field0");

    @Param({ "file", "direct" })
    public String engine;

    @Param({ "32", "64" })
    public int blockKb;

    /** Size of the cache in MB; half of it is used. */
    @Param({ "512" })
    public int cacheMb;

    private final Random random = new Random(1);
    private final Configuration conf = HBaseConfiguration.create();
    private Path folder;
    private BucketCache cache;
    private HFile.Reader reader;
    private BlockCacheKey[] keys;
    private int rows;

    /** Writes the file and reads it once. */
    final void fill(boolean checksum, int bufferKb) throws IOException, InterruptedException {
      conf.setBoolean("hbase.bucketcache.checksum", checksum);
      conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, bufferKb << 10);
      conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, POOL_BUFFERS);
      // In the build folder, since /tmp may be in memory.
      folder = Files.createTempDirectory(Path.of("").toAbsolutePath(), "FileEngineRead");
      cache = createCache();
      FileSystem fs = FileSystem.getLocal(conf).getRawFileSystem();
      org.apache.hadoop.fs.Path path =
        new org.apache.hadoop.fs.Path(folder.toUri().toString(), "hfile");
      write(fs, path);
      BlockCache both = new CombinedBlockCache(new LruBlockCache(1 << 24, blockKb << 10), cache);
      reader = HFile.createReader(fs, path,
        new CacheConfig(conf, null, both, ByteBuffAllocator.create(conf, true)), true, conf);
      try (HFileScanner scanner = reader.getScanner(conf, true, true)) {
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          scanner.shipped();
        }
      }
      await(((long) cacheMb << 10) / 2 / blockKb);
      keys = cache.getBackingMap().keySet().toArray(new BlockCacheKey[0]);
    }

    private BucketCache createCache() throws IOException {
      try {
        return createCache(engine);
      } catch (IllegalArgumentException e) {
        return createCache("file");
      }
    }

    private BucketCache createCache(String name) throws IOException {
      return new BucketCache(name + ":" + folder.resolve("cache"), (long) cacheMb << 20,
        blockKb << 10, new int[] { 8 << 10, (blockKb + 4) << 10, 132 << 10 }, 1, 4096, null,
        BucketCache.DEFAULT_ERROR_TOLERATION_DURATION, conf);
    }

    private void write(FileSystem fs, org.apache.hadoop.fs.Path path) throws IOException {
      HFileContext context = new HFileContextBuilder().withBlockSize(blockKb << 10).build();
      try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
        .withPath(fs, path).withFileContext(context).create()) {
        byte[] value = new byte[CELL_BYTES];
        long bytes = ((long) cacheMb << 20) / 2;
        while (bytes > 0) {
          random.nextBytes(value);
          KeyValue cell = cell(rows++, value);
          writer.append(cell);
          bytes -= cell.getLength();
        }
      }
    }

    private static KeyValue cell(int number, byte[] value) {
      return new KeyValue(Bytes.toBytes(String.format("user%012d", number)), FAMILY, QUALIFIER,
        1L, value);
    }

    /**
     * Waits for the writer. Some blocks may have found its queue full. Upstream's cache must not be
     * shut down while blocks wait: it may release them twice.
     * @param blocks approximate number of blocks in the file
     */
    private void await(long blocks) throws InterruptedException {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(FILL_SECONDS);
      // The heap size is that of the blocks that wait.
      while (cache.heapSize() != 0 || cache.getBackingMap().size() < blocks * 9 / 10) {
        if (System.nanoTime() - end > 0) {
          throw new IllegalStateException("after " + FILL_SECONDS + " s the cache holds "
            + cache.getBackingMap().size() + " of " + blocks + " blocks, and " + cache.heapSize()
            + " bytes wait for it");
        }
        Thread.sleep(1);
      }
    }

    final Cacheable randomBlock() {
      return cache.getBlock(keys[random.nextInt(keys.length)], true, false, true);
    }

    /** Returns the length of the row's value in bytes. */
    final int seekRandomRow() throws IOException {
      try (HFileScanner scanner = reader.getScanner(conf, true, true)) {
        if (scanner.seekTo(cell(random.nextInt(rows), FAMILY)) != 0) {
          throw new IllegalStateException("a row is missing");
        }
        return scanner.getCell().getValueLength();
      }
    }

    @TearDown
    public void tearDown() throws IOException {
      reader.close(false);
      cache.shutdown();
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  /** With and without checksums. */
  public static class Blocks extends CachedFile {
    @Param({ "true", "false" })
    public boolean checksum;

    @Setup
    public void fill() throws IOException, InterruptedException {
      fill(checksum, 65);
    }
  }

  /** With buffers that hold a block, and with smaller ones. */
  public static class Rows extends CachedFile {
    @Param({ "65", "48" })
    public int bufferKb;

    @Setup
    public void fill() throws IOException, InterruptedException {
      fill(true, bufferKb);
    }
  }

  /** Looks up and releases a block. */
  @Benchmark
  public void block(Blocks blocks) {
    Cacheable block = blocks.randomBlock();
    if (block == null) {
      throw new IllegalStateException("a block has left the cache");
    }
    block.release();
  }

  /** Seeks a row, which parses its block up to the row. */
  @Benchmark
  public int row(Rows rows) throws IOException {
    return rows.seekRandomRow();
  }
}
