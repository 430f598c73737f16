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

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what processes do. */
final class Await {
  private static final long SECONDS_AT_MOST = 300;
  private static final long POLL_MILLIS = 50;

  private Await() {
  }

  /**
   * Returns as soon as the condition is met, and fails if it isn't in time.
   * @param what what is waited for
   */
  static void until(String what, Callable<Boolean> condition) throws Exception {
    long start = System.nanoTime();
    while (!condition.call()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(SECONDS_AT_MOST)) {
        fail("after " + SECONDS_AT_MOST + " s: " + what);
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
