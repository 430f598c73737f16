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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBufferListOutputStream;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A row that is in a block says what the same row says whose cells are objects. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestRowResult {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRowResult.class);

  private static final int CELLS = 23;
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] F = Bytes.toBytes("f");

  private final ByteBuffer block = ByteBuffer.allocateDirect(4096);
  private final int[] offsets = new int[CELLS];
  private Result expected;

  @Before
  public void writeBlock() {
    Cell[] cells = new Cell[CELLS];
    for (int i = 0; i < CELLS; i++) {
      KeyValue cell = new KeyValue(ROW, F, qualifier(i), 1000 - i, new byte[i]);
      cells[i] = cell;
      offsets[i] = block.position();
      block.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
      block.put((byte) 3); // A sequence ID, or whatever is between cells.
    }
    expected = Result.create(cells);
  }

  private static byte[] qualifier(int number) {
    return Bytes.toBytes(String.format("q%03d", number));
  }

  /** Returns the row as the row path has it: read by a single cell, one after another. */
  private RowResult read() {
    RowCells cells = new RowCells();
    BlockCell cell = new BlockCell();
    for (int offset : offsets) {
      cells.add(cell.set(block, offset));
    }
    assertEquals(CELLS, cells.size());
    Result result = cells.takeResult(false);
    assertEquals(0, cells.size());
    return (RowResult) result;
  }

  private static byte[] encode(Codec codec, Result result) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec.Encoder encoder = codec.getEncoder(out);
    for (CellScanner cells = result.cellScanner(); cells.advance();) {
      encoder.write(cells.current());
    }
    encoder.flush();
    return out.toByteArray();
  }

  @Test
  public void responsesHaveTheSameBytes() throws Exception {
    RowResult row = read();
    for (Codec codec : new Codec[] { new KeyValueCodec(), new KeyValueCodecWithTags() }) {
      assertArrayEquals(encode(codec, expected), encode(codec, row));
    }
    long bytes = 0;
    for (Cell cell : expected.rawCells()) {
      bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    }
    assertEquals(bytes, RowResult.cellBytes(row));
    assertTrue(RowResult.cellBytes(expected) < 0);
    assertTrue(RowResult.cellBytes(null) < 0);
  }

  @Test
  public void bytesAreWrittenAsCellsAre() throws Exception {
    byte[] one = encode(new KeyValueCodec(), expected);
    RowResult row = read();
    assertArrayEquals(one, writeAtOnce(row));
    assertArrayEquals(one, writeAtOnce(row));
    assertArrayEquals(one, encode(new KeyValueCodec(), row));
    assertEquals(CELLS, row.rawCells().length);
    assertFalse(row.writeTo(new ByteBufferListOutputStream(ByteBuffAllocator.HEAP)));
  }

  @Test
  public void keysAreWithoutValues() throws Exception {
    KeyOnlyFilter filter = new KeyOnlyFilter();
    Cell[] keys = new Cell[CELLS];
    for (int i = 0; i < CELLS; i++) {
      keys[i] = filter.transformCell(expected.rawCells()[i]);
    }
    Result usual = Result.create(keys);
    for (Codec codec : new Codec[] { new KeyValueCodec(), new KeyValueCodecWithTags() }) {
      assertArrayEquals(encode(codec, usual),
        encode(codec, new RowResult(block, offsets.clone(), CELLS, true)));
    }
    RowResult row = new RowResult(block, offsets.clone(), CELLS, true);
    assertArrayEquals(encode(new KeyValueCodec(), usual), writeAtOnce(row));
    long bytes = 0;
    for (Cell cell : keys) {
      bytes += PrivateCellUtil.estimatedSerializedSizeOf(cell);
    }
    assertEquals(bytes, RowResult.cellBytes(row));
    assertEquals(CELLS, row.size());
    // Without asking for a scanner of cells, as Result allows it.
    assertTrue(row.advance());
    assertEquals(0, row.current().getValueLength());
    assertEquals(CELLS, row.rawCells().length);
    for (Cell cell : row.rawCells()) {
      assertEquals(0, cell.getValueLength());
    }
    assertTrue(row.advance());
    assertTrue(CellUtil.matchingQualifier(keys[1], row.current()));
  }

  private static byte[] writeAtOnce(RowResult row) throws IOException {
    ByteBufferListOutputStream out = new ByteBufferListOutputStream(ByteBuffAllocator.HEAP);
    assertTrue(row.writeTo(out));
    byte[] all = new byte[0];
    for (ByteBuffer part : out.getByteBuffers()) {
      all = Bytes.add(all, Bytes.getBytes(part));
    }
    return all;
  }

  @Test
  public void everyMethodTellsTheSame() throws Exception {
    assertEquals(CELLS, read().size());
    assertFalse(read().isEmpty());
    assertArrayEquals(ROW, read().getRow());
    assertEquals(expected.toString(), read().toString());
    assertEquals(expected.getMap().get(F).size(), read().getMap().get(F).size());
    assertArrayEquals(qualifier(7),
      new ArrayList<>(read().getNoVersionMap().get(F).keySet()).get(7));
    assertEquals(CELLS, read().getFamilyMap(F).size());
    assertArrayEquals(new byte[9], read().getValue(F, qualifier(9)));
    assertArrayEquals(new byte[0], read().value());
    assertEquals(1, read().getColumnCells(F, qualifier(3)).size());
    assertEquals(CELLS, read().listCells().size());
    assertTrue(read().containsColumn(F, qualifier(22)));
    assertNull(read().getExists());
    assertFalse(read().isStale());
    assertFalse(read().mayHaveMoreCellsInRow());
    Result.compareResults(expected, read());
    Result other = read();
    other.copyFrom(Result.create(new Cell[0]));
    assertTrue(other.isEmpty());
    assertEquals(0, other.size());
    assertFalse(other.cellScanner().advance());
  }

  @Test
  public void cellsThatWereAskedForStayAsTheyAre() throws Exception {
    RowResult row = read();
    Cell[] cells = row.rawCells();
    assertSame(cells, row.rawCells());
    assertEquals(CELLS, row.size());
    for (int i = 0; i < CELLS; i++) {
      assertTrue(CellUtil.equals(expected.rawCells()[i], cells[i]));
      assertTrue(CellUtil.matchingValue(expected.rawCells()[i], cells[i]));
    }
    assertTrue("now only they can tell", RowResult.cellBytes(row) < 0);
    assertArrayEquals(encode(new KeyValueCodec(), expected), encode(new KeyValueCodec(), row));
  }

  @Test
  public void theScannerGoesOnWhereItWas() throws Exception {
    RowResult row = read();
    assertNull(row.current());
    assertTrue(row.advance());
    assertTrue(row.advance());
    Cell second = row.current();
    assertArrayEquals(qualifier(1), CellUtil.cloneQualifier(second));
    row.rawCells();
    assertArrayEquals(qualifier(1), CellUtil.cloneQualifier(row.current()));
    assertTrue(row.advance());
    assertArrayEquals(qualifier(2), CellUtil.cloneQualifier(row.current()));
    RowResult toItsEnd = read();
    for (int i = 0; i < CELLS; i++) {
      assertTrue(toItsEnd.advance());
    }
    assertFalse(toItsEnd.advance());
    assertNull(toItsEnd.current());
    assertThrows(NoSuchElementException.class, toItsEnd::advance);
    assertTrue("from the beginning", toItsEnd.cellScanner().advance());
    assertArrayEquals(qualifier(0), CellUtil.cloneQualifier(toItsEnd.current()));
  }

  @Test
  public void cellsOfSeveralBlocksAreObjects() throws Exception {
    ByteBuffer other = ByteBuffer.allocateDirect(block.capacity());
    other.put((ByteBuffer) block.duplicate().rewind());
    RowCells cells = new RowCells();
    BlockCell cell = new BlockCell();
    List<Cell> added = new ArrayList<>();
    for (int i = 0; i < CELLS; i++) {
      Cell next = i == 20 ? expected.rawCells()[i] : cell.set(i < 5 ? block : other, offsets[i]);
      added.add(next);
      cells.add(next);
    }
    Result result = cells.takeResult(false);
    assertNotSame(RowResult.class, result.getClass());
    assertArrayEquals(encode(new KeyValueCodec(), expected), encode(new KeyValueCodec(), result));
    assertSame(expected.rawCells()[20], result.rawCells()[20]);
  }

  @Test
  public void rowsAreDroppedAndReadAgain() throws Exception {
    RowCells cells = new RowCells();
    BlockCell cell = new BlockCell();
    for (int i = 0; i < 12; i++) {
      cells.add(cell.set(block, offsets[i + 3]));
    }
    cells.clear();
    assertEquals(0, cells.size());
    cells.add(expected.rawCells()[0]);
    cells.add(cell.set(block, offsets[5]));
    cells.asList().remove(1);
    for (int i = 1; i < CELLS; i++) {
      cells.add(cell.set(block, offsets[i]));
    }
    assertArrayEquals(encode(new KeyValueCodec(), expected),
      encode(new KeyValueCodec(), cells.takeResult(false)));
    cells.clear();
    cells.add(cell.set(block, offsets[0]));
    Result stale = cells.takeResult(true);
    assertTrue(stale.isStale());
    assertEquals(1, stale.size());
    cells.clear();
    assertTrue(cells.takeResult(false).isEmpty());
  }

  @Test
  public void aCellThatIsKeptIsNotSetToTheNext() {
    BlockCell cell = new BlockCell();
    Cell first = cell.set(block, offsets[1]).keep();
    BlockCell copy = new BlockCell();
    copy.set(cell);
    cell.set(block, offsets[2]);
    assertTrue(CellUtil.equals(expected.rawCells()[1], first));
    assertTrue(CellUtil.equals(expected.rawCells()[1], copy));
    assertTrue(CellUtil.equals(expected.rawCells()[2], cell));
    assertArrayEquals(new byte[2], CellUtil.cloneValue(cell));
    assertEquals(0, cell.getTagsLength());
    KeyValue original = (KeyValue) expected.rawCells()[2];
    ByteBuffer out = ByteBuffer.allocate(original.getLength() + 4);
    cell.write(out, 4);
    assertEquals(Bytes.toStringBinary(original.getBuffer(), original.getOffset(),
      original.getLength()), Bytes.toStringBinary(out.array(), 4, original.getLength()));
    assertTrue(CellUtil.equals(original, cell.deepClone()));
  }
}
