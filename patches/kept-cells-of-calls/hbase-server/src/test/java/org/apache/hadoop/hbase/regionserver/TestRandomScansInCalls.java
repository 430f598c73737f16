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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Random scans of random rows, of which each call's blocks are overwritten after it. */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestRandomScansInCalls {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRandomScansInCalls.class);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static final byte[][] FAMILIES =
    { Bytes.toBytes("f"), Bytes.toBytes("g"), Bytes.toBytes("h") };
  private static final int ROWS = 12;
  private static final int COLUMNS = 8;
  private static final int FILES = 4;
  private static final int TIMESTAMPS = 30;
  private static final int MAX_VALUE_BYTES = 2500;
  private static final int SCANS = 120;
  private static final int REGIONS = 3;
  private static final DataBlockEncoding[] ENCODINGS = { DataBlockEncoding.NONE,
    DataBlockEncoding.ROW_INDEX_V1, DataBlockEncoding.FAST_DIFF, DataBlockEncoding.PREFIX };
  private static final BloomType[] BLOOMS =
    { BloomType.NONE, BloomType.ROW, BloomType.ROWCOL };

  private static byte[] rowOf(int i) {
    return Bytes.toBytes(String.format("row%03d", i));
  }

  private static byte[] columnOf(int i) {
    return Bytes.toBytes("q" + i);
  }

  private static ColumnFamilyDescriptorBuilder newFamily(byte[] name, Random random) {
    return ColumnFamilyDescriptorBuilder.newBuilder(name).setMaxVersions(1 + random.nextInt(4))
      .setBloomFilterType(BLOOMS[random.nextInt(BLOOMS.length)])
      .setDataBlockEncoding(ENCODINGS[random.nextInt(ENCODINGS.length)]);
  }

  private static void fill(HRegion region, Random random) throws IOException {
    for (int file = 0; file < FILES; file++) {
      for (int i = 0; i < ROWS * COLUMNS; i++) {
        byte[] row = rowOf(random.nextInt(ROWS));
        byte[] family = FAMILIES[random.nextInt(FAMILIES.length)];
        byte[] column = columnOf(random.nextInt(COLUMNS));
        long timestamp = 1 + file * 5 + random.nextInt(10);
        switch (random.nextInt(12)) {
          case 0:
            region.delete(new Delete(row).addFamily(family, timestamp));
            break;
          case 1:
            region.delete(new Delete(row).addColumns(family, column, timestamp));
            break;
          case 2:
            region.delete(new Delete(row).addColumn(family, column, timestamp));
            break;
          default:
            byte[] value = new byte[8 + random.nextInt(MAX_VALUE_BYTES)];
            Bytes.putLong(value, 0, random.nextLong());
            region.put(new Put(row).addColumn(family, column, timestamp, value));
        }
      }
      region.flush(true);
    }
  }

  private static Filter newFilter(Random random, int depth) {
    switch (random.nextInt(depth > 0 ? 9 : 6)) {
      case 0:
        return new ColumnPaginationFilter(1 + random.nextInt(3), random.nextInt(2));
      case 1:
        return new ColumnPrefixFilter(columnOf(random.nextInt(COLUMNS)));
      case 2:
        int from = random.nextInt(COLUMNS);
        return new ColumnRangeFilter(columnOf(from), true, columnOf(from + 2),
          random.nextBoolean());
      case 3:
        return new QualifierFilter(
          random.nextBoolean() ? CompareOperator.LESS : CompareOperator.NOT_EQUAL,
          new BinaryComparator(columnOf(random.nextInt(COLUMNS))));
      case 4:
        List<Long> timestamps = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          timestamps.add(1L + random.nextInt(TIMESTAMPS));
        }
        return new TimestampsFilter(timestamps, random.nextBoolean());
      case 5:
        return new FirstKeyOnlyFilter();
      default:
        FilterList list = new FilterList(random.nextInt(4) == 0
          ? FilterList.Operator.MUST_PASS_ALL
          : FilterList.Operator.MUST_PASS_ONE);
        for (int i = 1 + random.nextInt(3); i >= 0; i--) {
          list.addFilter(newFilter(random, depth - 1));
        }
        return list;
    }
  }

  private static Scan newScan(Random random) throws IOException {
    Scan scan = new Scan().setBatch(1 + random.nextInt(3));
    boolean oneFamily = random.nextInt(3) == 0;
    boolean columns = random.nextInt(3) > 0;
    for (byte[] family : FAMILIES) {
      if (oneFamily && scan.hasFamilies()) {
        break;
      }
      scan.addFamily(family);
      for (int i = 0; columns && i < COLUMNS; i++) {
        if (random.nextBoolean()) {
          scan.addColumn(family, columnOf(i));
        }
      }
    }
    scan.readVersions(1 + random.nextInt(4));
    if (random.nextInt(4) == 0) {
      int from = random.nextInt(TIMESTAMPS / 2);
      scan.setTimeRange(from, from + 1 + random.nextInt(TIMESTAMPS));
    }
    // A scanner that goes over to streams after a call may give families in another order.
    scan.setReadType(random.nextBoolean() ? Scan.ReadType.PREAD : Scan.ReadType.STREAM);
    switch (random.nextInt(4)) {
      case 0:
        scan.setReversed(true);
        break;
      case 1:
        scan.setFilter(new TestScanInCalls.OneFamilyDecides()).setLoadColumnFamiliesOnDemand(true);
        break;
      case 2:
        scan.setFilter(newFilter(random, 2));
        break;
      default:
    }
    return scan;
  }

  private static List<String> read(PooledRegion region, Scan scan, Random calls)
    throws IOException {
    List<String> read = new ArrayList<>();
    try (RegionScannerImpl scanner = region.get().getScanner(scan)) {
      boolean more = true;
      while (more) {
        List<Cell> cells = new ArrayList<>();
        more = scanner.next(cells);
        for (Cell cell : cells) {
          read.add(CellUtil.getCellKeyAsString(cell) + "/"
            + Bytes.toLong(CellUtil.cloneValue(cell)));
        }
        if (calls != null && calls.nextInt(3) > 0) {
          scanner.shipped();
          region.overwriteReleased(calls.nextBoolean() ? 0xFF : calls.nextInt(0x80));
        }
      }
    }
    return read;
  }

  private static void scan(Random random) throws IOException {
    long cells = 0;
    int refused = 0;
    try (PooledRegion region = new PooledRegion(new HBaseTestingUtility(),
      newFamily(FAMILIES[0], random), newFamily(FAMILIES[1], random),
      newFamily(FAMILIES[2], random))) {
      fill(region.get(), random);
      for (int i = 0; i < SCANS; i++) {
        long ofScan = random.nextLong();
        Scan scan = newScan(new Random(ofScan));
        List<String> expected;
        try {
          expected = read(region, scan, null);
        } catch (AssertionError | IllegalStateException e) {
          // The order of cells, that of a delete, too, for which nothing is released.
          if (
            !e.getMessage().contains("followed by a smaller key")
              && !e.getMessage().startsWith("isDelete failed")
          ) {
            throw e;
          }
          refused++;
          continue;
        }
        cells += expected.size();
        List<String> actual;
        try {
          actual = read(region, newScan(new Random(ofScan)), new Random(ofScan));
        } catch (IOException | RuntimeException | AssertionError e) {
          throw new AssertionError(scan.toString(), e);
        }
        assertEquals(scan.toString(), expected, actual);
        assertEquals(scan.toString(), 0, region.countHeldBuffers());
      }
    }
    assertTrue(refused + " scans", refused < SCANS / 4);
    assertTrue(cells + " cells", cells > SCANS);
  }

  @Test
  public void readWhatOneCallReads() throws IOException {
    Random random = seed.newRandom();
    for (int i = 0; i < REGIONS; i++) {
      scan(random);
    }
  }
}
