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

import java.util.concurrent.CountDownLatch;

/** Has a thread end and remove what it started before the JVM goes down. Thread-safe. */
final class Interrupts {
  private final Thread worker;
  private final CountDownLatch finished = new CountDownLatch(1);
  /** Whether what follows isn't to be broken off. Guarded by this. */
  private boolean held;

  private Interrupts(Thread worker) {
    this.worker = worker;
  }

  /** From now on this thread is interrupted when the JVM is told to end. */
  static Interrupts ofThisThread() {
    Interrupts interrupts = new Interrupts(Thread.currentThread());
    Runtime.getRuntime()
      .addShutdownHook(new Thread(interrupts::onShutdown, "bench-interrupt"));
    return interrupts;
  }

  private void onShutdown() {
    if (finished.getCount() == 0) {
      return;
    }
    interrupt();
    try {
      finished.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void interrupt() {
    if (!held) {
      worker.interrupt();
    }
  }

  /** The thread isn't interrupted any more; it ends what it started. */
  synchronized void hold() {
    held = true;
    // An interrupt that came too late.
    Thread.interrupted();
  }

  /** All is ended: the JVM may go down. */
  void release() {
    finished.countDown();
  }
}
