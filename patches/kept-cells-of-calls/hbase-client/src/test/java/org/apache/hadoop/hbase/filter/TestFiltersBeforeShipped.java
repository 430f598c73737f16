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

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.apache.hadoop.hbase.testclassification.FilterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What filters keep of a row's cells isn't in memory that was released after a call. */
@Category({ FilterTests.class, SmallTests.class })
public class TestFiltersBeforeShipped {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFiltersBeforeShipped.class);

  private static final byte[] ROW = Bytes.toBytes("r");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private static KeyValue cellOf(String qualifier, long timestamp) {
    return new KeyValue(ROW, FAMILY, Bytes.toBytes(qualifier), timestamp,
      Bytes.toBytes("v" + timestamp));
  }

  /** Filters the cell in a block that is overwritten after the call. */
  private static ReturnCode filterInACall(Filter filter, KeyValue cell) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(cell.getLength());
    block.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    ReturnCode code = filter.filterCell(new ByteBufferKeyValue(block, 0, cell.getLength()));
    filter.beforeShipped();
    byte[] others = new byte[cell.getLength()];
    Arrays.fill(others, (byte) 0x7F);
    block.clear();
    block.put(others);
    return code;
  }

  /** Two columns are in the page, each with two versions. */
  private static void assertPageOfTwoColumns(UnaryOperator<Filter> wrapper) throws IOException {
    Filter filter = wrapper.apply(new FilterList(FilterList.Operator.MUST_PASS_ONE,
      new ColumnPaginationFilter(2, 0),
      new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes("a")))));
    assertEquals(ReturnCode.INCLUDE, filterInACall(filter, cellOf("a", 2)));
    assertEquals(ReturnCode.INCLUDE, filterInACall(filter, cellOf("a", 1)));
    assertEquals(ReturnCode.INCLUDE, filterInACall(filter, cellOf("b", 2)));
    assertEquals(ReturnCode.SKIP, filterInACall(filter, cellOf("c", 2)));
  }

  @Test
  public void cellsOfAListOfWhichOneMustPass() throws IOException {
    assertPageOfTwoColumns(UnaryOperator.identity());
  }

  @Test
  public void cellsOfAListInAList() throws IOException {
    assertPageOfTwoColumns(list -> new FilterList(FilterList.Operator.MUST_PASS_ALL, list));
    assertPageOfTwoColumns(list -> new FilterList(FilterList.Operator.MUST_PASS_ONE, list));
  }

  @Test
  public void cellsOfAWrappedList() throws IOException {
    assertPageOfTwoColumns(SkipFilter::new);
    assertPageOfTwoColumns(WhileMatchFilter::new);
  }

  /** Includes columns from "v" on, and gives values as hints for others. */
  private static final class ValueAsHint extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return CellUtil.cloneQualifier(cell)[0] >= 'v'
        ? ReturnCode.INCLUDE
        : ReturnCode.SEEK_NEXT_USING_HINT;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      return new KeyValue(ROW, FAMILY, CellUtil.cloneValue(cell), 5, ROW);
    }
  }

  /** A filter is asked for a hint with the cell that it answered so for. */
  @Test
  public void cellsOfHints() throws IOException {
    Filter filter = new FilterList(FilterList.Operator.MUST_PASS_ONE,
      Collections.singletonList(new ValueAsHint()));
    assertEquals(ReturnCode.SEEK_NEXT_USING_HINT, filterInACall(filter, cellOf("a", 2)));
    assertEquals(ReturnCode.SEEK_NEXT_USING_HINT, filterInACall(filter, cellOf("u", 2)));
    assertEquals(ReturnCode.INCLUDE, filterInACall(filter, cellOf("w", 2)));
  }
}
