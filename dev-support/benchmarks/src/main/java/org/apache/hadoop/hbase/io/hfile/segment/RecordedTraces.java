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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * References to blocks that a region makes under loads as those of conf/ycsb, with fewer rows. All
 * but {@link #INDEX_HEAVY} are of data blocks, as a cache of segments has them that is no tier.
 */
enum RecordedTraces {
  /** Gets by Zipf's law. */
  POINT_GET,
  /** The same, with a scan of all rows beside it that caches blocks, again and again. */
  READ95_SCAN,
  /** Of rows with long keys in small blocks, 4 % get 99 % of the gets; also of index and bloom. */
  INDEX_HEAVY,
  /** YCSB's workload D: the latest rows are read most, and each twentieth operation adds one. */
  WORKLOAD_D;

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("q");
  private static final double EXPONENT = 0.99;
  private static final int GETS_BY_SCAN = 19;
  private static final int NEW_EACH = 20;
  private static final int FLUSH_EACH = 10_000;
  private static final int KB = 1 << 10;

  /** Has all blocks, so that the region is fast, and notes which are looked for. */
  private static final class Recorder extends LruBlockCache {
    private final boolean all;
    private final Map<BlockCacheKey, Long> numbers = new HashMap<>();
    private long[] references;
    private int count = -1;

    Recorder(boolean all, int references) {
      super(Runtime.getRuntime().maxMemory() / 2, KB);
      this.all = all;
      this.references = new long[references];
    }

    void start() {
      count = 0;
    }

    boolean isFull() {
      return count == references.length;
    }

    @Override
    public Cacheable getBlock(BlockCacheKey key, boolean caching, boolean repeat,
      boolean updateCacheMetrics) {
      // A scan looks for the next block without a type: it is data.
      BlockType type = key.getBlockType();
      boolean counts = caching && !repeat && (all || type == null || type == BlockType.DATA);
      if (counts && count >= 0 && !isFull()) {
        references[count++] = numbers.computeIfAbsent(key, block -> (long) numbers.size());
      }
      return super.getBlock(key, caching, repeat, updateCacheMetrics);
    }
  }

  /** Returns the references, each the number of a block, without gaps. */
  @SuppressWarnings("deprecation") // Nothing else opens a region with a cache of one's own.
  long[] references(Path folder, int count, int rows, long seed) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.HBASE_DIR, folder.resolve(toString()).toUri().toString());
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    // As many leaves below the index' root as a big file has.
    conf.setInt("hfile.index.block.max.size", 8 * KB);
    TableDescriptor table = TableDescriptorBuilder.newBuilder(TableName.valueOf("usertable"))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
        .setBloomFilterType(BloomType.ROW).setBlocksize(this == INDEX_HEAVY ? KB : 4 * KB).build())
      .build();
    RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    HRegion region = HRegion.createHRegion(info,
      new org.apache.hadoop.fs.Path(conf.get(HConstants.HBASE_DIR)), conf, table, null, false);
    Recorder recorder = new Recorder(this == INDEX_HEAVY, count);
    region.setBlockCache(recorder);
    region.initialize();
    try {
      for (int i = 0; i < rows; i++) {
        put(region, i);
      }
      region.flush(true);
      recorder.start();
      run(region, recorder, rows, new SplittableRandom(seed));
    } finally {
      region.close(true);
      recorder.shutdown();
    }
    return recorder.references;
  }

  private void run(HRegion region, Recorder recorder, int rows, SplittableRandom random)
    throws IOException {
    double[] shares = Traces.shares(rows, EXPONENT);
    int newest = rows;
    Scan scan = new Scan().setCacheBlocks(true);
    List<Cell> cells = new ArrayList<>();
    RegionScanner scanner = this == READ95_SCAN ? region.getScanner(scan) : null;
    for (int i = 1; !recorder.isFull(); i++) {
      int row = switch (this) {
        case INDEX_HEAVY -> random.nextInt(100) == 0 ? random.nextInt(rows)
          : random.nextInt(rows / 25);
        case WORKLOAD_D -> newest - 1 - Traces.rank(shares, random);
        default -> Traces.rank(shares, random);
      };
      region.get(new Get(row(row)).addFamily(FAMILY));
      if (scanner != null && i % GETS_BY_SCAN == 0) {
        // The rows of a block.
        boolean more = true;
        for (int next = 0; next < 4; next++) {
          cells.clear();
          more = scanner.next(cells);
        }
        if (!more) {
          scanner.close();
          scanner = region.getScanner(scan);
        }
      }
      if (this == WORKLOAD_D && i % NEW_EACH == 0) {
        put(region, newest++);
        if (newest % FLUSH_EACH == 0) {
          region.flush(true);
        }
      }
    }
    if (scanner != null) {
      scanner.close();
    }
    region.flush(true);
  }

  private void put(HRegion region, int row) throws IOException {
    region.put(new Put(row(row)).setDurability(Durability.SKIP_WAL)
      .addColumn(FAMILY, COLUMN, new byte[this == INDEX_HEAVY ? 600 : KB]));
  }

  /** As YCSB's: rows that are added one after the other don't lie together. */
  private byte[] row(int number) {
    String row = "user" + (number * 0x9E3779B97F4A7C15L >>> 1);
    if (this != INDEX_HEAVY) {
      return Bytes.toBytes(row);
    }
    byte[] padded = new byte[400];
    Arrays.fill(padded, (byte) '0');
    byte[] bytes = Bytes.toBytes(row);
    System.arraycopy(bytes, 0, padded, padded.length - bytes.length, bytes.length);
    return padded;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
