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
import java.util.Arrays;
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
 * Lists of filters that give hints, in reversed scans. On 2.6.4 all of these failed but that of
 * hints in other rows: a version that was hinted at was skipped, the hint was the nearer of two,
 * and there was a NullPointerException.
 */
@Category({ FilterTests.class, SmallTests.class })
public class TestFilterListsReversed {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFilterListsReversed.class);

  private static final byte[] FAMILY = Bytes.toBytes("f");

  /** Gives the hint, or none if it is null, with each cell. */
  private static final class Hinting extends FilterBase implements HintingFilter {
    private final Cell hint;

    Hinting(Cell hint) {
      this.hint = hint;
    }

    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.SEEK_NEXT_USING_HINT;
    }

    @Override
    public Cell getNextCellHint(Cell cell) {
      return hint;
    }
  }

  private static Cell cell(String row, String column, long timestamp) {
    return new KeyValue(Bytes.toBytes(row), FAMILY, Bytes.toBytes(column), timestamp, FAMILY);
  }

  private static Cell cell(String row, String column) {
    return cell(row, column, 1);
  }

  private static Filter reversed(FilterList.Operator operator, Filter... filters) {
    Filter list = new FilterList(operator, filters);
    list.setReversed(true);
    return list;
  }

  private static String hint(Filter list, Cell at) throws IOException {
    assertEquals(ReturnCode.SEEK_NEXT_USING_HINT, list.filterCell(at));
    Cell hint = list.getNextCellHint(at);
    return Bytes.toString(CellUtil.cloneRow(hint)) + "/"
      + Bytes.toString(CellUtil.cloneQualifier(hint));
  }

  private static Filter hinting(String row, String column) {
    return new Hinting(cell(row, column));
  }

  @Test
  public void aFilterIsAskedAboutTheVersionThatItHintedAt() throws IOException {
    Filter list = reversed(FilterList.Operator.MUST_PASS_ONE,
      new TimestampsFilter(Arrays.asList(1L), true), new TimestampsFilter(Arrays.asList(3L), true));
    assertEquals(ReturnCode.SEEK_NEXT_USING_HINT, list.filterCell(cell("r", "c", 4)));
    assertEquals(ReturnCode.INCLUDE, list.filterCell(cell("r", "c", 3)));
    assertEquals(ReturnCode.INCLUDE, list.filterCell(cell("r", "c", 1)));
  }

  @Test
  public void theFurtherHintInTheRowIsThatOfAllFilters() throws IOException {
    FilterList.Operator all = FilterList.Operator.MUST_PASS_ALL;
    assertEquals("r/d", hint(reversed(all, hinting("r", "b"), hinting("r", "d")), cell("r", "a")));
    assertEquals("r/d", hint(reversed(all, hinting("r", "d"), hinting("r", "b")), cell("r", "a")));
  }

  @Test
  public void theNearerHintInTheRowIsThatOfOneFilter() throws IOException {
    FilterList.Operator one = FilterList.Operator.MUST_PASS_ONE;
    assertEquals("r/b", hint(reversed(one, hinting("r", "b"), hinting("r", "d")), cell("r", "a")));
    assertEquals("r/b", hint(reversed(one, hinting("r", "d"), hinting("r", "b")), cell("r", "a")));
  }

  @Test
  public void hintsInOtherRowsAreReversed() throws IOException {
    Filter[] filters = { hinting("b", "a"), hinting("d", "a") };
    Cell at = cell("r", "a");
    assertEquals("b/a", hint(reversed(FilterList.Operator.MUST_PASS_ALL, filters), at));
    assertEquals("d/a", hint(reversed(FilterList.Operator.MUST_PASS_ONE, filters), at));
  }

  @Test
  public void aFilterOfAllNeedNotHaveAHint() throws IOException {
    FilterList.Operator all = FilterList.Operator.MUST_PASS_ALL;
    Cell at = cell("r", "a");
    assertEquals("r/b", hint(reversed(all, hinting("r", "b"), new Hinting(null)), at));
    assertEquals("r/b", hint(reversed(all, new Hinting(null), hinting("r", "b")), at));
  }
}
