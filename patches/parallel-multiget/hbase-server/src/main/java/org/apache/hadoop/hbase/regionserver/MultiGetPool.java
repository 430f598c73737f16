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

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.util.Threads;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * The threads that help handlers with the gets of multi requests. Handlers never depend on them: a
 * helper that finds no room in the queue is dropped, and one that comes too late does nothing.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class MultiGetPool implements MetricsParallelMultiGet.Pool {
  private static final Logger LOG = LoggerFactory.getLogger(MultiGetPool.class);

  private final ParallelMultiGetSettings settings;
  private final IntSupplier activeHandlers;
  private final MetricsParallelMultiGet metrics;
  private final BlockingQueue<Runnable> queue;
  private final ThreadPoolExecutor executor;
  private final AtomicInteger active = new AtomicInteger();
  private final IdleCpus idleCpus;
  private final ScheduledExecutorService watch;

  /** Helps with a plan once a thread is free. */
  private final class Helper implements Runnable {
    private final GetPlan plan;
    private final long sinceNanos = System.nanoTime();

    Helper(GetPlan plan) {
      this.plan = plan;
    }

    @Override
    public void run() {
      metrics.updateHandOverTime(System.nanoTime() - sinceNanos);
      active.incrementAndGet();
      try {
        plan.submitHelper(MultiGetPool.this::submit);
        plan.runOnHelper();
      } catch (Throwable t) {
        LOG.error("A helper failed; the gets that it claimed are done", t);
      } finally {
        active.decrementAndGet();
      }
    }
  }

  /**
   * Creates the pool and starts its threads.
   * @param activeHandlers returns the number of the server's handlers at work
   * @param idleCpus       used by this pool alone
   */
  MultiGetPool(ParallelMultiGetSettings settings, IntSupplier activeHandlers, IdleCpus idleCpus,
    MetricsParallelMultiGet metrics) {
    this.settings = settings;
    this.activeHandlers = activeHandlers;
    this.idleCpus = idleCpus;
    this.metrics = metrics;
    queue = new LinkedBlockingQueue<>(settings.getThreads());
    executor = new ThreadPoolExecutor(settings.getThreads(), settings.getThreads(), 0,
      TimeUnit.SECONDS, queue, threadsNamed("RS-MultiGet-%d"));
    watch = Executors.newSingleThreadScheduledExecutor(threadsNamed("RS-MultiGetWatch"));
    startThreads();
    DeviceReadTime.want();
    metrics.addPool(this);
  }

  private static ThreadFactory threadsNamed(String format) {
    return new ThreadFactoryBuilder().setNameFormat(format).setDaemon(true)
      .setUncaughtExceptionHandler(Threads.LOGGING_EXCEPTION_HANDLER).build();
  }

  /** Starts all threads now, so that no handler has to when the system can't create any more. */
  private void startThreads() {
    boolean started = false;
    try {
      executor.prestartAllCoreThreads();
      watch.scheduleAtFixedRate(idleCpus::tick, IdleCpus.PERIOD_MILLIS, IdleCpus.PERIOD_MILLIS,
        TimeUnit.MILLISECONDS);
      started = true;
    } finally {
      if (!started) {
        executor.shutdown();
        watch.shutdown();
      }
    }
  }

  ParallelMultiGetSettings getSettings() {
    return settings;
  }

  MetricsParallelMultiGet getMetrics() {
    return metrics;
  }

  /** Returns false if a helper would be dropped. */
  boolean hasRoom() {
    return queue.remainingCapacity() > 0;
  }

  /**
   * Queues a helper for these gets, which may never come. Throws nothing.
   * @return false if the queue is full
   */
  boolean submit(GetPlan plan) {
    try {
      // Not by the executor, which might start a thread.
      return hasRoom() && queue.offer(new Helper(plan));
    } catch (Throwable t) {
      LOG.warn("No helper could be queued", t);
      return false;
    }
  }

  /**
   * Returns the number of further threads that the processors have time for. There may be twice as
   * many threads as keep the processors busy, since the more threads read from a device, the longer
   * each of them waits.
   * @param working share of its time that a thread isn't waiting, above 0
   */
  int getSpareWaitingThreads(double working) {
    int threads = (int) (2 * settings.getCpus() / working);
    return Math.max(0, threads - activeHandlers.getAsInt() - active.get());
  }

  /**
   * Returns the number of processors that have time for gets served from memory: those that were
   * idle recently, and that neither a handler nor a helper uses now. A handler that waits for a
   * device counts as using one. May be negative.
   */
  int getIdleCpus() {
    return Math.min(idleCpus.get(),
      settings.getCpus() - activeHandlers.getAsInt() - active.get());
  }

  @Override
  public int getThreads() {
    return settings.getThreads();
  }

  @Override
  public int getActiveCount() {
    return active.get();
  }

  @Override
  public int getQueueSize() {
    return queue.size();
  }

  /** Takes no more helpers. Gets that have begun are finished by the threads that run them. */
  void shutdown() {
    metrics.removePool(this);
    DeviceReadTime.release();
    watch.shutdownNow();
    executor.shutdown();
  }

  /**
   * Like {@link #shutdown}, but also drops helpers that haven't begun, since the server stops.
   * Others aren't interrupted: they may read from a device, for which the JDK would wait.
   */
  void shutdownNow() {
    shutdown();
    queue.clear();
  }
}
