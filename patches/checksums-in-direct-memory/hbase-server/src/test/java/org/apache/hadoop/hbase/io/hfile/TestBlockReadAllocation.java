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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Reading a data block from HDFS allocates nothing of the block's size (HBASE-21879). */
@Category({ IOTests.class, MediumTests.class })
public class TestBlockReadAllocation {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBlockReadAllocation.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final int BLOCKS = 64;
  private static final int BLOCK_BYTES = 64 * 1024;
  private static final int VALUE_BYTES = 1000;
  private static final int OPERATIONS = 200;
  /** What HDFS's client allocates for a request; nothing of the block's size. */
  private static final int MOST_BYTES = 24 * 1024;

  private static FileSystem fs;
  private static Path path;

  @BeforeClass
  public static void setUpCluster() throws Exception {
    UTIL.startMiniDFSCluster(1);
    // As in a region server, HBase verifies the checksums, and HDFS doesn't.
    fs = new HFileSystem(UTIL.getConfiguration(), true);
    path = new Path(UTIL.getDataTestDirOnTestFS(), "hfile");
    try (HFile.Writer writer = HFile.getWriterFactory(UTIL.getConfiguration(), CacheConfig.DISABLED)
      .withPath(fs, path)
      .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES).build()).create()) {
      byte[] column = Bytes.toBytes("f");
      for (int i = 0; i < BLOCKS * BLOCK_BYTES / VALUE_BYTES; i++) {
        writer.append(new KeyValue(Bytes.toBytes(i), column, column, new byte[VALUE_BYTES]));
      }
    }
  }

  @AfterClass
  public static void tearDownCluster() throws Exception {
    UTIL.shutdownMiniDFSCluster();
    // It took the hook that closes cached file systems, which servers of later tests look for.
    FileSystem.closeAll();
  }

  private static List<HFileBlock> dataBlocks(HFile.Reader reader) throws Exception {
    List<HFileBlock> blocks = new ArrayList<>();
    long offset = 0;
    while (offset < reader.getTrailer().getLastDataBlockOffset()) {
      HFileBlock block =
        reader.readBlock(offset, -1, false, true, false, false, BlockType.DATA, null);
      blocks.add(block);
      offset += block.getOnDiskSizeWithHeader();
    }
    return blocks;
  }

  /** Returns the bytes that reading a block allocates. */
  private long measure(ByteBuffAllocator allocator) throws Exception {
    Configuration conf = UTIL.getConfiguration();
    CacheConfig cacheConf = new CacheConfig(conf, null, null, allocator);
    try (HFile.Reader reader = HFile.createReader(fs, path, cacheConf, true, conf)) {
      List<HFileBlock> blocks = dataBlocks(reader);
      blocks.forEach(HFileBlock::release);
      int[] next = { 0 };
      return new AllocationMeter().bytesPerOperation(OPERATIONS, () -> {
        HFileBlock block = blocks.get(next[0]++ % blocks.size());
        HFileBlock read = reader.readBlock(block.getOffset(), block.getOnDiskSizeWithHeader(),
          false, true, false, true, BlockType.DATA, null);
        assertTrue(read.getUncompressedSizeWithoutHeader() >= BLOCK_BYTES);
        read.release();
      });
    }
  }

  @Test
  public void aBlockIsReadIntoAPooledBuffer() throws Exception {
    ByteBuffAllocator pool = ByteBuffAllocator.create(UTIL.getConfiguration(), true);
    long pooled = measure(pool);
    long unpooled = measure(ByteBuffAllocator.HEAP);
    assertTrue("each byte is allocated at least once", unpooled > BLOCK_BYTES);
    AllocationMeter.assertPooled("Read of a block", pooled, MOST_BYTES, unpooled);
    assertEquals("all buffers went back", pool.getUsedBufferCount(), pool.getFreeBufferCount());
  }
}
