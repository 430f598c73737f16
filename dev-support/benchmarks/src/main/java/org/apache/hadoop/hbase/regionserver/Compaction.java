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
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A major compaction by one thread, with cursors where there are any. An operation is a cell that
 * is read. The files are in the page cache, and so is the new one.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Compaction {
  private static final int CELLS = 120_000;
  private static final int TTL_SECONDS = 24 * 3600;

  /**
   * Number of files, of which all but the first rewrite half of the rows; cells of a row; bytes of
   * a value. Then what isn't plain: up to three versions are kept, the last files delete in place
   * of rewriting, each second row has expired, a data block encoding, a Bloom filter by row and
   * column, a compression.
   */
  @Param({ "5-10x100", "2-10x100", "5-5x20", "2-5x20", "5-1x1000", "5-5x20-VERSIONS",
    "5-5x20-DELETES", "5-5x20-TTL", "5-5x20-ROW_INDEX_V1", "5-5x20-FAST_DIFF",
    "5-10x100-FAST_DIFF", "5-5x20-ROWCOL", "5-10x100-GZ", "5-10x100-SNAPPY",
    "5-10x100-ZSTD", "5-10x100-FAST_DIFF-ZSTD" })
  public String files;

  private final Random random = new Random(1);
  private List<String> rules;
  private Rows rows;
  private LocalServer server;
  private HRegion region;
  private HStore store;

  /** Writes the files. */
  @Setup
  public void write() throws IOException {
    rules = List.of(files.split("-"));
    int count = Integer.parseInt(rules.get(0));
    rows = Rows.of(rules.get(1));
    server = new LocalServer();
    server.cacheOffHeap();
    Configuration conf = server.conf();
    conf.setLong(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 1L << 30);
    conf.setBoolean("hbase.regionserver.compaction.cursor.enabled", true);
    conf.set(Compression.SNAPPY_CODEC_CLASS_KEY,
      "org.apache.hadoop.hbase.io.compress.xerial.SnappyCodec");
    conf.set(Compression.ZSTD_CODEC_CLASS_KEY,
      "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec");
    region = server.createRegion(family());
    store = region.getStore(Rows.FAMILY);
    // A flush drops what has expired.
    long now = System.currentTimeMillis();
    long then = now - TimeUnit.SECONDS.toMillis(2 * TTL_SECONDS);
    EnvironmentEdgeManager.injectEdge(() -> then);
    int last = 2 * CELLS / rows.columns() / (count + 1);
    for (int file = 0; file < count; file++) {
      for (int i = file % 2; i < last; i += file == 0 ? 1 : 2) {
        long time = file + (i / 2 % 2 == 0 ? then : now);
        write(i, time, 2 * file > count && rules.contains("DELETES"));
      }
      region.flush(true);
    }
    EnvironmentEdgeManager.reset();
    long cells = store.getStorefiles().stream().mapToLong(f -> f.getReader().getEntries()).sum();
    if (cells != CELLS || store.getStorefilesCount() != count) {
      throw new IllegalStateException(cells + " cells in " + store.getStorefilesCount());
    }
  }

  private ColumnFamilyDescriptor family() {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(Rows.FAMILY)
      .setMaxVersions(rules.contains("VERSIONS") ? 3 : 1)
      .setTimeToLive(rules.contains("TTL") ? TTL_SECONDS : HConstants.FOREVER)
      .setBloomFilterType(rules.contains("ROWCOL") ? BloomType.ROWCOL : BloomType.ROW);
    for (DataBlockEncoding encoding : DataBlockEncoding.values()) {
      if (rules.contains(encoding.name())) {
        family.setDataBlockEncoding(encoding);
      }
    }
    for (Compression.Algorithm compression : Compression.Algorithm.values()) {
      if (rules.contains(compression.name())) {
        compression.reload(server.conf());
        family.setCompressionType(compression);
      }
    }
    return family.build();
  }

  private void write(int row, long time, boolean deletes) throws IOException {
    byte[] key = Rows.key(row);
    if (deletes) {
      Delete delete = new Delete(key).setDurability(Durability.SKIP_WAL);
      for (int i = 0; i < rows.columns(); i++) {
        delete.addColumns(Rows.FAMILY, Rows.column(i), time);
      }
      region.delete(delete);
      return;
    }
    Put put = new Put(key).setDurability(Durability.SKIP_WAL);
    for (int i = 0; i < rows.columns(); i++) {
      put.addColumn(Rows.FAMILY, Rows.column(i), time, value());
    }
    region.put(put);
  }

  /** Half of a value can be compressed. */
  private byte[] value() {
    byte[] value = new byte[rows.valueBytes()];
    byte[] half = new byte[rows.valueBytes() / 2];
    random.nextBytes(half);
    System.arraycopy(half, 0, value, 0, half.length);
    return value;
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public List<Path> major() throws IOException {
    CompactionRequestImpl request = new CompactionRequestImpl(store.getStorefiles());
    request.setIsMajor(true, true);
    return new DefaultCompactor(server.conf(), store).compact(request,
      NoLimitThroughputController.INSTANCE, null);
  }

  /** The next compaction reads the same files. */
  @TearDown(Level.Invocation)
  public void delete() throws IOException {
    region.getRegionFileSystem().cleanupTempDir();
  }

  @TearDown
  public void close() throws IOException {
    server.close();
  }
}
