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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Threads;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A scan whose filter takes its time, and lets the last row of a table pass alone. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestScanTurns {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScanTurns.class);

  private static final TableName TABLE = TableName.valueOf("scans");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 300;
  private static final long ROW_MS = 5;
  private static final int TURN_MS = 150;

  private final HBaseTestingUtility util = new HBaseTestingUtility();

  /** Lets the last row pass. */
  public static final class SlowFilter extends FilterBase {
    @Override
    public boolean filterRowKey(Cell cell) {
      Threads.sleep(ROW_MS);
      return Bytes.toInt(CellUtil.cloneRow(cell)) < ROWS - 1;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    public static SlowFilter parseFrom(byte[] bytes) {
      return new SlowFilter();
    }
  }

  @After
  public void stop() throws Exception {
    util.shutdownMiniCluster();
  }

  private void start() throws Exception {
    // On the local file system: no test here is about HDFS.
    util.startMiniZKCluster();
    util.startMiniHBaseCluster();
    try (Table table = util.createTable(TABLE, F)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(Bytes.toBytes(i)).addColumn(F, F, F));
      }
      table.put(puts);
    }
    util.flush(TABLE);
  }

  /** Returns how many calls a scan of all rows took. */
  private long calls() throws IOException {
    try (Table table = util.getConnection().getTable(TABLE)) {
      ResultScanner scanner =
        table.getScanner(new Scan().setFilter(new SlowFilter()).setScanMetricsEnabled(true));
      Result last = scanner.next();
      assertEquals(ROWS - 1, Bytes.toInt(last.getRow()));
      assertNull(scanner.next());
      scanner.close();
      assertEquals(ROWS, scanner.getScanMetrics().countOfRowsScanned.get());
      return scanner.getScanMetrics().countOfRPCcalls.get();
    }
  }

  @Test
  public void aCallThatFindsNothingEndsAfterItsTime() throws Exception {
    util.getConfiguration().setInt(ScanTurnSettings.MAXIMUM.key(), TURN_MS);
    start();
    long calls = calls();
    assertTrue(calls + " calls", calls >= ROWS * ROW_MS / TURN_MS / 2);
  }

  @Test
  public void withoutTheKeyItEndsWithTheTable() throws Exception {
    start();
    long calls = calls();
    // That of the rows, and one to open or to close.
    assertTrue(calls + " calls", calls <= 3);
  }

  @Test
  public void theMaximumIsNotBelowTheMinimum() {
    Configuration conf = HBaseConfiguration.create();
    assertEquals(Long.MAX_VALUE, ScanTurnSettings.maximum(conf, 10));
    conf.setInt(ScanTurnSettings.MAXIMUM.key(), 5);
    assertEquals(10, ScanTurnSettings.maximum(conf, 10));
    conf.setInt(ScanTurnSettings.MAXIMUM.key(), 1_000);
    assertEquals(1_000, ScanTurnSettings.maximum(conf, 10));
  }
}
