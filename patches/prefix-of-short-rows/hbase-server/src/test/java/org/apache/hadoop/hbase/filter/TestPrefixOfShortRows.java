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
package org.apache.hadoop.hbase.filter;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.testclassification.FilterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * PrefixFilter with rows that are shorter than the prefix, and its hints. On 2.6.4 an empty row was
 * compared with what is behind it: the length of the family and the family.
 */
@Category({ FilterTests.class, SmallTests.class })
public class TestPrefixOfShortRows {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPrefixOfShortRows.class);

  private static final byte[] FAMILY = Bytes.toBytes("fam");

  /** A row with a family of 3 bytes has these behind it. */
  private static final byte[] LOOKS_LIKE_ROW_AND_FAMILY = Bytes.toBytes("r\u0003fam");

  private static Cell cell(String row) {
    return new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, FAMILY);
  }

  private static Cell inDirectMemory(String row) {
    KeyValue cell = new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, FAMILY);
    ByteBuffer buffer = ByteBuffer.allocateDirect(cell.getLength());
    buffer.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    return new ByteBufferKeyValue(buffer, 0, cell.getLength());
  }

  private static PrefixFilter filter(byte[] prefix, boolean reversed) {
    PrefixFilter filter = new PrefixFilter(prefix);
    filter.setReversed(reversed);
    return filter;
  }

  @Test
  public void theBytesBehindAShortRowAreNotTheRows() throws Exception {
    for (Cell cell : new Cell[] { cell("r"), inDirectMemory("r") }) {
      PrefixFilter filter = filter(LOOKS_LIKE_ROW_AND_FAMILY, false);
      assertFalse(filter.filterRowKey(cell));
      assertEquals(ReturnCode.SEEK_NEXT_USING_HINT, filter.filterCell(cell));
      assertArrayEquals(LOOKS_LIKE_ROW_AND_FAMILY, CellUtil.cloneRow(filter.getNextCellHint(cell)));
      assertTrue(filter.filterRow());
    }
  }

  @Test
  public void aPrefixThatIsLongerThanTheCellIsComparedWithTheRow() throws Exception {
    byte[] prefix = Bytes.toBytes("r12345678901234567890123456789012345678901234567890");
    for (Cell cell : new Cell[] { cell("r"), inDirectMemory("r") }) {
      assertFalse(filter(prefix, false).filterRowKey(cell));
    }
  }

  @Test
  public void aShortRowBehindThePrefixEndsTheScan() throws Exception {
    PrefixFilter filter = filter(Bytes.toBytes("prefix"), false);
    assertTrue(filter.filterRowKey(cell("r")));
    assertTrue(filter.filterAllRemaining());
  }

  @Test
  public void aShortRowBeforeThePrefixEndsAReversedScan() throws Exception {
    PrefixFilter filter = filter(Bytes.toBytes("prefix"), true);
    assertFalse(filter.filterRowKey(cell("r")));
    assertEquals(ReturnCode.SEEK_NEXT_USING_HINT, filter.filterCell(cell("r")));
    filter.reset();
    assertTrue(filter.filterRowKey(cell("pre")));
    assertTrue(filter.filterAllRemaining());
  }

  @Test
  public void theHintOfAReversedScanIsBehindAllRowsWithThePrefix() throws Exception {
    assertHint(new byte[] { 'a', 'c' }, 'a', 'b');
    assertHint(new byte[] { 'a', (byte) 0x80 }, 'a', 0x7f);
    assertHint(new byte[] { (byte) 0x80 }, 0x7f);
    assertHint(new byte[] { 'b' }, 'a', 0xff);
    assertHint(new byte[] { 'b' }, 'a', 0xff, 0xff);
    assertHint(new byte[] { (byte) 0xff }, 0xfe, 0xff);
  }

  private static void assertHint(byte[] hint, int... prefix) {
    byte[] bytes = new byte[prefix.length];
    for (int i = 0; i < prefix.length; i++) {
      bytes[i] = (byte) prefix[i];
    }
    Cell cell = cell("\u007f\u007f");
    assertArrayEquals(hint, CellUtil.cloneRow(filter(bytes, true).getNextCellHint(cell)));
  }
}
