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
package org.apache.hadoop.hbase.io.hfile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestSeekIndexStore {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSeekIndexStore.class);

  private static final int MB = 1 << 20;
  private static final int BLOCK_BYTES = 64 << 10;
  /** The heap of a test holds the indexes of many thousand blocks. */
  private static final int BLOCKS = Integer.getInteger("block.seek.index.blocks", 20_000);

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final SeekIndexStore store = new SeekIndexStore();
  private final SeekIndexStore.View view = new SeekIndexStore.View();

  /** Puts an index whose header and samples tell which one it is. */
  private long put(long number, int count) {
    long[] samples = new long[count];
    for (int i = 0; i < count; i++) {
      samples[i] = number * SeekIndexStore.MAX_SAMPLES + i;
    }
    return store.put(number, samples, count, true);
  }

  /** Returns whether the index is there. Fails if what is read isn't of it. */
  private boolean read(SeekIndexStore.View reader, long handle, long number, int count) {
    if (!store.open(handle, reader)) {
      return false;
    }
    long header = reader.header();
    long[] samples = new long[count];
    for (int i = 0; i < count; i++) {
      samples[i] = reader.word(i);
    }
    if (!reader.isValid()) {
      return false;
    }
    assertEquals(number, header);
    for (int i = 0; i < count; i++) {
      assertEquals(number * SeekIndexStore.MAX_SAMPLES + i, samples[i]);
    }
    return true;
  }

  @Test
  public void indexIsReadUntilItIsRemoved() {
    store.setMaxBytes(MB);
    long one = put(7, 18);
    long other = put(8, 18);
    assertTrue(read(view, one, 7, 18));
    assertTrue(read(view, other, 8, 18));
    store.remove(one);
    assertFalse(read(view, one, 7, 18));
    assertTrue(read(view, other, 8, 18));
    assertEquals(1, store.getIndexes());
  }

  @Test
  public void slotOfARemovedIndexIsUsedAgainWithAnotherHandle() {
    store.setMaxBytes(MB);
    long one = put(7, 18);
    store.remove(one);
    long other = put(8, 18);
    assertNotEquals(one, other);
    assertFalse(read(view, one, 7, 18));
    store.remove(one);
    assertTrue("a stale handle removes nothing", read(view, other, 8, 18));
  }

  @Test
  public void handleIsNeitherStateNorNone() {
    store.setMaxBytes(MB);
    for (int i = 0; i < 100; i++) {
      assertTrue(put(i, 3) > SeekIndexOwner.EVICTED);
    }
  }

  @Test
  public void memoryStaysWithinTheLimitAndTheUnreadGoFirst() {
    store.setMaxBytes(MB);
    long read = put(0, 38);
    for (int i = 1; i < 20_000; i++) {
      put(i, 38);
      assertTrue("an index that is read stays, at " + i, read(view, read, 0, 38));
    }
    assertEquals(MB, store.getBytes());
    assertTrue(store.getReclaimed() > 0);
    assertEquals(20_000, store.getIndexes() + store.getReclaimed());
  }

  @Test
  public void indexesOfAnotherSizeGetMemoryOfAFullStore() {
    store.setMaxBytes(8 * MB);
    List<Long> big = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      big.add(put(i, 64));
    }
    List<Long> small = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      small.add(put(i, 8));
    }
    int readable = 0;
    for (int i = 0; i < big.size(); i++) {
      read(view, big.get(i), i, 64);
      readable += read(view, small.get(i), i, 8) ? 1 : 0;
    }
    assertTrue(readable + " small ones", readable > 10_000);
    assertEquals(8 * MB, store.getBytes());
  }

  @Test
  public void nothingIsKeptWithoutMemory() {
    assertEquals(SeekIndexStore.NONE, put(1, 38));
    store.setMaxBytes(MB);
    long handle = put(1, 38);
    store.setMaxBytes(0);
    assertFalse(read(view, handle, 1, 38));
    assertEquals(0, store.getBytes());
    assertEquals(0, store.getIndexes());
    store.setMaxBytes(MB);
    put(2, 38);
    assertFalse("handles of former memory are stale", read(view, handle, 1, 38));
  }

  @Test
  public void memoryThatIsGivenUpIsNotKept() {
    store.setMaxBytes(4 * MB);
    List<Long> handles = new ArrayList<>();
    for (int i = 0; i < 12_000; i++) {
      handles.add(put(i, 38));
    }
    // Some of each array, so that each has room.
    for (int i = 0; i < handles.size(); i += 100) {
      store.remove(handles.get(i));
    }
    store.setMaxBytes(MB);
    assertEquals(MB / SeekIndexStore.CHUNK_BYTES, store.countChunks());
    put(1, 8); // Takes an array from the other size.
    assertEquals(MB / SeekIndexStore.CHUNK_BYTES, store.countChunks());
    store.setMaxBytes(0);
    assertEquals(0, store.countChunks());
  }

  @Test
  public void noSizeLosesItsLastArray() {
    store.setMaxBytes(MB);
    int[] counts = { 3, 8, 18, 38 };
    for (int count : counts) {
      put(count, count);
    }
    assertEquals(SeekIndexStore.NONE, put(64, 64));
    assertEquals(counts.length, store.getIndexes());
  }

  @Test
  public void aFullStoreAdmitsFewBlocks() {
    store.setMaxBytes(MB);
    assertTrue(store.admits());
    for (int i = 0; i < 10_000; i++) {
      put(i, 38);
    }
    int admitted = 0;
    for (int i = 0; i < 1_600; i++) {
      admitted += store.admits() ? 1 : 0;
    }
    assertEquals(100, admitted);
  }

  @Test
  public void anIndexTakesLessThanATwoHundredthOfItsBlock() {
    for (int bytes = 0; bytes < 1 << 21; bytes += 100) {
      int samples = SeekIndexStore.maxSamples(bytes);
      int words = samples == 0 ? 0 : samples + SeekIndexStore.HEADER_WORDS;
      assertTrue(bytes + ": " + samples, words * Long.BYTES <= bytes / 200);
    }
    assertEquals(38, SeekIndexStore.maxSamples(BLOCK_BYTES));
    assertEquals(64, SeekIndexStore.maxSamples(MB));
  }

  @Test
  public void manyIndexesTakeTheirWordsAndNoObjects() {
    long bytes = 330L * BLOCKS + SeekIndexStore.CHUNK_BYTES;
    store.setMaxBytes(bytes);
    for (int i = 0; i < BLOCKS; i++) {
      put(i, SeekIndexStore.maxSamples(BLOCK_BYTES));
    }
    assertEquals(BLOCKS, store.getIndexes());
    assertEquals(0, store.getReclaimed());
    double perBlock = (double) store.getBytes() / BLOCKS;
    assertTrue(perBlock + " bytes a block", perBlock < BLOCK_BYTES / 200.0 + 5);
  }

  @Test
  public void readersNeverGetWordsOfAnotherIndex() throws Exception {
    store.setMaxBytes(MB);
    int owners = 6_000;
    AtomicLongArray handles = new AtomicLongArray(owners);
    AtomicLongArray numbers = new AtomicLongArray(owners);
    AtomicLong next = new AtomicLong();
    AtomicLong found = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SplittableRandom random = seed.newRandom(i);
      readers.add(threads.submit(() -> {
        SeekIndexStore.View reader = new SeekIndexStore.View();
        while (!stop.get()) {
          int owner = random.nextInt(owners);
          // The number is set after the handle, and belongs to it if the handle hasn't changed.
          Thread.yield();
          long handle = handles.get(owner);
          long number = numbers.get(owner);
          if (handle != 0 && handle == handles.get(owner) && number % owners == owner) {
            found.addAndGet(read(reader, handle, number, samples(number)) ? 1 : 0);
          }
        }
      }));
    }
    List<Future<?>> writers = new ArrayList<>();
    for (int half = 0; half < 2; half++) {
      int firstOwner = half * owners / 2;
      SplittableRandom random = seed.newRandom(2 + half);
      writers.add(threads.submit(() -> {
        // Longer if readers don't get a processor.
        for (int i = 0; i < 40_000 || i < 4_000_000 && found.get() == 0; i++) {
          int owner = firstOwner + random.nextInt(owners / 2);
          store.remove(handles.get(owner));
          if (random.nextInt(3) != 0) {
            long number = next.incrementAndGet() * owners + owner;
            handles.set(owner, 0);
            numbers.set(owner, number);
            handles.set(owner, put(number, samples(number)));
          }
        }
      }));
    }
    for (Future<?> writer : writers) {
      writer.get();
    }
    stop.set(true);
    for (Future<?> reader : readers) {
      reader.get();
    }
    threads.shutdown();
    assertTrue("some were read", found.get() > 0);
    assertTrue("some were reclaimed", store.getReclaimed() > 0);
    int readable = 0;
    for (int i = 0; i < owners; i++) {
      readable += read(view, handles.get(i), numbers.get(i), samples(numbers.get(i))) ? 1 : 0;
    }
    assertEquals(readable, store.getIndexes());
  }

  private static int samples(long number) {
    return new int[] { 3, 8, 18, 38, 64 }[(int) (number / 6_000 % 5)];
  }
}
