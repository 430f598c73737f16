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

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * A get reads no block by the row path that it wouldn't by a region scanner. Each test prints how
 * many were read.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestRowPathBlocks extends RowPathTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRowPathBlocks.class);

  private static final int ROWS = 40;
  private static final int FILES = 10;

  private void open(BloomType bloom, int blockBytes) throws IOException {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(5).setBloomFilterType(bloom)
      .setBlocksize(blockBytes).build());
  }

  /** Flushes files, each with a version of all columns of all rows. */
  private void openFiles(BloomType bloom, int files, int blockBytes, int valueBytes,
    String... columns) throws IOException {
    open(bloom, blockBytes);
    for (int file = 0; file < files; file++) {
      for (int i = 0; i < ROWS; i++) {
        put(i, time(file), valueBytes, columns);
      }
      region.flush(true);
    }
    assertEquals(files, region.getStore(F).getStorefilesCount());
  }

  private void openNarrow(String... columns) throws IOException {
    openFiles(BloomType.ROW, FILES, 64 * 1024, 10, columns);
  }

  /** Of rows of several blocks. */
  private void openWide() throws IOException {
    String[] columns = new String[10];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = "c" + i;
    }
    openFiles(BloomType.ROW, 5, 200, 100, columns);
  }

  private void put(int row, long timestamp, int valueBytes, String... columns)
    throws IOException {
    Put put = new Put(row(row), timestamp).setDurability(Durability.SKIP_WAL);
    for (String column : columns) {
      put.addColumn(F, Bytes.toBytes(column), new byte[valueBytes]);
    }
    region.put(put);
  }

  private long time(int file) {
    return now - 1_000 + 10 * file;
  }

  private void delete(Delete delete) throws IOException {
    region.delete(delete.setDurability(Durability.SKIP_WAL));
  }

  private static Get get(int row, String... columns) {
    Get get = new Get(row(row));
    for (String column : columns) {
      get.addColumn(F, Bytes.toBytes(column));
    }
    return get;
  }

  private void assertNoMoreBlocks(String name, int expected, Get get) throws IOException {
    assertNoMoreBlocks(name, expected, get, false);
  }

  /** @param isScanners whether the row path leaves it to a scanner */
  private void assertNoMoreBlocks(String name, int expected, Get get, boolean isScanners)
    throws IOException {
    long filtered = region.getFilteredReadRequestsCount();
    String actual = byRowPath(get);
    long byRowPath = region.getFilteredReadRequestsCount() - filtered;
    String text = byScanner(get);
    System.out.printf("%-50s scanner %2d data %2d bloom %2d index, row path %s%n", name,
      scannerReads.data, scannerReads.count(BlockCategory.BLOOM),
      scannerReads.count(BlockCategory.INDEX), actual == null
        ? "left to it"
        : String.format("%2d data %2d bloom %2d index", rowPathReads.data,
          rowPathReads.count(BlockCategory.BLOOM), rowPathReads.count(BlockCategory.INDEX)));
    assertEquals(name, expected, scannerReads.data);
    assertEquals(name, isScanners, actual == null);
    if (!isScanners) {
      assertEquals(name, text, actual);
      assertEquals(name, region.getFilteredReadRequestsCount() - filtered - byRowPath, byRowPath);
      rowPathReads.assertNoneBeside(name, scannerReads);
    }
  }

  @Test
  public void theLatestVersionOfAColumn() throws Exception {
    openNarrow("a", "b");
    assertNoMoreBlocks("latest version of a column", 1, get(5, "b"));
  }

  @Test
  public void aRowOrColumnThatWasDeletedOften() throws Exception {
    openWide();
    for (int i = 0; i < 500; i++) {
      delete(new Delete(row(5), time(FILES) + i));
      delete(new Delete(row(6)).addColumns(F, Bytes.toBytes("c2"), time(FILES) + i));
    }
    put(5, time(FILES) + 600, 10, "c3");
    region.flush(true);
    assertFewBlocks(get(5));
    assertFewBlocks(get(5, "c3"));
    assertFewBlocks(get(5, "c1", "c3"));
    assertFewBlocks(get(6, "c2"));
    assertFewBlocks(get(6, "c2", "c3"));
  }

  /** The puts of a row are in 35, and the deletes in a hundred more. */
  private void assertFewBlocks(Get get) throws IOException {
    String byRowPath = byRowPath(get);
    assertEquals(byScanner(get), byRowPath);
    assertTrue(get + ": " + rowPathReads, rowPathReads.data <= 40);
    rowPathReads.assertNoneBeside(get.toString(), scannerReads);
  }

  @Test
  public void aRowThatWasDeletedAndPutAgainInTheMemstore() throws Exception {
    openNarrow("a", "b");
    delete(new Delete(row(5), time(FILES)));
    put(5, time(FILES) + 1, 10, "a", "b");
    assertNoMoreBlocks("row deleted and put again in the memstore, a column", 0, get(5, "b"));
  }

  @Test
  public void aRowThatWasDeletedInTheMemstore() throws Exception {
    openNarrow("a", "b");
    delete(new Delete(row(5), time(FILES)));
    assertNoMoreBlocks("row deleted in the memstore", 1, get(5, "b"));
  }

  @Test
  public void aColumnThatWasDeletedInTheMemstore() throws Exception {
    openNarrow("a", "b");
    delete(new Delete(row(5)).addColumns(F, Bytes.toBytes("b"), time(FILES)));
    assertNoMoreBlocks("column deleted in the memstore", 1, get(5, "b"));
  }

  @Test
  public void twoVersionsOfAColumn() throws Exception {
    openNarrow("a", "b");
    assertNoMoreBlocks("two versions of a column", 2, get(5, "b").readVersions(2));
  }

  @Test
  public void theColumnWithTheEmptyName() throws Exception {
    openNarrow("", "b");
    assertNoMoreBlocks("column with the empty name", 1, get(5, ""));
  }

  @Test
  public void halfFiles() throws Exception {
    for (boolean top : new boolean[] { false, true }) {
      openFiles(BloomType.ROW, 6, 64 * 1024, 10, "a", "b");
      openHalf(row(20), top);
      assertNoMoreBlocks(top ? "half files, top" : "half files, bottom", top ? 1 : 2,
        get(top ? 30 : 5, "b"));
    }
  }

  @Test
  public void theLastRowOfHalfFiles() throws Exception {
    openFiles(BloomType.ROW, 6, 64 * 1024, 10, "a", "b");
    openHalf(row(20), false);
    assertNoMoreBlocks("half files, last row, column that isn't there", 12, get(19, "c"));
  }

  @Test
  public void threeVersionsOfAColumnOfAWideRow() throws Exception {
    openWide();
    assertNoMoreBlocks("row of several blocks, three versions", 5, get(5, "c5").readVersions(3));
  }

  @Test
  public void aDeletedColumnOfAWideRow() throws Exception {
    openWide();
    delete(new Delete(row(5)).addColumns(F, Bytes.toBytes("c5"), time(3)));
    assertNoMoreBlocks("row of several blocks, column deleted", 1, get(5, "c5"));
    delete(new Delete(row(6)).addColumns(F, Bytes.toBytes("c5"), time(5)));
    region.flush(true);
    assertNoMoreBlocks("row of several blocks, column deleted in a file", 2, get(6, "c5"));
  }

  @Test
  public void severalColumnsOfAWideRow() throws Exception {
    openWide();
    put(5, time(FILES), 100, "c5");
    assertNoMoreBlocks("row of several blocks, three columns", 2, get(5, "c3", "c5", "c7"));
  }

  @Test
  public void allOfARow() throws Exception {
    openNarrow("a", "b");
    delete(new Delete(row(6), time(FILES)));
    assertNoMoreBlocks("all of a row", FILES, get(5));
    assertNoMoreBlocks("all of a row that was deleted", FILES, get(6));
    openWide();
    assertNoMoreBlocks("all of a row of several blocks", 30, get(5));
  }

  @Test
  public void twoColumnsOfARowThatIsNotThere() throws Exception {
    openFiles(BloomType.ROWCOL, 5, 64 * 1024, 10, "a", "b");
    Get get = new Get(Bytes.toBytes("row-05x")).addColumn(F, Bytes.toBytes("a"))
      .addColumn(F, Bytes.toBytes("b"));
    assertNoMoreBlocks("ROWCOL, two columns of an absent row", 0, get, true);
    assertNoMoreBlocks("ROWCOL, the same, existence only", 0, get.setCheckExistenceOnly(true),
      true);
    Get column = new Get(Bytes.toBytes("row-05x")).addColumn(F, Bytes.toBytes("a"));
    assertNoMoreBlocks("ROWCOL, a column of an absent row", 0, column);
    assertNoMoreBlocks("ROWCOL, a column", 1, get(5, "a"));
    assertNoMoreBlocks("ROWCOL, an absent column", 0, get(5, "c"));
    assertNoMoreBlocks("ROWCOL, two columns", 1, get(5, "a", "b"), true);
  }

  @Test
  public void columnsThatAreNotThere() throws Exception {
    openNarrow("a", "c");
    assertNoMoreBlocks("two columns that aren't there", FILES, get(5, "b", "d"));
    assertNoMoreBlocks("the same, existence only", FILES,
      get(5, "b", "d").setCheckExistenceOnly(true));
    assertTrue(region.getFilteredReadRequestsCount() > 0);
  }

  /** Of columns that a file is past, neither keys are made nor filters asked. */
  @Test
  public void manyNamedColumns() throws Exception {
    StoreFileScanner.instrument();
    String[] columns = new String[10_000];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = String.format("c%05d", i);
    }
    for (BloomType bloom : new BloomType[] { BloomType.ROW, BloomType.ROWCOL }) {
      open(bloom, 64 * 1024);
      put(1, time(0), 10, "a", "z");
      put(2, time(0), 10, columns);
      put(3, time(0), 10, "c00100", "c09000");
      region.flush(true);
      put(1, time(1), 10, "a", "z");
      put(2, time(1), 10, "c00100", "c09000");
      put(3, time(1), 10, columns);
      region.flush(true);
      put(1, time(2), 10, "z");
      for (int row = 1; row <= 3; row++) {
        assertFewLookups(bloom, get(row, columns));
      }
    }
  }

  private void assertFewLookups(BloomType bloom, Get get) throws IOException {
    HStore store = region.getStore(F);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    // What is made once is there afterwards.
    byRowPath(get);
    long seeks = StoreFileScanner.getSeekCount();
    long filters = store.getBloomFilterRequestsCount();
    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    Call call = new Call();
    Result result = call.get(get);
    long seeksByRowPath = StoreFileScanner.getSeekCount() - seeks;
    long filtersByRowPath = store.getBloomFilterRequestsCount() - filters;
    bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - bytes;
    String text = byScanner(get);
    long seeksByScanner = StoreFileScanner.getSeekCount() - seeks - seeksByRowPath;
    long filtersByScanner =
      store.getBloomFilterRequestsCount() - filters - filtersByRowPath;
    System.out.printf("%s, 10,000 columns, %d there: scanner %d seeks %d filters, row path %s%n",
      bloom, result == null ? -1 : result.size(), seeksByScanner, filtersByScanner, result == null
        ? "left to it"
        : seeksByRowPath + " seeks " + filtersByRowPath + " filters " + bytes + " bytes");
    assertEquals(bloom == BloomType.ROWCOL, result == null);
    assertTrue(seeksByRowPath + " seeks", seeksByRowPath <= seeksByScanner);
    assertTrue(filtersByRowPath + " filters", filtersByRowPath <= filtersByScanner);
    if (result != null) {
      assertEquals(text, describe(result));
      assertTrue(bytes + " bytes", bytes < 250_000 + 100 * result.size());
      call.end();
    }
  }
}
