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

/**
 * A stop of all application threads, from the call for it to its end.
 * @param atSeconds  since the JVM's start
 * @param millis     how long it took
 * @param cpuMillis  CPU time that the collector took in it, of all its threads; 0 when it was for
 *                   something else
 */
record Stop(double atSeconds, double millis, double cpuMillis) {
  /** What counts as long: source D's bound. */
  static final double LONG_MILLIS = 250;

  boolean isLong() {
    return millis > LONG_MILLIS;
  }

  /**
   * Milliseconds of it that may have been the collector's work: as long as its threads were on a
   * processor, if they took turns.
   */
  double workMillis() {
    return Math.min(millis, cpuMillis);
  }

  /** What is left, in which nothing was collected. */
  double restMillis() {
    return millis - workMillis();
  }
}
