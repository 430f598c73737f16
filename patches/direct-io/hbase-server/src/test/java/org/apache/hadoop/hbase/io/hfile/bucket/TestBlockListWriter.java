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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.ManualEnvironmentEdge;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

import org.apache.hadoop.hbase.shaded.protobuf.generated.BucketCacheProtos;

/** The list of a cache's blocks is complete, and in protobuf's format without its objects. */
@Category({ IOTests.class, SmallTests.class })
public class TestBlockListWriter extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockListWriter.class);

  private static final int MANY_BLOCKS = 3 * BlockListWriter.MAX_CHUNK_BLOCKS;
  private static final int MOST_BYTES_FOR_A_BLOCK = 120;
  private static final long DEFAULT_CHUNK_SIZE =
    BucketCache.DEFAULT_BACKING_MAP_PERSISTENCE_CHUNK_SIZE;
  private static final int SECONDS_TO_END = 60;
  /** A millisecond or more lies between two. */
  private static final int CHANGES_WHILE_LISTED = 100;

  private void start() throws IOException {
    // The tests write lists themselves, and look for what is left of these.
    conf.setLong(CacheConfig.BUCKETCACHE_PERSIST_INTERVAL_KEY, TimeUnit.HOURS.toMillis(1));
    start("file:" + file(), true);
  }

  /** Puts blocks only into the map, of all types, with numbers of all lengths. */
  private void putBlocks(int count, boolean checksums) {
    BlockType[] types = BlockType.values();
    for (int i = 0; i < count; i++) {
      BlockCacheKey key =
        new BlockCacheKey(i % 5 == 0 ? "f\u00fcnf" : FILE, (long) i << i % 40, i % 3 != 0,
          types[i % types.length]);
      BucketEntry entry = new BucketEntry((long) i << 8, 1 << i % 30, i, (long) i * i * i,
        i % 2 == 0 ? -i : (long) i << 33, i % 7 == 0, ignored -> null, ByteBuffAllocator.HEAP);
      entry.checksum = checksums ? Integer.reverse(i) : BlockChecksum.NONE;
      cache.getBackingMap().put(key, entry);
    }
  }

  private byte[] write(long chunkSize) throws IOException {
    java.nio.file.Path written = folder.getRoot().toPath().resolve("written");
    try (FileOutputStream out = new FileOutputStream(written.toFile())) {
      BlockListWriter.write(cache, out, chunkSize);
    }
    return Files.readAllBytes(written);
  }

  /** Returns the list as protobuf's classes write it. */
  private byte[] expected(long chunkSize, int blocksOfAChunk) throws IOException {
    List<BucketCacheProtos.BackingMap> chunks = new ArrayList<>();
    BucketCacheProtos.BackingMap.Builder chunk = BucketCacheProtos.BackingMap.newBuilder();
    for (BlockCacheKey key : cache.getBackingMap().keySet()) {
      chunk.addEntry(toProto(key, cache.getBackingMap().get(key)));
      if (chunk.getEntryCount() == blocksOfAChunk) {
        chunks.add(chunk.build());
        chunk.clear();
      }
    }
    if (chunk.getEntryCount() > 0 || chunks.isEmpty()) {
      chunks.add(chunk.build());
    }
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    list.write(BucketProtoUtils.PB_MAGIC_V2);
    list.write(Bytes.toBytes(chunkSize));
    list.write(Bytes.toBytes((long) chunks.size()));
    BucketProtoUtils.toPB(cache, chunks.remove(0)).writeDelimitedTo(list);
    for (BucketCacheProtos.BackingMap other : chunks) {
      other.writeDelimitedTo(list);
    }
    return list.toByteArray();
  }

  private static BucketCacheProtos.BackingMapEntry toProto(BlockCacheKey key, BucketEntry entry) {
    BucketCacheProtos.BucketEntry.Builder value = BucketCacheProtos.BucketEntry.newBuilder()
      .setOffset(entry.offset()).setLength(entry.getLength())
      .setAccessCounter(entry.getAccessCounter()).setDeserialiserIndex(entry.deserializerIndex)
      .setPriority(BucketCacheProtos.BlockPriority
        .valueOf(entry.getPriority().name().toLowerCase(Locale.ROOT)))
      .setCachedTime(entry.getCachedTime()).setDiskSizeWithHeader(entry.getOnDiskSizeWithHeader());
    if (entry.checksum != BlockChecksum.NONE) {
      value.setUnknownFields(UnknownFieldSet.newBuilder().addField(BlockChecksum.FIELD_NUMBER,
        UnknownFieldSet.Field.newBuilder().addFixed32(entry.checksum).build()).build());
    }
    return BucketCacheProtos.BackingMapEntry.newBuilder()
      .setKey(BucketCacheProtos.BlockCacheKey.newBuilder().setHfilename(key.getHfileName())
        .setOffset(key.getOffset()).setPrimaryReplicaBlock(key.isPrimary())
        .setBlockType(BucketCacheProtos.BlockType
          .valueOf(key.getBlockType().name().toLowerCase(Locale.ROOT))))
      .setValue(value).build();
  }

  @Test
  public void theBytesAreThoseOfProtobuf() throws Exception {
    start();
    cache.fileCacheCompleted(new Path("/table/region/family/" + FILE), 12345);
    for (boolean checksums : new boolean[] { false, true }) {
      putBlocks(1000, checksums);
      for (int chunkSize : new int[] { 1, 7, 1000, 1001 }) {
        assertArrayEquals(expected(chunkSize, chunkSize), write(chunkSize));
      }
      for (long chunkSize : new long[] { DEFAULT_CHUNK_SIZE, 0, -1 }) {
        assertArrayEquals(expected(chunkSize, 1000), write(chunkSize));
      }
    }
    putBlocks(MANY_BLOCKS, true);
    assertArrayEquals(expected(DEFAULT_CHUNK_SIZE, BlockListWriter.MAX_CHUNK_BLOCKS),
      write(DEFAULT_CHUNK_SIZE));
  }

  @Test
  public void theListOfAnEmptyCacheHasAChunk() throws Exception {
    start();
    assertArrayEquals(expected(DEFAULT_CHUNK_SIZE, 1), write(DEFAULT_CHUNK_SIZE));
  }

  @Test
  public void aBlockTakesLittleHeapWhileItIsWritten() throws Exception {
    start();
    putBlocks(MANY_BLOCKS, true);
    int blocks = cache.getBackingMap().size();
    AllocationMeter meter = new AllocationMeter();
    long bytes = meter.bytesPerOperation(1, () -> {
      try (FileOutputStream out = new FileOutputStream("/dev/null")) {
        BlockListWriter.write(cache, out, DEFAULT_CHUNK_SIZE);
      }
    });
    long byProtobuf = meter.bytesPerOperation(1,
      () -> expected(DEFAULT_CHUNK_SIZE, BlockListWriter.MAX_CHUNK_BLOCKS));
    AllocationMeter.assertPooled("a block of the list", bytes / blocks, MOST_BYTES_FOR_A_BLOCK,
      byProtobuf / blocks);
  }

  /** An event while blocks are listed. */
  private interface Event {
    void on(BlockCacheKey listed) throws Exception;
  }

  /** A key that triggers an event when it is listed, by the call with this number of any key. */
  private static final class ListedKey extends BlockCacheKey {
    private static final long serialVersionUID = 1L;

    private final transient AtomicInteger left;
    private final transient Event event;

    ListedKey(long offset, AtomicInteger left, Event event) {
      super(FILE, offset, true, BlockType.DATA);
      this.left = left;
      this.event = event;
    }

    @Override
    public boolean isPrimary() {
      if (left.decrementAndGet() == 0) {
        try {
          event.on(this);
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
      return super.isPrimary();
    }
  }

  /** Fills the cache and writes its list. The event happens at the nth call of a listed key. */
  private void persistWhile(int asked, Event event) throws Exception {
    AtomicInteger left = new AtomicInteger();
    for (int i = 0; i < BLOCKS; i++) {
      BlockCacheKey key = new ListedKey(i * 10_000L, left, event);
      keys.add(key);
      cache.cacheBlock(key, block(key, SIZE));
    }
    BucketCacheValidator.awaitWritten(cache);
    left.set(asked);
    cache.persistToFile();
    assertTrue("it happened", left.get() <= 0);
  }

  /** Restarts with the list as it is now, not as shutting down would write it. */
  private void restartWithList() throws IOException {
    byte[] list = Files.readAllBytes(list().toPath());
    cache.shutdown();
    Files.write(list().toPath(), list);
    start();
  }

  @Test
  public void aListHasWhatIsLeftWhenBlocksAreEvictedMeanwhile() throws Exception {
    conf.setLong(BucketCache.BACKING_MAP_PERSISTENCE_CHUNK_SIZE, 7);
    start();
    persistWhile(1,
      listed -> keys.stream().filter(key -> key != listed).forEach(cache::evictBlock));
    assertEquals(1, cache.getBackingMap().size());
    restartWithList();
    // The iteration was one block ahead, whose slot hasn't been reused yet.
    int served = countServed();
    assertTrue(served + " served", served >= 1 && served <= 2);
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void aListHasBlocksThatWereThereWhenOthersAreCachedMeanwhile() throws Exception {
    conf.setLong(BucketCache.BACKING_MAP_PERSISTENCE_CHUNK_SIZE, 7);
    start();
    persistWhile(1, listed -> {
      for (int i = 0; i < 3 * BLOCKS; i++) {
        BlockCacheKey key = key("another", i * 10_000L, BlockType.DATA);
        cache.cacheBlock(key, block(key, SIZE));
        BucketCacheValidator.awaitWritten(cache);
      }
    });
    assertEquals(4 * BLOCKS, cache.getBackingMap().size());
    restartWithList();
    assertEquals(BLOCKS, countServed());
  }

  /** Shutting down interrupts the thread that writes the list. */
  @Test
  public void anInterruptDoesNotEndAList() throws Exception {
    conf.setLong(BucketCache.BACKING_MAP_PERSISTENCE_CHUNK_SIZE, 7);
    start();
    // Behind the first chunk, for which a command is run that loses the interrupt.
    persistWhile(BLOCKS, listed -> Thread.currentThread().interrupt());
    assertTrue("it isn't lost", Thread.interrupted());
    assertNoPartIsLeft();
    restartWithList();
    assertEquals(BLOCKS, countServed());
  }

  @Test
  public void aListThatCannotBeWrittenLeavesNothing() throws Exception {
    start();
    fill();
    ManualEnvironmentEdge clock = new ManualEnvironmentEdge();
    clock.setValue(System.currentTimeMillis());
    EnvironmentEdgeManager.injectEdge(clock);
    try {
      Files.createSymbolicLink(Paths.get(list().toString() + clock.currentTime()),
        Paths.get("/dev/full"));
      assertThrows(IOException.class, cache::persistToFile);
    } finally {
      EnvironmentEdgeManager.reset();
    }
    assertNoPartIsLeft();
  }

  private void assertNoPartIsLeft() throws IOException {
    try (Stream<java.nio.file.Path> files = Files.list(list().getParentFile().toPath())) {
      assertEquals(Collections.emptyList(),
        files.map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(list().getName()) && name.matches(".*[0-9]"))
          .collect(Collectors.toList()));
    }
  }

  @Test
  public void blocksOfManyChunksOutliveARestart() throws Exception {
    conf.setLong(BucketCache.BACKING_MAP_PERSISTENCE_CHUNK_SIZE, 7);
    start();
    fill();
    cache.shutdown();
    start();
    assertEquals(BLOCKS, countServed());
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void aListThatTakesLongIsWrittenATenthOfTheTime() throws Exception {
    List<Long> nanos = writeTwoLists(true);
    long took = nanos.get(1) - nanos.get(0);
    long pause = nanos.get(2) - nanos.get(1);
    assertTrue(pause + " after " + took, pause >= BlockListWriter.PAUSE_FACTOR * took);
  }

  @Test
  public void withoutChecksumsAListIsWrittenAtEachInterval() throws Exception {
    boolean pauses = true;
    // A thread without a processor pauses as long, but not each time.
    for (int i = 0; i < 3 && pauses; i++) {
      List<Long> nanos = writeTwoLists(false);
      cache.shutdown();
      long took = nanos.get(1) - nanos.get(0);
      pauses = nanos.get(2) - nanos.get(1) >= BlockListWriter.PAUSE_FACTOR * took;
    }
    assertFalse(pauses);
  }

  /** Returns when each list was begun and ended, in terms of System.nanoTime(). */
  private List<Long> writeTwoLists(boolean checksums) throws Exception {
    List<Long> nanos = new ArrayList<>();
    CountDownLatch written = new CountDownLatch(2);
    Semaphore changes = new Semaphore(0);
    cache = new BucketCache("file:" + file(), CAPACITY, SIZE, new int[] { 12 * 1024 }, 1, 64,
      list().toString()) {
      @Override
      void startBucketCachePersisterThread() {
        // The test starts its own.
      }

      @Override
      void persistToFile() throws IOException {
        if (written.getCount() == 0) {
          return;
        }
        nanos.add(System.nanoTime());
        changes.drainPermits();
        changes.acquireUninterruptibly(CHANGES_WHILE_LISTED);
        nanos.add(System.nanoTime());
        written.countDown();
      }
    };
    cache.checksums = checksums;
    BucketCachePersister persister = new BucketCachePersister(cache, 1);
    persister.start();
    while (written.getCount() > 0) {
      cache.setCacheInconsistent(true);
      changes.release();
      assertTrue(persister.isAlive());
      written.await(1, TimeUnit.MILLISECONDS);
    }
    persister.shutdown();
    persister.join(TimeUnit.SECONDS.toMillis(SECONDS_TO_END));
    return nanos;
  }
}
