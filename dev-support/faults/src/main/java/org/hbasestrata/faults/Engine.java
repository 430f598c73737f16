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
package org.hbasestrata.faults;

import java.util.Locale;
import java.util.Map;

/** The engine of L2 in the clusters whose servers have tiers. */
enum Engine {
  DIRECT(Map.of(), 60_000, "The block cache is off after", "The block cache is on again"),
  SEGMENTS(Map.of("FAULTS_L2", "segments", "FAULTS_L2_MB", "64", "FAULTS_LIST", ""), 160_000,
    " is off, since its device fails", " is on again, empty");

  private final Map<String, String> environment;
  private final int rows;
  private final String toldOff;
  private final String toldOn;

  Engine(Map<String, String> environment, int rows, String toldOff, String toldOn) {
    this.environment = environment;
    this.rows = rows;
    this.toldOff = toldOff;
    this.toldOn = toldOn;
  }

  /** What the configuration reads of the environment. */
  Map<String, String> environment() {
    return environment;
  }

  /** Rows of 1 KB in the table: more than L2 holds, so that blocks come and go, yet many hits. */
  int rows() {
    return rows;
  }

  /** What a line of the log has when L2 is turned off. */
  String toldOff() {
    return toldOff;
  }

  /** What a line of the log has when L2 is there again. */
  String toldOn() {
    return toldOn;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
