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

/*
 * What fails does so after the client's own retries, which take minutes. Until then a cluster that
 * is lost looks like one that recovers a server's regions, hence two bounds.
 */

/** Tells when nothing has succeeded for so long that going on is of no use. For one thread. */
final class SuccessWatch {
  /** For how long operations may fail without any that succeeds. */
  static final int FAILING_SECONDS = 60;
  /** For how long operations may neither succeed nor fail. */
  static final int SILENT_SECONDS = 300;

  private long successes;
  private long failures;
  private double lastSuccess;
  private double firstFailure = Double.POSITIVE_INFINITY;

  /**
   * Looks at how it goes; to be called every second or so.
   * @param elapsed        seconds since the start
   * @param successesSoFar operations that succeeded since the start
   * @param failuresSoFar  operations that failed since the start
   * @return whether to give up
   */
  boolean isLost(double elapsed, long successesSoFar, long failuresSoFar) {
    if (successesSoFar > successes) {
      successes = successesSoFar;
      failures = failuresSoFar;
      lastSuccess = elapsed;
      firstFailure = Double.POSITIVE_INFINITY;
    } else if (failuresSoFar > failures) {
      firstFailure = Math.min(firstFailure, elapsed);
    }
    return elapsed - firstFailure >= FAILING_SECONDS || elapsed - lastSuccess >= SILENT_SECONDS;
  }

  /** Whether operations have failed since the last success. */
  boolean isFailing() {
    return firstFailure < Double.POSITIVE_INFINITY;
  }

  /** The time since the last success, or the start, in seconds. */
  double secondsWithoutSuccess(double elapsed) {
    return elapsed - lastSuccess;
  }
}
