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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
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
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * With the codec that conf/ sets a region is read whose files were written by it and by HBase's own
 * codec, and what is written is plain frames.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestRegionOfBothZstdFormats {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRegionOfBothZstdFormats.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final Path SHIPPED_CONF = new Path("../conf/hbase-site.xml");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 500;
  private static final byte[] FRAME = Bytes.fromHex("28b52ffd");

  private final RegionInfo info = RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();
  private HRegion region;

  @After
  public void close() throws IOException {
    Compression.Algorithm.ZSTD.reload(UTIL.getConfiguration());
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  private static void useBlocks() {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.setClass(Compression.ZSTD_CODEC_CLASS_KEY, ZstdCodec.class, Object.class);
    Compression.Algorithm.ZSTD.reload(conf);
  }

  private static void useShippedCodec() {
    Configuration shipped = new Configuration(false);
    shipped.addResource(SHIPPED_CONF);
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.set(Compression.ZSTD_CODEC_CLASS_KEY, shipped.get(Compression.ZSTD_CODEC_CLASS_KEY));
    Compression.Algorithm.ZSTD.reload(conf);
  }

  private void open(Compression.Algorithm files, Compression.Algorithm compacted)
    throws IOException {
    TableDescriptor table = TableDescriptorBuilder.newBuilder(info.getTable())
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setCompressionType(files)
        .setCompactionCompressionType(compacted).setBlocksize(8 * 1024).build())
      .build();
    Configuration conf = UTIL.getConfiguration();
    Path root = UTIL.getDataTestDir();
    if (region == null) {
      region = HBaseTestingUtility.createRegionAndWAL(info, root, conf, table);
    } else {
      HBaseTestingUtility.closeRegionAndWAL(region);
      region = HRegion.openHRegion(root, info, table,
        HBaseTestingUtility.createWal(conf, root, info), conf);
    }
  }

  private void putAndFlush(int first) throws IOException {
    for (int row = first; row < ROWS; row += 2) {
      region.put(new Put(Bytes.toBytes(row)).setDurability(Durability.SKIP_WAL).addColumn(F, Q,
        value(row)));
    }
    region.flush(true);
  }

  /** A few are larger than a codec's buffer. */
  private static byte[] value(int row) {
    Random random = new Random(row);
    byte[] value = new byte[row % 100 > 97 ? 300_000 : 100];
    random.nextBytes(value);
    Arrays.fill(value, value.length / 2, value.length, (byte) row);
    return value;
  }

  private void assertReads() throws IOException {
    List<Cell> cells = new ArrayList<>();
    for (boolean cached : new boolean[] { false, true }) {
      for (int row = 0; row < ROWS; row++) {
        assertArrayEquals(value(row),
          region.get(new Get(Bytes.toBytes(row)).setCacheBlocks(cached)).getValue(F, Q));
      }
    }
    try (RegionScanner scanner = region.getScanner(new Scan())) {
      for (int row = 0; row < ROWS; row++) {
        cells.clear();
        assertEquals(row < ROWS - 1, scanner.next(cells));
        assertTrue(CellUtil.matchingValue(cells.get(0), value(row)));
      }
    }
  }

  private void assertBeginsWith(HStoreFile file, byte[] bytes) throws IOException {
    byte[] begin = new byte[bytes.length];
    try (FSDataInputStream in =
      file.getPath().getFileSystem(UTIL.getConfiguration()).open(file.getPath())) {
      in.readFully(HConstants.HFILEBLOCK_HEADER_SIZE, begin);
    }
    assertArrayEquals(bytes, begin);
  }

  private HStoreFile compacted() throws IOException {
    region.compact(true);
    assertEquals(1, region.getStore(F).getStorefilesCount());
    return region.getStore(F).getStorefiles().iterator().next();
  }

  @Test
  public void filesOfBothKindsAreReadAndCompactedIntoFrames() throws Exception {
    useBlocks();
    open(Compression.Algorithm.ZSTD, Compression.Algorithm.ZSTD);
    putAndFlush(0);
    useShippedCodec();
    open(Compression.Algorithm.ZSTD, Compression.Algorithm.ZSTD);
    assertEquals(1, region.getStore(F).getStorefilesCount());
    putAndFlush(1);
    assertEquals(2, region.getStore(F).getStorefilesCount());
    assertReads();
    assertBeginsWith(compacted(), FRAME);
    assertReads();
  }

  @Test
  public void compactionsAloneMayCompress() throws Exception {
    useBlocks();
    open(Compression.Algorithm.NONE, Compression.Algorithm.ZSTD);
    putAndFlush(0);
    compacted();
    useShippedCodec();
    open(Compression.Algorithm.NONE, Compression.Algorithm.ZSTD);
    putAndFlush(1);
    assertReads();
    assertBeginsWith(compacted(), FRAME);
    assertReads();
    open(Compression.Algorithm.ZSTD, Compression.Algorithm.NONE);
    assertReads();
    compacted();
    assertReads();
  }
}
