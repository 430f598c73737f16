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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MockRegionServerServices;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.ipc.RpcServerInterface;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What the writer of a store file and the cache allocate for a block (HBASE-23107). */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCacheOnWriteAllocation {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheOnWriteAllocation.class);

  private static final int BLOCKS = 256;
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int CELLS_IN_BLOCK = 16;
  private static final byte[] VALUE = new byte[4 * 1024];
  private static final byte[] FAMILY = Bytes.toBytes("f");
  /** What the file, its cells and the cache's entry allocate; nothing of the block's size. */
  private static final int MOST_BYTES = 16 * 1024;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Configuration conf = util.getConfiguration();
  private BucketCache cache;
  private KeyValue[] cells;

  @Before
  public void setUp() throws Exception {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, true);
    cache = new BucketCache("offheap", 64L << 20, BLOCK_BYTES, null, 1, 2 * BLOCKS, null);
    cells = new KeyValue[BLOCKS * CELLS_IN_BLOCK];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = new KeyValue(Bytes.toBytes(i), FAMILY, FAMILY, 1, VALUE);
    }
  }

  @After
  public void tearDown() throws Exception {
    cache.shutdown();
    util.cleanupTestDir();
  }

  /** Creates a region of a server that has a block cache and this pool. */
  private HRegion region(ByteBuffAllocator allocator) throws IOException {
    MockRegionServerServices services = new MockRegionServerServices(conf) {
      @Override
      public Optional<BlockCache> getBlockCache() {
        return Optional.of(cache);
      }
    };
    services.setRpcServer((RpcServerInterface) Proxy.newProxyInstance(getClass().getClassLoader(),
      new Class<?>[] { RpcServerInterface.class }, (proxy, method, args) -> {
        assertEquals("getByteBuffAllocator", method.getName());
        return allocator;
      }));
    TableName name = TableName.valueOf("t");
    TableDescriptor table = TableDescriptorBuilder.newBuilder(name)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build();
    RegionInfo info = RegionInfoBuilder.newBuilder(name).build();
    Path root = util.getDataTestDir("root");
    HBaseTestingUtility.closeRegionAndWAL(
      HBaseTestingUtility.createRegionAndWAL(info, root, conf, table));
    return HRegion.openHRegion(root, info, table, null, conf, services, null);
  }

  private void write(HStore store, boolean compaction) throws Exception {
    StoreFileWriter writer = store.getStoreEngine().createWriter(
      CreateStoreFileWriterParams.create().maxKeyCount(cells.length).isCompaction(compaction));
    for (KeyValue cell : cells) {
      writer.append(cell);
    }
    writer.close();
    BucketCacheValidator.awaitWritten(cache);
    assertTrue(cache.getBlockCount() >= BLOCKS);
    cache.evictBlocksByHfileName(writer.getPath().getName());
    util.getTestFileSystem().delete(writer.getPath(), false);
  }

  /** Returns the bytes that writing a block allocates. */
  private long measure(ByteBuffAllocator allocator, boolean compaction) throws Exception {
    HRegion region = region(allocator);
    try {
      HStore store = region.getStore(FAMILY);
      return new AllocationMeter(name -> name.contains("BucketCacheWriter")).bytesPerOperation(1,
        () -> write(store, compaction)) / BLOCKS;
    } finally {
      region.close();
    }
  }

  private void check(boolean compaction) throws Exception {
    ByteBuffAllocator pool = ByteBuffAllocator.create(conf, true);
    long pooled = measure(pool, compaction);
    long unpooled = measure(ByteBuffAllocator.HEAP, compaction);
    assertTrue("each block is copied at least once", unpooled > BLOCK_BYTES);
    AllocationMeter.assertPooled(compaction ? "Compaction" : "Flush", pooled, MOST_BYTES, unpooled);
    assertEquals("all buffers went back", pool.getUsedBufferCount(), pool.getFreeBufferCount());
  }

  @Test
  public void aFlushCopiesBlocksIntoPooledBuffers() throws Exception {
    check(false);
  }

  @Test
  public void aCompactionCopiesBlocksIntoPooledBuffers() throws Exception {
    check(true);
  }
}
