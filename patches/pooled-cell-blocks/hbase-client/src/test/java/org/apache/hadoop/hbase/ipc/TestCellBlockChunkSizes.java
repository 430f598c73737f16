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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.BufferOverflowException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.UnpooledByteBufAllocator;

/** Chunks fit the cells that are left, and the buffers that the pool has. */
@Category({ ClientTests.class, SmallTests.class })
public class TestCellBlockChunkSizes {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCellBlockChunkSizes.class);

  private static final int FIRST = 16 * 1024;
  private static final int MAX = CellBlockChunkSizes.MAX_CHUNK;

  private final List<Cell> cells = TestCells.onHeap(100, 10, 1);

  private static CellBlockChunkSizes sizes(CellScanner scanner) {
    return new CellBlockChunkSizes(FIRST, scanner, false, UnpooledByteBufAllocator.DEFAULT);
  }

  @Test
  public void chunksDoubleWhenNothingIsKnown() {
    CellBlockChunkSizes sizes = sizes(CellUtil.createCellScanner(cells));
    int encoded = 0;
    for (int expected : new int[] { FIRST, FIRST, 2 * FIRST, 4 * FIRST, 8 * FIRST }) {
      assertEquals(expected, sizes.next(encoded));
      encoded += expected;
    }
    assertEquals(MAX, sizes.next(10 * MAX));
  }

  @Test
  public void batchIsForeseenFromItsFirstPuts() throws IOException {
    CellScanner batch = TestCells.ofBatch(cells);
    CellBlockChunkSizes sizes = sizes(batch);
    assertEquals(FIRST, sizes.next(0));
    for (int i = 0; i < 10; i++) {
      assertTrue(batch.advance());
    }
    assertEquals(FIRST * 181L / 19, sizes.next(FIRST));
  }

  @Test
  public void chunksGrowThoughLittleSeemsLeft() throws IOException {
    CellScanner batch = TestCells.ofBatch(cells);
    CellBlockChunkSizes sizes = sizes(batch);
    while (batch.advance()) {
      // To the end.
    }
    assertEquals(FIRST, sizes.next(FIRST));
    assertEquals(10 * FIRST, sizes.next(80 * FIRST));
  }

  @Test
  public void sizeThatIsKnownIsOneChunk() {
    assertEquals(1234, sizes(TestCells.ofSize(cells, 1234)).next(0));
    assertEquals(10 * FIRST, sizes(TestCells.ofSize(cells, 10 * FIRST)).next(0));
    assertEquals(MAX, sizes(TestCells.ofSize(cells, Long.MAX_VALUE)).next(0));
  }

  @Test
  public void sizeThatIsWrongIsOutgrown() {
    CellBlockChunkSizes sizes = sizes(TestCells.ofSize(cells, 1234));
    assertEquals(FIRST, sizes.next(1234));
    assertEquals(FIRST, sizes(TestCells.ofSize(cells, -1)).next(0));
  }

  @Test
  public void sizeBeforeCompressionSaysNothing() {
    CellBlockChunkSizes sizes = new CellBlockChunkSizes(FIRST, TestCells.ofSize(cells, MAX), true,
      UnpooledByteBufAllocator.DEFAULT);
    assertEquals(FIRST, sizes.next(0));
  }

  @Test
  public void noChunkIsBiggerThanThePools() {
    ByteBufAllocator pool = new PooledByteBufAllocator(true, 1, 1, 8192, 2, 0, 0, false);
    CellBlockChunkSizes sizes =
      new CellBlockChunkSizes(MAX, CellUtil.createCellScanner(cells), false, pool);
    assertEquals(8192 << 2, sizes.next(0));
    assertEquals(8192 << 2, sizes.next(MAX));
  }

  @Test
  public void blockEndsWhereItsLengthDoes() {
    CellBlockChunkSizes sizes = sizes(CellUtil.createCellScanner(cells));
    assertEquals(7, sizes.next(Integer.MAX_VALUE - 7));
    assertThrows(BufferOverflowException.class, () -> sizes.next(Integer.MAX_VALUE));
  }

  @Test
  public void configuredSizeIsAtLeastAByte() {
    CellBlockChunkSizes sizes = new CellBlockChunkSizes(0, CellUtil.createCellScanner(cells),
      false, UnpooledByteBufAllocator.DEFAULT);
    assertEquals(1, sizes.next(0));
    assertEquals(1, sizes.next(1));
  }
}
