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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.SerializedCells;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBufferListOutputStream;
import org.apache.hadoop.hbase.io.ByteBufferWriterOutputStream;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.WritableUtils;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/** Results of a block that are kept together are what a list of them is. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestScanResults {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScanResults.class);

  private static final byte[] F = Bytes.toBytes("f");

  private final List<Result> expected = new ArrayList<>();
  private final ScanResults results = new ScanResults();
  private int rows;

  private static KeyValue cell(int row, int column) {
    return new KeyValue(Bytes.toBytes("row" + row), F, Bytes.toBytes("q" + column), 7,
      new byte[row % 100]);
  }

  private void addResult() {
    Result result = Result.create(new Cell[] { cell(rows++, 0) }, null, false, true);
    expected.add(result);
    results.add(result);
  }

  /** Adds rows of one to three cells. */
  private ResultsOfBlock addBlock(int count, boolean tags, boolean sequenceIds, boolean keysOnly)
    throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    int[] begins = new int[count];
    int[] counts = new int[count];
    for (int i = 0; i < count; i++, rows++) {
      begins[i] = out.size();
      counts[i] = 1 + rows % 3;
      Cell[] cells = new Cell[counts[i]];
      for (int j = 0; j < cells.length; j++) {
        KeyValue cell = cell(rows, j);
        cells[j] = keysOnly ? new KeyOnlyFilter().transformCell(cell) : cell;
        out.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
        if (tags) {
          out.writeShort(0);
        }
        if (sequenceIds) {
          // Of one byte, and of several.
          WritableUtils.writeVLong(out, rows * (long) Math.pow(10, j * 5));
        }
      }
      expected.add(Result.create(cells));
    }
    ByteBuffer block = ByteBuffer.allocateDirect(bytes.size());
    block.put(bytes.toByteArray());
    ResultsOfBlock rowsOfBlock =
      new ResultsOfBlock(block, tags, sequenceIds, begins, counts, keysOnly);
    ScanResults.add(rowsOfBlock, results);
    return rowsOfBlock;
  }

  private static byte[] encode(CellScanner cells) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
    while (cells.advance()) {
      encoder.write(cells.current());
    }
    return out.toByteArray();
  }

  private static byte[] write(SerializedCells cells) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ByteBufferWriterOutputStream out = new ByteBufferWriterOutputStream(bytes);
    assertTrue(cells.writeTo(out));
    out.flush();
    return bytes.toByteArray();
  }

  /** Writes to direct buffers, of which each has room for a few cells. */
  private static byte[] writeToBuffers(SerializedCells cells) throws IOException {
    Configuration conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 300);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 1000);
    ByteBuffAllocator allocator = ByteBuffAllocator.create(conf, true);
    ByteBufferListOutputStream out = new ByteBufferListOutputStream(allocator);
    assertTrue(cells.writeTo(out));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ByteBuffer buffer : out.getByteBuffers()) {
      assertTrue(buffer.isDirect());
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      bytes.write(copy);
    }
    out.releaseResources();
    allocator.clean();
    return bytes.toByteArray();
  }

  private static CellScanner cellsOf(List<? extends CellScannable> scannables) {
    return CellUtil.createCellScanner(scannables);
  }

  private void check() throws IOException {
    assertEquals(expected.size(), results.size());
    assertArrayEquals(encode(cellsOf(expected)), encode(cellsOf(results)));
    ScanResponse.Builder response = ScanResponse.newBuilder();
    results.addTo(response);
    assertArrayEquals(encode(cellsOf(expected)), encode(cellsOf(results.getParts())));
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.get(i).size(), results.get(i).size());
      assertArrayEquals(expected.get(i).getRow(), results.get(i).getRow());
      assertEquals(expected.get(i).size(), response.getCellsPerResult(i));
      assertEquals(expected.get(i).mayHaveMoreCellsInRow(), response.getPartialFlagPerResult(i));
    }
    assertEquals(expected.size(), response.getCellsPerResultCount());
  }

  @Test
  public void resultsOfBlocksAreAmongOthers() throws Exception {
    check();
    addBlock(3, false, false, false);
    check();
    for (int i = 0; i < 40; i++) {
      addResult();
      addBlock(1 + i % 5, i % 2 == 0, i % 3 == 0, i % 7 == 0);
    }
    check();
    assertThrows(IndexOutOfBoundsException.class, () -> results.get(-1));
    assertThrows(IndexOutOfBoundsException.class, () -> results.get(expected.size()));
  }

  @Test
  public void cellsAreWrittenFromTheBlock() throws Exception {
    for (int i = 0; i < 8; i++) {
      expected.clear();
      ResultsOfBlock rowsOfBlock = addBlock(100, (i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
      byte[] bytes = encode(cellsOf(expected));
      assertArrayEquals(bytes, write(rowsOfBlock));
      assertArrayEquals(bytes, writeToBuffers(rowsOfBlock));
      assertArrayEquals(bytes, encode(rowsOfBlock.cellScanner()));
    }
  }

  @Test
  public void theListCanBeChanged() throws Exception {
    addBlock(5, true, true, false);
    addResult();
    addBlock(5, false, true, false);
    Result other = Result.create(new Cell[] { cell(99, 0) });
    assertSame(expected.get(5), results.set(5, other));
    expected.set(5, other);
    check();
    results.add(3, other);
    expected.add(3, other);
    assertSame(other, results.get(3));
    check();
    assertArrayEquals(expected.remove(0).getRow(), results.remove(0).getRow());
    addBlock(2, false, false, true);
    check();
    results.subList(2, 7).clear();
    expected.subList(2, 7).clear();
    check();
    results.clear();
    assertTrue(results.isEmpty());
  }
}
