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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.hbasestrata.faults.UpgradeClient.Seen;

/**
 * A part of a rolling upgrade, and what the clients saw of it.
 * @param baseline whether stock servers were restarted as stock ones
 * @param stock    of the stock client
 * @param strata   of the client on Strata's jars
 */
record UpgradePhase(String name, boolean baseline, int restarts, Seen stock, Seen strata) {
  static final List<String> COLUMNS = List.of("phase", "restarts", "operations, stock client",
    "operations, Strata client", "failed, stock client", "failed, Strata client", "wrong", "lost",
    "longest s, stock client", "longest s, Strata client");

  /** What failed, and in how many restarts. */
  record Failed(long operations, int restarts) {
    @Override
    public String toString() {
      return operations + " in " + restarts + " restarts";
    }

    /** How many of these there are beyond what others had for as many restarts. */
    long beyond(Failed others) {
      long allowed = others.restarts == 0 ? 0 : others.operations * restarts / others.restarts;
      return Math.max(0, operations - allowed);
    }
  }

  /** What plain restarts of stock servers cost the stock client. */
  static Failed plain(List<UpgradePhase> phases) {
    Failed sum = new Failed(0, 0);
    for (UpgradePhase phase : phases) {
      if (phase.baseline) {
        sum = new Failed(sum.operations + phase.stock.failed(), sum.restarts + phase.restarts);
      }
    }
    return sum;
  }

  Failed stockFailed() {
    return new Failed(stock.failed(), restarts);
  }

  Failed strataFailed() {
    return new Failed(strata.failed(), restarts);
  }

  /** What failed beyond what plain restarts cost. */
  long beyond(Failed plain) {
    return (baseline ? 0 : stockFailed().beyond(plain)) + strataFailed().beyond(plain);
  }

  /** The longest that an operation took. */
  long longestMillis() {
    return Math.max(stock.longestMillis(), strata.longestMillis());
  }

  /** As {@link #COLUMNS}. */
  List<String> cells() {
    List<String> cells = new ArrayList<>(List.of(name, Integer.toString(restarts)));
    for (long count : new long[] { stock.operations(), strata.operations(), stock.failed(),
      strata.failed(), stock.wrong() + strata.wrong(), stock.lost() + strata.lost() }) {
      cells.add(Long.toString(count));
    }
    cells.add(seconds(stock.longestMillis()));
    cells.add(seconds(strata.longestMillis()));
    return cells;
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f", millis / 1000.0);
  }
}
