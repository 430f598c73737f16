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
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.FilterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Comparators look at no bytes behind what they compare. Without the patch each test fails. */
@Category({ FilterTests.class, SmallTests.class })
public class TestShortComponents {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestShortComponents.class);

  private static final byte[] COMPONENT = Bytes.toBytes("bc");

  /** Compares the first bytes of an array, behind which there are others. */
  private static int compare(String array, int length) {
    byte[] bytes = Bytes.toBytes(array);
    int order = new BinaryComponentComparator(COMPONENT, 1).compareTo(bytes, 1, length);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
    direct.put(bytes).flip();
    assertEquals(Integer.signum(order), Integer
      .signum(new BinaryComponentComparator(COMPONENT, 1).compareTo(direct, 1, length)));
    return Integer.signum(order);
  }

  @Test
  public void aComponentIsComparedWithTheBytesThatAreThere() {
    assertEquals(0, compare("_abc", 3));
    assertEquals("longer", 0, compare("_abcd", 4));
    assertEquals("half of it", 1, compare("_abcd", 2));
    assertEquals("none of it", 1, compare("_abcd", 1));
    assertEquals("nothing", 1, compare("_abcd", 0));
    assertEquals("half of another", -1, compare("_accc", 2));
    assertEquals("half of another", 1, compare("_aacc", 2));
    assertEquals("at the end of the array", 1, compare("_a", 1));
    assertEquals("an empty component", 0,
      new BinaryComponentComparator(new byte[0], 3).compareTo(Bytes.toBytes("a")));
  }

  @Test
  public void comparatorsAreEqualIfTheyCompareTheSame() {
    BinaryComponentComparator one = new BinaryComponentComparator(COMPONENT, 1);
    assertEquals(one, new BinaryComponentComparator(COMPONENT, 1));
    assertNotEquals(one, new BinaryComponentComparator(COMPONENT, 0));
    assertNotEquals(one, new BinaryComponentComparator(Bytes.toBytes("bd"), 1));
  }

  @Test
  public void aValueOfAnotherLengthIsNoLongWhereverItIs() {
    LongComparator comparator = new LongComparator(1);
    ByteBuffer direct = ByteBuffer.allocateDirect(3 * Long.BYTES);
    direct.putLong(Long.BYTES, 1);
    assertEquals(0, comparator.compareTo(direct, Long.BYTES, Long.BYTES));
    for (int length : new int[] { 0, 1, Long.BYTES - 1, Long.BYTES + 1 }) {
      assertThrows(IllegalArgumentException.class,
        () -> comparator.compareTo(new byte[3 * Long.BYTES], Long.BYTES, length));
      String message = assertThrows(IllegalArgumentException.class,
        () -> comparator.compareTo(direct, Long.BYTES, length)).getMessage();
      assertTrue(message, message.contains(length + " bytes"));
    }
  }
}
