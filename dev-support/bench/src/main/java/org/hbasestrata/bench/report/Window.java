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
package org.hbasestrata.bench.report;

import java.time.Duration;
import java.time.Instant;

/** The measured part of a run. */
public record Window(Instant start, Instant end) {
  boolean holds(Instant time) {
    return !time.isBefore(start) && !time.isAfter(end);
  }

  public double seconds() {
    return Duration.between(start, end).toNanos() / 1e9;
  }

  /** Seconds from the start to {@code time}. */
  double secondsTo(Instant time) {
    return Duration.between(start, time).toNanos() / 1e9;
  }
}
