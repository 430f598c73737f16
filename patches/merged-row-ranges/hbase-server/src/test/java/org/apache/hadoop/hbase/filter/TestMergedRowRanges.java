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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.testclassification.FilterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What comes of ranges of rows that overlap. On 2.6.4 the first rows were lost of (b, d] with
 * [b, c], and the last was added of [a, d) with [b, e) and [c, d].
 */
@Category({ FilterTests.class, SmallTests.class })
public class TestMergedRowRanges {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMergedRowRanges.class);

  /** @param range as [a, b) */
  private static RowRange range(String range) {
    int comma = range.indexOf(',');
    return new RowRange(Bytes.toBytes(range.substring(1, comma)), range.charAt(0) == '[',
      Bytes.toBytes(range.substring(comma + 2, range.length() - 1)), range.endsWith("]"));
  }

  private static String text(RowRange range) {
    return (range.isStartRowInclusive() ? "[" : "(") + Bytes.toString(range.getStartRow()) + ", "
      + Bytes.toString(range.getStopRow()) + (range.isStopRowInclusive() ? "]" : ")");
  }

  private static void assertMerged(List<String> merged, String... ranges) {
    List<RowRange> given = Arrays.stream(ranges).map(TestMergedRowRanges::range)
      .collect(Collectors.toCollection(ArrayList::new));
    assertEquals(merged, new MultiRowRangeFilter(given).getRowRanges().stream()
      .map(TestMergedRowRanges::text).collect(Collectors.toList()));
  }

  @Test
  public void aFirstRowThatOneRangeHasStays() {
    assertMerged(Arrays.asList("[b, d]"), "(b, d]", "[b, c]");
    assertMerged(Arrays.asList("[b, d]"), "[b, c]", "(b, d]");
    assertMerged(Arrays.asList("(b, d]"), "(b, c]", "(b, d]");
  }

  @Test
  public void aLastRowThatNoRangeHasIsNotAdded() {
    assertMerged(Arrays.asList("[a, e)"), "[a, d)", "[b, e)", "[c, d]");
    assertMerged(Arrays.asList("[a, e]"), "[a, d)", "[b, e)", "[c, e]");
  }

  @Test
  public void rangesThatMeetAreOneUnlessTheRowBetweenIsInNone() {
    assertMerged(Arrays.asList("[a, c)"), "[a, b)", "[b, c)");
    assertMerged(Arrays.asList("[a, c)"), "[a, b]", "(b, c)");
    assertMerged(Arrays.asList("[a, b)", "(b, c)"), "(b, c)", "[a, b)");
  }

  @Test
  public void aRangeToTheEndHasAllBehindIt() {
    assertMerged(Arrays.asList("[a, b)", "[c, )"), "[d, e)", "[c, )", "[a, b)");
    assertMerged(Arrays.asList("[a, )"), "[a, c)", "[b, )", "[d, e)");
  }
}
