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

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.protobuf.ProtobufMagic;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A cache starts with any list of blocks, empty if necessary. */
@Category({ IOTests.class, SmallTests.class })
public class TestUnreadableList extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestUnreadableList.class);

  /** Behind the list's magic number and the size of a chunk. */
  private static final int CHUNKS_POSITION = 12;

  /** Bytes of what ties the list to the cache's file. */
  private static final int LAST_FIELDS = 128;

  @Before
  public void setUp() throws IOException {
    start();
  }

  private void start() throws IOException {
    start(CAPACITY);
  }

  private void start(long capacity) throws IOException {
    start("file:" + file(), capacity, true, BucketCache.DEFAULT_ERROR_TOLERATION_DURATION);
  }

  private void cacheBlock(long offset) throws Exception {
    BlockCacheKey key = key(FILE, offset, BlockType.DATA);
    cacheBlock(key);
    assertTrue(read(key));
  }

  @Test
  public void theListOfAnEmptyCacheIsRead() throws Exception {
    cache.shutdown();
    assertNotEquals(0, list().length());
    start();
    cacheBlock(0);
  }

  private byte[] listOfFourBlocks() throws Exception {
    for (long offset = 0; offset < 4; offset++) {
      cacheBlock(offset * SIZE);
    }
    cache.shutdown();
    return Files.readAllBytes(list().toPath());
  }

  private void assertDropped() throws Exception {
    assertTrue(cache.isCacheEnabled());
    BucketCacheValidator.validate(cache);
    assertEquals(0, cache.getBlockCount());
    cacheBlock(0);
    BucketCacheValidator.validate(cache);
  }

  @Test
  public void aListThatWasCutIsDropped() throws Exception {
    assertDroppedIfCut(listOfFourBlocks(), LAST_FIELDS);
  }

  @Test
  public void aListOfManyChunksThatWasCutIsDropped() throws Exception {
    cache.shutdown();
    conf.setLong(BucketCache.BACKING_MAP_PERSISTENCE_CHUNK_SIZE, 1);
    start();
    assertDroppedIfCut(listOfFourBlocks(), 0);
  }

  @Test
  public void aListInTheOldFormatThatWasCutIsDropped() throws Exception {
    byte[] whole = listOfFourBlocks();
    byte[] old = Bytes.add(ProtobufMagic.PB_MAGIC,
      Arrays.copyOfRange(whole, CHUNKS_POSITION + Long.BYTES, whole.length));
    Files.write(list().toPath(), old);
    start();
    assertEquals(4, cache.getBlockCount());
    cache.shutdown();
    assertDroppedIfCut(old, 0);
  }

  /**
   * Cuts the list at some bytes.
   * @param last number of bytes at the list's end of which each is tried
   */
  private void assertDroppedIfCut(byte[] whole, int last) throws Exception {
    int step = 7;
    for (int length = 0; length < whole.length; length += step) {
      step = whole.length - length > last ? step : 1;
      Files.write(list().toPath(), Arrays.copyOf(whole, length));
      start();
      assertDropped();
      cache.shutdown();
    }
    start();
  }

  @Test
  public void aListOfTooManyChunksIsDropped() throws Exception {
    byte[] whole = listOfFourBlocks();
    ByteBuffer.wrap(whole).putLong(CHUNKS_POSITION, Long.MAX_VALUE);
    Files.write(list().toPath(), whole);
    start();
    assertDropped();
  }

  @Test
  public void theListOfACacheOfAnotherSizeIsDropped() throws Exception {
    listOfFourBlocks();
    start(2 * CAPACITY);
    assertDropped();
  }
}
