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
package org.apache.hadoop.hbase.io.hfile.mrc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestReferenceBuffer {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReferenceBuffer.class);

  private static final int THREADS = 4;
  private static final int EACH = 200_000;
  private static final int ROOM = 1024;

  private static BlockReference reference(int thread, int number) {
    return new BlockReference(BlockReference.Kind.HIT, number, thread, 0, 0, false);
  }

  @Test
  public void whatHasNoRoomIsDroppedAndCounted() {
    ReferenceBuffer buffer = new ReferenceBuffer(1);
    for (int i = 0; i < ROOM + 10; i++) {
      buffer.offer(reference(0, i));
    }
    assertEquals(ROOM, buffer.size());
    assertEquals(10, buffer.getDropped());
    List<Long> taken = new ArrayList<>();
    buffer.drain(reference -> taken.add(reference.hash));
    assertEquals(ROOM, taken.size());
    assertEquals(0, buffer.size());
    for (int i = 0; i < ROOM; i++) {
      assertEquals(i, (long) taken.get(i));
    }
    buffer.offer(reference(0, 7));
    assertEquals(1, buffer.size());
  }

  @Test
  public void eachReferenceIsTakenOnceInItsThreadsOrderOrCountedAsDropped() throws Exception {
    ReferenceBuffer buffer = new ReferenceBuffer(THREADS);
    CountDownLatch ended = new CountDownLatch(THREADS);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> results = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      results.add(threads.submit(() -> {
        for (int i = 0; i < EACH; i++) {
          buffer.offer(reference(thread, i));
        }
        ended.countDown();
      }));
    }
    long[] last = new long[THREADS];
    Arrays.fill(last, -1);
    long[] taken = new long[1];
    boolean more = true;
    while (more) {
      more = ended.getCount() > 0;
      buffer.drain(reference -> {
        assertTrue("order of a thread", reference.hash > last[reference.file]);
        last[reference.file] = reference.hash;
        taken[0]++;
      });
    }
    for (Future<?> result : results) {
      result.get();
    }
    threads.shutdown();
    assertEquals(0, buffer.size());
    assertEquals((long) THREADS * EACH, taken[0] + buffer.getDropped());
    assertTrue(taken[0] > 0);
  }
}
