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
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFileLock;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** What becomes of a part that finds its blocks while something goes wrong. */
@Category({ IOTests.class, MediumTests.class })
public class TestPartRecovery {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPartRecovery.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final int SEGMENT_SIZE = 4 << 20;
  private static final int SEGMENTS = 24;
  private static final int SIZE = 500_000;
  /** As many as have room in segments that aren't kept free. */
  private static final int BLOCKS = 100;
  private static final int TIMEOUT_MS = 60_000;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private final PartSettings settings = new PartSettings(conf);
  private final List<DevicePart> parts = new ArrayList<>();
  private CacheFileLock lock;
  private SegmentIndex index;
  private DevicePart part;
  /** Reads of tails and footers so far. */
  private final AtomicInteger reads = new AtomicInteger();
  private volatile Hook beforeRead = count -> {
  };
  private volatile Hook beforeWrite = count -> {
  };

  /** What the device fails with at the start, though its file has segments. */
  private IOException failure;
  private final AtomicInteger scans = new AtomicInteger();
  /** How many buffers for footers there is memory for. */
  private int buffers = Integer.MAX_VALUE;

  private interface Hook {
    void run(int count);
  }

  private final class HookedFile extends SegmentFile {
    HookedFile() throws IOException {
      super(new File(folder.getRoot(), "a").toPath(), SEGMENT_SIZE, SEGMENTS, lock);
    }

    @Override
    void read(ByteBuffer buffer, long position) throws IOException {
      // But for the page that says what is in the file.
      if (position > 0) {
        beforeRead.run(reads.incrementAndGet());
      }
      super.read(buffer, position);
    }

    @Override
    ByteBuffer newFooterBuffer() {
      if (buffers-- <= 0) {
        throw new IllegalStateException("no memory for the test");
      }
      return super.newFooterBuffer();
    }

    @Override
    void write(ByteBuffer buffer, long position) throws IOException {
      beforeWrite.run(0);
      super.write(buffer, position);
    }

    @Override
    IOException open() throws IOException {
      IOException reason = super.open();
      return failure == null ? reason : failure;
    }
  }

  @Before
  public void setUp() throws Exception {
    lock = new CacheFileLock("segments:" + new File(folder.getRoot(), "a"), null);
    open();
    part.start();
    for (int i = 0; i < BLOCKS; i++) {
      assertTrue(write(i, TIMEOUT_MS));
    }
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.getState().hasTasks());
    for (int i = 0; i < BLOCKS; i += 2) {
      index.get(FILE).findToRead(offset(i));
    }
    assertTrue(frequencies().values().stream().filter(frequency -> frequency > 0).count() > 10);
  }

  private static void close(DevicePart part) {
    part.seal();
    part.close(TIMEOUT_MS);
  }

  @After
  public void tearDown() {
    parts.forEach(TestPartRecovery::close);
    lock.close();
  }

  /** Opens the part, whose thread isn't started. */
  private void open() throws IOException {
    index = new SegmentIndex(1 << 20, new Occupancy(SEGMENTS)) {
      @Override
      void removeSegments(IntPredicate numbers) {
        scans.incrementAndGet();
        super.removeSegments(numbers);
      }
    };
    part = new DevicePart(new HookedFile(), 0, index, settings, new DeviceAdmission(1000, 0),
      new CacheStats("test"));
    parts.add(part);
    reads.set(0);
  }

  private void restart() throws IOException {
    close(part);
    open();
    part.start();
  }

  private static long offset(int number) {
    return 2L * SIZE * number;
  }

  private boolean write(int number, long waitMs) {
    FileTable file = index.getOrCreate(FILE);
    return part.getState().write(
      BlockRecord.of(file, block(key(FILE, offset(number), BlockType.DATA), SIZE), offset(number),
        false),
      BlockOrigin.WRITTEN, waitMs);
  }

  private Map<Long, Integer> frequencies() {
    Map<Long, Integer> frequencies = new TreeMap<>();
    index.getOrCreate(FILE)
      .visit((offset, size, word) -> frequencies.put(offset, EntryWord.frequency(word)));
    return frequencies;
  }

  private void awaitRecovery() throws Exception {
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> !part.isRecovering());
  }

  @Test
  public void aStopWhileBlocksAreLookedForKeepsHowOftenTheyWereRead() throws Exception {
    Map<Long, Integer> expected = frequencies();
    CountDownLatch closing = new CountDownLatch(1);
    close(part);
    open();
    beforeRead = count -> {
      if (count > SEGMENTS + 3) {
        awaitUninterruptibly(closing);
      }
    };
    part.start();
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> reads.get() > SEGMENTS + 3);
    Thread closer = new Thread(() -> close(part));
    closer.start();
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> closer.getState() == Thread.State.TIMED_WAITING);
    closing.countDown();
    closer.join();
    assertTrue("not all were found", frequencies().size() < BLOCKS / 2);
    restart();
    awaitRecovery();
    assertEquals(expected, frequencies());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  public void blocksAreFoundByAsManyThreadsAsThereCanBe() throws Exception {
    for (int startable = 0; startable < FooterReaders.READERS; startable++) {
      close(part);
      open();
      int most = startable;
      AtomicInteger wanted = new AtomicInteger();
      PartOutput output =
        new PartOutput(part.getState(), new PartErrors(part.getFile(), settings));
      ThreadFactory threads = task -> new Thread(task) {
        @Override
        public synchronized void start() {
          if (wanted.getAndIncrement() % FooterReaders.READERS >= most) {
            throw new OutOfMemoryError("for the test");
          }
          super.start();
        }
      };
      PartRecovery recovery =
        new PartRecovery(part.getState(), output, () -> false, threads);
      Deque<DeviceSegment> sealed = new ArrayDeque<>();
      assertTrue(recovery.run(sealed));
      assertEquals(BLOCKS, frequencies().size());
      assertFalse(sealed.isEmpty());
    }
  }

  @Test
  public void aPartThatStartsOffKeepsItsFileAndLooksForNothing() throws Exception {
    close(part);
    File file = part.getFile().getPath().toFile();
    long length = file.length();
    failure = new IOException("for the test");
    open();
    part.start();
    awaitRecovery();
    assertTrue(part.isOff());
    assertEquals(0, reads.get());
    assertEquals(0, part.getState().getFree());
    assertEquals(length, file.length());
    failure = null;
    restart();
    awaitRecovery();
    assertEquals(BLOCKS, frequencies().size());
  }

  @Test
  public void nobodyWaitsForAPartWhoseThreadEnds() throws Exception {
    close(part);
    open();
    CountDownLatch failed = new CountDownLatch(1);
    beforeRead = count -> {
      if (count > SEGMENTS + 3) {
        awaitUninterruptibly(failed);
      }
    };
    beforeWrite = count -> {
      failed.countDown();
      throw new OutOfMemoryError("for the test");
    };
    part.start();
    int[] next = { BLOCKS };
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> {
      write(next[0]++, 0);
      return failed.getCount() == 0;
    });
    awaitRecovery();
    assertTrue(part.isOff());
  }

  @Test
  public void anErrorOfAReaderCostsItsSegment() throws Exception {
    beforeRead = count -> {
      if (count == SEGMENTS + 3 || count == 5) {
        throw new OutOfMemoryError("for the test");
      }
    };
    restart();
    awaitRecovery();
    int found = frequencies().size();
    int ofSegment = SEGMENT_SIZE / SIZE;
    assertTrue(found + " found", found >= BLOCKS - 2 * ofSegment && found < BLOCKS);
    assertTrue(write(BLOCKS, 0));
    assertFalse(part.isOff());
  }

  @Test
  public void theIndexIsGoneThroughOnceForAllSegmentsThatFail() throws Exception {
    beforeRead = count -> {
      if (count > SEGMENTS) {
        throw new OutOfMemoryError("for the test");
      }
    };
    restart();
    awaitRecovery();
    assertEquals(0, index.getOccupancy().getBlocks());
    assertEquals(1, scans.get());
    assertTrue(write(0, 0));
  }

  @Test
  public void blocksAreFoundWithTheMemoryThatThereIs() throws Exception {
    // The part's own thread and evictions have one each.
    for (int readers : new int[] { 0, 1, FooterReaders.READERS }) {
      close(part);
      buffers = 2 + readers;
      open();
      part.start();
      awaitRecovery();
      assertEquals(readers + " readers", BLOCKS, frequencies().size());
    }
  }

  @Test
  public void aPartWhoseRecoveryFailsServesWithoutBlocks() throws Exception {
    close(part);
    open();
    AtomicBoolean failed = new AtomicBoolean();
    CountDownLatch failure = new CountDownLatch(1);
    beforeRead = count -> {
      if (count > SEGMENTS + 3) {
        awaitUninterruptibly(failure);
      }
    };
    beforeWrite = count -> {
      if (failed.compareAndSet(false, true)) {
        failure.countDown();
        throw new OutOfMemoryError("for the test");
      }
    };
    part.start();
    int[] next = { BLOCKS };
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> {
      write(next[0]++, 0);
      return failed.get();
    });
    awaitRecovery();
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> write(0, 0));
    assertFalse(part.isOff());
    for (int i = 1; i < BLOCKS; i++) {
      assertEquals("block " + i, EntryWord.NONE, index.get(FILE).find(offset(i)));
    }
  }
}
