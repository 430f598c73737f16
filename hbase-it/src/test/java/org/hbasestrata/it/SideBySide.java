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
package org.hbasestrata.it;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.model.InitializationError;
import org.junit.runners.model.RunnerScheduler;

/**
 * Runs the methods of a class side by side: of tests that wait for processes, and share nothing
 * that they change.
 */
public final class SideBySide extends BlockJUnit4ClassRunner {
  private static final int THREADS = 4;

  /** @param tests class with the methods */
  public SideBySide(Class<?> tests) throws InitializationError {
    super(tests);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    setScheduler(new RunnerScheduler() {
      @Override
      public void schedule(Runnable method) {
        threads.execute(method);
      }

      @Override
      public void finished() {
        threads.shutdown();
        try {
          // Each ends in time by itself.
          threads.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          threads.shutdownNow();
          Thread.currentThread().interrupt();
        }
      }
    });
  }
}
