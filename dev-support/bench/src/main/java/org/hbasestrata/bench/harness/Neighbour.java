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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hbasestrata.tools.ToolException;

/** What runs on a region server beside gets. */
enum Neighbour {
  NOTHING("nothing else", ""),
  SCAN("one full scan after the other, 100 rows a call", "rows"),
  SCANS("eight full scans at once, 100 rows a call", "rows"),
  GREEDY_SCANS("eight full scans at once, 10,000 rows a call", "rows"),
  GETS("as many gets as 16 threads of another client can send", "gets"),
  BATCHES("batches of 2,500 gets from 2 threads of another client", "gets"),
  COMPACTIONS("one major compaction after the other, of the table that is read", "compactions"),
  CATCH_UP("compactions of 20 files of 8 MB into one, of another table", "files"),
  FLUSHES("puts of 1 KB in batches, of which each 8 MB are flushed", "puts"),
  BIG_ROWS("gets of a row of 10 MB, from 2 threads", "gets"),
  REGIONS("100 regions are closed and opened", "regions"),
  SNAPSHOTS("one snapshot after the other, of the table that is read", "snapshots"),
  START("nothing else, from when server and client start", ""),
  DATANODE_LATE("of three DataNodes the one read most stands still for 200 ms of each 220", ""),
  DATANODE_STOPPED("of three DataNodes the one read most stands still", ""),
  DATANODE_WITHOUT_DISK("of three DataNodes the one read most has lost its folder", "");

  private final String what;
  private final String unit;

  Neighbour(String what, String unit) {
    this.what = what;
    this.unit = unit;
  }

  /** What it does, for people. */
  String what() {
    return what;
  }

  /** Whether it is a DataNode that has a fault, and no client. */
  boolean isDataNode() {
    return this == DATANODE_LATE || this == DATANODE_STOPPED || this == DATANODE_WITHOUT_DISK;
  }

  /** Whether it is a client. */
  boolean isLoad() {
    return this != NOTHING && this != START && !isDataNode();
  }

  /** What its work is counted in; empty if it has none. */
  String unit() {
    return unit;
  }

  /** @throws ToolException if there is none of that name */
  static Neighbour of(String name) {
    return Arrays.stream(values()).filter(neighbour -> neighbour.toString().equals(name))
      .findFirst().orElseThrow(() -> ToolException.usage("--neighbours has '" + name
        + "', allowed: " + names()));
  }

  static String names() {
    return List.of(values()).stream().map(Neighbour::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
