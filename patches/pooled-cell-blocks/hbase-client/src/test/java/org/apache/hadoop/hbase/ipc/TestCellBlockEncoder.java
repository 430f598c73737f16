/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.codec.CellCodec;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.PoolArenaMetric;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.UnpooledByteBufAllocator;

/** Blocks in chunks hold what blocks in one array hold, and stay in the pool. */
@Category({ ClientTests.class, SmallTests.class })
public class TestCellBlockEncoder {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCellBlockEncoder.class);

  private static final List<Codec> CODECS =
    Arrays.asList(new KeyValueCodec(), new KeyValueCodecWithTags(), new CellCodec());

  private final Configuration conf = HBaseConfiguration.create();
  private final PooledByteBufAllocator pool = new PooledByteBufAllocator(true);
  private final CellBlockBuilder builder = new CellBlockBuilder(conf);

  @After
  public void checkPool() {
    assertEquals(0, pool.pinnedDirectMemory());
    assertEquals(0, pool.pinnedHeapMemory());
  }

  private <T extends DefaultCodec> T configured(T compressor) {
    compressor.setConf(conf);
    return compressor;
  }

  private byte[] inArray(Codec codec, CompressionCodec compressor, List<Cell> cells)
    throws IOException {
    ByteBuffer block =
      builder.buildCellBlock(codec, compressor, CellUtil.createCellScanner(cells));
    byte[] bytes = new byte[block == null ? 0 : block.remaining()];
    if (block != null) {
      block.get(bytes);
    }
    return bytes;
  }

  /** Reads the block as the blocking client does. */
  private static byte[] takeBytes(ByteBuf block) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    block.readBytes(bytes, block.readableBytes());
    block.release();
    return bytes.toByteArray();
  }

  private void check(Codec codec, CompressionCodec compressor, List<Cell> cells)
    throws IOException {
    byte[] expected = inArray(codec, compressor, cells);
    for (ByteBufAllocator allocator : Arrays.asList(pool, UnpooledByteBufAllocator.DEFAULT)) {
      for (List<Cell> same : Arrays.asList(cells, TestCells.offHeap(cells))) {
        for (CellScanner scanner : Arrays.asList(CellUtil.createCellScanner(same),
          TestCells.ofBatch(same), TestCells.ofSize(same, expected.length),
          TestCells.ofSize(same, 1 + expected.length / 2))) {
          assertArrayEquals(expected,
            takeBytes(builder.buildCellBlock(codec, compressor, scanner, allocator)));
        }
      }
    }
  }

  @Test
  public void blocksAreTheSameInAnySize() throws IOException {
    for (Codec codec : CODECS) {
      for (int count : new int[] { 0, 1, 100, 1000, 3000 }) {
        check(codec, null, TestCells.onHeap(count, 100, count));
      }
    }
  }

  @Test
  public void numbersMaySpanChunks() throws IOException {
    // Values of all lengths move the lengths before the cells over the end of the first chunk.
    for (int valueBytes = 0; valueBytes < 60; valueBytes++) {
      check(CODECS.get(0), null, TestCells.onHeap(16 * 1024 / 40, valueBytes, 1));
    }
  }

  @Test
  public void cellMayBeBiggerThanChunks() throws IOException {
    check(CODECS.get(0), null, TestCells.onHeap(2, 3 * CellBlockChunkSizes.MAX_CHUNK, 1));
  }

  @Test
  public void compressedBlocksAreTheSame() throws IOException {
    for (CompressionCodec compressor : Arrays.asList(configured(new DefaultCodec()),
      configured(new GzipCodec()))) {
      for (int count : new int[] { 0, 1, 1000 }) {
        check(CODECS.get(0), compressor, TestCells.onHeap(count, 100, count));
      }
    }
  }

  @Test
  public void bigBlockTakesNothingButThePoolsChunks() throws IOException {
    List<Cell> cells = TestCells.onHeap(20 * 1024, 1000, 1);
    ByteBuf block =
      builder.buildCellBlock(CODECS.get(0), null, TestCells.ofBatch(cells), pool);
    assertTrue(block.readableBytes() > 4 * pool.metric().chunkSize());
    assertTrue("no more than what is left of the last chunk is spare",
      pool.pinnedDirectMemory() < block.readableBytes() + 2L * CellBlockChunkSizes.MAX_CHUNK);
    // A transport would copy any other buffer.
    assertTrue(block.isDirect());
    block.release();
    for (PoolArenaMetric arena : pool.metric().directArenas()) {
      assertEquals("allocations beside the pool", 0, arena.numHugeAllocations());
    }
  }

  @Test
  public void cellsOfKnownSizeTakeOneBuffer() throws IOException {
    List<Cell> cells = TestCells.onHeap(500, 1000, 1);
    int bytes = inArray(CODECS.get(0), null, cells).length;
    ByteBuf block =
      builder.buildCellBlock(CODECS.get(0), null, TestCells.ofSize(cells, bytes), pool);
    assertEquals(bytes, block.capacity());
    assertEquals(1, block.nioBufferCount());
    assertTrue(block.release());
  }

  @Test
  public void noCellsAreAnEmptyBlock() throws IOException {
    ByteBuf block = builder.buildCellBlock(CODECS.get(0), null,
      CellUtil.createCellScanner(TestCells.onHeap(0, 0, 1)), pool);
    assertFalse(block.isReadable());
    assertEquals(0, block.writerIndex());
    block.release();
  }

  @Test
  public void noScannerIsNoBlock() throws IOException {
    assertNull(builder.buildCellBlock(CODECS.get(0), null, null, pool));
  }

  @Test
  public void cellsWithoutCodecAreRefused() {
    CellScanner scanner = CellUtil.createCellScanner(TestCells.onHeap(1, 1, 1));
    assertThrows(CellScannerButNoCodecException.class,
      () -> builder.buildCellBlock(null, null, scanner, pool));
  }
}
