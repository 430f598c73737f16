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
package org.apache.hadoop.hbase.io;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestHeapFallbacks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHeapFallbacks.class);

  private static final int BUFFER = 1024;
  private static final int TOO_SMALL = 100;

  private long nanos = Long.MAX_VALUE - 1;
  private final List<String> warnings = new ArrayList<>();

  private static ByteBuffAllocator pool(int buffers) {
    Configuration conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, BUFFER);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, buffers);
    return ByteBuffAllocator.create(conf, true);
  }

  private static void assertFallbacks(ByteBuffAllocator pool, long count, long bytes) {
    assertEquals(count, pool.getHeapFallbacks().getCount());
    assertEquals(bytes, pool.getHeapFallbacks().getBytes());
  }

  @Test
  public void whatThePoolHasIsNotCounted() {
    ByteBuffAllocator pool = pool(3);
    pool.allocate(2 * BUFFER);
    pool.allocateOneBuffer();
    assertFallbacks(pool, 0, 0);
  }

  @Test
  public void whatAnEmptyPoolLacksIsCounted() {
    ByteBuffAllocator pool = pool(1);
    ByteBuff block = pool.allocate(3 * BUFFER);
    assertFallbacks(pool, 1, 2 * BUFFER);
    pool.allocateOneBuffer();
    assertFallbacks(pool, 2, 3 * BUFFER);
    block.release();
    pool.allocate(BUFFER).release();
    pool.allocateOneBuffer().release();
    assertFallbacks(pool, 2, 3 * BUFFER);
  }

  @Test
  public void whatIsTooSmallForThePoolIsNotCounted() {
    ByteBuffAllocator pool = pool(1);
    pool.allocate(TOO_SMALL);
    pool.allocate(0);
    pool.allocate(BUFFER + TOO_SMALL);
    pool.allocate(TOO_SMALL);
    assertFallbacks(pool, 0, 0);
    assertEquals("the pool counts it", 3 * TOO_SMALL, pool.getHeapAllocationBytes());
  }

  @Test
  public void withoutAPoolNothingIsCounted() {
    ByteBuffAllocator.HEAP.allocate(BUFFER);
    ByteBuffAllocator.HEAP.allocateOneBuffer();
    assertFallbacks(ByteBuffAllocator.HEAP, 0, 0);
  }

  @Test
  public void aWarningComesAtOnceAndAgainAfterTenMinutes() {
    // The clock may overflow a long.
    HeapFallbacks fallbacks = new HeapFallbacks(() -> nanos, warnings::add);
    fallbacks.setAdvice("Set it to 7.");
    fallbacks.add(BUFFER);
    assertEquals(1, warnings.size());
    assertTrue(warnings.get(0), warnings.get(0).contains(" 1 buffers, " + BUFFER + " bytes"));
    assertTrue(warnings.get(0), warnings.get(0).endsWith(" Set it to 7."));
    nanos += HeapFallbacks.WARN_PERIOD_NANOS - 1;
    fallbacks.add(BUFFER);
    assertEquals(1, warnings.size());
    nanos++;
    fallbacks.add(BUFFER);
    fallbacks.add(BUFFER);
    assertEquals(2, warnings.size());
    assertTrue(warnings.get(1), warnings.get(1).contains(" 3 buffers, "));
  }
}
