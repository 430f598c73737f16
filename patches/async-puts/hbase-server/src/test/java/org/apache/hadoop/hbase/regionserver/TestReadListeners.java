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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl.WriteEntry;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Who is told that a write can be read. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestReadListeners {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReadListeners.class);

  private static final int THREADS = 6;
  private static final int ROUNDS = 300;
  private static final int BATCH = 8;

  private final MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();

  /** Threads that complete writes in any order, some of which wait. */
  @Test
  public void eachIsToldOnceWhenItsWriteCanBeRead() throws Exception {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger early = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(t);
        ends.add(threads.submit(() -> {
          for (int i = 0; i < ROUNDS; i++) {
            completeSome(random, told, early);
          }
        }));
      }
      for (Future<?> end : ends) {
        end.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(0, early.get());
    assertEquals(THREADS * ROUNDS * (BATCH - 1), told.get());
    assertEquals(mvcc.getWritePoint(), mvcc.getReadPoint());
  }

  private void completeSome(Random random, AtomicInteger told, AtomicInteger early) {
    List<WriteEntry> entries = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      entries.add(mvcc.begin());
    }
    WriteEntry last = entries.remove(random.nextInt(BATCH));
    Collections.shuffle(entries, random);
    for (WriteEntry entry : entries) {
      Runnable listener = () -> {
        told.incrementAndGet();
        if (mvcc.getReadPoint() < entry.getWriteNumber()) {
          early.incrementAndGet();
        }
      };
      if (mvcc.complete(entry)) {
        listener.run();
      } else {
        mvcc.whenRead(entry.getWriteNumber(), listener);
      }
    }
    mvcc.completeAndWait(last);
  }

  @Test
  public void nobodyWaitsBehindAWriteThatFailed() throws Exception {
    WriteEntry failed = mvcc.begin();
    WriteEntry next = mvcc.begin();
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<Throwable> waits = threads.submit(() -> {
        try {
          mvcc.completeAndWait(next);
          return null;
        } catch (UncheckedIOException e) {
          return e.getCause();
        }
      });
      IOException cause = new IOException("for a test");
      mvcc.fail(cause);
      assertEquals(cause, waits.get(60, TimeUnit.SECONDS));
      assertTrue(mvcc.getReadPoint() < failed.getWriteNumber());
      assertThrows(IOException.class, () -> mvcc.awaitRead(0, 0));
      // Who gave up completes its write again, maybe when all have been read.
      mvcc.complete(failed);
      assertFalse(mvcc.complete(next));
    } finally {
      threads.shutdownNow();
    }
  }
}
