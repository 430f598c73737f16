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
package org.hbasestrata.tools;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Has a thread end and remove what it started before the JVM goes down: the thread is interrupted
 * when the JVM is told to end, which then waits until this is closed. Thread-safe.
 */
public final class Interrupts implements AutoCloseable {
  private final Thread worker = Thread.currentThread();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Consumer<String> told;
  private volatile boolean came;

  /**
   * From now on this thread is interrupted.
   * @param told gets a line for people then
   */
  public Interrupts(Consumer<String> told) {
    this.told = told;
    Runtime.getRuntime().addShutdownHook(new Thread(this::onShutdown, "interrupt"));
  }

  private void onShutdown() {
    if (closed.getCount() == 0) {
      return;
    }
    came = true;
    told.accept("Interrupted: ending what was started ...");
    synchronized (this) {
      worker.interrupt();
    }
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the JVM was told to end. */
  public boolean came() {
    return came;
  }

  /** Runs a task in this thread, which isn't interrupted before the task is done. */
  public synchronized void undisturbed(Runnable task) {
    // An interrupt that has come is over.
    Thread.interrupted();
    task.run();
  }

  /** All is ended: the JVM may go down. */
  @Override
  public void close() {
    closed.countDown();
  }
}
