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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import site.ycsb.DBException;

/*
 * In place of YCSB's ClientThread, which ends the process with exit code 0 when an operation
 * throws, leaves its thread for good at the first failed insert, and can't be paced below one
 * operation in two seconds a thread.
 */

/**
 * Client threads that do one step after the other, as fast as they go or at a set rate, until no
 * step is left or they are told to stop. Others may do steps of another kind beside them, as fast
 * as they go, until these have ended.
 */
final class ClientThreads {
  /** What a thread does again and again. Any thread may call. */
  interface Step {
    /** Returns how many operations it did, 0 when none is left. */
    int perform(HBaseClient client);

    /**
     * Takes note, once the threads are stopped, that a step which was due before won't be done.
     * Called as soon as its thread is free.
     * @return false when no step would have been left
     */
    default boolean skip(HBaseClient client) {
      return false;
    }
  }

  private final List<Thread> threads = new ArrayList<>();
  private final List<Thread> others = new ArrayList<>();
  private final LongAdder done = new LongAdder();
  private final double stepsPerSecond;
  private final Supplier<HBaseClient> clients;
  private volatile boolean stopped;
  private volatile long stoppedAt;
  private volatile Throwable crash;

  /**
   * @param stepsPerSecond over all threads; 0 for as fast as they go
   * @param clients        gives each thread its client, not yet initialized
   */
  ClientThreads(int threadCount, double stepsPerSecond, Supplier<HBaseClient> clients,
    Step step) {
    this.stepsPerSecond = stepsPerSecond;
    this.clients = clients;
    for (int i = 0; i < threadCount; i++) {
      int index = i;
      threads.add(thread("ycsb-client-" + i, client -> work(index, client, step)));
    }
  }

  /**
   * Adds threads that do {@code step} until the others have ended. What they do isn't counted.
   * Before the start.
   */
  void addOthers(int threadCount, Step step) {
    for (int i = 0; i < threadCount; i++) {
      others.add(thread("ycsb-other-" + i, client -> workBeside(client, step)));
    }
  }

  private Thread thread(String name, Consumer<HBaseClient> work) {
    Thread thread = new Thread(() -> run(clients.get(), work), name);
    thread.setDaemon(true);
    return thread;
  }

  void start() {
    threads.forEach(Thread::start);
    others.forEach(Thread::start);
  }

  private void run(HBaseClient client, Consumer<HBaseClient> work) {
    try {
      client.init();
      try {
        work.accept(client);
      } finally {
        client.cleanup();
      }
    } catch (DBException | RuntimeException | Error e) {
      crash = e;
      stop();
    }
  }

  private void work(int index, HBaseClient client, Step step) {
    if (stepsPerSecond > 0) {
      workAtRate(index, client, step);
      return;
    }
    boolean left = true;
    while (left && !stopped) {
      client.due(System.nanoTime());
      left = perform(client, step);
    }
  }

  private void workAtRate(int index, HBaseClient client, Step step) {
    double tick = threads.size() * 1e9 / stepsPerSecond;
    // Threads begin one after the other within the first tick.
    long start = System.nanoTime() + (long) (tick * index / threads.size());
    long due = start;
    boolean left = true;
    for (long n = 1; left; n++) {
      sleepUntil(due);
      client.due(due);
      left = stopped ? due - stoppedAt < 0 && step.skip(client) : perform(client, step);
      due = start + (long) (n * tick);
    }
  }

  private boolean perform(HBaseClient client, Step step) {
    int operations = step.perform(client);
    done.add(operations);
    return operations > 0;
  }

  private void workBeside(HBaseClient client, Step step) {
    do {
      client.due(System.nanoTime());
    } while (!stopped && step.perform(client) > 0);
  }

  private void sleepUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0 && !stopped; left =
      nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** The operations done so far, failed ones too. */
  long done() {
    return done.sum();
  }

  /** Lets each thread end after its current step. */
  synchronized void stop() {
    if (!stopped) {
      stoppedAt = System.nanoTime();
      stopped = true;
    }
    threads.forEach(LockSupport::unpark);
  }

  boolean isStopped() {
    return stopped;
  }

  /** Breaks off the current steps of threads that don't end. */
  void interrupt() {
    threads.forEach(Thread::interrupt);
    others.forEach(Thread::interrupt);
  }

  /**
   * Waits for all threads to end.
   * @return whether they have
   */
  boolean await(long millis) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    if (!await(threads, end)) {
      return false;
    }
    stopped = true;
    return await(others, end);
  }

  private static boolean await(List<Thread> threads, long end) throws InterruptedException {
    for (Thread thread : threads) {
      long left = (end - System.nanoTime()) / 1_000_000;
      thread.join(Math.max(1, left));
      if (thread.isAlive()) {
        return false;
      }
    }
    return true;
  }

  /** What ended a thread, and so the run, before its time; null when nothing did. */
  Throwable crash() {
    return crash;
  }
}
