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

import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** What reading a block from the file of a BucketCache allocates on the heap. */
@Category({ IOTests.class, MediumTests.class })
public class TestFileEngineReadAllocation {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFileEngineReadAllocation.class);

  private static final int READS = 500;
  private static final int BLOCK_BYTES = 64 * 1024;
  /** Limit for the objects of a block; 500 to 900 bytes were measured. */
  private static final int OBJECTS = 1_200;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private final BlockCacheKey key = TestBlocks.key("file", 0, BlockType.DATA);
  private BucketCache cache;

  @After
  public void tearDown() {
    cache.shutdown();
  }

  private void start(String engine) throws IOException {
    conf.setBoolean(FileEngineSettings.CHECKSUM.key(), true);
    cache = new BucketCache(engine + ":" + new File(folder.getRoot(), "cache"), 4 << 20, 65536,
      new int[] { 68 * 1024 }, 1, 64, new File(folder.getRoot(), "list").toString(), 60_000, conf);
  }

  private void cacheBlock(ByteBuffAllocator allocator) throws InterruptedException {
    cache.cacheBlock(key, TestBlocks.block(key, BLOCK_BYTES, allocator));
    BucketCacheValidator.awaitWritten(cache);
  }

  private long bytesPerRead() throws Exception {
    return new AllocationMeter().bytesPerOperation(READS,
      () -> cache.getBlock(key, true, false, true).release());
  }

  private ByteBuffAllocator pool() {
    return ByteBuffAllocator.create(conf, true);
  }

  private void assertObjectsOnly(long bytes) {
    assertTrue(bytes + " bytes", bytes < OBJECTS);
  }

  private void assertCopies(long bytes) {
    assertTrue(bytes + " bytes", bytes > BLOCK_BYTES);
  }

  @Test
  public void fileWithPooledBuffers() throws Exception {
    start("file");
    cacheBlock(pool());
    assertObjectsOnly(bytesPerRead());
  }

  /** Proves that the test would detect a block on the heap. */
  @Test
  public void fileWithoutPooledBuffers() throws Exception {
    start("file");
    cacheBlock(ByteBuffAllocator.HEAP);
    assertCopies(bytesPerRead());
  }

  /** The list doesn't tell which pool a block's buffers are from, so none is used. */
  @Test
  public void fileAfterARestart() throws Exception {
    start("file");
    cacheBlock(pool());
    cache.shutdown();
    start("file");
    assertCopies(bytesPerRead());
  }

  @Test
  public void directFile() throws Exception {
    start("direct");
    for (ByteBuffAllocator allocator : new ByteBuffAllocator[] { pool(), ByteBuffAllocator.HEAP }) {
      cache.evictBlock(key);
      cacheBlock(allocator);
      assertObjectsOnly(bytesPerRead());
    }
  }

  @Test
  public void directFileAfterARestart() throws Exception {
    start("direct");
    cacheBlock(pool());
    cache.shutdown();
    start("direct");
    assertObjectsOnly(bytesPerRead());
  }

  @Test
  public void directFileWhosePoolIsExhausted() throws Exception {
    start("direct");
    cacheBlock(ByteBuffAllocator.HEAP);
    AlignedBufferPool buffers = ((DirectFileIOEngine) cache.ioEngine).getPool();
    while (buffers.take(1) != null) {
      // Takes buffers until the pool is empty.
    }
    assertCopies(bytesPerRead());
  }
}
