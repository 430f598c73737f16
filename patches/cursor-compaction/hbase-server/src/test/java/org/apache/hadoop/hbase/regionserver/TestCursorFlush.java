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
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.regionserver.MetricsCursorCompactions.Reason;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.BloomFilterUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** When flushes go with cursors, and what they do besides writing a file. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCursorFlush extends CursorCompactionTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCursorFlush.class);

  private static final ColumnFamilyDescriptor PLAIN = ColumnFamilyDescriptorBuilder.of(F);
  private static final int ROWS = 300;
  private static final int MANY = 100_000;

  private final Map<Reason, Long> before = new EnumMap<>(Reason.class);
  private long flushesBefore;

  @Before
  public void readMetrics() {
    flushesBefore = METRICS.getFlushes();
    for (Reason reason : Reason.values()) {
      before.put(reason, METRICS.getScannerFlushes(reason));
    }
    conf.setBoolean(CursorCompactionSettings.ENABLED.key(), true);
  }

  /** @param why null if no flush that may go with cursors went without */
  private void assertFlushes(int cursors, Reason why) {
    assertEquals(cursors, METRICS.getFlushes() - flushesBefore);
    before.forEach((reason, count) -> assertEquals(reason.toString(),
      reason == why ? count + 1 : count, METRICS.getScannerFlushes(reason)));
  }

  private void write(int from) throws IOException {
    for (int row = from; row < from + ROWS; row++) {
      region.put(new Put(Bytes.toBytes(String.format("row%05d", row)))
        .setDurability(Durability.SKIP_WAL).addColumn(F, F, Bytes.toBytes("value" + row)));
    }
  }

  private void load(Class<? extends RegionCoprocessor> coprocessor) throws IOException {
    open(PLAIN);
    conf.set(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, coprocessor.getName());
    region.setCoprocessorHost(new RegionCoprocessorHost(region, null, conf));
    write(0);
  }

  private void flushRegion(ColumnFamilyDescriptor family) throws IOException {
    open(family);
    write(0);
    List<String> cells = read();
    region.flush(true);
    assertEquals(0, store.getMemStoreSize().getCellsCount());
    assertEquals(cells, read());
    assertEquals(ROWS, cells.size());
  }

  @Test
  public void aPlainFamilyIsFlushedWithCursors() throws IOException {
    flushRegion(PLAIN);
    assertFlushes(1, null);
  }

  @Test
  public void offByDefaultNoFlushIsCounted() throws IOException {
    conf.unset(CursorCompactionSettings.ENABLED.key());
    flushRegion(PLAIN);
    assertFlushes(0, null);
  }

  @Test
  public void segmentsThatWereFlushedInMemoryAreMerged() throws IOException {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setInMemoryCompaction(MemoryCompactionPolicy.BASIC).build());
    write(0);
    ((CompactingMemStore) store.memstore).flushInMemory();
    write(ROWS / 2);
    List<String> cells = read();
    region.flush(true);
    assertFlushes(1, null);
    assertEquals(cells, read());
    assertEquals(ROWS + ROWS / 2, cells.size());
  }

  /** Gives a scanner of its own, of the same cells. */
  public static class Wraps implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preFlush(ObserverContext<RegionCoprocessorEnvironment> context,
      Store flushed, InternalScanner scanner, FlushLifeCycleTracker tracker) throws IOException {
      return new InternalScanner() {
        @Override
        public boolean next(List<Cell> cells, ScannerContext progress) throws IOException {
          return scanner.next(cells, progress);
        }

        @Override
        public void close() throws IOException {
          scanner.close();
        }
      };
    }
  }

  @Test
  public void aScannerThatACoprocessorWrapsIsRead() throws IOException {
    load(Wraps.class);
    region.flush(true);
    assertFlushes(0, Reason.COPROCESSOR);
    assertEquals(ROWS, read().size());
  }

  /** Seeks behind the first row. */
  public static class Seeks implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preFlush(ObserverContext<RegionCoprocessorEnvironment> context,
      Store flushed, InternalScanner scanner, FlushLifeCycleTracker tracker) throws IOException {
      ((StoreScanner) scanner).reseek(PrivateCellUtil.createFirstOnRow(Bytes.toBytes("row00001")));
      return scanner;
    }
  }

  @Test
  public void aFlushBeginsWhereACoprocessorHasSought() throws IOException {
    load(Seeks.class);
    region.flush(true);
    assertFlushes(1, null);
    assertEquals(ROWS - 1, read().size());
  }

  /** Seeks behind the last row. */
  public static class SeeksTooFar extends Seeks {
    @Override
    public InternalScanner preFlush(ObserverContext<RegionCoprocessorEnvironment> context,
      Store flushed, InternalScanner scanner, FlushLifeCycleTracker tracker) throws IOException {
      ((StoreScanner) scanner).reseek(PrivateCellUtil.createFirstOnRow(Bytes.toBytes("s")));
      return scanner;
    }
  }

  @Test
  public void nothingIsFlushedBehindTheEnd() throws IOException {
    load(SeeksTooFar.class);
    region.flush(true);
    assertFlushes(0, Reason.COPROCESSOR);
    assertEquals(0, read().size());
  }

  /** Can't be written to a buffer. */
  private static final class OddCell extends KeyValue {
    OddCell(KeyValue cell) {
      super(cell);
      setSequenceId(1);
    }

    @Override
    public void write(ByteBuffer buffer, int offset) {
      throw new IllegalStateException("odd");
    }

    @Override
    public ExtendedCell deepClone() {
      return this;
    }
  }

  @Test
  public void aFlushThatFailsIsRepeatedByAScanner() throws IOException {
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, false);
    conf.setInt("hbase.server.pause", 1);
    open(PLAIN);
    write(0);
    long failures = METRICS.getFailedFlushes();
    byte[] row = Bytes.toBytes("row00100a");
    store.memstore.add(new OddCell(new KeyValue(row, F, F, 1, F)), null);
    region.flush(true);
    assertEquals(failures + 1, METRICS.getFailedFlushes());
    assertFlushes(1, null);
    assertEquals(ROWS + 1, read().size());
    write(ROWS);
    region.flush(true);
    assertFlushes(2, null);
    assertEquals(2 * ROWS + 1, read().size());
  }

  /** A flush can also fail when its file is ended, or looked at. */
  @Test
  public void whatIsFlushedAgainIsFlushedByAScanner() throws IOException {
    open(PLAIN);
    write(0);
    MemStoreSnapshot first = store.memstore.snapshot();
    MemStoreSnapshot second = store.memstore.snapshot();
    assertNotSame(first, second);
    long failures = METRICS.getFailedFlushes();
    long flushes = METRICS.getFlushes();
    StoreFlusher off = new DefaultStoreFlusher(with(false), store);
    flush(off, first, null);
    flush(off, first, null);
    assertEquals(failures, METRICS.getFailedFlushes());
    StoreFlusher flusher = new DefaultStoreFlusher(with(true), store);
    flush(flusher, first, null);
    assertEquals(flushes + 1, METRICS.getFlushes());
    assertEquals(failures, METRICS.getFailedFlushes());
    for (int i = 0; i < 2; i++) {
      flush(flusher, first, null);
      assertEquals(flushes + 1, METRICS.getFlushes());
      assertEquals(failures + 1, METRICS.getFailedFlushes());
    }
    flush(flusher, second, null);
    assertEquals(flushes + 2, METRICS.getFlushes());
    assertEquals(failures + 1, METRICS.getFailedFlushes());
    conf.setInt("hbase.hstore.flush.retries.number", 1);
    flush(new DefaultStoreFlusher(with(true), store), second, null);
    assertEquals(flushes + 2, METRICS.getFlushes());
  }

  @Test
  public void ofEqualCellsTheNewerIsWritten() throws IOException {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setInMemoryCompaction(MemoryCompactionPolicy.BASIC).build());
    write(0);
    for (byte value = 1; value <= 2; value++) {
      KeyValue cell = new KeyValue(F, F, F, 1, new byte[] { value });
      cell.setSequenceId(1);
      store.memstore.add(cell, null);
      if (value == 1) {
        ((CompactingMemStore) store.memstore).flushInMemory();
      }
    }
    region.flush(true);
    assertFlushes(1, null);
    assertEquals(ROWS + 1, read().size());
    assertTrue(read().get(0), read().get(0).endsWith("\\x02"));
  }

  @Test
  public void stripesAreFlushedByAScanner() throws IOException {
    conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, StripeStoreEngine.class.getName());
    flushRegion(PLAIN);
    assertFlushes(0, Reason.WRITER);
  }

  @Test
  public void filesOfRowPrefixesAreFlushedByAScanner() throws IOException {
    flushRegion(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setBloomFilterType(BloomType.ROWPREFIX_FIXED_LENGTH)
      .setConfiguration(BloomFilterUtil.PREFIX_LENGTH_KEY, "3").build());
    assertFlushes(0, Reason.WRITER);
  }

  @Test
  public void newVersionBehaviorIsFlushedByAScanner() throws IOException {
    flushRegion(ColumnFamilyDescriptorBuilder.newBuilder(F).setNewVersionBehavior(true).build());
    assertFlushes(0, Reason.RULES);
  }

  /** Counts bytes, and interrupts. */
  private static final class Throttle extends NoLimitThroughputController {
    private long bytes;
    private int running;
    private boolean interrupts;

    @Override
    public void start(String name) {
      running++;
    }

    @Override
    public long control(String name, long size) throws InterruptedException {
      if (interrupts) {
        throw new InterruptedException();
      }
      bytes += size;
      return 0;
    }

    @Override
    public void finish(String name) {
      running--;
    }
  }

  @Test
  public void allBytesAreThrottled() throws IOException {
    open(PLAIN);
    write(0);
    MemStoreSnapshot snapshot = store.memstore.snapshot();
    Throttle scanner = new Throttle();
    Throttle cursors = new Throttle();
    flush(false, snapshot, scanner);
    flush(true, snapshot, cursors);
    assertTrue(scanner.bytes > 0);
    assertEquals(scanner.bytes, cursors.bytes);
    assertEquals(0, cursors.running);
  }

  @Test
  public void aFlushThatIsInterruptedWhileItIsThrottledCanBeRepeated() throws IOException {
    open(PLAIN);
    write(0);
    MemStoreSnapshot snapshot = store.memstore.snapshot();
    Throttle throttle = new Throttle();
    throttle.interrupts = true;
    assertThrows(InterruptedIOException.class, () -> flush(true, snapshot, throttle));
    assertEquals(0, throttle.running);
    throttle.interrupts = false;
    flush(true, snapshot, throttle);
    assertTrue(throttle.bytes > 0);
  }

  @Test
  public void noMemoryIsAllocatedForACell() throws Exception {
    open(PLAIN);
    byte[] row = Bytes.toBytes("row");
    for (int column = 0; column < MANY; column++) {
      region.put(new Put(row).setDurability(Durability.SKIP_WAL).addColumn(F,
        Bytes.toBytes(column), F));
    }
    MemStoreSnapshot snapshot = store.memstore.snapshot();
    double bytes = (double) new AllocationMeter().bytesPerOperation(1,
      () -> store.getFileSystem().delete(flush(true, snapshot, null), false)) / MANY;
    // Blocks take some; an object has 16 at the least.
    assertTrue(bytes + " bytes for a cell", bytes < 14);
  }
}
