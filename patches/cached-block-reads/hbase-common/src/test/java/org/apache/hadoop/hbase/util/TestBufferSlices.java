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
package org.apache.hadoop.hbase.util;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What is read of an array of buffers is what was written there, wherever it begins and ends. */
@Category({ MiscTests.class, SmallTests.class })
public class TestBufferSlices {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBufferSlices.class);

  private static final int SIZE = 32 * 1024;
  private static final int BUFFERS = 16;

  @Test
  public void partsOfAnArrayAreThoseThatWereWritten() throws Exception {
    byte[] bytes = new byte[BUFFERS * SIZE];
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("To repeat it: -Dtest=TestBufferSlices -Dtest.seed=" + seed);
    Random random = new Random(seed);
    random.nextBytes(bytes);
    ByteBufferArray array =
      new ByteBufferArray(bytes.length, size -> ByteBuffer.allocateDirect((int) size));
    array.write(0, ByteBuff.wrap(ByteBuffer.wrap(bytes)));
    for (int i = 0; i < 2_000; i++) {
      int from = random.nextInt(bytes.length);
      int length = 1 + random.nextInt(Math.min(bytes.length - from, 2 * SIZE));
      ByteBuffer[] parts = array.asSubByteBuffers(from, length);
      assertEquals((from + length - 1) / SIZE - from / SIZE + 1, parts.length);
      int at = from;
      for (ByteBuffer part : parts) {
        assertEquals(0, part.position());
        assertEquals(part.capacity(), part.limit());
        assertEquals(ByteBuffer.wrap(bytes, at, part.limit()), part);
        at += part.limit();
      }
      assertEquals(from + length, at);
    }
  }

  @Test
  public void aSliceLeavesItsBufferAsItIs() {
    ByteBuffer[] buffers = { ByteBuffer.allocate(10), ByteBuffer.allocateDirect(10) };
    buffers[1].put(7, (byte) 5).position(3);
    ByteBuffer slice = BufferSlices.ofOne(buffers, 10, 16, 4);
    assertTrue(slice.isDirect());
    assertEquals(5, slice.get(1));
    assertEquals(slice, BufferSlices.ofDuplicate(buffers[1], 6, 4));
    assertEquals(3, buffers[1].position());
    assertEquals(10, buffers[1].limit());
    assertEquals(10, BufferSlices.ofOne(buffers, 10, 10, 10).remaining());
  }

  @Test
  public void whatIsNotInOneBufferIsLeft() {
    ByteBuffer[] buffers = { ByteBuffer.allocate(10), ByteBuffer.allocate(10) };
    assertNull(BufferSlices.ofOne(buffers, 10, 7, 4));
    assertNull(BufferSlices.ofOne(buffers, 10, 20, 1));
    assertNull(BufferSlices.ofOne(buffers, 10, -1, 1));
    assertNull(BufferSlices.ofOne(buffers, 10, 5, 0));
    assertNull(BufferSlices.ofOne(buffers, 10, 5, Integer.MAX_VALUE));
  }
}
