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
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;

/** Operations that are repeated on the server that has their region after a recovery. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestRecoveredResults {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRecoveredResults.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final byte[] TEXT = Bytes.toBytes("text");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final int PATIENCE_MS = 60_000;

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();

  private final RecoveredResults results = new RecoveredResults(PATIENCE_MS);
  private final RecoveredResults.OfLog log = results.beginLog();

  @BeforeClass
  public static void start() throws Exception {
    UTIL.startMiniCluster(StartMiniClusterOption.builder().numRegionServers(2).build());
  }

  @AfterClass
  public static void stop() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  private static MutateRequest increment(RegionInfo region, long amount, long nonce)
    throws IOException {
    return RequestConverter.buildMutateRequest(region.getRegionName(),
      new Increment(ROW).addColumn(F, COUNT, amount), 5, nonce);
  }

  private static Result mutate(HRegionServer server, MutateRequest request) throws Exception {
    return ProtobufUtil.toResult(server.getRSRpcServices().mutate(null, request).getResult());
  }

  private static long count(HRegionServer server, MutateRequest request) throws Exception {
    return Bytes.toLong(mutate(server, request).value());
  }

  /** Kills the server of a region, and returns the next one. */
  private static HRegionServer killServerOf(RegionInfo region) throws Exception {
    HRegionServer first = UTIL.getRSForFirstRegionInTable(region.getTable());
    UTIL.getMiniHBaseCluster().killRegionServer(first.getServerName());
    UTIL.getMiniHBaseCluster().startRegionServer();
    UTIL.waitFor(PATIENCE_MS, () -> UTIL.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
      .anyMatch(thread -> thread.getRegionServer() != first
        && thread.getRegionServer().getOnlineRegion(region.getRegionName()) != null));
    HRegionServer next = UTIL.getRSForFirstRegionInTable(region.getTable());
    assertNotEquals(first.getServerName(), next.getServerName());
    return next;
  }

  private static RegionInfo create(String name, int versions) throws Exception {
    TableName table = TableName.valueOf(name);
    UTIL.createTable(table, F, versions).close();
    return UTIL.getRSForFirstRegionInTable(table).getRegions(table).get(0).getRegionInfo();
  }

  @Test
  public void repeatedOperationsGetTheirResults() throws Exception {
    RegionInfo region = create("one", 1);
    MutateRequest increment = increment(region, 3, 6);
    MutateRequest append = RequestConverter.buildMutateRequest(region.getRegionName(),
      new Append(ROW).addColumn(F, TEXT, Bytes.toBytes("a")), 5, 7);
    HRegionServer first = UTIL.getRSForFirstRegionInTable(region.getTable());
    assertEquals(3, count(first, increment));
    assertEquals("a", Bytes.toString(mutate(first, append).value()));

    HRegionServer next = killServerOf(region);
    // By somebody else, before it is repeated.
    assertEquals(4, count(next, increment(region, 1, 8)));
    assertEquals(3, count(next, increment));
    assertEquals("a", Bytes.toString(mutate(next, append).value()));
    try (Table table = UTIL.getConnection().getTable(region.getTable())) {
      Result result = table.get(new Get(ROW));
      assertEquals(4, Bytes.toLong(result.getValue(F, COUNT)));
      assertEquals("a", Bytes.toString(result.getValue(F, TEXT)));
    }
  }

  /** Of the two values the region keeps the second one alone. */
  @Test
  public void eachCallerGetsItsOwnValue() throws Exception {
    RegionInfo region = create("two", 1);
    HRegionServer first = UTIL.getRSForFirstRegionInTable(region.getTable());
    assertEquals(1, count(first, increment(region, 1, 16)));
    assertEquals(2, count(first, increment(region, 1, 17)));

    HRegionServer next = killServerOf(region);
    assertEquals(1, count(next, increment(region, 1, 16)));
    assertEquals(2, count(next, increment(region, 1, 17)));
    assertEquals(3, count(next, increment(region, 1, 18)));
    UTIL.compact(region.getTable(), true);
    assertEquals(1, count(next, increment(region, 1, 16)));
  }

  /** The first repetition is a write, too, after that of another caller. */
  @Test
  public void whatIsRepeatedTwiceGetsItsOwnValue() throws Exception {
    RegionInfo region = create("twice", 3);
    HRegionServer server = UTIL.getRSForFirstRegionInTable(region.getTable());
    assertEquals(1, count(server, increment(region, 1, 26)));
    assertEquals(2, count(server, increment(region, 1, 27)));
    for (int i = 0; i < 3; i++) {
      assertEquals(1, count(server, increment(region, 1, 26)));
      assertEquals(2, count(server, increment(region, 1, 27)));
    }
    assertEquals(3, count(server, increment(region, 1, 28)));
  }

  private static KeyValue cell(String row, int value) {
    return new KeyValue(Bytes.toBytes(row), F, COUNT, Bytes.toBytes(value));
  }

  private static WALEdit edit(Cell... cells) {
    WALEdit edit = new WALEdit();
    for (Cell cell : cells) {
      edit.add(cell);
    }
    return edit;
  }

  private Integer find(String row, long nonce) {
    Result result =
      results.find(1, nonce, new Increment(Bytes.toBytes(row)).addColumn(F, COUNT, 1));
    return result == null ? null : Bytes.toInt(result.value());
  }

  @Test
  public void theLastOfEachLogAreKept() {
    RecoveredResults.OfLog other = results.beginLog();
    other.add(1, 1, edit(cell("a", 1)));
    for (int i = 0; i < 3000; i++) {
      log.add(1, 10 + i, edit(cell("b", i)));
    }
    assertEquals(1, (int) find("a", 1));
    assertNull(find("b", 10));
    assertNull(find("b", 10 + 1000));
    assertEquals(2500, (int) find("b", 10 + 2500));
    assertEquals(2999, (int) find("b", 10 + 2999));
  }

  @Test
  public void largeOnesAreGivenUp() {
    log.add(1, 1, edit(cell("a", 1)));
    log.add(1, 2, edit(new KeyValue(Bytes.toBytes("a"), F, COUNT, new byte[1 << 20])));
    assertNull(find("a", 1));
    assertNull(find("a", 2));
    log.add(1, 3, edit(cell("a", 3)));
    assertEquals(3, (int) find("a", 3));
    for (int i = 0; i < 200; i++) {
      results.beginLog().add(1, 10 + i,
        edit(new KeyValue(Bytes.toBytes("a"), F, COUNT, new byte[200_000])));
    }
    assertNull(find("a", 3));
    assertEquals(0, (int) find("a", 10 + 199));
  }

  @Test
  public void anotherColumnIsNotTaken() {
    log.add(1, 1, edit(cell("a", 1)));
    log.add(1, HConstants.NO_NONCE, edit(cell("a", 1)));
    assertNull(find("a", 2));
    assertNull(find("b", 1));
    assertNull(results.find(1, 1, new Increment(Bytes.toBytes("a")).addColumn(F, COUNT, 1)
      .addColumn(F, TEXT, 1)));
    assertNull(find("a", HConstants.NO_NONCE));
  }

  @Test
  public void whatElseIsWrittenWithItIsNoResult() {
    KeyValue delete = new KeyValue(Bytes.toBytes("a"), F, COUNT, 9, KeyValue.Type.Delete);
    log.add(1, 1, edit(delete, cell("a", 5)));
    assertEquals(5, (int) find("a", 1));
    // Logged by a repetition, which doesn't do the increment again.
    log.add(1, 1, edit(new KeyValue(Bytes.toBytes("a"), F, TEXT, new byte[1])));
    assertEquals(5, (int) find("a", 1));
    log.add(1, 2, edit(cell("a", 5), cell("a", 6)));
    assertNull(find("a", 2));
  }
}
