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
package org.apache.hadoop.hbase.io.hfile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Threads wait at least as long as the rate requires, and not longer than until it changes. A wait
 * that must not end would take years, so that no clock decides a test.
 */
@Category({ IOTests.class, SmallTests.class })
public class TestPrefetchThrottle {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPrefetchThrottle.class);

  private static final Configuration CONF = HBaseConfiguration.create();
  private static final int TIMEOUT_MS = 120_000;
  /** At one byte a second, 136 years. */
  private static final long AGES = 1L << 32;

  private final PrefetchThrottle throttle = new PrefetchThrottle();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @After
  public void tearDown() throws Exception {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
  }

  /** A thread that reads once the throttle lets it. */
  private final class Reader {
    private volatile Thread thread;
    private final Future<?> done;

    Reader(long bytes) {
      done = threads.submit(() -> {
        thread = Thread.currentThread();
        throttle.acquire(bytes);
        return null;
      });
    }

    void awaitWaiting() {
      Waiter.waitFor(CONF, TIMEOUT_MS, 10, () -> thread != null
        && (thread.getState() == Thread.State.TIMED_WAITING || done.isDone()));
      assertFalse("it waits", done.isDone());
    }

    void awaitThrough() throws Exception {
      done.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }
  }

  @Test
  public void withoutALimitNobodyWaits() throws Exception {
    for (int i = 0; i < 1000; i++) {
      throttle.acquire(Long.MAX_VALUE);
    }
  }

  @Test
  public void theFirstIsLetThroughAndTheNextWaits() throws Exception {
    throttle.setRate(1);
    throttle.acquire(AGES);
    Reader waits = new Reader(1);
    waits.awaitWaiting();
  }

  @Test
  public void noMoreIsLetThroughThanTheRateAllows() throws Exception {
    throttle.setRate(1_000_000);
    long start = System.nanoTime();
    // The last one reads when the rate allows what the others have read.
    for (int i = 0; i <= 20; i++) {
      throttle.acquire(5_000);
    }
    assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(20 * 5));
  }

  @Test
  public void threadsShareTheRate() throws Exception {
    throttle.setRate(1);
    throttle.acquire(AGES);
    Reader[] waiting = { new Reader(AGES), new Reader(AGES), new Reader(AGES) };
    for (Reader reader : waiting) {
      reader.awaitWaiting();
    }
    // The new rate lets one of them read, and makes the others wait for it.
    throttle.setRate(2);
    Waiter.waitFor(CONF, TIMEOUT_MS, 10, () -> through(waiting) > 0);
    for (Reader reader : waiting) {
      if (!reader.done.isDone()) {
        reader.awaitWaiting();
      }
    }
    assertEquals(1, through(waiting));
  }

  private static int through(Reader... readers) {
    int through = 0;
    for (Reader reader : readers) {
      through += reader.done.isDone() ? 1 : 0;
    }
    return through;
  }

  @Test
  public void aHigherRateWakesThoseThatWait() throws Exception {
    throttle.setRate(1);
    throttle.acquire(AGES);
    Reader waits = new Reader(1);
    waits.awaitWaiting();
    throttle.setRate(Long.MAX_VALUE);
    waits.awaitThrough();
  }

  @Test
  public void withoutALimitAllThatWaitGoOn() throws Exception {
    throttle.setRate(1);
    throttle.acquire(AGES);
    Reader[] waiting = { new Reader(AGES), new Reader(AGES), new Reader(AGES) };
    for (Reader reader : waiting) {
      reader.awaitWaiting();
    }
    throttle.setRate(0);
    for (Reader reader : waiting) {
      reader.awaitThrough();
    }
  }

  @Test
  public void theSameRateAgainForgivesNothing() throws Exception {
    throttle.setRate(1);
    throttle.acquire(AGES);
    Reader waits = new Reader(1);
    waits.awaitWaiting();
    throttle.setRate(1);
    waits.awaitWaiting();
  }

  @Test
  public void aLimitThatComesLaterHolds() throws Exception {
    throttle.acquire(AGES);
    throttle.setRate(1);
    throttle.acquire(AGES);
    new Reader(1).awaitWaiting();
  }

  @Test
  public void anInterruptEndsAWait() throws Exception {
    throttle.setRate(1);
    throttle.acquire(AGES);
    Reader waits = new Reader(1);
    waits.awaitWaiting();
    waits.thread.interrupt();
    try {
      waits.awaitThrough();
      throw new AssertionError("It was let through");
    } catch (ExecutionException e) {
      assertEquals(InterruptedException.class, e.getCause().getClass());
    }
  }
}
