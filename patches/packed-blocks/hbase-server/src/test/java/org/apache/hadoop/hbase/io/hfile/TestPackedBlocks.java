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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Collection;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Assume;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** What was cached before the setting of compressed blocks was changed is served. */
@Category({ IOTests.class, MediumTests.class })
@RunWith(Parameterized.class)
public class TestPackedBlocks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPackedBlocks.class);

  private static final int ROWS = 5_000;
  private static final int BLOCK_BYTES = 4 * 1024;
  private static final int TIMEOUT_MS = 60_000;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Of the cache, which is on the heap if this is empty; $ is replaced by a path. */
  @Parameter(0)
  public String engine;
  @Parameter(1)
  public DataBlockEncoding encoding;

  private final Configuration conf = new Configuration();
  private final ByteBuffAllocator pool = ByteBuffAllocator.create(conf, true);
  private BlockCache cache;
  private FileSystem fs;
  private Path path;
  private long data;

  @Parameters(name = "{0} {1}")
  public static Collection<Object[]> engines() {
    return Arrays.asList(new Object[][] { { "", DataBlockEncoding.NONE },
      { "offheap", DataBlockEncoding.NONE },
      { "file:$", DataBlockEncoding.NONE }, { "file:$", DataBlockEncoding.FAST_DIFF },
      { "direct:$", DataBlockEncoding.NONE }, { "segments", DataBlockEncoding.NONE },
      { "segments:$", DataBlockEncoding.NONE } });
  }

  void configure(Configuration ofCache, File files) {
    ofCache.set(HConstants.BUCKET_CACHE_IOENGINE_KEY,
      engine.replace("$", new File(files, "cache").toString()));
    ofCache.set(HConstants.BUCKET_CACHE_SIZE_KEY, "64");
    if (engine.startsWith("file:") || engine.startsWith("direct:")) {
      ofCache.set(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, new File(files, "list").toString());
    }
  }

  /** Has no cache of an engine that isn't there. */
  private void openCache() {
    configure(conf, folder.getRoot());
    try {
      cache = BlockCacheFactory.createBlockCache(conf);
    } catch (IllegalArgumentException e) {
      Assume.assumeNoException(e);
    }
  }

  @After
  public void tearDown() {
    if (cache != null) {
      cache.shutdown();
    }
  }

  private static KeyValue cellOf(int row) {
    return new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, Bytes.toBytes("value of " + row));
  }

  private void write(CacheConfig cacheConf) throws IOException {
    fs = FileSystem.getLocal(conf);
    path = new Path(folder.getRoot().toURI().toString(), "0123456789abcdef0123456789abcdef");
    HFileContext context = new HFileContextBuilder().withBlockSize(BLOCK_BYTES)
      .withDataBlockEncoding(encoding).withCompression(Compression.Algorithm.GZ).build();
    try (HFile.Writer writer = HFile.getWriterFactory(conf, cacheConf)
      .withPath(fs, path).withFileContext(context).create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(cellOf(i));
      }
    }
  }

  private CacheConfig config(boolean compressed, boolean onWrite) {
    conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, compressed);
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, onWrite);
    conf.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, false);
    return new CacheConfig(conf, null, cache, pool);
  }

  private HFile.Reader open(boolean compressed) throws IOException {
    HFile.Reader reader =
      HFile.createReader(fs, path, config(compressed, false), true, conf);
    data = reader.getTrailer().getLoadOnOpenDataOffset();
    return reader;
  }

  private void read(HFile.Reader reader) throws IOException {
    try (HFileScanner scanner = reader.getScanner(conf, true, true)) {
      assertTrue(scanner.seekTo());
      for (int i = 0; i < ROWS; i++) {
        assertArrayEquals(Bytes.toBytes(i), CellUtil.cloneRow(scanner.getCell()));
        assertTrue(CellUtil.equals(cellOf(i), scanner.getCell()));
        assertEquals(i < ROWS - 1, scanner.next());
      }
    }
  }

  /** From now on no block can be read from the file. */
  private void overwriteBlocks() throws IOException {
    try (FileChannel file =
      FileChannel.open(new File(path.toUri()).toPath(), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.allocate((int) data), 0);
    }
  }

  private void awaitCached() throws Exception {
    long blocks = data / BLOCK_BYTES / 100;
    Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> cache.getDataBlockCount() > blocks);
    if (!(cache instanceof CombinedBlockCache)) {
      return;
    }
    BlockCache second = ((CombinedBlockCache) cache).getSecondLevelCache();
    // The heap size of a bucket cache is that of the blocks that wait to be written.
    Waiter.waitFor(conf, TIMEOUT_MS, 10,
      () -> !(second instanceof BucketCache) || ((BucketCache) second).heapSize() == 0);
  }

  private void change(boolean compressed, boolean onWrite, boolean restart) throws Exception {
    openCache();
    write(onWrite ? config(compressed, true) : CacheConfig.DISABLED);
    HFile.Reader before = open(compressed);
    if (!onWrite) {
      read(before);
    }
    awaitCached();
    long blocks = cache.getDataBlockCount();
    before.close(false);
    if (restart) {
      cache.shutdown();
      openCache();
      Waiter.waitFor(conf, TIMEOUT_MS, 10, () -> cache.getDataBlockCount() >= blocks);
    }
    HFile.Reader after = open(!compressed);
    overwriteBlocks();
    read(after);
    read(after);
    // Two tiers have some twice.
    assertTrue(cache.getDataBlockCount() >= blocks);
    after.close(false);
  }

  private boolean outlivesARestart() {
    return engine.endsWith("$");
  }

  @Test
  public void blocksThatWereCachedCompressedAreServedByAnAlteredTable() throws Exception {
    change(true, false, false);
  }

  @Test
  public void blocksThatWereNotCachedCompressedAreServedByAnAlteredTable() throws Exception {
    change(false, false, false);
  }

  @Test
  public void blocksThatWereWrittenCompressedAreServedByAnAlteredTable() throws Exception {
    change(true, true, false);
  }

  @Test
  public void blocksThatWereNotWrittenCompressedAreServedByAnAlteredTable() throws Exception {
    change(false, true, false);
  }

  @Test
  public void blocksThatWereCachedCompressedAreServedAfterARestart() throws Exception {
    Assume.assumeTrue(outlivesARestart());
    change(true, false, true);
  }

  @Test
  public void blocksThatWereNotCachedCompressedAreServedAfterARestart() throws Exception {
    Assume.assumeTrue(outlivesARestart());
    change(false, false, true);
  }

  @Test
  public void blocksThatWereWrittenCompressedAreServedAfterARestart() throws Exception {
    Assume.assumeTrue(outlivesARestart());
    change(true, true, true);
  }

  /** Returns a block that was cached compressed when it was written. */
  private HFileBlock packed(KeyValue cell, HFileContext context) throws IOException {
    HFileBlock.Writer writer = new HFileBlock.Writer(conf, NoOpDataBlockEncoder.INSTANCE, context);
    try {
      writer.startWriting(BlockType.DATA);
      writer.write(cell);
      writer.ensureBlockReady();
      return writer.getBlockForCaching(config(true, true));
    } finally {
      writer.release();
    }
  }

  @Test
  public void aBlockThatWasWrittenCompressedIsUnpackedThoughThatDoesNotChangeItsLength()
    throws Exception {
    Assume.assumeTrue(engine.isEmpty());
    openCache();
    write(CacheConfig.DISABLED);
    HFile.Reader reader = open(true);
    byte[] random = new byte[1_000];
    new Random(1).nextBytes(random); // Any bytes do that can't be compressed.
    int size = random.length;
    KeyValue cell;
    HFileBlock block;
    do {
      size++;
      cell = new KeyValue(FAMILY, FAMILY, FAMILY, 1, Arrays.copyOf(random, size));
      block = packed(cell, reader.getFileContext());
    } while (!block.isUnpacked() && size < 2 * random.length);
    assertTrue(block.isUnpacked());
    HFileBlock unpacked = block.unpack(reader.getFileContext(), reader.getUncachedBlockReader());
    byte[] content = new byte[cell.getLength()];
    unpacked.getBufferWithoutHeader().get(content);
    assertArrayEquals(cell.getBuffer(), content);
    reader.close(false);
  }
}
