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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * A scan that can't use a block that it finds in the cache reads it from the file, and the block is
 * evicted once. The scan looks for all data blocks but the first without their type.
 */
@RunWith(Parameterized.class)
@Category({ IOTests.class, SmallTests.class })
public class TestUnusableCachedBlocks extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestUnusableCachedBlocks.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 200;
  private static final int VALUE_BYTES = 100;
  private static final int BLOCK_BYTES = 2048;

  @Parameter
  public String engine;

  @Parameters(name = "{0}")
  public static List<String> engines() {
    return Arrays.asList("offheap", "file:", "mmap:");
  }

  private void startEngine() throws IOException {
    start(engine.endsWith(":") ? engine + file() : engine, false);
  }

  private Path write(String name, HFileContextBuilder context) throws IOException {
    Path path = new Path(folder.getRoot().toString(), name);
    HFileContext settings = context.withBlockSize(BLOCK_BYTES).build();
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(FileSystem.getLocal(conf), path).withFileContext(settings).create()) {
      for (int row = 0; row < ROWS; row++) {
        writer.append(
          new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, new byte[VALUE_BYTES]));
      }
    }
    return path;
  }

  private HFile.Reader open(Path path) throws IOException {
    return HFile.createReader(FileSystem.getLocal(conf), path,
      new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP), true, conf);
  }

  private void assertAllIsScanned(HFile.Reader reader) throws IOException {
    HFileScanner scanner = reader.getScanner(conf, true, false, false);
    assertTrue(scanner.seekTo());
    for (int row = 0; row < ROWS; row++) {
      Cell cell = scanner.getCell();
      assertEquals(row, Bytes.toInt(CellUtil.cloneRow(cell)));
      assertEquals(VALUE_BYTES, cell.getValueLength());
      assertEquals(row < ROWS - 1, scanner.next());
    }
    scanner.close();
  }

  private static List<HFileBlock> dataBlocks(HFile.Reader reader) throws IOException {
    List<HFileBlock> blocks = new ArrayList<>();
    long offset = reader.getTrailer().getFirstDataBlockOffset();
    while (offset <= reader.getTrailer().getLastDataBlockOffset()) {
      HFileBlock block = reader.readBlock(offset, -1, false, true, false, false, null, null);
      blocks.add(block);
      offset += block.getOnDiskSizeWithHeader();
    }
    return blocks;
  }

  /** Asserts that a scan reads the blocks from the file, and a second one finds them cached. */
  private void assertIsReadFromTheFile(HFile.Reader reader) throws Exception {
    assertAllIsScanned(reader);
    BucketCacheValidator.awaitWritten(cache);
    BucketCacheValidator.validate(cache);
    long misses = cache.getStats().getMissCount();
    assertAllIsScanned(reader);
    assertEquals("the second scan finds all", misses, cache.getStats().getMissCount());
  }

  @Test
  public void aBlockOfAnotherEncodingIsReadFromTheFile() throws Exception {
    startEngine();
    Path path =
      write("prefix", new HFileContextBuilder().withDataBlockEncoding(DataBlockEncoding.PREFIX));
    Path other =
      write("diff", new HFileContextBuilder().withDataBlockEncoding(DataBlockEncoding.FAST_DIFF));
    try (HFile.Reader reader = open(path); HFile.Reader otherReader = open(other)) {
      List<HFileBlock> blocks = dataBlocks(reader);
      HFileBlock stranger = dataBlocks(otherReader).get(0);
      for (HFileBlock block : blocks) {
        cache.cacheBlock(
          new BlockCacheKey(path, block.getOffset(), true, BlockType.ENCODED_DATA), stranger);
      }
      BucketCacheValidator.awaitWritten(cache);
      assertEquals(blocks.size(), cache.getBlockCount());
      assertIsReadFromTheFile(reader);
    }
  }

  @Test
  public void aBlockThatCanNotBeUnpackedIsReadFromTheFile() throws Exception {
    conf.setBoolean(CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY, true);
    startEngine();
    Path path =
      write("compressed", new HFileContextBuilder().withCompression(Compression.Algorithm.GZ));
    try (HFile.Reader reader = open(path)) {
      assertAllIsScanned(reader);
      BucketCacheValidator.awaitWritten(cache);
      for (BucketEntry entry : cache.getBackingMap().values()) {
        int header = HFileBlock.headerSize(true);
        cache.ioEngine.write(ByteBuffer.allocate(20), entry.offset() + header);
      }
      assertIsReadFromTheFile(reader);
    }
  }
}
