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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** A block that is cached on write gives its pooled buffers back, whatever the cache does. */
@Category({ IOTests.class, SmallTests.class })
public class TestCacheOnWriteRelease {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheOnWriteRelease.class);

  private static final int ROWS = 50_000;
  private static final int BLOCK_BYTES = 512;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private ByteBuffAllocator pool;

  @Before
  public void setUp() {
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, BLOCK_BYTES);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 2 * BLOCK_BYTES);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
    pool = ByteBuffAllocator.create(conf, true);
  }

  /** A cache that copies the blocks it wants, like the one on the heap. */
  private static final class Cache extends LruBlockCache {
    private final boolean wants;

    private Cache(boolean wants, Configuration conf) {
      super(64L << 20, BLOCK_BYTES, false, conf);
      this.wants = wants;
    }

    @Override
    public Optional<Boolean> shouldCacheBlock(BlockCacheKey key, long maxTimeStamp,
      Configuration conf) {
      return Optional.of(wants);
    }
  }

  /** Writes a file, and returns the number of levels of its index. */
  private int write(BlockCache cache) throws IOException {
    CacheConfig cacheConf = new CacheConfig(conf, null, cache, pool);
    FileSystem fs = FileSystem.getLocal(conf);
    Path path = new Path(folder.getRoot().toURI().toString(), "hfile");
    HFileContext context = new HFileContextBuilder().withBlockSize(BLOCK_BYTES).build();
    try (HFile.Writer writer = HFile.getWriterFactory(conf, cacheConf).withPath(fs, path)
      .withFileContext(context).create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(new KeyValue(Bytes.toBytes(i), FAMILY, FAMILY, 1, FAMILY));
      }
    }
    assertTrue("blocks were in pooled buffers", pool.getUsedBufferCount() > 0);
    try (HFile.Reader reader = HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf)) {
      return reader.getTrailer().getNumDataIndexLevels();
    }
  }

  private void assertAllWentBack() {
    assertEquals(pool.getUsedBufferCount(), pool.getFreeBufferCount());
  }

  @Test
  public void ofIndexBlocksOfAllLevels() throws IOException {
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    Cache cache = new Cache(true, conf);
    assertTrue("there are levels between root and leaves", write(cache) > 2);
    assertTrue(cache.getBlockCount() > 0);
    assertAllWentBack();
  }

  @Test
  public void ofBlocksThatTheCacheDoesNotWant() throws IOException {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    write(new Cache(false, conf));
    assertAllWentBack();
  }
}
