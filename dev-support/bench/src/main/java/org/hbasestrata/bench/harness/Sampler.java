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
package org.hbasestrata.bench.harness;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Reads counters at an interval, each into a series, until it is closed. */
final class Sampler implements AutoCloseable {
  /** A counter. */
  interface Source {
    /** Returns null when this reading can't be had. */
    Double read() throws IOException, InterruptedException;
  }

  private static final int END_SECONDS = 10;

  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2, task -> {
    Thread thread = new Thread(task, "sampler");
    thread.setDaemon(true);
    return thread;
  });

  Series sample(Duration interval, Source source) {
    Series series = new Series();
    threads.scheduleWithFixedDelay(() -> {
      try {
        Instant before = Instant.now();
        Double value = source.read();
        if (value != null) {
          // In the middle, for a reading over HTTP takes its time.
          series.add(before.plus(Duration.between(before, Instant.now()).dividedBy(2)), value);
        }
      } catch (IOException e) {
        // One reading less; between() tells when there are too few.
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
    return series;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
