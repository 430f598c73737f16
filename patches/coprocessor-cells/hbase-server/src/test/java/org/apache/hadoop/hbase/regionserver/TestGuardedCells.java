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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCells;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.HeldCells;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A guarded cell that is used after its memory was released says so. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestGuardedCells extends CoprocessorCellsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestGuardedCells.class);

  @Before
  public void guard() {
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.set("hbase.bucketcache.size", "4");
    conf.set("hbase.bucketcache.bucket.sizes", "5120,8192");
    System.setProperty(CoprocessorCellsSettings.GUARDED_PROPERTY, "true");
  }

  private void startHolding() throws IOException {
    hold(8 << 20);
    start(true);
    fillFiles();
  }

  private RegionScannerImpl openInCall() throws IOException {
    startHolding();
    beginCall();
    return region.getScanner(new Scan().addFamily(FAMILY));
  }

  private static void assertFails(Cell cell, String place) {
    IllegalStateException e =
      assertThrows(IllegalStateException.class, () -> CellUtil.cloneRow(cell));
    assertTrue(Arrays.stream(e.getCause().getStackTrace())
      .anyMatch(frame -> frame.getMethodName().equals(place)));
  }

  @Test
  public void failsAfterCloseIfItIsNotHeld() throws Exception {
    start(true);
    fillFiles();
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    assertEquals(ROWS, seen.size());
    assertFalse("overwritten", seen.get(0).isValid());
    for (Seen one : seen) {
      assertFails(one.getCell(), "readAndClose");
    }
  }

  @Test
  public void failsAfterTheCallIfItIsHeld() throws Exception {
    startHolding();
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    assertTrue(areValid(seen));
    assertArrayEquals(row(0), CellUtil.cloneRow(seen.get(0).getCell()));
    assertArrayEquals(value(0, (byte) 'f'), CellUtil.cloneValue(seen.get(0).getCell()));
    endCall();
    assertFails(seen.get(0).getCell(), "endCall");
    assertFalse(seen.get(0).isValid());
  }

  @Test
  public void failsAfterItsScannerWasShipped() throws Exception {
    try (RegionScannerImpl scanner = openInCall()) {
      List<Seen> seen = read(scanner);
      assertTrue(areValid(seen));
      scanner.shipped();
      assertFails(seen.get(0).getCell(), "failsAfterItsScannerWasShipped");
    }
  }

  @Test
  public void isValidAfterItsScannerWasShippedUntilEditsAreWritten() throws Exception {
    try (RegionScannerImpl scanner = openInCall()) {
      List<Seen> seen = read(scanner);
      HeldCells ofEdit = CoprocessorCells.onAppend();
      CoprocessorCells.callIsAnswered();
      scanner.shipped();
      endCall();
      assertArrayEquals(row(0), CellUtil.cloneRow(seen.get(0).getCell()));
      ofEdit.release();
      assertFails(seen.get(0).getCell(), "release");
    }
  }

  @Test
  public void isValidWithoutACall() throws Exception {
    startHolding();
    assertTrue(areValid(readAndClose(FAMILY, 0, ROWS)));
  }

  @Test
  public void takesASequenceIdAtAnyTime() throws Exception {
    start(true);
    fillFiles();
    Cell cell = readAndClose(FAMILY, 0, 1).get(0).getCell();
    PrivateCellUtil.setSequenceId(cell, 7);
  }
}
