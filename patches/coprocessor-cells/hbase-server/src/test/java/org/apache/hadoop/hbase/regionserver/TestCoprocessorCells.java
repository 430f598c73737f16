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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCells;
import org.apache.hadoop.hbase.io.hfile.MetricsCoprocessorCells;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** Cells of a coprocessor's scanner are valid until the call was answered, on each engine. */
@Category({ RegionServerTests.class, MediumTests.class })
@RunWith(Parameterized.class)
public class TestCoprocessorCells extends CoprocessorCellsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCoprocessorCells.class);

  private static final int ENOUGH = 8 << 20;
  private static final int MANY = 500;
  private static final int MOST_CHURNS = 5;

  @Parameters(name = "{0}")
  public static Collection<Object> engines() {
    return Arrays.asList("file", "direct", "offheap", "tiers");
  }

  @Parameter
  public String engine;

  @Before
  public void chooseEngine() {
    String path = util.getDataTestDir("cache").toString();
    conf.set("hbase.bucketcache.bucket.sizes", "5120,8192");
    if (engine.equals("tiers")) {
      conf.set("hbase.bucketcache.l1.ioengine", "offheap");
      conf.set("hbase.bucketcache.l1.size", "1m");
      conf.set("hbase.bucketcache.l2.ioengine", "file:" + path);
      conf.set("hbase.bucketcache.l2.size", "4m");
    } else {
      conf.set("hbase.bucketcache.ioengine", engine.equals("offheap") ? engine
        : engine + ":" + path);
      conf.set("hbase.bucketcache.size", "4");
    }
  }

  /** Reads all rows, so that some are read from the cache the next time. */
  private void startAndRead() throws IOException {
    start(true);
    fillFiles();
    readAndClose(FAMILY, 0, ROWS);
  }

  @Test
  public void areOthersAfterCloseWithoutThis() throws Exception {
    startAndRead();
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    for (int i = 0; i < MOST_CHURNS && areValid(seen); i++) {
      churn();
    }
    assertFalse(areValid(seen));
  }

  @Test
  public void areValidUntilTheCallIsAnswered() throws Exception {
    hold(ENOUGH);
    startAndRead();
    beginCall();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    assertEquals(ROWS, seen.size());
    for (int i = 0; i < MOST_CHURNS; i++) {
      churn();
    }
    assertTrue(areValid(seen));
    assertTrue(MetricsCoprocessorCells.getHeldBytes() > 0);
    endCall();
    assertReleased();
    for (int i = 0; i < MOST_CHURNS && areValid(seen); i++) {
      churn();
    }
    assertFalse("nothing else kept them", areValid(seen));
  }

  @Test
  public void areValidWithoutACall() throws Exception {
    hold(ENOUGH);
    startAndRead();
    long copied = MetricsCoprocessorCells.getCopiedBlockCount();
    List<Seen> seen = readAndClose(FAMILY, 0, ROWS);
    for (int i = 0; i < MOST_CHURNS; i++) {
      churn();
    }
    assertTrue(areValid(seen));
    assertTrue(MetricsCoprocessorCells.getCopiedBlockCount() > copied);
    assertReleased();
  }

  /** A scanner for each key, as of a look-up of many keys. */
  @Test
  public void ofManyScannersAreBoundedInBytes() throws Exception {
    int most = 64 << 10;
    hold(most);
    startAndRead();
    long copied = MetricsCoprocessorCells.getCopiedBlockCount();
    beginCall();
    List<Seen> seen = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      seen.addAll(readAndClose(FAMILY, i % ROWS, i % ROWS + 1));
      long held = MetricsCoprocessorCells.getHeldBytes();
      assertTrue(held + " bytes are held", held <= most);
    }
    assertTrue(MetricsCoprocessorCells.getHeldBytes() > most / 2);
    churn();
    assertTrue(areValid(seen));
    assertTrue(MetricsCoprocessorCells.getCopiedBlockCount() > copied);
    endCall();
    assertReleased();
  }

  /** RSRpcServices holds the blocks of its scanners itself. */
  @Test
  public void ofTheServersScannerAreNotCopied() throws Exception {
    hold(0);
    startAndRead();
    long copied = MetricsCoprocessorCells.getCopiedBlockCount();
    beginCall();
    Scan scan = new Scan().addFamily(FAMILY);
    CoprocessorCells.serverOpens(scan);
    RegionScanner scanner = region.getScanner(scan);
    List<Seen> seen = read(scanner);
    scanner.close(); // by a coprocessor, before the answer
    churn();
    assertTrue(areValid(seen));
    assertEquals(copied, MetricsCoprocessorCells.getCopiedBlockCount());
    endCall();
    assertReleased();
  }
}
