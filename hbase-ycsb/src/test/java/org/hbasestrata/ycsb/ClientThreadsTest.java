/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.Test;

public class ClientThreadsTest {
  private static final int TIMEOUT_MS = 300_000;

  private final Latencies latencies = new Latencies(true);

  private ClientThreads threads(int count, double perSecond, ClientThreads.Step step) {
    return new ClientThreads(count, perSecond, () -> new HBaseClient(latencies, null, null) {
      @Override
      public void init() {
      }

      @Override
      public void cleanup() {
      }
    }, step);
  }

  @Test
  public void endWhenNoStepIsLeft() throws InterruptedException {
    AtomicInteger left = new AtomicInteger(100);
    ClientThreads threads = threads(4, 0, c -> left.getAndDecrement() > 0 ? 10 : 0);
    threads.start();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
    assertThat(threads.done()).isEqualTo(1_000);
    assertThat(threads.crash()).isNull();
  }

  @Test
  public void othersWorkUncountedUntilTheThreadsHaveEnded() throws InterruptedException {
    CountDownLatch othersAtWork = new CountDownLatch(2);
    AtomicInteger left = new AtomicInteger(10);
    ClientThreads threads = threads(1, 0, c -> {
      try {
        othersAtWork.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return left.getAndDecrement() > 0 ? 1 : 0;
    });
    threads.addOthers(2, c -> {
      othersAtWork.countDown();
      return 1;
    });
    threads.start();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
    assertThat(threads.done()).isEqualTo(10);
  }

  @Test
  public void errorInAnotherStopsAll() throws InterruptedException {
    ClientThreads threads = threads(2, 1, c -> 1);
    threads.addOthers(1, c -> {
      throw new IllegalStateException("broken");
    });
    threads.start();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
    assertThat(threads.crash()).hasMessage("broken");
  }

  @Test
  public void rateIsKeptBelowOneOperationPerThreadAndSecond() throws InterruptedException {
    CountDownLatch tenth = new CountDownLatch(10);
    ClientThreads threads = threads(40, 10, c -> {
      tenth.countDown();
      return 1;
    });
    long start = System.nanoTime();
    threads.start();
    assertThat(tenth.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)).isTrue();
    threads.stop();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat((double) threads.done()).isBetween(10.0, 10 * seconds + 1);
  }

  @Test
  public void stepsDueDuringAStallKeepTheirIntendedTimes() throws InterruptedException {
    AtomicInteger steps = new AtomicInteger();
    Map<Integer, Long> late = new ConcurrentHashMap<>();
    ClientThreads threads = threads(1, 100, c -> {
      int step = steps.getAndIncrement();
      if (step == 0) {
        sleep(300);
      }
      late.put(step, (System.nanoTime() - c.due()) / 1_000_000);
      return step == 20 ? 0 : 1;
    });
    threads.start();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
    assertThat(late.get(1)).isGreaterThanOrEqualTo(280);
    assertThat(late.get(11)).isGreaterThanOrEqualTo(180);
  }

  private long millisUntilStop;
  private long microsUntilEnd;

  /** Records each step as a read, and what was due too late to begin as one of two. */
  private final class Reads implements ClientThreads.Step {
    private final CountDownLatch stalled = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private final int total;
    private final long stallMillis;
    private final long furtherMillis;

    private Reads(int total, long stallMillis, long furtherMillis) {
      this.total = total;
      this.stallMillis = stallMillis;
      this.furtherMillis = furtherMillis;
    }

    @Override
    public int perform(HBaseClient client) {
      begun.getAndIncrement();
      sleep(stallMillis);
      stalled.countDown();
      try {
        stopped.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return sleep(furtherMillis);
    }

    @Override
    public boolean skip(HBaseClient client) {
      if (begun.getAndIncrement() >= total) {
        return false;
      }
      latencies.notBegun(List.of(OperationType.READ), client.due(), System.nanoTime());
      return true;
    }
  }

  private Histogram stalledAtTheEnd(int steps) throws InterruptedException {
    Reads reads = new Reads(steps, 305, 195);
    ClientThreads threads = threads(1, 100, reads);
    long begin = System.nanoTime();
    threads.start();
    assertThat(reads.stalled.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)).isTrue();
    threads.stop();
    millisUntilStop = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    reads.stopped.countDown();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
    microsUntilEnd = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begin);
    assertThat(threads.done()).isEqualTo(1);
    latencies.sample();
    return latencies.series().iterator().next().total();
  }

  @Test
  public void stepsDueInAStallAtTheEndCountTheirWait() throws InterruptedException {
    Histogram intended = stalledAtTheEnd(1_000);
    assertThat(intended.getTag()).isEqualTo("READ-INTENDED");
    assertThat(latencies.notBegun()).isEqualTo(intended.getTotalCount()).isBetween(25L,
      millisUntilStop / 10 + 1);
    assertThat(latencies.notBegunMicros()).isBetween(480_000L, microsUntilEnd);
    assertThat(intended.getMinValue()).isGreaterThan(50_000);
  }

  @Test
  public void stepsBeyondTheLastAreNotOverdue() throws InterruptedException {
    assertThat(stalledAtTheEnd(5).getTotalCount()).isEqualTo(4);
  }

  @Test
  public void nothingIsOverdueWithoutARateOrInTime() throws InterruptedException {
    for (double perSecond : new double[] { 0, 0.01 }) {
      Reads reads = new Reads(1_000, 100, 0);
      ClientThreads threads = threads(1, perSecond, reads);
      threads.start();
      assertThat(reads.stalled.await(TIMEOUT_MS, TimeUnit.MILLISECONDS)).isTrue();
      threads.stop();
      reads.stopped.countDown();
      assertThat(threads.await(TIMEOUT_MS)).isTrue();
    }
    assertThat(latencies.notBegun()).isZero();
  }

  @Test
  public void errorInAStepStopsAllAndIsKept() throws InterruptedException {
    ClientThreads threads = threads(3, 1, c -> {
      throw new IllegalStateException("broken");
    });
    threads.start();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
    assertThat(threads.crash()).hasMessage("broken");
  }

  @Test
  public void stuckStepsAreBrokenOff() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(2);
    ClientThreads threads = threads(2, 0, c -> {
      begun.countDown();
      return sleep(2 * TIMEOUT_MS);
    });
    threads.start();
    begun.await();
    threads.stop();
    assertThat(threads.await(50)).isFalse();
    threads.interrupt();
    assertThat(threads.await(TIMEOUT_MS)).isTrue();
  }

  private static int sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }
}
