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
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.querymatcher.DeleteTracker;
import org.apache.hadoop.hbase.regionserver.querymatcher.ScanDeleteTracker;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Scans of rows with many deletes, of which one covers the rest. On 2.6.4 they read all blocks of
 * the row, as is done here to compare.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCoveredDeletes {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCoveredDeletes.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("b");
  private static final byte[][] ROWS = { Bytes.toBytes("a"), ROW, Bytes.toBytes("c") };
  private static final byte[] NO_NAME = HConstants.EMPTY_BYTE_ARRAY;
  private static final byte[] DELETED = Bytes.toBytes("d");
  private static final byte[] LATER = Bytes.toBytes("e");
  private static final byte[][] COLUMNS = { NO_NAME, DELETED, LATER };
  private static final int BLOCK_BYTES = 1024;
  private static final int DELETES = 3000;
  /** Without an index block, which isn't counted. */
  private static final int FEW_BLOCKS = 8;
  private static final int MANY_BLOCKS = 50;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private HRegion region;
  private OneByOne oneByOne;
  /** Of the last scan, with markers one by one. */
  private long blocksOneByOne;

  /** While it is on, markers are looked at one by one: the tracker may be of another kind. */
  public static final class OneByOne implements RegionCoprocessor, RegionObserver {
    private boolean on;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    @SuppressWarnings("deprecation") // Nothing else gives a tracker.
    public DeleteTracker postInstantiateDeleteTracker(
      ObserverContext<RegionCoprocessorEnvironment> context, DeleteTracker tracker) {
      return on ? new ScanDeleteTracker(tracker.getCellComparator()) {
      } : tracker;
    }
  }

  private void open(KeepDeletedCells keep) throws IOException {
    TableName table = TableName.valueOf("t");
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    region = HBaseTestingUtility.createRegionAndWAL(info, UTIL.getDataTestDir(),
      UTIL.getConfiguration(),
      TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(BLOCK_BYTES)
          .setMaxVersions(Integer.MAX_VALUE).setKeepDeletedCells(keep).build())
        .build());
    RegionCoprocessorHost host = new RegionCoprocessorHost(region, null, UTIL.getConfiguration());
    host.load(OneByOne.class, 1, UTIL.getConfiguration());
    oneByOne = (OneByOne) host.findCoprocessor(OneByOne.class.getName());
    region.setCoprocessorHost(host);
  }

  @After
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    UTIL.cleanupTestDir();
  }

  private void put(byte[] row, byte[] column, long timestamp) throws IOException {
    region.put(new Put(row, timestamp).setDurability(Durability.SKIP_WAL).addColumn(F, column,
      Bytes.toBytes(timestamp)));
  }

  private static Delete of(byte[] row) {
    return new Delete(row).setDurability(Durability.SKIP_WAL);
  }

  private List<String> read(Scan scan) throws IOException {
    List<String> read = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    try (RegionScannerImpl scanner = region.getScanner(scan)) {
      boolean more = true;
      while (more) {
        more = scanner.next(cells);
        for (Cell cell : cells) {
          read.add(KeyValueUtil.copyToNewKeyValue(cell) + "=" + Bytes.toLong(cell.getValueArray(),
            cell.getValueOffset()));
        }
        cells.clear();
        scanner.shipped();
      }
    }
    return read;
  }

  /** Reads as always and with markers one by one, and returns how many blocks it took. */
  private long compare(Scan scan) throws IOException {
    oneByOne.on = true;
    long before = HFile.DATABLOCK_READ_COUNT.sum();
    List<String> expected = read(scan);
    blocksOneByOne = HFile.DATABLOCK_READ_COUNT.sum() - before;
    oneByOne.on = false;
    before = HFile.DATABLOCK_READ_COUNT.sum();
    List<String> seen = read(scan);
    long blocks = HFile.DATABLOCK_READ_COUNT.sum() - before;
    assertEquals(scan.toString(), expected, seen);
    assertTrue(blocks + " blocks in place of " + blocksOneByOne + ": " + scan,
      blocks <= blocksOneByOne);
    return blocks;
  }

  /** What is in the range is covered by a delete that is later. */
  private void assertFewBlocksOfAnEarlierTime() throws IOException {
    long blocks = compare(ofRow().setTimeRange(0, DELETES / 2));
    assertTrue(blocks + " blocks", blocks <= FEW_BLOCKS);
  }

  private static Scan ofRow() {
    return new Scan().withStartRow(ROW).withStopRow(ROW, true);
  }

  /** With and without columns. */
  private void assertFewBlocks(String whatIsLeft) throws IOException {
    region.flush(true);
    assertEquals(1, region.getStore(F).getStorefilesCount());
    Scan[] scans = { ofRow(), ofRow().addColumn(F, DELETED),
      ofRow().addColumn(F, DELETED).addColumn(F, LATER), ofRow().addColumn(F, LATER),
      ofRow().addColumn(F, NO_NAME).addColumn(F, LATER), ofRow().readAllVersions(),
      ofRow().setTimeRange(DELETES, Long.MAX_VALUE) };
    for (Scan scan : scans) {
      long blocks = compare(scan);
      assertTrue(blocks + " blocks: " + scan, blocks <= FEW_BLOCKS);
    }
    compare(ofRow());
    assertTrue(blocksOneByOne + " blocks one by one", blocksOneByOne >= MANY_BLOCKS);
    List<String> left = read(ofRow());
    assertEquals(left.toString(), 1, left.size());
    assertTrue(left.toString(), left.get(0).startsWith(whatIsLeft));
  }

  @Test
  public void aRowThatWasDeletedOftenIsReadFromAFewBlocks() throws IOException {
    open(KeepDeletedCells.FALSE);
    for (int i = 1; i <= DELETES; i++) {
      region.delete(of(ROW).addFamily(F, i));
    }
    put(ROW, DELETED, DELETES - 1);
    put(ROW, LATER, DELETES + 1);
    assertFewBlocks("b/f:e/");
    assertFewBlocksOfAnEarlierTime();
  }

  @Test
  public void aColumnThatWasDeletedOftenIsReadFromAFewBlocks() throws IOException {
    open(KeepDeletedCells.FALSE);
    for (int i = 1; i <= DELETES; i++) {
      region.delete(of(ROW).addColumns(F, DELETED, i));
    }
    put(ROW, LATER, 1);
    assertFewBlocks("b/f:e/");
  }

  @Test
  public void versionsThatWereDeletedOneByOneAreCoveredByADeleteOfTheColumn() throws IOException {
    open(KeepDeletedCells.FALSE);
    for (int i = 1; i <= DELETES; i++) {
      region.delete(of(ROW).addColumn(F, DELETED, i));
    }
    region.delete(of(ROW).addColumns(F, DELETED, DELETES));
    put(ROW, LATER, 1);
    assertFewBlocks("b/f:e/");
  }

  @Test
  public void columnsThatWereDeletedOftenAreCoveredByADeleteOfTheRow() throws IOException {
    open(KeepDeletedCells.FALSE);
    for (int i = 1; i <= DELETES; i++) {
      region.delete(of(ROW).addColumns(F, DELETED, i));
    }
    region.delete(of(ROW).addFamily(F, DELETES));
    put(ROW, LATER, DELETES + 1);
    assertFewBlocks("b/f:e/");
  }

  @Test
  public void deletedCellsThatAreKeptMakeNoDifference() throws IOException {
    open(KeepDeletedCells.TRUE);
    for (int i = 1; i <= DELETES; i++) {
      region.delete(of(ROW).addFamily(F, i));
    }
    put(ROW, LATER, DELETES + 1);
    assertFewBlocks("b/f:e/");
  }

  @Test
  public void aLaterDeleteOfTheFamilyBehindDeletesOfAColumnWithoutANameIsHeeded()
    throws IOException {
    open(KeepDeletedCells.FALSE);
    for (int i = 1; i <= DELETES; i++) {
      region.delete(of(ROW).addColumns(F, NO_NAME, 10 + i));
    }
    region.delete(of(ROW).addFamily(F, 2));
    put(ROW, DELETED, 1);
    put(ROW, LATER, 3);
    region.flush(true);
    compare(ofRow());
    assertEquals(1, read(ofRow()).size());
  }

  @Test
  public void answersAreTheSameAndNoBlockMoreIsRead() throws IOException {
    Random random = seed.newRandom();
    for (int table = 0; table < 10; table++) {
      open(KeepDeletedCells.values()[random.nextInt(KeepDeletedCells.values().length)]);
      int times = 1 + random.nextInt(60);
      for (int i = 0; i < 1200; i++) {
        change(random, times);
        if (random.nextInt(300) == 0) {
          region.flush(true);
        }
      }
      for (int i = 0; i < 60; i++) {
        compare(anyScan(random, times));
      }
      close();
    }
    open(KeepDeletedCells.FALSE);
  }

  private void change(Random random, int times) throws IOException {
    byte[] row = ROWS[random.nextInt(ROWS.length)];
    byte[] column = COLUMNS[random.nextInt(COLUMNS.length)];
    long time = 1 + random.nextInt(times);
    switch (random.nextInt(6)) {
      case 0:
        region.delete(of(row).addFamily(F, time));
        break;
      case 1:
        region.delete(of(row).addFamilyVersion(F, time));
        break;
      case 2:
        region.delete(of(row).addColumn(F, column, time));
        break;
      case 3:
      case 4:
        region.delete(of(row).addColumns(F, column, time));
        break;
      default:
        put(row, column, 1 + random.nextInt(2 * times));
    }
  }

  private static Scan anyScan(Random random, int times) throws IOException {
    Scan scan = new Scan().setReversed(random.nextBoolean());
    if (random.nextBoolean()) {
      byte[] row = ROWS[random.nextInt(ROWS.length)];
      scan.withStartRow(row).withStopRow(row, true);
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      scan.addColumn(F, COLUMNS[random.nextInt(COLUMNS.length)]);
    }
    if (random.nextBoolean()) {
      scan.readVersions(1 + random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      int from = random.nextInt(times);
      scan.setTimeRange(from, from + 1 + random.nextInt(times));
    }
    return scan;
  }
}
