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
package org.apache.hadoop.hbase.replication.regionserver;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.replication.ReplicationQueueStorage;
import org.apache.hadoop.hbase.testclassification.ReplicationTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What serial replication waits for, where a region was opened and wrote nothing until its server
 * crashed. Without the change an edit with or after the sequence id of the second opening is never
 * sent.
 */
@Category({ ReplicationTests.class, SmallTests.class })
public class TestEmptyRanges {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEmptyRanges.class);

  private static final RegionInfo REGION =
    RegionInfoBuilder.newBuilder(TableName.valueOf("t")).setRegionId(1).build();

  private RegionState.State state = RegionState.State.OPEN;
  private long[] barriers;
  private long lastSent = HConstants.NO_SEQNUM;
  private final SerialReplicationChecker checker = newChecker();

  private SerialReplicationChecker newChecker() {
    Stubs.Answer scanner =
      arguments -> Stubs.of(ResultScanner.class, "next", rowOfMeta(barriers, state));
    Server there = Stubs.of(Server.class, "getConnection", Stubs.of(Connection.class, "getTable",
      Stubs.of(Table.class, "getScanner", scanner)));
    Stubs.Answer sent = arguments -> lastSent;
    return new SerialReplicationChecker(HBaseConfiguration.create(), new ReplicationSource() {
      @Override
      public String getPeerId() {
        return "1";
      }

      @Override
      public Server getServer() {
        return there;
      }

      @Override
      public ReplicationQueueStorage getReplicationQueueStorage() {
        return Stubs.of(ReplicationQueueStorage.class, "getLastSequenceId", sent);
      }
    });
  }

  private static Result rowOfMeta(long[] barriers, RegionState.State state) {
    byte[] row = REGION.getRegionName();
    List<Cell> cells = new ArrayList<>();
    cells.add(new KeyValue(row, HConstants.CATALOG_FAMILY, HConstants.STATE_QUALIFIER,
      Bytes.toBytes(state.name())));
    for (int i = barriers.length; i > 0; i--) {
      cells.add(new KeyValue(row, HConstants.REPLICATION_BARRIER_FAMILY,
        HConstants.SEQNUM_QUALIFIER, i, Bytes.toBytes(barriers[i - 1])));
    }
    return Result.create(cells);
  }

  private boolean maySend(long sequenceId) throws IOException {
    WALKeyImpl key = new WALKeyImpl(REGION.getEncodedNameAsBytes(), REGION.getTable(), sequenceId,
      sequenceId, HConstants.DEFAULT_CLUSTER_ID);
    return checker.canPush(new Entry(key, new WALEdit()),
      new KeyValue(Bytes.toBytes("row"), Bytes.toBytes("f"), Bytes.toBytes("q")));
  }

  private void openedWith(long... sequenceIds) {
    barriers = sequenceIds;
  }

  @Test
  public void theMarkerOfAnEmptyRangeIsSentAfterTheRangeBefore() throws Exception {
    openedWith(2, 5, 6);
    lastSent = 3;
    assertFalse(maySend(6));
    lastSent = 4;
    assertTrue(maySend(6));
  }

  @Test
  public void whatComesAfterAnEmptyRangeIsSentAfterTheRangeBeforeIt() throws Exception {
    openedWith(2, 5, 6);
    lastSent = 3;
    assertFalse(maySend(7));
    lastSent = 4;
    assertTrue(maySend(7));
    assertTrue(maySend(8));
  }

  @Test
  public void severalEmptyRangesAreNotWaitedFor() throws Exception {
    openedWith(2, 5, 6, 7);
    lastSent = 3;
    assertFalse(maySend(8));
    lastSent = 4;
    assertTrue(maySend(8));
  }

  @Test
  public void afterAnEmptyFirstRangeThereIsNothingToWaitFor() throws Exception {
    openedWith(5, 6);
    assertTrue(maySend(6));
    assertTrue(maySend(8));
  }

  @Test
  public void aRangeWithEditsIsWaitedFor() throws Exception {
    openedWith(2, 5, 7);
    lastSent = 5;
    assertFalse(maySend(7));
    assertFalse(maySend(8));
    lastSent = 6;
    assertTrue(maySend(8));
  }

  @Test
  public void nothingIsSentWhileTheRegionIsOpening() throws Exception {
    openedWith(2, 5, 6);
    lastSent = 4;
    state = RegionState.State.OPENING;
    assertFalse(maySend(7));
    state = RegionState.State.OPEN;
    assertTrue(maySend(7));
  }

  @Test
  public void rangesWithoutEditsAreMerged() {
    assertArrayEquals(new long[0], EmptyRanges.merge(new long[0]));
    assertArrayEquals(new long[] { 5 }, EmptyRanges.merge(new long[] { 5, 6, 7 }));
    assertArrayEquals(new long[] { 2, 5, 9 }, EmptyRanges.merge(new long[] { 2, 5, 6, 7, 9 }));
    assertArrayEquals(new long[] { 5, 7 }, EmptyRanges.merge(new long[] { 5, 7 }));
  }
}
