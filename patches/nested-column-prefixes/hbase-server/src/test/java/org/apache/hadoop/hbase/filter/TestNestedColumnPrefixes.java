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
 * Prefixes of columns of which one begins with another. On 2.6.4 column ac was passed over with the
 * prefixes a and ab.
 */
@Category({ FilterTests.class, SmallTests.class })
public class TestNestedColumnPrefixes {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestNestedColumnPrefixes.class);

  private static final byte[] ROW = Bytes.toBytes("r");

  private static Cell cell(String column) {
    return new KeyValue(ROW, ROW, Bytes.toBytes(column), ROW);
  }

  private static MultipleColumnPrefixFilter filter(String... prefixes) {
    return new MultipleColumnPrefixFilter(Bytes.toByteArrays(prefixes));
  }

  private static void assertHint(String hint, MultipleColumnPrefixFilter filter, String column) {
    assertEquals(ReturnCode.SEEK_NEXT_USING_HINT, filter.filterCell(cell(column)));
    assertEquals(hint,
      Bytes.toString(CellUtil.cloneQualifier(filter.getNextCellHint(cell(column)))));
  }

  @Test
  public void aColumnNeedNotHaveTheLongerPrefix() {
    MultipleColumnPrefixFilter filter = filter("ab", "d", "a");
    for (String column : new String[] { "a", "aa", "ab", "abc", "ac", "d", "dz" }) {
      assertEquals(column, ReturnCode.INCLUDE, filter.filterCell(cell(column)));
    }
    assertHint("a", filter, "A");
    assertHint("d", filter, "b");
    assertEquals(ReturnCode.NEXT_ROW, filter.filterCell(cell("e")));
  }

  @Test
  public void anEmptyPrefixTakesAllColumns() {
    MultipleColumnPrefixFilter filter = filter("b", "", "c");
    for (String column : new String[] { "", "a", "b", "bc", "d" }) {
      assertEquals(column, ReturnCode.INCLUDE, filter.filterCell(cell(column)));
    }
  }

  @Test
  public void theFilterHasAllPrefixesThatItWasGiven() throws Exception {
    MultipleColumnPrefixFilter filter = filter("ab", "a");
    assertArrayEquals(Bytes.toByteArrays(new String[] { "a", "ab" }), filter.getPrefix());
    assertEquals(filter, MultipleColumnPrefixFilter.parseFrom(filter.toByteArray()));
  }
}
