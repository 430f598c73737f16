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

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.regionserver.MetricsCursorCompactions.Reason;
import org.apache.hadoop.hbase.regionserver.compactions.CloseChecker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.regionserver.compactions.DefaultCompactor;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTracker;
import org.apache.hadoop.hbase.regionserver.storefiletracker.StoreFileTrackerFactory;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.BloomFilterUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** When compactions go with cursors, and what they do besides writing a file. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCursorCompaction extends CursorCompactionTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCursorCompaction.class);

  private static final ColumnFamilyDescriptor PLAIN = ColumnFamilyDescriptorBuilder.of(F);
  private static final int ROWS = 100;
  private static final int COLUMNS = 5;
  /** More than those of a cell of writeFiles; the scanner has read that before. */
  private static final int FIRST_CELL_BYTES = 50;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final Map<Reason, Long> before = new EnumMap<>(Reason.class);
  private long begunBefore;

  @Before
  public void readMetrics() {
    begunBefore = METRICS.getBegun();
    for (Reason reason : Reason.values()) {
      before.put(reason, METRICS.getScanner(reason));
    }
    conf.setBoolean(CursorCompactionSettings.ENABLED.key(), true);
  }

  /** Asserts how many compactions went with cursors, and that there was no other for a reason. */
  private void assertBegun(int compactions) {
    assertEquals(compactions, METRICS.getBegun() - begunBefore);
    before.forEach((reason, count) -> assertEquals(reason.toString(), (long) count,
      METRICS.getScanner(reason)));
  }

  private void assertScanned(Reason why) {
    assertEquals(begunBefore, METRICS.getBegun());
    before.forEach((reason, count) -> assertEquals(reason.toString(),
      reason == why ? count + 1 : count, METRICS.getScanner(reason)));
  }

  private void writeFiles(int files) throws IOException {
    for (int file = 0; file < files; file++) {
      for (int row = 0; row < ROWS; row++) {
        Put put = new Put(Bytes.toBytes(String.format("row%05d", row)))
          .setDurability(Durability.SKIP_WAL);
        for (int column = 0; column < COLUMNS; column++) {
          put.addColumn(F, Bytes.toBytes("c" + column), Bytes.toBytes("value" + file));
        }
        region.put(put);
      }
      region.flush(true);
    }
  }

  private void compactRegion(ColumnFamilyDescriptor family) throws IOException {
    open(family);
    writeFiles(2);
    region.compact(true);
    assertEquals(1, store.getStorefilesCount());
    assertEquals(ROWS * COLUMNS, read().size());
  }

  @Test
  public void aPlainFamilyIsCompactedWithCursors() throws IOException {
    compactRegion(PLAIN);
    assertBegun(1);
  }

  @Test
  public void offByDefaultNoCompactionIsCounted() throws IOException {
    conf.unset(CursorCompactionSettings.ENABLED.key());
    compactRegion(PLAIN);
    assertBegun(0);
  }

  @Test
  public void aTableCanBeExcluded() throws IOException {
    compactRegion(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setConfiguration(CursorCompactionSettings.ENABLED.key(), "false").build());
    assertBegun(0);
  }

  @Test
  public void aTableWhoseValueIsNotAllowedIsCompactedByAScanner() throws IOException {
    compactRegion(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setConfiguration(CursorCompactionSettings.ENABLED.key(), "yes").build());
    assertBegun(0);
    assertEquals(1, store.getStorefilesCount());
  }

  /** Adds nothing to its superclass. */
  public static class OtherCompactor extends DefaultCompactor {
    public OtherCompactor(Configuration conf, HStore store) {
      super(conf, store);
    }
  }

  @Test
  public void anotherCompactorReadsTheScanner() throws IOException {
    conf.set(DefaultStoreEngine.DEFAULT_COMPACTOR_CLASS_KEY, OtherCompactor.class.getName());
    compactRegion(PLAIN);
    assertScanned(Reason.COMPACTOR);
  }

  @Test
  public void stripesAreCompactedByAScanner() throws IOException {
    conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, StripeStoreEngine.class.getName());
    open(PLAIN);
    writeFiles(5);
    region.compact(true);
    assertEquals(begunBefore, METRICS.getBegun());
    assertTrue(METRICS.getScanner(Reason.COMPACTOR) > before.get(Reason.COMPACTOR));
  }

  /** Gives a scanner of its own, of the same cells. */
  public static class Wraps implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(ObserverContext<RegionCoprocessorEnvironment> context,
      Store compacted, InternalScanner scanner, ScanType type, CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
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

  /** Takes the first row away, or seeks behind it. */
  public static class SkipsARow implements RegionCoprocessor, RegionObserver {
    static boolean seeks;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(ObserverContext<RegionCoprocessorEnvironment> context,
      Store compacted, InternalScanner scanner, ScanType type, CompactionLifeCycleTracker tracker,
      CompactionRequest request) throws IOException {
      if (seeks) {
        ((StoreScanner) scanner)
          .reseek(PrivateCellUtil.createFirstOnRow(Bytes.toBytes("row00001")));
      } else {
        scanner.next(new ArrayList<>());
      }
      return scanner;
    }
  }

  @Test
  public void aScannerThatACoprocessorHasReadIsReadOn() throws IOException {
    SkipsARow.seeks = false;
    assertRowSkipped();
    assertScanned(Reason.COPROCESSOR);
  }

  @Test
  public void aScannerThatACoprocessorHasSoughtIsReadOn() throws IOException {
    SkipsARow.seeks = true;
    assertRowSkipped();
    assertScanned(Reason.FILE);
  }

  private void assertRowSkipped() throws IOException {
    open(PLAIN);
    writeFiles(2);
    load(SkipsARow.class);
    region.compact(true);
    assertEquals((ROWS - 1) * COLUMNS, entries());
  }

  /** Changes how many versions are kept. */
  public static class KeepsMore implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preCompactScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context,
      Store compacted, ScanType type, ScanOptions options, CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
      options.setMaxVersions(2);
    }
  }

  private void load(Class<? extends RegionCoprocessor> coprocessor) {
    conf.set(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, coprocessor.getName());
    region.setCoprocessorHost(
      new RegionCoprocessorHost(region, null, conf));
  }

  @Test
  public void aScannerThatACoprocessorWrapsIsRead() throws IOException {
    open(PLAIN);
    writeFiles(2);
    load(Wraps.class);
    region.compact(true);
    assertScanned(Reason.COPROCESSOR);
  }

  @Test
  public void settingsThatACoprocessorChangesHold() throws IOException {
    open(PLAIN);
    writeFiles(3);
    load(KeepsMore.class);
    region.compact(true);
    assertBegun(1);
    assertEquals(2 * ROWS * COLUMNS, entries());
  }

  private long entries() {
    return store.getStorefiles().iterator().next().getReader().getEntries();
  }

  @Test
  public void aFamilyOfNewVersionBehaviorIsCompactedByAScanner() throws IOException {
    compactRegion(ColumnFamilyDescriptorBuilder.newBuilder(F).setNewVersionBehavior(true).build());
    assertScanned(Reason.RULES);
  }

  @Test
  public void halvesOfAFileAreCompactedByAScanner() throws IOException {
    open(PLAIN);
    writeFiles(1);
    HStoreFile whole = store.getStorefiles().iterator().next();
    // Files of a half are named after the region that has the whole one.
    Path half = new Path(whole.getPath().getParent(),
      whole.getPath().getName() + "." + region.getRegionInfo().getEncodedName());
    Reference.createBottomReference(Bytes.toBytes("row00050")).write(store.getFileSystem(), half);
    StoreFileTracker tracker = StoreFileTrackerFactory.create(conf, true, store.getStoreContext());
    HStoreFile file = new HStoreFile(store.getFileSystem(), half, conf,
      store.getCacheConfig(), BloomType.ROW, true, tracker);
    file.initReader();
    takeBytes(compact(true, false, Collections.singletonList(file)));
    assertScanned(Reason.FILE);
    file.closeStoreFile(true);
  }

  @Test
  public void filesOfRowPrefixesAreWrittenFromAScanner() throws IOException {
    conf.set(BloomFilterUtil.PREFIX_LENGTH_KEY, "3");
    compactRegion(ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setBloomFilterType(BloomType.ROWPREFIX_FIXED_LENGTH)
      .setConfiguration(BloomFilterUtil.PREFIX_LENGTH_KEY, "3").build());
    assertScanned(Reason.WRITER);
  }

  @Test
  public void historicalFilesAreWrittenFromAScanner() throws IOException {
    conf.setBoolean(StoreFileWriter.ENABLE_HISTORICAL_COMPACTION_FILES, true);
    open(PLAIN);
    writeFiles(2);
    region.compact(true);
    assertScanned(Reason.WRITER);
  }

  @Test
  public void aCompactionOfARegionThatClosesIsCancelled() throws IOException {
    conf.setInt(CloseChecker.SIZE_LIMIT_KEY, 1000);
    assertCancelled();
  }

  @Test
  public void aCompactionOfARegionThatClosesIsCancelledByTime() throws IOException {
    conf.setInt(CloseChecker.SIZE_LIMIT_KEY, Integer.MAX_VALUE);
    conf.setLong(CloseChecker.TIME_LIMIT_KEY, 1);
    AtomicLong clock = new AtomicLong(System.currentTimeMillis());
    EnvironmentEdgeManager.injectEdge(() -> clock.addAndGet(10));
    try {
      assertCancelled();
    } finally {
      EnvironmentEdgeManager.reset();
    }
  }

  private void assertCancelled() throws IOException {
    open(PLAIN);
    writeFiles(2);
    long failed = METRICS.getFailed();
    region.writestate.writesEnabled = false;
    try {
      assertThrows(InterruptedIOException.class, () -> compact(true, true, store.getStorefiles()));
    } finally {
      region.writestate.writesEnabled = true;
    }
    assertBegun(1);
    assertEquals(failed + 1, METRICS.getFailed());
    assertNothingDone();
  }

  private void assertNothingDone() throws IOException {
    assertEquals(Collections.emptyList(), leftovers());
    assertEquals(2, store.getStorefilesCount());
    assertFalse(store.getStorefiles().stream().anyMatch(HStoreFile::isCompactedAway));
  }

  @Test
  public void aCompactionThatIsInterruptedWhileItIsThrottledLeavesNothing() throws IOException {
    open(PLAIN);
    writeFiles(2);
    Throttle throttle = new Throttle();
    throttle.interrupts = true;
    assertThrows(InterruptedIOException.class,
      () -> compact(with(true), true, store.getStorefiles(), throttle));
    assertEquals(0, throttle.running);
    assertNothingDone();
  }

  @Test
  public void allBytesAreThrottled() throws IOException {
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(5).build());
    writeFiles(2);
    assertEquals(throttled(false), throttled(true));
  }

  private long throttled(boolean cursors) throws IOException {
    Throttle throttle = new Throttle();
    takeBytes(compact(with(cursors), true, store.getStorefiles(), throttle));
    assertEquals(0, throttle.running);
    return throttle.bytes;
  }

  private static class Throttle extends NoLimitThroughputController {
    private boolean interrupts;
    private int running;
    private long bytes;

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
  public void theStoreCountsWhatWasCompacted() throws IOException {
    open(PLAIN);
    writeFiles(2);
    takeBytes(compact(false, true, store.getStorefiles()));
    long cells = store.getMajorCompactedCellsCount();
    long bytes = store.getMajorCompactedCellsSize();
    assertEquals(ROWS * COLUMNS, cells);
    takeBytes(compact(true, true, store.getStorefiles()));
    assertEquals(2 * cells, store.getMajorCompactedCellsCount());
    assertEquals(2 * bytes, store.getMajorCompactedCellsSize());
  }

  @Test
  public void aFileWithoutCellsIsWrittenIfAllAreDeleted() throws IOException {
    open(PLAIN);
    writeFiles(1);
    for (int row = 0; row < ROWS; row++) {
      region.delete(new Delete(Bytes.toBytes(String.format("row%05d", row)))
        .setDurability(Durability.SKIP_WAL));
    }
    region.flush(true);
    region.compact(true);
    assertBegun(1);
    assertEquals(0, entries());
  }

  /** Flips bits of lengths and keys in turn; a cell's value and timestamp may be any bytes. */
  @Test
  public void aDamagedBlockIsRefused() throws IOException {
    for (DataBlockEncoding encoding : new DataBlockEncoding[] { DataBlockEncoding.NONE,
      DataBlockEncoding.ROW_INDEX_V1, DataBlockEncoding.FAST_DIFF }) {
      refuseDamaged(encoding);
      close();
    }
  }

  private void refuseDamaged(DataBlockEncoding encoding) throws IOException {
    conf.set(HConstants.CHECKSUM_TYPE_NAME, ChecksumType.NULL.getName());
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(1024)
      .setDataBlockEncoding(encoding).build());
    writeFiles(2);
    Path path = store.getStorefiles().iterator().next().getPath();
    File checksums = new File(path.getParent().toUri().getPath(), "." + path.getName() + ".crc");
    assertTrue(!checksums.exists() || checksums.delete());
    File file = new File(path.toUri().getPath());
    // The length of the first block is behind its type; the next one's header isn't damaged.
    int most;
    try (RandomAccessFile bytes = new RandomAccessFile(file, "r")) {
      bytes.seek(BlockType.MAGIC_LENGTH);
      most = Math.min(850, bytes.readInt() - FIRST_CELL_BYTES);
    }
    Random random = seed.newRandom();
    int refused = 0;
    for (int i = 0; i < 300; i++) {
      int at = HConstants.HFILEBLOCK_HEADER_SIZE + FIRST_CELL_BYTES + random.nextInt(most);
      int bit = 1 << random.nextInt(Byte.SIZE);
      flip(file, at, bit);
      try {
        takeBytes(compact(true, false, store.getStorefiles()));
      } catch (IOException | IllegalArgumentException e) {
        // A KeyValue, as the writer makes of its last cell, refuses a negative timestamp.
        refused++;
      }
      assertNothingDone();
      flip(file, at, bit);
    }
    System.out.println(encoding + ": " + refused + " of 300 were refused");
    assertTrue(encoding + ": " + refused + " of 300", refused >= 10);
    takeBytes(compact(true, false, store.getStorefiles()));
  }

  private static void flip(File file, int at, int bit) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file, "rw")) {
      bytes.seek(at);
      int flipped = bytes.read() ^ bit;
      bytes.seek(at);
      bytes.write(flipped);
    }
  }

  @Test
  public void aCompactionThatMeetsAFullDiskLeavesNothing() throws IOException {
    FullDisk.set(conf);
    open(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(1024).build());
    writeFiles(2);
    List<String> cells = read();
    int length = takeBytes(compact(true, true, store.getStorefiles())).length;
    for (int room : new int[] { 0, 1, length / 2 }) {
      FullDisk.setLeft(room);
      IOException e =
        assertThrows(IOException.class, () -> compact(true, true, store.getStorefiles()));
      assertEquals("No space left on device", e.getMessage());
      assertNothingDone();
      assertEquals(cells, read());
    }
    FullDisk.setLeft(Long.MAX_VALUE);
    takeBytes(compact(true, true, store.getStorefiles()));
  }

  /** As a scanner's are, so that many files aren't all open until the last has been read. */
  @Test
  public void aFileThatHasBeenReadIsClosed() throws IOException {
    open(PLAIN);
    for (int file = 0; file < 2; file++) {
      writeRow("row" + file, 20_000, 10);
    }
    HStoreFile first = store.getStorefiles().iterator().next();
    AtomicInteger steps = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    compact(with(true), true, store.getStorefiles(), new NoLimitThroughputController() {
      @Override
      public long control(String name, long size) {
        steps.incrementAndGet();
        if (first.getRefCount() == 0) {
          closed.incrementAndGet();
        }
        return 0;
      }
    });
    assertTrue(closed + " of " + steps, closed.get() > 1 && closed.get() < steps.get());
  }

  /** A file of many cells isn't given more memory than one of as many bytes in few. */
  @Test
  public void memoryIsAllocatedForBlocksOnly() throws IOException {
    open(PLAIN);
    writeRow("few", 1_000, 2_000);
    writeRow("many", 50_000, 10);
    List<HStoreFile> files = new ArrayList<>(store.getStorefiles());
    HStoreFile few = files.get(0);
    HStoreFile many = files.get(1);
    assertEquals(1_000, few.getReader().getEntries());
    assertEquals(50_000, many.getReader().getEntries());
    assertTrue(many.getReader().length() > few.getReader().length() / 2);
    assertTrue(many.getReader().length() < few.getReader().length() * 2);
    // Whatever is made once.
    allocated(few);
    allocated(many);
    double ofFew = (double) allocated(few) / few.getReader().length();
    double ofMany = (double) allocated(many) / many.getReader().length();
    assertTrue(ofMany + " bytes for each of the file, not " + ofFew, ofMany < ofFew * 1.3 + 0.2);
  }

  private void writeRow(String row, int columns, int valueBytes) throws IOException {
    for (int column = 0; column < columns; column++) {
      region.put(new Put(Bytes.toBytes(row)).setDurability(Durability.SKIP_WAL).addColumn(F,
        Bytes.toBytes(String.format("column%08d", column)), new byte[valueBytes]));
    }
    region.flush(true);
  }

  private long allocated(HStoreFile file) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long start = threads.getThreadAllocatedBytes(thread);
    Path compacted = compact(true, false, Collections.singletonList(file));
    long bytes = threads.getThreadAllocatedBytes(thread) - start;
    store.getFileSystem().delete(compacted, false);
    return bytes;
  }
}
