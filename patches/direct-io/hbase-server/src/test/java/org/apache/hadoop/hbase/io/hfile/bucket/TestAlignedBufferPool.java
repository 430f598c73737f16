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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.bucket.AlignedBufferPool.PooledBuffer;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.UnsafeAccess;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A pool gives each buffer to one holder at a time, aligned, and stays within its limit. */
@Category({ IOTests.class, SmallTests.class })
public class TestAlignedBufferPool {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAlignedBufferPool.class);

  private static final int SMALL = 8192;
  private static final int BIG = 65536;
  /** Bytes that the alignment of a buffer takes. */
  private static final int MARGIN = 4096;

  private static AlignedBufferPool pool(long maxBytes) {
    return new AlignedBufferPool(new int[] { BIG, SMALL }, maxBytes);
  }

  @Test
  public void buffersAreAlignedAndLongEnough() {
    AlignedBufferPool pool = pool(1 << 20);
    for (int length : new int[] { 1, SMALL, SMALL + 1, BIG }) {
      PooledBuffer buffer = pool.take(length);
      assertEquals(length <= SMALL ? SMALL : BIG, buffer.bytes().remaining());
      assertEquals(0, UnsafeAccess.directBufferAddress(buffer.bytes()) % 4096);
    }
  }

  @Test
  public void whatIsGivenBackIsTakenAgainCleared() {
    AlignedBufferPool pool = pool(1 << 20);
    PooledBuffer buffer = pool.take(SMALL);
    buffer.bytes().position(5).limit(7);
    buffer.free();
    assertSame(buffer, pool.take(1));
    assertEquals(SMALL, buffer.bytes().remaining());
    assertEquals(SMALL + MARGIN, pool.getBytes());
    assertEquals(0, pool.getExhaustedCount());
  }

  @Test
  public void anExhaustedPoolGivesNothingAndCountsIt() {
    AlignedBufferPool pool = pool(2 * (SMALL + MARGIN));
    PooledBuffer buffer = pool.take(SMALL);
    assertNotNull(pool.take(SMALL));
    assertNull(pool.take(SMALL));
    assertNull(pool.take(BIG));
    assertEquals(2, pool.getExhaustedCount());
    buffer.free();
    assertSame(buffer, pool.take(SMALL));
    assertEquals(2 * (SMALL + MARGIN), pool.getBytes());
  }

  @Test
  public void moreThanTheBiggestSizeIsNotGiven() {
    AlignedBufferPool pool = pool(1 << 20);
    assertNull(pool.take(BIG + 1));
    assertEquals(1, pool.getExhaustedCount());
  }

  @Test
  public void aBiggerBufferServesWhenThereIsNoRoomForTheSize() {
    AlignedBufferPool pool = pool(BIG + MARGIN);
    PooledBuffer big = pool.take(BIG);
    big.free();
    assertSame(big, pool.take(SMALL));
  }

  @Test
  public void smallBuffersMakeRoomForBigOnes() {
    AlignedBufferPool pool = pool(BIG + MARGIN);
    List<PooledBuffer> small = new ArrayList<>();
    for (PooledBuffer buffer; (buffer = pool.take(SMALL)) != null;) {
      small.add(buffer);
    }
    assertNull(pool.take(BIG));
    small.forEach(PooledBuffer::free);
    assertNotNull(pool.take(BIG));
    assertEquals(BIG + MARGIN, pool.getBytes());
  }

  @Test
  public void aBufferHasOneHolderAtATime() throws Exception {
    AlignedBufferPool pool = pool(4 * (SMALL + MARGIN));
    ExecutorService threads = Executors.newFixedThreadPool(6);
    try {
      List<Future<?>> users = new ArrayList<>();
      for (long user = 0; user < 6; user++) {
        long mark = user;
        users.add(threads.submit(() -> useOften(pool, mark)));
      }
      for (Future<?> user : users) {
        user.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertTrue(pool.getBytes() <= pool.getMaxBytes());
  }

  private static void useOften(AlignedBufferPool pool, long mark) {
    for (int i = 0; i < 100_000; i++) {
      PooledBuffer buffer = pool.take(SMALL);
      if (buffer != null) {
        buffer.bytes().putLong(0, mark);
        buffer.bytes().putLong(SMALL - Long.BYTES, i);
        assertEquals(mark, buffer.bytes().getLong(0));
        assertEquals(i, buffer.bytes().getLong(SMALL - Long.BYTES));
        buffer.free();
      }
    }
  }
}
