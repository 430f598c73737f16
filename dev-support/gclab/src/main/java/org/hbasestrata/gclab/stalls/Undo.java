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
package org.hbasestrata.gclab.stalls;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.hbasestrata.tools.ToolException;

/**
 * What is to be undone in the end: the last first, each though another one fails, and though the
 * thread is interrupted. For one thread.
 */
final class Undo implements AutoCloseable {
  private final Deque<Step> steps = new ArrayDeque<>();

  /** Undoes one thing; does nothing when it wasn't done. */
  interface Step {
    void run() throws IOException, InterruptedException;
  }

  void add(Step step) {
    steps.push(step);
  }

  /** Throws the first failure; the others are its suppressed ones. */
  @Override
  public void close() {
    List<Exception> failures = new ArrayList<>();
    // Nobody interrupts a thread that nobody knows.
    joinAlthoughInterrupted(() -> steps.forEach(step -> run(step, failures)));
    steps.clear();
    if (!failures.isEmpty()) {
      Exception first = failures.get(0);
      ToolException thrown = ToolException.failed("something is left, remove it: "
        + ToolException.oneLine(first), first);
      failures.stream().skip(1).forEach(thrown::addSuppressed);
      throw thrown;
    }
  }

  private static void run(Step step, List<Exception> failures) {
    try {
      step.run();
    } catch (IOException | InterruptedException | RuntimeException e) {
      failures.add(e);
    }
  }

  private static void joinAlthoughInterrupted(Runnable task) {
    Thread thread = new Thread(task, "gclab-undo");
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
