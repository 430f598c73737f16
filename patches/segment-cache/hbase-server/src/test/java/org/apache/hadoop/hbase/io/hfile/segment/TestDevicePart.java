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
package org.apache.hadoop.hbase.io.hfile.segment;

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFileLock;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** A part whose device fails is off until the device works. */
@Category({ IOTests.class, SmallTests.class })
public class TestDevicePart {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDevicePart.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String OTHER_FILE = "fedcba9876543210fedcba9876543210";
  private static final int SEGMENT_SIZE = 4 << 20;
  private static final int SEGMENTS = 8;
  private static final int SIZE = 64 * 1024;
  private static final int TIMEOUT_MS = 60_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private final SegmentIndex index = new SegmentIndex(1 << 20, new Occupancy(SEGMENTS));
  private volatile boolean broken;
  private volatile boolean readOnly;
  /** Whether there is room for footers alone. */
  private volatile boolean full;
  /** Whether a write fails with an error, which it then unsets. */
  private volatile boolean error;
  /** What each write takes one of, if there are any. */
  private volatile Semaphore permits;
  /** What the device seems to fail with when the file is opened. */
  private IOException failure;
  private Runnable beforeOpen = () -> {
  };
  /** How often the device was tried while the part was off. */
  private final AtomicInteger tries = new AtomicInteger();
  private CacheFileLock lock;
  private DevicePart part;
  private int written;

  /** A file whose device can be broken. */
  private final class BreakableFile extends SegmentFile {
    BreakableFile(Path path) throws IOException {
      super(path, SEGMENT_SIZE, SEGMENTS, lock);
    }

    @Override
    void read(ByteBuffer buffer, long position) throws IOException {
      check();
      super.read(buffer, position);
    }

    @Override
    void write(ByteBuffer buffer, long position) throws IOException {
      check();
      if (error) {
        error = false;
        throw new OutOfMemoryError("for the test");
      }
      if (readOnly) {
        throw new IOException("read-only for the test");
      }
      if (full && buffer.remaining() > PAGE) {
        throw new IOException("full for the test");
      }
      Semaphore needed = permits;
      if (needed != null) {
        needed.acquireUninterruptibly();
        check();
      }
      super.write(buffer, position);
    }

    @Override
    IOException open() throws IOException {
      beforeOpen.run();
      IOException reason = super.open();
      return failure == null ? reason : failure;
    }

    @Override
    void tryAgain() throws IOException {
      tries.incrementAndGet();
      super.tryAgain();
    }

    private void check() throws IOException {
      if (broken) {
        throw new IOException("broken for the test");
      }
    }
  }

  private void open(int toleratedMs, int retryMs) throws IOException {
    conf.setInt("hbase.bucketcache.ioengine.errors.tolerated.duration", toleratedMs);
    conf.setInt("hbase.bucketcache.ioengine.retry.interval", retryMs);
    lock = new CacheFileLock("segments:" + file("a"), null);
    part = new DevicePart(new BreakableFile(file("a").toPath()), 0, index,
      new PartSettings(conf), new DeviceAdmission(1000, 0), new CacheStats("test"));
    part.start();
  }

  @After
  public void tearDown() {
    part.seal();
    part.close(30_000);
    lock.close();
  }

  private File file(String name) {
    return new File(folder.getRoot(), name);
  }

  private boolean write() {
    return write(written++, 0);
  }

  private boolean write(int number, long waitMs) {
    return write(FILE, number, waitMs);
  }

  private boolean write(String name, int number, long waitMs) {
    long offset = SIZE * 2L * number;
    FileTable file = index.getOrCreate(name);
    BlockRecord block =
      BlockRecord.of(file, block(key(name, offset, BlockType.DATA), SIZE), offset, false);
    return part.getState().write(block, BlockOrigin.WRITTEN, waitMs);
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
      .filter(pool -> "direct".equals(pool.getName())).mapToLong(BufferPoolMXBean::getMemoryUsed)
      .sum();
  }

  @Test
  public void blocksThatAFullDeviceDidNotTakeAreMissed() throws Exception {
    open(TIMEOUT_MS * 10, 0);
    full = true;
    int inMemory = 2 * SegmentStream.CHUNK_MEMORY / SIZE;
    for (int i = 0; i < 3 * SEGMENT_SIZE / SIZE; i++) {
      // False if the file has just lost all of its blocks.
      write(i, TIMEOUT_MS);
    }
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> index.getOccupancy().getBlocks() <= inMemory);
    full = false;
    part.seal();
    assertTrue(part.close(TIMEOUT_MS));
    lock.close();
    open(TIMEOUT_MS, 0);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.isRecovering());
    long found = index.getOccupancy().getBlocks();
    assertTrue(found + " found, which weren't written", found <= inMemory);
  }

  @Test
  public void aDeviceThatTakesFootersAloneIsTurnedOffAndItsRoomGivenBack() throws Exception {
    open(2000, 0);
    for (int i = 0; i < SEGMENT_SIZE / SIZE; i++) {
      assertTrue(write(i, TIMEOUT_MS));
    }
    full = true;
    Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> {
      write();
      return part.isOff();
    });
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> file("a").length() == 0);
    assertEquals(0, index.getOccupancy().getBlocks());
  }

  @Test
  public void aFileInThePlaceOfThePartsIsLeftAlone() throws Exception {
    open(0, 0);
    assertTrue(write());
    Files.move(file("a").toPath(), file("away").toPath());
    byte[] content = { 'x' };
    Files.write(file("a").toPath(), content);
    readOnly = true;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> {
      write();
      return part.isOff();
    });
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> file("away").length() == 0);
    assertArrayEquals(content, Files.readAllBytes(file("a").toPath()));
    assertThrows(IOException.class, part.getFile()::makeEmpty);
    assertArrayEquals(content, Files.readAllBytes(file("a").toPath()));
  }

  @Test
  public void aDeviceThatCantBeAlignedToGoesThroughThePageCache() throws Exception {
    for (boolean onceWritten : new boolean[] { false, true }) {
      lock = new CacheFileLock("segments:" + file("a"), null);
      try (SegmentFile file = new SegmentFile(file("a").toPath(), SEGMENT_SIZE, SEGMENTS, lock,
        path -> new CoarseChannel(DirectFile.openCached(path), 65_536, onceWritten))) {
        assertNull(file.open());
        ByteBuffer page = SegmentFile.newBuffer(SegmentFile.PAGE);
        page.putLong(0, 7);
        file.write(page, file.offset(1));
        page.clear();
        file.read(page, file.offset(1));
        assertEquals(7, page.getLong(0));
        file.tryAgain();
        assertFalse(file.isDirect());
      }
      lock.close();
      assertTrue(file("a").delete());
    }
    open(0, 0);
  }

  @Test
  public void aDeviceThatCanBeAlignedToDoesWithoutThePageCache() throws Exception {
    lock = new CacheFileLock("segments:" + file("a"), null);
    try (SegmentFile file = new SegmentFile(file("a").toPath(), SEGMENT_SIZE, SEGMENTS, lock,
      path -> new CoarseChannel(DirectFile.openCached(path), SegmentFile.PAGE, true))) {
      assertNull(file.open());
      assertTrue(file.isDirect());
    }
    lock.close();
    assertTrue(file("a").delete());
    open(0, 0);
  }

  @Test
  public void aDeviceThatHangsCostsBlocksAndNoMemory() throws Exception {
    open(TIMEOUT_MS, 20);
    assertTrue(write());
    permits = new Semaphore(0);
    long direct = directBytes();
    int taken = 0;
    for (int i = 0; i < 1000; i++) {
      taken += write() ? 1 : 0;
    }
    long most = (PartState.CHUNKS + 1L) * SegmentStream.CHUNK_MEMORY / SIZE;
    assertTrue(taken + " of " + most, taken > 0 && taken <= most);
    assertTrue(directBytes() - direct < SegmentStream.CHUNK_MEMORY);
    permits.release(Integer.MAX_VALUE / 2);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, this::write);
  }

  @Test
  public void aDeviceThatHangsDoesNotKeepThePartFromEnding() throws Exception {
    open(TIMEOUT_MS, 20);
    assertTrue(write());
    permits = new Semaphore(0);
    part.seal();
    assertFalse(part.close(1));
    permits.release(Integer.MAX_VALUE / 2);
    assertTrue(part.close(TIMEOUT_MS));
  }

  @Test
  public void aPartThatEndedWithoutItsThreadIsNotEmptied() throws Exception {
    open(0, 20);
    assertTrue(write());
    long length = file("a").length();
    permits = new Semaphore(0);
    part.seal();
    assertFalse(part.close(1));
    broken = true;
    permits.release(Integer.MAX_VALUE / 2);
    assertTrue(part.close(TIMEOUT_MS));
    assertEquals(length, file("a").length());
    assertFalse(part.isOff());
  }

  @Test
  public void whatHasTheNameOfSavedReadsAndIsNoFileIsLeftAlone() throws Exception {
    open(TIMEOUT_MS, 0);
    assertTrue(write());
    Files.createSymbolicLink(file("a.reads").toPath(), file("target").toPath());
    part.seal();
    assertTrue(part.close(TIMEOUT_MS));
    assertTrue(Files.isSymbolicLink(file("a.reads").toPath()));
    assertFalse(file("target").exists());
  }

  @Test
  public void anAbandonedPartWritesNothingMore() throws Exception {
    open(TIMEOUT_MS, 20);
    assertTrue(write());
    long before = part.getFile().getWrittenBytes();
    part.abandon();
    part.seal();
    assertTrue(part.close(TIMEOUT_MS));
    assertEquals(before, part.getFile().getWrittenBytes());
    assertFalse(file("a.reads").exists());
  }

  /** As one that grows is, by a part of its entries, which are copied. */
  @Test
  public void aTableThatIsLockedKeepsNoBlockOfAnotherFileWaiting() throws Exception {
    open(TIMEOUT_MS, 0);
    Thread growing = new Thread(() -> write(FILE, 0, 0));
    AtomicBoolean taken = new AtomicBoolean();
    Thread other = new Thread(() -> taken.set(write(OTHER_FILE, 0, 0)));
    synchronized (index.getOrCreate(FILE)) {
      growing.start();
      Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> growing.getState() == Thread.State.BLOCKED);
      other.start();
      other.join(TIMEOUT_MS);
      assertTrue(taken.get());
    }
    growing.join();
    assertEquals(2, index.getOccupancy().getBlocks());
  }

  @Test
  public void aPartThatIsOffTakesNoMemoryForEntries() throws Exception {
    failure = new IOException("for the test");
    open(0, 0);
    assertTrue(part.isOff());
    Thread writer = new Thread(this::write);
    // Which a table that grows needs.
    synchronized (index.getOrCreate(FILE)) {
      writer.start();
      writer.join(TIMEOUT_MS);
      assertFalse(writer.isAlive());
    }
  }

  @Test
  public void prefetchWaitsForASlowDeviceAndOverflowsNothing() throws Exception {
    open(TIMEOUT_MS, 20);
    permits = new Semaphore(0);
    AtomicInteger taken = new AtomicInteger();
    int threads = 4;
    int each = (SEGMENTS - PartState.FREE) * SEGMENT_SIZE * 3 / 4 / SIZE / threads;
    List<Thread> prefetchers = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      int first = thread * each;
      Thread prefetcher = new Thread(() -> {
        for (int i = 0; i < each; i++) {
          taken.addAndGet(write(first + i, TIMEOUT_MS) ? 1 : 0);
        }
      });
      prefetcher.start();
      prefetchers.add(prefetcher);
    }
    while (prefetchers.stream().anyMatch(Thread::isAlive)) {
      permits.release();
      Thread.yield();
    }
    permits.release(Integer.MAX_VALUE / 2);
    assertEquals(threads * each, taken.get());
    assertEquals(threads * each, index.getOccupancy().getBlocks());
  }

  @Test
  public void aPartIsOffWhileItsDeviceFailsAndComesBackEmpty() throws Exception {
    open(0, 20);
    assertTrue(write());
    broken = true;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> {
      write();
      return part.isOff();
    });
    assertFalse(write());
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> index.getOccupancy().getBlocks() == 0);
    broken = false;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.isOff());
    assertTrue(write());
    assertEquals(1, index.getOccupancy().getBlocks());
  }

  @Test
  public void anErrorTurnsThePartOffUntilItIsTriedAgain() throws Exception {
    open(TIMEOUT_MS, 1);
    // Each has a chunk's memory.
    for (int i = 0; i <= PartState.CHUNKS; i++) {
      error = true;
      Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> {
        write();
        return !error;
      });
      Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> tries.get() > 0 && !part.isOff());
      tries.set(0);
    }
    assertTrue(write());
  }

  @Test
  public void aPartWithSegmentsWhoseDeviceFailsAtTheStartComesBackWithEachSegmentOnce()
    throws Exception {
    open(TIMEOUT_MS, 20);
    for (int i = 0; i < 2 * SEGMENT_SIZE / SIZE; i++) {
      assertTrue(write(i, TIMEOUT_MS));
    }
    part.seal();
    assertTrue(part.close(TIMEOUT_MS));
    lock.close();
    failure = new IOException("for the test");
    open(0, 20);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> tries.get() > 0 && !part.isOff());
    assertFalse(part.isRecovering());
    assertEquals(SEGMENTS, part.getState().getFree());
    assertTrue(write());
  }

  @Test
  public void aPartComesBackOnTheDeviceThatReplacesItsOwn() throws Exception {
    open(0, 20);
    broken = true;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> {
      write();
      return part.isOff();
    });
    assertTrue(file("a").delete());
    assertTrue(file("a.lock").delete());
    // A try that had the lock before would go on without it.
    int begun = tries.get();
    Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> tries.get() > begun);
    broken = false;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.isOff());
    assertTrue(write());
    assertTrue("others are kept from it", file("a.lock").exists());
  }

  @Test
  public void aPartWhoseDeviceFailsAtTheStartIsOffUntilItWorks() throws Exception {
    readOnly = true;
    open(TIMEOUT_MS, 20);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, part::isOff);
    assertFalse(write());
    readOnly = false;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.isOff());
    assertTrue(write());
  }

  @Test
  public void aFailureThatTheFileSystemTellsOfAtTheStartTurnsThePartOffOnly() throws Exception {
    broken = true;
    // Its channels stay usable; by its name it can't be found.
    beforeOpen = () -> assertTrue(file("a").delete());
    open(TIMEOUT_MS, 20);
    Waiter.waitFor(conf, TIMEOUT_MS, 10, part::isOff);
    assertFalse(write());
    broken = false;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.isOff());
    assertTrue(write());
  }

  @Test
  public void aFileOfSomethingElseThatCouldNotBeReadAtTheStartIsNotOverwritten()
    throws Exception {
    byte[] content = new byte[2 * SegmentFile.PAGE];
    Arrays.fill(content, (byte) 'x');
    Files.write(file("a").toPath(), content);
    broken = true;
    open(0, 1);
    assertTrue(part.isOff());
    assertFalse(write());
    broken = false;
    Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> tries.get() > 2);
    assertTrue(part.isOff());
    assertArrayEquals(content, Files.readAllBytes(file("a").toPath()));
  }

  @Test
  public void aPartIsOffWhileItsDeviceCanOnlyBeRead() throws Exception {
    open(1, 20);
    readOnly = true;
    Waiter.waitFor(conf, TIMEOUT_MS, 1, () -> {
      write();
      part.readSucceeded();
      return part.isOff();
    });
    readOnly = false;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.isOff());
    assertTrue(write());
  }

  @Test
  public void withoutTriesAPartStaysOff() throws Exception {
    open(0, 0);
    broken = true;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> {
      write();
      return part.isOff();
    });
    broken = false;
    assertFalse(write());
    part.seal();
    part.close(30_000);
    assertTrue(part.isOff());
  }

  @Test
  public void aShortFailureCostsOnlyBlocks() throws Exception {
    open(TIMEOUT_MS, 20);
    broken = true;
    for (int i = 0; i < 2 * PartState.CHUNKS; i++) {
      write();
    }
    part.readFailed(new IOException("broken for the test"));
    broken = false;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, this::write);
    assertFalse(part.isOff());
  }
}
