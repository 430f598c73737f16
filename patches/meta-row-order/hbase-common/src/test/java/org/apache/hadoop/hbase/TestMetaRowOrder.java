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
package org.apache.hadoop.hbase;

import static org.junit.Assert.assertEquals;

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * The order of keys of hbase:meta, with and without an id. Without the change "t," comes after
 * "t,,1.a.", and a comparison of two keys without an id may leave their arrays.
 */
@Category({ MiscTests.class, SmallTests.class })
public class TestMetaRowOrder {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMetaRowOrder.class);

  /** In order. */
  private static final String[] KEYS = { "a", "a,", "a,,1.x.", "a,,2.x.", "a,b", "a,b,1.x.",
    "a,b,c,1.x.", "a,c", "a,c,", "a,c,9.x.", "a!", "a!,", "a!,,1.x.", "b,,", "b,,1.x.", "b,0" };

  private static byte[] bytes(String key) {
    return Bytes.toBytes(key);
  }

  private static Cell onHeap(String key) {
    return new KeyValue(bytes(key), HConstants.CATALOG_FAMILY, bytes("q"));
  }

  /** Its row is neither at the beginning of the buffer nor at the end. */
  private static Cell inBuffer(String key) {
    byte[] cell = ((KeyValue) onHeap(key)).getBuffer();
    ByteBuffer buffer = ByteBuffer.allocateDirect(cell.length + 10);
    buffer.position(5);
    buffer.put(cell);
    return new ByteBufferKeyValue(buffer, 5, cell.length);
  }

  private static void assertCompares(int expected, String left, String right) {
    MetaCellComparator comparator = MetaCellComparator.META_COMPARATOR;
    String keys = left + " and " + right;
    assertEquals(keys, expected, Integer.signum(comparator.compareRows(bytes(left), bytes(right))));
    for (Cell l : new Cell[] { onHeap(left), inBuffer(left) }) {
      assertEquals(keys, expected,
        Integer.signum(comparator.compareRows(l, bytes(right), 0, bytes(right).length)));
      for (Cell r : new Cell[] { onHeap(right), inBuffer(right) }) {
        assertEquals(keys, expected, Integer.signum(comparator.compareRows(l, r)));
        assertEquals(keys, expected, Integer.signum(comparator.compare(l, r)));
      }
    }
  }

  @Test
  public void keysWithoutAnIdComeBeforeThoseWithTheSameBeginning() {
    for (int left = 0; left < KEYS.length; left++) {
      for (int right = 0; right < KEYS.length; right++) {
        assertCompares(Integer.compare(left, right), KEYS[left], KEYS[right]);
      }
    }
  }
}
