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
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.OnlineLogRecord;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Region.RowLock;
import org.apache.hadoop.hbase.regionserver.wal.HeldLogWriter;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Writes of clients while the write-ahead log stands, fails and goes on. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestAsyncPuts extends AsyncPutTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAsyncPuts.class);

  /** Has a hook that is called when a write can be read. */
  public static final class PostPut implements RegionCoprocessor, RegionObserver {
    static volatile boolean visible;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postPut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit)
      throws IOException {
      visible = !c.getEnvironment().getRegion().get(new Get(put.getRow())).isEmpty();
    }
  }

  /** Writes a row of its own before each put, and reads it. */
  public static final class WritesFirst implements RegionCoprocessor, RegionObserver {
    static volatile boolean seen;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> c,
      MiniBatchOperationInProgress<Mutation> batch) throws IOException {
      byte[] row = batch.getOperation(0).getRow();
      if (row[row.length - 1] != 'x') {
        byte[] other = Bytes.add(row, Bytes.toBytes("x"));
        c.getEnvironment().getRegion().put(put(other, 7));
        seen = !c.getEnvironment().getRegion().get(new Get(other)).isEmpty();
      }
    }
  }

  /** Reads a row before each increment. */
  public static final class ReadsFirst implements RegionCoprocessor, RegionObserver {
    static volatile long seen;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public Result preIncrement(ObserverContext<RegionCoprocessorEnvironment> c,
      Increment increment, WALEdit edit) throws IOException {
      seen = Bytes.toLong(c.getEnvironment().getRegion().get(new Get(ROW)).value());
      return null;
    }
  }

  /** Doesn't take what is for a row. */
  public static final class FailingMemStore extends DefaultMemStore {
    public FailingMemStore(Configuration conf, CellComparator comparator,
      RegionServicesForStores regionServices) {
      super(conf, comparator, regionServices);
    }

    @Override
    public void add(Iterable<Cell> cells, MemStoreSizing sizing) {
      if (CellUtil.matchingRows(cells.iterator().next(), ROW)) {
        throw new IllegalStateException("no room, for a test");
      }
      super.add(cells, sizing);
    }
  }

  @Test
  public void moreWritesThanHandlersWaitForTheLogAndNoneIsSeen() throws Exception {
    List<Put> puts = puts(5 * HANDLERS);
    List<CompletableFuture<Void>> sent = sendHeld(puts);
    for (Put put : puts) {
      assertEquals(-1, read(put.getRow()));
    }
    Thread.sleep(MOMENT_MS);
    assertTrue(sent.stream().noneMatch(CompletableFuture::isDone));
    assertEquals(puts.size(), gauge("asyncPutWaitingCalls"));
    assertTrue(gauge("asyncPutWaitingBytes") > 0);
    HeldLogWriter.release();
    for (int i = 0; i < puts.size(); i++) {
      end(sent.get(i));
      assertEquals(i, read(puts.get(i).getRow()));
    }
    util.waitFor(PATIENCE_MS, () -> gauge("asyncPutWaitingCalls") == 0);
    assertEquals(0, gauge("asyncPutWaitingBytes"));
  }

  @Test
  public void offWritesAreWaitedForByHandlers() throws Exception {
    set(false);
    long before = count("asyncPutBatchCount");
    long onLoop = count("asyncPutEventLoopCount");
    end(table.put(put(ROW, 1)));
    end(table.putAll(puts(10)));
    end(table.batchAll(Arrays.<Row>asList(new Increment(Bytes.toBytes("a")).addColumn(F, Q, 1),
      new Increment(Bytes.toBytes("b")).addColumn(F, Q, 1))));
    assertEquals(1, read(ROW));
    assertEquals(1, read(Bytes.toBytes("b")));
    assertEquals(before, count("asyncPutBatchCount"));
    assertEquals(onLoop, count("asyncPutEventLoopCount"));
  }

  @Test
  public void aShortPutIsBegunByTheEventLoop() throws Exception {
    // Event loops answer calls if gets may be read there.
    long before = count("asyncPutEventLoopCount");
    end(table.put(put(ROW, 1)));
    assertEquals(before + 1, count("asyncPutEventLoopCount"));
    end(table.put(new Put(ROW).addColumn(F, Q, new byte[20 << 10])));
    end(table.delete(new Delete(ROW)));
    assertEquals(before + 1, count("asyncPutEventLoopCount"));
    assertEquals(-1, read(ROW));
  }

  @Test
  public void anEventLoopWaitsForNoLock() throws Exception {
    long before = count("asyncPutEventLoopCount");
    RowLock lock = region.getRowLock(ROW, false);
    CompletableFuture<Void> put;
    try {
      put = table.put(put(ROW, 1));
      // The same connection, so the same event loop.
      assertEquals(-1, read(ROW));
      assertWaits(put);
    } finally {
      lock.release();
    }
    end(put);
    assertEquals(before, count("asyncPutEventLoopCount"));
    region.blockUpdates();
    try {
      put = table.put(put(ROW, 2));
      assertEquals(1, read(ROW));
      assertWaits(put);
    } finally {
      region.unblockUpdates();
    }
    end(put);
    assertEquals(before, count("asyncPutEventLoopCount"));
    assertEquals(2, read(ROW));
    assertTrue(region.getLockedRows().isEmpty());
    assertEquals(0, region.getReadLockCount());
  }

  @Test
  public void batchesOfSeveralRegionsWaitForTheLog() throws Exception {
    List<Put> puts = puts(40);
    puts.add(put(Bytes.toBytes("second"), 1));
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    CompletableFuture<Void> sent = table.putAll(puts);
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") >= before + 2);
    assertWaits(sent);
    assertEquals(-1, read(puts.get(0).getRow()));
    HeldLogWriter.release();
    end(sent);
    for (int i = 0; i < 40; i++) {
      assertEquals(i, read(puts.get(i).getRow()));
    }
    assertEquals(1, read(Bytes.toBytes("second")));
  }

  @Test
  public void batchesThatReadAreWaitedFor() throws Exception {
    end(table.put(put(ROW, 1)));
    long before = count("asyncPutBatchCount");
    List<Row> batch = new ArrayList<>();
    batch.add(put(ROW, 2));
    batch.add(new Get(ROW));
    end(table.batchAll(batch));
    end(table.mutateRow(RowMutations
      .of(Arrays.asList(put(ROW, 3), new Increment(ROW).addColumn(F, Bytes.toBytes("r"), 1)))));
    assertEquals(before, count("asyncPutBatchCount"));
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row" + number);
  }

  private static long valueOf(Object result) {
    return Bytes.toLong(((Result) result).value());
  }

  /** Each of two regions has counters of its own, and one that is incremented again and again. */
  @Test
  public void incrementsOfABatchShareASync() throws Exception {
    byte[] second = Bytes.toBytes("second");
    List<Row> batch = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      batch.add(new Increment(row(i)).addColumn(F, Q, i));
      batch.add(new Increment(ROW).addColumn(F, Q, 1));
      batch.add(new Append(second).addColumn(F, Q, Bytes.toBytes("x")));
    }
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    List<CompletableFuture<Object>> sent = table.batch(batch);
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + batch.size());
    assertWaits(sent.get(0));
    assertTrue(sent.stream().noneMatch(CompletableFuture::isDone));
    assertEquals(-1, read(ROW));
    assertEquals(1, gauge("asyncPutWaitingCalls"));
    HeldLogWriter.release();
    for (int i = 0; i < 20; i++) {
      assertEquals(i, valueOf(end(sent.get(3 * i))));
      assertEquals(i + 1, valueOf(end(sent.get(3 * i + 1))));
      assertEquals(i + 1, ((Result) end(sent.get(3 * i + 2))).value().length);
      assertEquals(i, read(row(i)));
    }
    assertEquals(20, read(ROW));
    util.waitFor(PATIENCE_MS, () -> gauge("asyncPutWaitingCalls") == 0);
    assertEquals(0, gauge("asyncPutWaitingBytes"));
  }

  @Test
  public void putsAndDeletesAreAmongTheIncrementsOfABatch() throws Exception {
    byte[] second = Bytes.toBytes("second");
    end(table.putAll(Arrays.asList(put(row(1), 7), put(second, 7))));
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    List<CompletableFuture<Object>> sent = table.batch(Arrays.<Row>asList(put(row(0), 5),
      new Increment(row(2)).addColumn(F, Q, 1), new Delete(row(1)), put(row(3), 6),
      new Increment(row(2)).addColumn(F, Q, 1), new Increment(row(0)).addColumn(F, Q, 1),
      new Delete(second), RowMutations
        .of(Arrays.asList(new Delete(row(4)).addColumns(F, F), put(row(4), 8)))));
    // The last increment waits for the put to its row.
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") >= before + 4);
    assertWaits(sent.get(0));
    assertEquals(7, read(row(1)));
    assertEquals(7, read(second));
    HeldLogWriter.release();
    for (CompletableFuture<Object> write : sent) {
      end(write);
    }
    assertEquals(before + 7, count("asyncPutBatchCount"));
    assertEquals(-1, read(second));
    assertEquals(8, read(row(4)));
    assertEquals(2, valueOf(sent.get(4).get()));
    assertEquals(6, valueOf(sent.get(5).get()));
    assertEquals(6, read(row(0)));
    assertEquals(-1, read(row(1)));
    assertEquals(2, read(row(2)));
    assertEquals(6, read(row(3)));
  }

  @Test
  public void anIncrementThatFailsIsToldOfAmongThoseThatDont() throws Exception {
    end(table.put(new Put(row(1)).addColumn(F, Q, Bytes.toBytes("not a number"))));
    List<Row> batch = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      batch.add(new Increment(row(i)).addColumn(F, Q, 1));
    }
    List<CompletableFuture<Object>> sent = table.batch(batch);
    assertEquals(1, valueOf(end(sent.get(0))));
    ExecutionException failure = assertThrows(ExecutionException.class, () -> end(sent.get(1)));
    assertTrue(failure.toString(), failure.toString().contains("bytes wide"));
    assertEquals(1, valueOf(end(sent.get(2))));
  }

  /** The request alone has more bytes than may wait. */
  @Test
  public void writesOfALargeBatchAreWaitedFor() throws Exception {
    List<Row> batch = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      batch.add(new Append(row(i)).setReturnResults(false).addColumn(F, Q, new byte[9 << 20]));
    }
    long before = count("asyncPutBatchCount");
    long waited = count("asyncPutWaitedCount");
    HeldLogWriter.hold();
    List<CompletableFuture<Object>> sent = table.batch(batch);
    util.waitFor(PATIENCE_MS, () -> count("asyncPutWaitedCount") == waited + 1);
    assertEquals(before + 1, count("asyncPutBatchCount"));
    HeldLogWriter.release();
    for (CompletableFuture<Object> append : sent) {
      end(append);
    }
  }

  @Test
  public void incrementsBesideGetsAreWaitedFor() throws Exception {
    long before = count("asyncPutBatchCount");
    List<CompletableFuture<Object>> sent =
      table.batch(Arrays.<Row>asList(new Increment(ROW).addColumn(F, Q, 1), new Get(ROW)));
    assertEquals(1, valueOf(end(sent.get(0))));
    assertEquals(1, valueOf(end(sent.get(1))));
    assertEquals(before, count("asyncPutBatchCount"));
  }

  @Test
  public void mutationsWithConditionsOfABatchWaitForTheLog() throws Exception {
    List<CheckAndMutate> checks = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row(i)).ifNotExists(F, Q);
      checks.add(i % 3 == 0 ? check.build(put(row(i), i))
        : check.build(new Increment(row(i)).addColumn(F, Q, i)));
    }
    end(table.put(put(row(4), 77)));
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    List<CompletableFuture<CheckAndMutateResult>> sent = table.checkAndMutate(checks);
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 9);
    assertWaits(sent.get(0));
    assertEquals(-1, read(row(0)));
    // It locks its row.
    CompletableFuture<CheckAndMutateResult> next = table.checkAndMutate(
      CheckAndMutate.newBuilder(row(5)).ifEquals(F, Q, Bytes.toBytes(5L)).build(put(row(5), 6)));
    assertWaits(next);
    HeldLogWriter.release();
    for (int i = 0; i < 10; i++) {
      CheckAndMutateResult result = end(sent.get(i));
      assertEquals(i != 4, result.isSuccess());
      assertEquals(i == 4 ? 77 : i == 5 ? 6 : i, read(row(i)));
      if (i % 3 != 0 && i != 4) {
        assertEquals(i, valueOf(result.getResult()));
      }
    }
    assertTrue(end(next).isSuccess());
  }

  @Test
  public void mutationsOfARowWaitForTheLogAndAreSeenTogether() throws Exception {
    byte[] other = Bytes.toBytes("r");
    end(table.put(put(ROW, 1)));
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    Put put = new Put(ROW).addColumn(F, other, Bytes.toBytes(2L));
    CompletableFuture<Result> sent = table
      .mutateRow(RowMutations.of(Arrays.asList(put, new Delete(ROW).addColumns(F, Q))));
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 1);
    CompletableFuture<Result> next =
      table.mutateRow(RowMutations.of(Collections.singletonList(put(ROW, 4))));
    assertWaits(sent);
    assertEquals(1, read(ROW));
    assertFalse(end(table.exists(new Get(ROW).addColumn(F, other))));
    // It locks the row, so it begins when the other one can be read.
    assertWaits(next);
    assertEquals(before + 1, count("asyncPutBatchCount"));
    HeldLogWriter.release();
    end(sent);
    end(next);
    Result result = end(table.get(new Get(ROW)));
    assertEquals(2, Bytes.toLong(result.getValue(F, other)));
    assertEquals(4, Bytes.toLong(result.getValue(F, Q)));
    assertEquals(before + 2, count("asyncPutBatchCount"));
  }

  @Test
  public void whoLocksARowSeesWhatIsUnsynced() throws Exception {
    List<Put> puts = new ArrayList<>();
    puts.add(put(ROW, 5));
    List<CompletableFuture<Void>> sent = sendHeld(puts);
    CompletableFuture<Boolean> check = table.checkAndMutate(
      CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, Bytes.toBytes(5L)).build(put(ROW, 6)))
      .thenApply(result -> result.isSuccess());
    assertWaits(check);
    HeldLogWriter.release();
    end(sent.get(0));
    assertTrue(end(check));
    assertEquals(6, read(ROW));

    puts.set(0, put(ROW, 10));
    sent = sendHeld(puts);
    CompletableFuture<Result> increment = table.increment(new Increment(ROW).addColumn(F, Q, 1));
    assertWaits(increment);
    HeldLogWriter.release();
    end(sent.get(0));
    assertEquals(11, Bytes.toLong(end(increment).value()));
  }

  @Test
  public void whoLocksARowWaitsAsLongAsForTheLock() throws Exception {
    List<CompletableFuture<Void>> sent = sendHeld(Collections.singletonList(put(ROW, 5)));
    CheckAndMutate check =
      CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, Bytes.toBytes(5L)).build(put(ROW, 6));
    CompletableFuture<?> inTime = connection.getTableBuilder(table.getName()).setMaxAttempts(1)
      .build().checkAndMutate(check);
    ExecutionException failure = assertThrows(ExecutionException.class, () -> end(inTime));
    assertTrue(failure.toString(), failure.getCause().toString().contains("to be synced"));
    HeldLogWriter.release();
    end(sent.get(0));
    assertTrue(end(table.checkAndMutate(check)).isSuccess());
    assertEquals(6, read(ROW));
  }

  @Test
  public void incrementsOfARowShareASync() throws Exception {
    MutableFastCounter byRowPath = (MutableFastCounter) MetricsRowPath.getInstance()
      .getMetricsRegistry().get("rowPathWriteCount");
    long before = byRowPath.value();
    assertIncrementsShareASync();
    assertEquals(before + 5 * HANDLERS, byRowPath.value());
  }

  @Test
  public void incrementsThatScannersReadShareASync() throws Exception {
    Configuration off = new Configuration(false);
    server.getRSRpcServices().rowPath.onConfigurationChange(off);
    try {
      assertIncrementsShareASync();
    } finally {
      server.getRSRpcServices().rowPath.onConfigurationChange(server.getConfiguration());
    }
  }

  private void assertIncrementsShareASync() throws Exception {
    int number = 5 * HANDLERS;
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    List<CompletableFuture<Result>> sent = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      sent.add(table.increment(new Increment(ROW).addColumn(F, Q, 1)));
    }
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + number);
    assertEquals(-1, read(ROW));
    assertTrue(sent.stream().noneMatch(CompletableFuture::isDone));
    HeldLogWriter.release();
    Set<Long> values = new HashSet<>();
    for (CompletableFuture<Result> increment : sent) {
      values.add(Bytes.toLong(end(increment).value()));
    }
    assertEquals(number, values.size());
    assertEquals(number, (long) Collections.max(values));
    assertEquals(number, read(ROW));
  }

  @Test
  public void appendsToARowShareASync() throws Exception {
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    List<CompletableFuture<Result>> sent = new ArrayList<>();
    for (String text : Arrays.asList("a", "b", "c")) {
      sent.add(table.append(new Append(ROW).addColumn(F, Q, Bytes.toBytes(text))));
      int number = sent.size();
      util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + number);
    }
    assertTrue(end(table.get(new Get(ROW))).isEmpty());
    HeldLogWriter.release();
    assertEquals("ab", Bytes.toString(end(sent.get(1)).value()));
    assertEquals("abc", Bytes.toString(end(sent.get(2)).value()));
    assertEquals("abc", Bytes.toString(end(table.get(new Get(ROW))).value()));
  }

  @Test
  public void incrementsThatShareASyncAreNotAheadOfTheClock() throws Exception {
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    List<CompletableFuture<Result>> sent = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      sent.add(table.increment(new Increment(ROW).addColumn(F, Q, 1)));
      // Less at a time than the queue of calls has room for.
      util.waitFor(PATIENCE_MS, 1,
        () -> count("asyncPutBatchCount") > before + sent.size() - 4 * HANDLERS);
    }
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 500);
    HeldLogWriter.release();
    long now = EnvironmentEdgeManager.currentTime();
    for (CompletableFuture<Result> increment : sent) {
      assertTrue(end(increment).rawCells()[0].getTimestamp() <= now);
    }
    assertEquals(500, read(ROW));
    end(table.delete(new Delete(ROW)));
    assertEquals(-1, read(ROW));
  }

  @Test
  public void anIncrementWaitsForADelete() throws Exception {
    end(table.put(put(ROW, 5)));
    List<CompletableFuture<Void>> sent = sendHeld(Collections.singletonList(new Delete(ROW)));
    long before = count("asyncPutBatchCount");
    CompletableFuture<Result> increment = table.increment(new Increment(ROW).addColumn(F, Q, 1));
    assertWaits(increment);
    assertEquals(before, count("asyncPutBatchCount"));
    HeldLogWriter.release();
    end(sent.get(0));
    assertEquals(1, Bytes.toLong(end(increment).value()));
    assertEquals(1, read(ROW));
  }

  @Test
  public void aDeleteOfTheLatestVersionFindsWhatIsUnsynced() throws Exception {
    create(newTable().setColumnFamily(
      ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build()));
    end(table.put(put(ROW, 5)));
    Thread.sleep(2);
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    CompletableFuture<Result> increment = table.increment(new Increment(ROW).addColumn(F, Q, 1));
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 1);
    CompletableFuture<Void> delete = table.delete(new Delete(ROW).addColumn(F, Q));
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 2);
    HeldLogWriter.release();
    assertEquals(6, Bytes.toLong(end(increment).value()));
    end(delete);
    assertEquals(5, read(ROW));
  }

  @Test
  public void incrementsOfReplicatedTablesWaitForEachOther() throws Exception {
    create(newTable().setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setScope(HConstants.REPLICATION_SCOPE_GLOBAL).build()));
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    CompletableFuture<Result> first = table.increment(new Increment(ROW).addColumn(F, Q, 1));
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 1);
    CompletableFuture<Result> second = table.increment(new Increment(ROW).addColumn(F, Q, 1));
    assertWaits(second);
    assertEquals(before + 1, count("asyncPutBatchCount"));
    HeldLogWriter.release();
    assertTrue(end(first).rawCells()[0].getTimestamp()
      < end(second).rawCells()[0].getTimestamp());
    assertEquals(2, read(ROW));
  }

  @Test
  public void incrementsThatAreRepeatedBeforeTheyAreSyncedAreDoneOnce() throws Exception {
    int timeout = 500;
    int rows = 2 * HANDLERS;
    LongAdder requests = server.getRSRpcServices().rpcMutateRequestCount;
    long before = requests.sum();
    AsyncTable<?> impatient = connection.getTableBuilder(table.getName())
      .setRpcTimeout(timeout, TimeUnit.MILLISECONDS).build();
    HeldLogWriter.hold();
    List<CompletableFuture<Result>> sent = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      sent.add(impatient.increment(new Increment(Bytes.toBytes("row" + i)).addColumn(F, Q, 1)));
    }
    util.waitFor(PATIENCE_MS, () -> requests.sum() >= before + 2 * rows);
    // Handlers are free.
    assertTrue(end(table.scanAll(new Scan())).isEmpty());
    assertTrue(sent.stream().noneMatch(CompletableFuture::isDone));
    HeldLogWriter.release();
    for (int i = 0; i < rows; i++) {
      assertEquals(1, Bytes.toLong(end(sent.get(i)).value()));
      assertEquals(1, read(Bytes.toBytes("row" + i)));
    }
  }

  @Test
  public void mutationsWithAConditionWaitForTheLog() throws Exception {
    CheckAndMutate check = CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(put(ROW, 1));
    HeldLogWriter.hold();
    long before = count("asyncPutBatchCount");
    CompletableFuture<CheckAndMutateResult> done = table.checkAndMutate(check);
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 1);
    // A condition that isn't met has nothing to sync.
    assertFalse(end(table.checkAndMutate(CheckAndMutate.newBuilder(Bytes.toBytes("rowx"))
      .ifEquals(F, Q, Q).build(put(Bytes.toBytes("rowx"), 1)))).isSuccess());
    assertEquals(-1, read(ROW));
    // The first isn't seen yet, so the second waits for it.
    CompletableFuture<CheckAndMutateResult> again = table.checkAndMutate(check);
    assertWaits(again);
    assertFalse(done.isDone());
    HeldLogWriter.release();
    assertTrue(end(done).isSuccess());
    assertFalse(end(again).isSuccess());
    CheckAndMutate increment = CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, Bytes.toBytes(1L))
      .build(new Increment(ROW).addColumn(F, Q, 4));
    assertEquals(5, Bytes.toLong(end(table.checkAndMutate(increment)).getResult().value()));
    CheckAndMutate delete = CheckAndMutate.newBuilder(ROW).ifEquals(F, Q, Bytes.toBytes(5L))
      .build(new Delete(ROW));
    assertTrue(end(table.checkAndMutate(delete)).isSuccess());
    assertEquals(-1, read(ROW));
    assertEquals(before + 3, count("asyncPutBatchCount"));
  }

  @Test
  public void aFlushWaits() throws Exception {
    List<CompletableFuture<Void>> sent = sendHeld(puts(3));
    long point = region.getMVCC().getWritePoint();
    Future<?> flush = inThread(() -> region.flush(true));
    assertWaits(flush);
    // It hasn't taken its sequence number, which all that it flushes is below.
    assertEquals(point, region.getMVCC().getWritePoint());
    HeldLogWriter.release();
    end(flush);
    for (CompletableFuture<Void> put : sent) {
      end(put);
    }
    assertEquals(0, region.getMemStoreDataSize());
    assertEquals(2, read(Bytes.toBytes("row2")));
  }

  @Test
  public void aRegionThatClosesWaits() throws Exception {
    List<CompletableFuture<Void>> sent = sendHeld(puts(3));
    Future<?> unassign = inThread(() -> {
      util.getAdmin().disableTable(table.getName());
      return null;
    });
    util.waitFor(PATIENCE_MS, region::isClosing);
    assertWaits(unassign);
    assertFalse(region.isClosed());
    HeldLogWriter.release();
    for (CompletableFuture<Void> put : sent) {
      end(put);
    }
    end(unassign);
    util.getAdmin().enableTable(table.getName());
    assertEquals(2, read(Bytes.toBytes("row2")));
  }

  @Test
  public void writesGoOnInTheNextLogIfASyncFails() throws Exception {
    List<CompletableFuture<Void>> sent = sendHeld(puts(50));
    assertWaits(sent.get(0));
    HeldLogWriter.failHeld();
    for (CompletableFuture<Void> put : sent) {
      end(put);
    }
    assertEquals(49, read(Bytes.toBytes("row49")));
  }

  @Test
  public void writesWithoutSyncAreAnsweredBehindOthers() throws Exception {
    List<Put> puts = puts(1);
    List<CompletableFuture<Void>> sent = sendHeld(puts);
    long before = count("asyncPutBatchCount");
    CompletableFuture<Void> skip = table.put(put(ROW, 1).setDurability(Durability.SKIP_WAL));
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 1);
    assertWaits(skip);
    HeldLogWriter.release();
    end(sent.get(0));
    end(skip);
    assertEquals(1, read(ROW));
  }

  @Test
  public void aHookFindsWhatWasWritten() throws Exception {
    create(newTable().setCoprocessor(PostPut.class.getName())
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)), new byte[0][]);
    long before = count("asyncPutBatchCount");
    PostPut.visible = false;
    end(table.put(put(ROW, 1)));
    assertTrue(PostPut.visible);
    assertEquals(before, count("asyncPutBatchCount"));
  }

  /** As if each write of the batch were waited for. */
  @Test
  public void aHookFindsWhatItsBatchHasWritten() throws Exception {
    create(newTable().setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
      .setCoprocessor(ReadsFirst.class.getName()));
    long before = count("asyncPutBatchCount");
    ReadsFirst.seen = -1;
    List<CompletableFuture<Object>> sent = table.batch(Arrays.<Row>asList(put(ROW, 7),
      new Increment(Bytes.toBytes("other")).addColumn(F, Q, 1)));
    for (CompletableFuture<Object> write : sent) {
      end(write);
    }
    assertEquals(7, ReadsFirst.seen);
    assertEquals(before, count("asyncPutBatchCount"));
  }

  @Test
  public void aHookSeesWhatItWrote() throws Exception {
    create(newTable().setCoprocessor(WritesFirst.class.getName())
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)), new byte[0][]);
    long before = count("asyncPutBatchCount");
    WritesFirst.seen = false;
    end(table.put(put(ROW, 1)));
    assertTrue(WritesFirst.seen);
    assertEquals(before + 1, count("asyncPutBatchCount"));
    // It may lock rows that an increment has locked.
    end(table.increment(new Increment(Bytes.toBytes("other")).addColumn(F, Q, 1)));
    assertEquals(before + 1, count("asyncPutBatchCount"));
    assertEquals(1, read(ROW));
    assertEquals(7, read(Bytes.toBytes("rowx")));
  }

  @Test
  public void whoLocksARowSeesWhatIsUnsyncedOfABatchThatPartlyFails() throws Exception {
    long before = count("asyncPutBatchCount");
    HeldLogWriter.hold();
    List<CompletableFuture<Void>> sent = table.put(Arrays.asList(
      new Put(Bytes.toBytes("a")).addColumn(Bytes.toBytes("none"), Q, Q), put(ROW, 10)));
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + 1);
    CompletableFuture<Result> increment = table.increment(new Increment(ROW).addColumn(F, Q, 1));
    assertWaits(increment);
    HeldLogWriter.release();
    end(sent.get(1));
    assertEquals(11, Bytes.toLong(end(increment).value()));
    ExecutionException failure = assertThrows(ExecutionException.class, () -> end(sent.get(0)));
    assertTrue(failure.getCause().toString(),
      failure.getCause().toString().contains("NoSuchColumnFamilyException"));
  }

  @Test
  public void whatIsPartlyInTheMemstoreIsNotSeenBeforeItIsSynced() throws Exception {
    byte[] failing = Bytes.toBytes("g");
    create(newTable().setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(failing)
        .setConfiguration(HStore.MEMSTORE_CLASS_NAME, FailingMemStore.class.getName()).build()),
      new byte[0][]);
    HeldLogWriter.hold();
    CompletableFuture<Void> put = connection.getTableBuilder(table.getName()).setMaxAttempts(1)
      .build().put(put(ROW, 1).addColumn(failing, Q, Q));
    assertThrows(ExecutionException.class, () -> end(put));
    assertTrue(region.getMVCC().getReadPoint() < region.getMVCC().getWritePoint());
    assertEquals(-1, read(ROW));
    HeldLogWriter.release();
    // What the log has of a write that failed is seen, as it is of one that is waited for.
    util.waitFor(PATIENCE_MS, () -> read(ROW) == 1);
  }

  @Test
  public void beyondTheBoundHandlersWait() throws Exception {
    List<Put> puts = puts(6000);
    HeldLogWriter.hold();
    long before = count("asyncPutBatchCount");
    long waited = count("asyncPutWaitedCount");
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    puts.forEach(put -> sent.add(table.put(put)));
    util.waitFor(PATIENCE_MS, () -> count("asyncPutWaitedCount") >= waited + HANDLERS);
    long taken = count("asyncPutBatchCount") - before;
    assertTrue(taken + " taken", taken >= 4096 && taken < 4096 + 100);
    HeldLogWriter.release();
    for (CompletableFuture<Void> put : sent) {
      end(put);
    }
    assertEquals(5999, read(Bytes.toBytes("row5999")));
  }

  @Test
  public void switchedOffMeanwhileWritesAreAnswered() throws Exception {
    List<CompletableFuture<Void>> sent = sendHeld(puts(5));
    set(false);
    CompletableFuture<Void> off = table.put(put(ROW, 1));
    assertWaits(off);
    HeldLogWriter.release();
    for (CompletableFuture<Void> put : sent) {
      end(put);
    }
    end(off);
    assertEquals(1, read(ROW));
  }

  @Test
  public void theSlowLogHasTheTimeOfTheSync() throws Exception {
    for (int i = 0; i < 2; i++) {
      set(i == 1);
      HeldLogWriter.hold();
      long point = region.getMVCC().getWritePoint();
      CompletableFuture<Void> put = table.put(put(ROW, 1));
      util.waitFor(PATIENCE_MS, () -> region.getMVCC().getWritePoint() > point);
      Thread.sleep(SLOW_MS + MOMENT_MS);
      HeldLogWriter.release();
      end(put);
      int entries = i + 1;
      util.waitFor(PATIENCE_MS, () -> slowLog().size() == entries);
    }
    List<String> logged = slowLog();
    assertEquals(logged.get(0), logged.get(1));
  }

  /** The table's calls in the slow log, as far as they don't tell of times. */
  private List<String> slowLog() throws IOException {
    List<String> logged = new ArrayList<>();
    for (LogEntry entry : util.getAdmin().getLogEntries(
      Collections.singleton(server.getServerName()), "SLOW_LOG", ServerType.REGION_SERVER, 10,
      Collections.singletonMap("tableName", table.getName().getNameAsString()))) {
      OnlineLogRecord record = (OnlineLogRecord) entry;
      if (!record.getMethodName().equals("Mutate")) {
        continue;
      }
      assertTrue(entry.toString(), record.getProcessingTime() >= SLOW_MS);
      logged.add(String.join(" ", record.getMethodName(), record.getCallDetails(),
        record.getParam(), record.getRegionName(), record.getServerClass(), record.getUserName(),
        record.getClientAddress(), Long.toString(record.getResponseSize()),
        Long.toString(record.getBlockBytesScanned())));
    }
    return logged;
  }

  /** Each thread knows what its own row has, and all increment one. */
  @Test
  public void eachAcknowledgedWriteIsThereOnce() throws Exception {
    int threads = 8;
    int rounds = 300;
    byte[] counter = Bytes.toBytes("counter");
    Set<Long> counted = ConcurrentHashMap.newKeySet();
    List<Future<?>> ends = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      byte[] row = Bytes.toBytes("row" + t);
      ends.add(inThread(() -> {
        long value = -1;
        for (int i = 0; i < rounds; i++) {
          if (i % 7 == 3) {
            assertTrue(end(table.checkAndMutate(CheckAndMutate.newBuilder(row)
              .ifEquals(F, Q, Bytes.toBytes(value)).build(put(row, i)))).isSuccess());
          } else if (i % 7 == 5) {
            end(table.delete(new Delete(row)));
            assertEquals(-1, read(row));
            // A delete covers puts of its millisecond.
            Thread.sleep(2);
            end(table.put(put(row, i)));
          } else {
            end(table.put(put(row, i)));
          }
          value = i;
          assertEquals(value, read(row));
          counted.add(Bytes.toLong(
            end(table.increment(new Increment(counter).addColumn(F, Q, 1))).value()));
        }
        return null;
      }));
    }
    Future<?> flushes = inThread(() -> {
      for (int i = 0; i < 10; i++) {
        region.flush(true);
        region.getWAL().rollWriter(true);
        Thread.sleep(20);
      }
      return null;
    });
    for (Future<?> end : ends) {
      end(end);
    }
    end(flushes);
    assertEquals((long) threads * rounds, read(counter));
    assertEquals(threads * rounds, counted.size());
    assertTrue(region.getLockedRows().isEmpty());
  }
}
