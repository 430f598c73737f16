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

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.assertIsBlock;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.block;
import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Blocks are written and read without the page cache where possible, each in one buffer. */
@Category({ IOTests.class, MediumTests.class })
public class TestDirectFileIOEngine {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDirectFileIOEngine.class);

  private static final int SLOT = 12 * 1024;
  private static final int SIZES = 7;
  /** Not a multiple of a slot, so that slots span files. */
  private static final long CAPACITY = 3 * (5 * SLOT + 4096);
  private static final int SLOTS = (int) (CAPACITY / SLOT);
  private static final int SECONDS_TO_END = 60;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final List<DirectFileIOEngine> engines = new ArrayList<>();

  @After
  public void tearDown() {
    engines.forEach(DirectFileIOEngine::shutdown);
  }

  private String[] paths(int count) {
    return IntStream.range(0, count).mapToObj(i -> new File(folder.getRoot(), "cache" + i))
      .map(File::toString).toArray(String[]::new);
  }

  private DirectFileIOEngine engine(boolean timed, DirectFile.Opener opener, String... paths)
    throws IOException {
    DirectFileIOEngine engine = new DirectFileIOEngine(CAPACITY, timed, opener, paths);
    engines.add(engine);
    Configuration conf = new Configuration(false);
    conf.set(FileEngineSettings.POOL_SIZE.key(), "1");
    assertArrayEquals(new int[] { SLOT, 15 * SLOT },
      engine.start(conf, new int[] { SLOT - 1, 15 * SLOT, SLOT }));
    return engine;
  }

  private DirectFileIOEngine engine(int files) throws IOException {
    return engine(false, DirectFile::openDirect, paths(files));
  }

  private static BlockCacheKey keyOf(int slot) {
    return key("file", slot, BlockType.DATA);
  }

  private static int sizeOf(int slot) {
    return SLOT - 100 - slot % SIZES * 1024;
  }

  private static BucketEntry entry(int slot, int length, long time) {
    BucketEntry entry = new BucketEntry((long) slot * SLOT, length, length, 0, time, false,
      ignored -> ByteBuffAllocator.NONE, ByteBuffAllocator.HEAP);
    entry.setDeserializerReference(HFileBlock.BLOCK_DESERIALIZER);
    return entry;
  }

  /** Writes a block as RAMQueueEntry does. */
  private static BucketEntry write(DirectFileIOEngine engine, boolean timed, int slot)
    throws IOException {
    HFileBlock block = block(keyOf(slot), sizeOf(slot));
    int length = block.getSerializedLength() + (timed ? Long.BYTES : 0);
    BucketEntry entry = entry(slot, length, 1000 + slot);
    ByteBuff content = block.getBufferReadOnly();
    ByteBuffer metadata = block.getMetaData(ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
    if (!engine.writeBlock(entry, content, metadata)) {
      long offset = entry.offset();
      if (timed) {
        engine.write(ByteBuffer.allocate(Long.BYTES).putLong(0, 1000 + slot), offset);
        offset += Long.BYTES;
      }
      engine.write(content, offset);
      engine.write(metadata, entry.offset() + length - metadata.limit());
    }
    return entry;
  }

  private static List<BucketEntry> writeAll(DirectFileIOEngine engine, boolean timed)
    throws IOException {
    List<BucketEntry> entries = new ArrayList<>();
    for (int slot = 0; slot < SLOTS; slot++) {
      entries.add(write(engine, timed, slot));
    }
    return entries;
  }

  private static void assertIsServed(DirectFileIOEngine engine, BucketEntry entry, int slot)
    throws IOException {
    Cacheable found = engine.read(entry);
    assertIsBlock(keyOf(slot), sizeOf(slot), found);
    found.release();
  }

  private static void assertAllAreServed(DirectFileIOEngine engine, List<BucketEntry> entries)
    throws IOException {
    for (int slot = 0; slot < SLOTS; slot++) {
      assertIsServed(engine, entries.get(slot), slot);
    }
  }

  /** Asserts that all buffers were given back: as many as the pool has can be taken. */
  private static void assertNothingIsTaken(DirectFileIOEngine engine) {
    AlignedBufferPool pool = engine.getPool();
    long size = pool.getBytes();
    int taken = 0;
    while (taken * (SLOT + 4096L) < size) {
      pool.take(SLOT);
      taken++;
    }
    assertEquals(size, pool.getBytes());
  }

  @Test
  public void blocksAreServedFromOneFileAndFromSeveral() throws Exception {
    for (boolean timed : new boolean[] { false, true }) {
      for (int files = 1; files <= 3; files++) {
        DirectFileIOEngine engine = engine(timed, DirectFile::openDirect, paths(files));
        assumeTrue(engine.getDirectFileCount() == files);
        assertAllAreServed(engine, writeAll(engine, timed));
        assertEquals(0, engine.getPool().getExhaustedCount());
        assertNothingIsTaken(engine);
      }
    }
  }

  @Test
  public void filesAreMultiplesOfTheAlignment() throws Exception {
    engine(false, DirectFile::openDirect, paths(3));
    for (String path : paths(3)) {
      long length = new File(path).length();
      assertTrue(path + " has " + length, length % 4096 == 0 && length >= CAPACITY / 3);
    }
  }

  @Test
  public void aBlockIsOneDirectBuffer() throws Exception {
    DirectFileIOEngine engine = engine(1);
    HFileBlock block = (HFileBlock) engine.read(write(engine, false, 3));
    ByteBuff buffer = block.getBufferReadOnly();
    assertTrue(buffer instanceof SingleByteBuff);
    assertFalse(buffer.hasArray());
    block.release();
    assertNothingIsTaken(engine);
  }

  @Test
  public void aBlockHasItsBufferUntilItIsReleased() throws Exception {
    DirectFileIOEngine engine = engine(1);
    List<BucketEntry> entries = writeAll(engine, false);
    Cacheable held = engine.read(entries.get(0));
    held.retain();
    held.release();
    assertAllAreServed(engine, entries);
    assertIsBlock(keyOf(0), sizeOf(0), held);
    assertTrue(held.release());
    assertNothingIsTaken(engine);
  }

  @Test
  public void aWriteLeavesItsNeighboursAlone() throws Exception {
    DirectFileIOEngine engine = engine(2);
    List<BucketEntry> entries = writeAll(engine, false);
    for (int slot = 0; slot < SLOTS; slot += 2) {
      write(engine, false, slot);
    }
    assertAllAreServed(engine, entries);
  }

  @Test
  public void filesThatCantGoThroughThePageCache() throws Exception {
    List<DirectFile.Opener> openers = Arrays.asList(path -> {
      throw new IOException("Invalid argument");
    }, path -> {
      throw new UnsupportedOperationException("Java 8");
    }, path -> {
      if (path.toString().endsWith("1")) {
        throw new IOException("Invalid argument");
      }
      return DirectFile.openDirect(path);
    });
    for (DirectFile.Opener opener : openers) {
      for (boolean timed : new boolean[] { false, true }) {
        DirectFileIOEngine engine = engine(timed, opener, paths(3));
        assertTrue(engine.getDirectFileCount() < 3);
        assertAllAreServed(engine, writeAll(engine, timed));
        assertNothingIsTaken(engine);
      }
    }
  }

  /** The tmpfs of newer kernels supports direct I/O, that of older ones refuses it. */
  @Test
  public void blocksAreServedFromTmpfs() throws Exception {
    File shm = new File("/dev/shm");
    assumeTrue(shm.canWrite());
    File file = File.createTempFile("direct", null, shm);
    try {
      DirectFileIOEngine engine = engine(false, DirectFile::openDirect, file.toString());
      assertAllAreServed(engine, writeAll(engine, false));
    } finally {
      file.delete();
    }
  }

  @Test
  public void whatFindsNoBufferGoesThroughThePageCache() throws Exception {
    DirectFileIOEngine engine = engine(1);
    List<BucketEntry> entries = writeAll(engine, false);
    List<AlignedBufferPool.PooledBuffer> all = new ArrayList<>();
    for (AlignedBufferPool.PooledBuffer buffer; (buffer = engine.getPool().take(SLOT)) != null;) {
      all.add(buffer);
    }
    long exhausted = engine.getPool().getExhaustedCount();
    write(engine, false, 1);
    assertAllAreServed(engine, entries);
    assertEquals(exhausted + 1 + SLOTS, engine.getPool().getExhaustedCount());
    all.forEach(AlignedBufferPool.PooledBuffer::free);
    assertAllAreServed(engine, entries);
    assertEquals(exhausted + 1 + SLOTS, engine.getPool().getExhaustedCount());
  }

  @Test
  public void aBlockCachedAtAnotherTimeIsRefused() throws Exception {
    DirectFileIOEngine engine = engine(true, DirectFile::openDirect, paths(1));
    int length = write(engine, true, 2).getLength();
    assertThrows(HBaseIOException.class, () -> engine.read(entry(2, length, 1)));
    assertNothingIsTaken(engine);
  }

  @Test
  public void aFileThatEndsTooSoonIsAnError() throws Exception {
    DirectFileIOEngine engine = engine(1);
    List<BucketEntry> entries = writeAll(engine, false);
    try (RandomAccessFile file = new RandomAccessFile(paths(1)[0], "rw")) {
      file.setLength(3 * SLOT + 4096);
    }
    assertIsServed(engine, entries.get(2), 2);
    EOFException e = assertThrows(EOFException.class, () -> engine.read(entries.get(3)));
    assertTrue(e.getMessage(), e.getMessage().contains("cache0 ends at " + (3 * SLOT + 4096)));
    assertThrows(EOFException.class, () -> engine.read(entries.get(5)));
    assertNothingIsTaken(engine);
  }

  @Test
  public void aReaderThatIsInterruptedFailsAlone() throws Exception {
    DirectFileIOEngine engine = engine(2);
    List<BucketEntry> entries = writeAll(engine, false);
    assumeTrue(engine.getDirectFileCount() == 2);
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(threads.submit(() -> {
          int rounds = 0;
          while (!done.get() || rounds == 0) {
            assertAllAreServed(engine, entries);
            rounds++;
          }
          return rounds;
        }));
      }
      for (int i = 0; i < 200; i++) {
        Thread.currentThread().interrupt();
        BucketEntry entry = entries.get(i % SLOTS);
        assertThrows(ClosedByInterruptException.class, () -> engine.read(entry));
        assertTrue("the interrupt is kept", Thread.interrupted());
      }
      done.set(true);
      for (Future<Integer> reader : readers) {
        reader.get(SECONDS_TO_END, TimeUnit.SECONDS);
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    assertAllAreServed(engine, entries);
    assertNothingIsTaken(engine);
  }

  @Test
  public void filesAreSyncedThoughAReaderWasInterruptedInThePageCache() throws Exception {
    DirectFileIOEngine engine = engine(2);
    List<BucketEntry> entries = writeAll(engine, false);
    List<AlignedBufferPool.PooledBuffer> all = new ArrayList<>();
    for (AlignedBufferPool.PooledBuffer buffer = engine.getPool().take(SLOT); buffer != null;
      buffer = engine.getPool().take(SLOT)) {
      all.add(buffer);
    }
    for (BucketEntry entry : Arrays.asList(entries.get(0), entries.get(SLOTS - 1))) {
      Thread.currentThread().interrupt();
      assertThrows(IOException.class, () -> engine.read(entry));
      assertTrue("the interrupt is kept", Thread.interrupted());
    }
    all.forEach(AlignedBufferPool.PooledBuffer::free);
    engine.sync();
    assertAllAreServed(engine, entries);
    assertNothingIsTaken(engine);
  }

  @Test
  public void nothingIsReadAfterShutdown() throws Exception {
    DirectFileIOEngine engine = engine(1);
    BucketEntry entry = write(engine, false, 0);
    engine.shutdown();
    assertThrows(IOException.class, () -> engine.read(entry));
    assertNothingIsTaken(engine);
  }

  private BucketCache cache(String engine, String list, int... sizes) throws IOException {
    return new BucketCache(engine, 4 << 20, 8192, sizes, 1, 64, list);
  }

  private static List<BlockCacheKey> fill(BucketCache cache) throws InterruptedException {
    List<BlockCacheKey> keys = IntStream.range(0, 50).mapToObj(TestDirectFileIOEngine::keyOf)
      .collect(Collectors.toList());
    for (BlockCacheKey key : keys) {
      cache.cacheBlock(key, block(key, sizeOf((int) key.getOffset())));
      BucketCacheValidator.awaitWritten(cache);
    }
    return keys;
  }

  private static int count(BucketCache cache, List<BlockCacheKey> keys) {
    int found = 0;
    for (BlockCacheKey key : keys) {
      Cacheable block = cache.getBlock(key, true, false, true);
      if (block != null) {
        assertIsBlock(key, sizeOf((int) key.getOffset()), block);
        block.release();
        found++;
      }
    }
    return found;
  }

  @Test
  public void aBucketCacheOutlivesARestart() throws Exception {
    String engine = "direct:" + String.join(",", paths(2));
    String list = new File(folder.getRoot(), "list").toString();
    BucketCache cache = cache(engine, list, 5120, 12000);
    List<BlockCacheKey> keys = fill(cache);
    assertEquals(50, count(cache, keys));
    cache.shutdown();
    cache = cache(engine, list, 5120, 12000);
    assertEquals(50, count(cache, keys));
    BucketCacheValidator.validate(cache);
    cache.shutdown();
  }

  /** The slots of another engine's list may be unaligned; a list for other slots is never read. */
  @Test
  public void theListOfAnotherEngineOrOfOtherSlotsIsDropped() throws Exception {
    String list = new File(folder.getRoot(), "list").toString();
    BucketCache cache = cache("file:" + paths(1)[0], list, 5120, 12032);
    List<BlockCacheKey> keys = fill(cache);
    cache.shutdown();
    cache = cache("direct:" + paths(1)[0], list, 5120, 12032);
    assertEquals(0, count(cache, keys));
    keys = fill(cache);
    assertEquals(50, count(cache, keys));
    cache.shutdown();
    cache = cache("direct:" + paths(1)[0], list, 5120, 16384);
    assertEquals(0, count(cache, keys));
    cache.shutdown();
  }

  @Test
  public void defaultSlotsAreAligned() {
    for (int size : DirectFileIOEngine.alignSlots(null)) {
      assertEquals(0, size % 4096);
    }
  }

  @Test
  public void theSizeOfThePoolFollowsTheHandlers() {
    Configuration conf = new Configuration(false);
    assertEquals(60 << 20, FileEngineSettings.readPoolSize(conf));
    conf.setInt("hbase.regionserver.handler.count", 100);
    assertEquals(200 << 20, FileEngineSettings.readPoolSize(conf));
    conf.set(FileEngineSettings.POOL_SIZE.key(), "1g");
    assertEquals(1 << 30, FileEngineSettings.readPoolSize(conf));
    for (String bad : new String[] { "0", "-1", "many", "4x" }) {
      conf.set(FileEngineSettings.POOL_SIZE.key(), bad);
      String message = assertThrows(IllegalArgumentException.class,
        () -> FileEngineSettings.readPoolSize(conf)).getMessage();
      assertTrue(message,
        message.startsWith("hbase.bucketcache.direct.pool.size is " + bad + ". Give MB"));
      assertTrue(message, message.contains("k, m, g or t behind it"));
    }
  }
}
