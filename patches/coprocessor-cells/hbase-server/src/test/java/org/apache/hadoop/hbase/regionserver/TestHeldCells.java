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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCells;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.HeldCells;
import org.apache.hadoop.hbase.io.hfile.MetricsCoprocessorCells;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What a call holds for coprocessors, for how long, and how much of it. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestHeldCells extends CoprocessorCellsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHeldCells.class);

  private static final int ENOUGH = 8 << 20;

  @Before
  public void chooseEngine() {
    conf.set("hbase.bucketcache.ioengine", "file:" + util.getDataTestDir("cache"));
    conf.set("hbase.bucketcache.size", "4");
    conf.set("hbase.bucketcache.bucket.sizes", "5120,8192");
  }

  private void start() throws IOException {
    start(true);
    fillFiles();
  }

  @Test
  public void ofManyOpenScannersAreBoundedInBytes() throws Exception {
    int most = 64 << 10;
    hold(most);
    start();
    beginCall();
    List<RegionScanner> scanners = new ArrayList<>();
    List<Seen> seen = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      RegionScanner scanner = region.getScanner(
        new Scan().addFamily(FAMILY).withStartRow(row(i)).withStopRow(row(i + 1)));
      seen.addAll(read(scanner));
      scanners.add(scanner);
    }
    for (RegionScanner scanner : scanners) {
      scanner.close();
    }
    long held = MetricsCoprocessorCells.getHeldBytes();
    assertTrue(held + " bytes are held", held > most / 2 && held <= most);
    churn();
    assertTrue(areValid(seen));
    endCall();
    assertReleased();
  }

  /** One that a call leaves open, and the next one closes. */
  @Test
  public void ofAScannerOfAnEarlierCallAreValid() throws Exception {
    hold(ENOUGH);
    start();
    beginCall();
    RegionScanner scanner = region.getScanner(new Scan().addFamily(FAMILY));
    List<Seen> seen = read(scanner);
    endCall();
    beginCall();
    scanner.close();
    churn();
    assertTrue(areValid(seen));
    endCall();
    assertReleased();
  }

  @Test
  public void ofTheServersScannerAreReleasedWithTheAnswer() throws Exception {
    hold(ENOUGH);
    start();
    beginCall();
    Scan scan = new Scan().addFamily(FAMILY);
    CoprocessorCells.serverOpens(scan);
    RegionScanner scanner = region.getScanner(scan);
    read(scanner);
    CoprocessorCells.callIsAnswered();
    scanner.close();
    assertEquals(0, MetricsCoprocessorCells.getHeldBytes());
    assertReleased();
  }

  @Test
  public void areValidUntilEditsAreWritten() throws Exception {
    hold(ENOUGH);
    start();
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    HeldCells ofEdit = CoprocessorCells.onAppend();
    assertNotNull(ofEdit);
    endCall();
    churn();
    assertTrue(areValid(seen));
    ofEdit.release();
    assertReleased();
  }

  /** A client's scanner stays open; the file that was read to its end is closed with the answer. */
  @Test
  public void ofAFileThatEndedAreValidUntilEditsAreWritten() throws Exception {
    hold(ENOUGH);
    start();
    for (int i = ROWS; i < 2 * ROWS; i++) {
      region.put(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i, (byte) 'h')));
    }
    region.flush(true);
    beginCall();
    Scan scan = new Scan().addFamily(FAMILY);
    CoprocessorCells.serverOpens(scan);
    RegionScannerImpl scanner = region.getScanner(scan);
    List<Seen> seen = new ArrayList<>();
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < ROWS + 2; i++) {
      scanner.next(cells);
      cells.forEach(cell -> seen.add(new Seen(cell)));
      cells.clear();
    }
    HeldCells ofEdit = CoprocessorCells.onAppend();
    CoprocessorCells.callIsAnswered();
    scanner.shipped();
    endCall();
    churn();
    assertTrue(areValid(seen));
    ofEdit.release();
    scanner.close();
    assertReleased();
  }

  @Test
  public void ofEditsAreReleasedByTheLog() throws Exception {
    hold(ENOUGH);
    start();
    beginCall();
    for (Seen seen : readAndClose(FAMILY, 0, ROWS)) {
      region.put(new Put(row(0)).add(seen.getCell()).setDurability(Durability.ASYNC_WAL));
      break;
    }
    endCall();
    region.put(new Put(row(0)).addColumn(FAMILY, QUALIFIER, value(0, (byte) 'h')));
    assertReleased();
  }

  @Test
  public void ofARegionThatClosesAreValid() throws Exception {
    hold(ENOUGH);
    start();
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    region.close();
    churn();
    assertTrue(areValid(seen));
    endCall();
    assertReleased();
  }

  @Test
  public void areNotHeldWhereThereIsNoCoprocessor() throws Exception {
    hold(ENOUGH);
    start(false);
    assertNull(region.getCoprocessorHost().newCoprocessorScan(new Scan()));
  }

  @Test
  public void areNotHeldForAServerWithoutAConfiguration() {
    assertNull(CoprocessorCellsSettings.of(null));
  }

  @Test
  public void areNotHeldWithoutAKey() throws Exception {
    start(true);
    assertNull(region.getCoprocessorHost().newCoprocessorScan(new Scan()));
  }

  @Test
  public void areHeldByTheServersSettings() throws Exception {
    hold(ENOUGH);
    table.setValue(CoprocessorCellsSettings.HELD.key(), "neither");
    start(true);
    assertNotNull(region.getCoprocessorHost().newCoprocessorScan(new Scan()));
  }
}
