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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import org.junit.Test;

public class ClientThreadsTest {
  private final Latencies latencies = new Latencies(true);

  private ClientThreads threads(int count, double perSecond,
    ToIntFunction<HBaseClient> step) {
    return new ClientThreads(count, perSecond, () -> new HBaseClient(latencies, null) {
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
    assertThat(threads.await(10_000)).isTrue();
    assertThat(threads.done()).isEqualTo(1_000);
    assertThat(threads.crash()).isNull();
  }

  @Test
  public void rateIsKeptBelowOneOperationPerThreadAndSecond() throws InterruptedException {
    ClientThreads threads = threads(40, 10, c -> 1);
    long start = System.nanoTime();
    threads.start();
    Thread.sleep(1_450);
    threads.stop();
    assertThat(threads.await(10_000)).isTrue();
    double seconds = (System.nanoTime() - start) / 1e9;
    assertThat((double) threads.done()).isBetween(5.0, 10 * seconds + 1);
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
    assertThat(threads.await(10_000)).isTrue();
    assertThat(late.get(1)).isGreaterThanOrEqualTo(280);
    assertThat(late.get(11)).isGreaterThanOrEqualTo(180);
  }

  @Test
  public void errorInAStepStopsAllAndIsKept() throws InterruptedException {
    ClientThreads threads = threads(3, 1, c -> {
      throw new IllegalStateException("broken");
    });
    threads.start();
    assertThat(threads.await(10_000)).isTrue();
    assertThat(threads.crash()).hasMessage("broken");
  }

  @Test
  public void stuckStepsAreBrokenOff() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(2);
    ClientThreads threads = threads(2, 0, c -> {
      begun.countDown();
      return sleep(60_000);
    });
    threads.start();
    begun.await();
    threads.stop();
    assertThat(threads.await(50)).isFalse();
    threads.interrupt();
    assertThat(threads.await(10_000)).isTrue();
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
