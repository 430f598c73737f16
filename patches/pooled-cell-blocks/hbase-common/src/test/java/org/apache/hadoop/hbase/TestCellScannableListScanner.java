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
package org.apache.hadoop.hbase;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.io.ByteBufferOutputStream;
import org.apache.hadoop.hbase.io.ByteBufferWriter;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** The cells of all elements come in order, and the estimate of what is left is right. */
@Category({ MiscTests.class, SmallTests.class })
public class TestCellScannableListScanner {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCellScannableListScanner.class);

  private final Cell first = cell("first");
  private final Cell second = cell("second");
  private final Cell third = cell("third");

  private static Cell cell(String row) {
    return new KeyValue(Bytes.toBytes(row), 1L);
  }

  private static CellScannable element(Cell... cells) {
    return () -> CellUtil.createCellScanner(cells);
  }

  private static CellScannableListScanner scanner(CellScannable... elements) {
    List<CellScannable> list = Arrays.asList(elements);
    return (CellScannableListScanner) CellUtil.createCellScanner(list);
  }

  @Test
  public void cellsComeInOrderOverEmptyElements() throws IOException {
    CellScanner scanner =
      scanner(element(), element(first, second), element(), element(), element(third), element());
    assertNull(scanner.current());
    for (Cell cell : Arrays.asList(first, second, third)) {
      assertTrue(scanner.advance());
      assertSame(cell, scanner.current());
      assertSame(cell, scanner.current());
    }
    assertFalse(scanner.advance());
    assertNull(scanner.current());
    assertFalse(scanner.advance());
  }

  @Test
  public void nothingHasNoCells() throws IOException {
    List<CellScannable> none = Collections.emptyList();
    CellScanner scanner = CellUtil.createCellScanner(none);
    assertFalse(scanner.advance());
    assertNull(scanner.current());
  }

  @Test
  public void whatIsLeftIsLikeWhatWas() throws IOException {
    CellScannableListScanner scanner =
      scanner(element(first), element(second), element(third), element(third));
    assertEquals(0, scanner.estimateRest(0));
    scanner.advance();
    // Half an element is done, three and a half are left.
    assertEquals(700, scanner.estimateRest(100));
    scanner.advance();
    assertEquals(500, scanner.estimateRest(300));
    scanner.advance();
    scanner.advance();
    assertEquals(100, scanner.estimateRest(700));
    // No overflow at the size of the biggest block.
    assertEquals(Integer.MAX_VALUE / 7, scanner.estimateRest(Integer.MAX_VALUE));
  }

  /** Has its bytes at hand, as often as it is told to. */
  private static final class Serialized implements CellScannable, SerializedCells {
    private final boolean atHand;
    private final Cell[] cells;

    Serialized(boolean atHand, Cell... cells) {
      this.atHand = atHand;
      this.cells = cells;
    }

    @Override
    public CellScanner cellScanner() {
      return CellUtil.createCellScanner(cells);
    }

    @Override
    public boolean writeTo(ByteBufferWriter out) throws IOException {
      if (atHand) {
        encode(cellScanner(), new KeyValueCodec().getEncoder((OutputStream) out));
      }
      return atHand;
    }
  }

  private static void encode(CellScanner cells, Codec.Encoder encoder) throws IOException {
    while (cells.advance()) {
      encoder.write(cells.current());
    }
  }

  @Test
  public void whatIsLeftIsWrittenInOrder() throws IOException {
    CellScannable[] elements = { element(first), new Serialized(true, second, third), element(),
      new Serialized(false, first, second), new Serialized(true, third),
      new Serialized(false), element(second, third), new Serialized(true, first) };
    ByteBufferOutputStream oneByOne = new ByteBufferOutputStream(64);
    encode(scanner(elements), new KeyValueCodec().getEncoder(oneByOne));
    ByteBuffer expected = oneByOne.getByteBuffer();
    for (int begun = 0; begun <= 9; begun++) {
      CellScannableListScanner scanner = scanner(elements);
      ByteBufferOutputStream out = new ByteBufferOutputStream(64);
      Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
      for (int i = 0; i < begun; i++) {
        assertTrue(scanner.advance());
        encoder.write(scanner.current());
      }
      scanner.writeRest(encoder, out);
      assertEquals(begun + " cells, one by one", expected, out.getByteBuffer());
      assertFalse(scanner.advance());
      assertNull(scanner.current());
      assertEquals(100 / (2 * elements.length - 1), scanner.estimateRest(100));
    }
  }

  @Test
  public void asMuchIsLeftOfTheOnlyElementAsThereWas() throws IOException {
    CellScannableListScanner scanner = scanner(element(first, second, third));
    scanner.advance();
    scanner.advance();
    assertEquals(12345, scanner.estimateRest(12345));
  }
}
