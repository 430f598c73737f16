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

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * The threads that help handlers with the gets of multi requests. Nobody waits for them: an
 * invitation that finds no place in the queue is forgotten, and one that comes too late does
 * nothing. Thread-safe.
 */
@InterfaceAudience.Private
final class MultiGetPool {
  private final ParallelMultiGetSettings settings;
  private final IntSupplier activeHandlers;
  private final MetricsParallelMultiGet metrics;
  private final BlockingQueue<Runnable> queue;
  private final ThreadPoolExecutor executor;
  private final AtomicInteger helping = new AtomicInteger();

  /** What waits in the queue for a thread. */
  private final class Invitation implements Runnable {
    private final ParallelGets gets;
    private final long sinceNanos = System.nanoTime();

    Invitation(ParallelGets gets) {
      this.gets = gets;
    }

    @Override
    public void run() {
      metrics.handedOver(System.nanoTime() - sinceNanos);
      helping.incrementAndGet();
      try {
        gets.help();
      } finally {
        helping.decrementAndGet();
      }
    }
  }

  /**
   * @param activeHandlers how many of the server's handlers are at work
   */
  MultiGetPool(ParallelMultiGetSettings settings, IntSupplier activeHandlers,
    MetricsParallelMultiGet metrics) {
    this.settings = settings;
    this.activeHandlers = activeHandlers;
    this.metrics = metrics;
    queue = new ArrayBlockingQueue<>(settings.getQueue());
    executor = new ThreadPoolExecutor(settings.getThreads(), settings.getThreads(), 0,
      TimeUnit.SECONDS, queue,
      new ThreadFactoryBuilder().setNameFormat("RS-MultiGet-%d").setDaemon(true)
        .setUncaughtExceptionHandler(Threads.LOGGING_EXCEPTION_HANDLER).build(),
      new ThreadPoolExecutor.DiscardPolicy());
    metrics.show(this);
  }

  ParallelMultiGetSettings getSettings() {
    return settings;
  }

  MetricsParallelMultiGet getMetrics() {
    return metrics;
  }

  /** Returns False if an invitation would be forgotten. */
  boolean hasRoom() {
    return queue.remainingCapacity() > 0;
  }

  /**
   * Asks a thread to help with these gets, soon or never.
   * @return false if the queue is full
   */
  boolean invite(ParallelGets gets) {
    if (!hasRoom()) {
      return false;
    }
    executor.execute(new Invitation(gets));
    return true;
  }

  /**
   * Returns Processors that neither a handler nor a helper is on, as far as this server knows; a
   * handler that waits for a device counts as if it weren't waiting.
   */
  int getIdleCpus() {
    return settings.getCpus() - activeHandlers.getAsInt() - helping.get();
  }

  /** Returns Threads that help now. */
  int getHelping() {
    return helping.get();
  }

  /** Returns Invitations that wait for a thread. */
  int getQueued() {
    return queue.size();
  }

  /** Takes no more invitations. Gets that have begun are finished, by whom they began. */
  void shutdown() {
    metrics.hide(this);
    executor.shutdown();
  }
}
