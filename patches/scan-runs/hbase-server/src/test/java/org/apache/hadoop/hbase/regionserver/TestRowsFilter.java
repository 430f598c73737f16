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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What is known about filters. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestRowsFilter {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRowsFilter.class);

  private static final byte[] ROW = Bytes.toBytes("row");
  private static final Filter ROWS =
    new RowFilter(CompareOperator.LESS, new BinaryComparator(ROW));
  private static final Filter VALUES =
    new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(ROW));

  /** Of somebody else. */
  public static final class OwnComparator extends ByteArrayComparable {
    OwnComparator() {
      super(ROW);
    }

    @Override
    public byte[] toByteArray() {
      return ROW;
    }

    @Override
    public int compareTo(byte[] value, int offset, int length) {
      return 0;
    }
  }

  private static void assertTakesAllRows(boolean firstCells, boolean keys, Filter filter)
    throws IOException {
    RowsFilter rows = RowsFilter.of(filter);
    assertTrue(rows.takesAllRows());
    assertEquals(firstCells, rows.givesFirstCells());
    assertEquals(keys, rows.givesKeys());
    assertFalse(rows.mayExcludeRows());
  }

  @Test
  public void ofCounts() throws Exception {
    assertTakesAllRows(true, false, new FirstKeyOnlyFilter());
    assertTakesAllRows(false, true, new KeyOnlyFilter());
    assertTakesAllRows(true, true, new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    assertTakesAllRows(true, true,
      new FilterList(new FilterList(new KeyOnlyFilter()), new FirstKeyOnlyFilter()));
    assertTakesAllRows(false, false, new FilterList());
    for (Filter filter : new Filter[] { new KeyOnlyFilter(true), VALUES, ROWS,
      new FilterList(new KeyOnlyFilter(), new KeyOnlyFilter()),
      new FilterList(new FirstKeyOnlyFilter(), VALUES) }) {
      assertFalse(filter.toString(), RowsFilter.of(filter).takesAllRows());
    }
  }

  @Test
  public void ofRowKeys() throws Exception {
    assertTrue(RowsFilter.of(ROWS).mayExcludeRows());
    assertTrue(RowsFilter.of(new FilterList(new FirstKeyOnlyFilter(), ROWS)).mayExcludeRows());
    assertTrue(RowsFilter.of(new FilterList(ROWS, VALUES)).mayExcludeRows());
    // Each cell of a row that is excluded may be looked at.
    assertFalse(RowsFilter.of(new FilterList(VALUES, ROWS)).mayExcludeRows());
    assertFalse(RowsFilter.of(VALUES).mayExcludeRows());
  }

  @Test
  public void othersAreUnknown() throws Exception {
    assertNull(RowsFilter.of(null));
    for (Filter filter : new Filter[] { new PageFilter(3), new ColumnPrefixFilter(ROW),
      new RowFilter(CompareOperator.NO_OP, null),
      new RowFilter(CompareOperator.EQUAL, new OwnComparator()),
      new FilterList(FilterList.Operator.MUST_PASS_ONE, ROWS, ROWS),
      new FilterList(ROWS, new PageFilter(3)),
      new FilterList(new FilterList(FilterList.Operator.MUST_PASS_ONE, ROWS)),
      new FirstKeyOnlyFilter() {
      } }) {
      assertNull(filter.getClass().getName(), RowsFilter.of(filter));
    }
    assertNotNull(RowsFilter.of(
      new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(ROW))));
  }

  @Test
  public void aRowThatIsNotExcludedMayBeAskedAboutAgain() throws Exception {
    Filter first = new FirstKeyOnlyFilter();
    RowsFilter rows = RowsFilter.of(new FilterList(first, ROWS));
    KeyValue before = new KeyValue(Bytes.toBytes("a"), ROW, ROW, ROW);
    KeyValue after = new KeyValue(Bytes.toBytes("z"), ROW, ROW, ROW);
    assertTrue(rows.excludes(after));
    assertFalse(rows.excludes(before));
    assertEquals(Filter.ReturnCode.INCLUDE, first.filterCell(before));
    // The filter is in the middle of the row, and stays there.
    assertFalse(rows.excludes(before));
    assertEquals(Filter.ReturnCode.NEXT_ROW, first.filterCell(before));
    assertTrue(rows.excludes(after));
    assertEquals(Filter.ReturnCode.INCLUDE, first.filterCell(before));
  }

  @Test
  public void aKeyCountsForAsMuchHeapAsItsObject() throws Exception {
    for (int length = 0; length < 20; length++) {
      KeyValue value = new KeyValue(Arrays.copyOf(ROW, 1 + length), ROW, ROW, new byte[length]);
      ByteBufferKeyValue cell = new ByteBufferKeyValue(
        ByteBuffer.allocateDirect(value.getLength()), 0, value.getLength());
      Cell key = new KeyOnlyFilter().transformCell(cell);
      assertEquals(key.heapSize(), RowsFilter.heapSizeOfKey(cell.heapSize()));
    }
  }
}
