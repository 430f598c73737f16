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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** The cells that a mutation is given are with the others of their family. */
@Category({ ClientTests.class, SmallTests.class })
public class TestMutationFamilies {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMutationFamilies.class);

  private static final byte[] ROW = Bytes.toBytes("row");

  private static KeyValue cell(String family, int number) {
    return new KeyValue(ROW, Bytes.toBytes(family), Bytes.toBytes(number), number, ROW);
  }

  private static Cell inBuffer(KeyValue cell) {
    return new ByteBufferKeyValue(ByteBuffer.wrap(cell.getBuffer()), cell.getOffset(),
      cell.getLength());
  }

  private static void assertFamilies(Put put, int count, String... families) {
    assertEquals(families.length, put.getFamilyCellMap().size());
    for (String family : families) {
      List<Cell> cells = put.getFamilyCellMap().get(Bytes.toBytes(family));
      assertEquals(count, cells.size());
      for (int i = 0; i < count; i++) {
        assertEquals(family, Bytes.toString(cells.get(i).getFamilyArray(),
          cells.get(i).getFamilyOffset(), cells.get(i).getFamilyLength()));
        assertEquals(i, cells.get(i).getTimestamp());
      }
    }
  }

  @Test
  public void cellsOfOneFamilyAndOfSeveral() throws IOException {
    Put put = new Put(ROW);
    for (int i = 0; i < 20; i++) {
      put.add(cell("f", i));
    }
    assertFamilies(put, 20, "f");
    // The first is the prefix of another, and the other way round.
    Put several = new Put(ROW);
    Put reversed = new Put(ROW);
    for (int i = 0; i < 20; i++) {
      several.add(cell("f", i)).add(cell("ff", i)).add(cell("e", i));
      reversed.add(cell("ff", i)).add(inBuffer(cell("f", i)));
    }
    assertFamilies(several, 20, "e", "f", "ff");
    assertFamilies(reversed, 20, "f", "ff");
  }

  @Test
  public void aFamilyIsNotCopiedForEachCell() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      cells.add(inBuffer(cell("f", i)));
    }
    Put put = new Put(ROW).add(cells.get(0));
    byte[] family = put.getFamilyCellMap().firstKey();
    threads.setThreadAllocatedMemoryEnabled(true);
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 1; i < cells.size(); i++) {
      put.add(cells.get(i));
    }
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    // The list grows; an array of one byte has 24.
    assertTrue(bytes + " bytes", bytes < 20 * cells.size());
    assertSame(family, put.getFamilyCellMap().firstKey());
    assertEquals(cells, put.getFamilyCellMap().get(family));
  }

  @Test
  public void otherRowsAndNoFamilyAreRefused() throws IOException {
    Put put = new Put(ROW).add(cell("f", 0));
    assertThrows(WrongRowIOException.class, () -> put.add(
      new KeyValue(Bytes.toBytes("other"), Bytes.toBytes("f"), ROW, ROW)));
    assertThrows(IllegalArgumentException.class, () -> put.add(cell("", 1)));
    assertFamilies(put, 1, "f");
    Put without = new Put(ROW).addColumn(new byte[0], ROW, ROW);
    assertThrows(IllegalArgumentException.class, () -> without.add(cell("", 1)));
  }

  @Test
  public void aFamilyWithoutAListGetsOne() throws IOException {
    Put put = new Put(ROW);
    put.getFamilyCellMap().put(Bytes.toBytes("f"), null);
    put.add(cell("f", 0));
    assertFamilies(put, 1, "f");
    assertEquals(1, put.size());
  }
}
