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

import java.util.Map;

/**
 * How much of each fault.
 * @param brief    what a build has time for
 * @param minutes  of the soak
 * @param kills    of each fault that kills
 * @param inputs   that are sent to the RPC port
 * @param seed     that their damages follow from
 * @param engine   of L2
 * @param settings keys of hbase-site.xml that all servers have besides
 */
record Amounts(boolean brief, double minutes, int kills, int inputs, long seed, Engine engine,
  Map<String, String> settings) {
  /** Rows of 1 KB in the table: more than L2 holds, so that blocks come and go, yet many hits. */
  int rows() {
    return engine.rows();
  }

  /** Operations a second of the usual load: those of the build's clusters share two processors. */
  int target() {
    return brief ? 150 : 400;
  }

  /** Seconds that others read at least while a hostile client is at work. */
  int beside() {
    return brief ? 3 : 15;
  }

  /** Operations of the chains of rows before a fault, and again after it. */
  int operationsBeside() {
    return brief ? 150 : 1_000;
  }

  /** Reads that a server gets between two looks at how many of them its L2 serves. */
  int readsOfALook() {
    return brief ? 500 : 1_000;
  }

  /** Rows that are read while buffers are watched. */
  int watched() {
    return brief ? 20_000 : 1_000_000;
  }

  /** How often servers are upgraded and taken back. */
  int rounds() {
    return brief ? 1 : 2;
  }

  /** As a person reads it. */
  @Override
  public String toString() {
    return (brief ? "Short versions: " : "") + kills + " kills of each fault that kills, " + inputs
      + " hostile requests of seed " + seed + ", soak of " + minutes + " minutes, L2 on " + engine
      + (settings.isEmpty() ? "" : ", with " + settings);
  }

  /** How long a fault lasts that isn't over by itself. */
  int faultSeconds() {
    return brief ? 5 : 30;
  }
}
