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
import java.util.function.ToIntFunction;
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
  private final List<Thread> threads = new ArrayList<>();
  private final List<Thread> others = new ArrayList<>();
  private final LongAdder done = new LongAdder();
  private final double stepsPerSecond;
  private final Supplier<HBaseClient> clients;
  private volatile boolean stopped;
  private volatile Throwable crash;

  /**
   * @param stepsPerSecond over all threads; 0 for as fast as they go
   * @param clients        gives each thread its client, not yet initialized
   * @param step           returns how many operations it did, 0 when none is left
   */
  ClientThreads(int threadCount, double stepsPerSecond, Supplier<HBaseClient> clients,
    ToIntFunction<HBaseClient> step) {
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
  void addOthers(int threadCount, ToIntFunction<HBaseClient> step) {
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

  private void work(int index, HBaseClient client, ToIntFunction<HBaseClient> step) {
    double tick = stepsPerSecond == 0 ? 0 : threads.size() * 1e9 / stepsPerSecond;
    // Threads begin one after the other within the first tick.
    long start = System.nanoTime() + (long) (tick * index / threads.size());
    for (long n = 0; !stopped; n++) {
      if (tick == 0) {
        client.due(System.nanoTime());
      } else {
        long due = start + (long) (n * tick);
        sleepUntil(due);
        client.due(due);
        if (stopped) {
          return;
        }
      }
      int operations = step.applyAsInt(client);
      if (operations == 0) {
        return;
      }
      done.add(operations);
    }
  }

  private void workBeside(HBaseClient client, ToIntFunction<HBaseClient> step) {
    do {
      client.due(System.nanoTime());
    } while (!stopped && step.applyAsInt(client) > 0);
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
  void stop() {
    stopped = true;
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
