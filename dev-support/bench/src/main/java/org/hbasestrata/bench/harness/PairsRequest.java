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

import java.util.List;
import java.util.Map;

/**
 * The validated request of {@code bench pairs}.
 * @param request      what it has in common with a comparison; the memory is that of each arm
 * @param threads      numbers of client threads, in the order in which they are measured
 * @param sliceSeconds seconds of each arm in a pair
 * @param turnMillis   milliseconds for which one arm is served before the other is
 * @param leastPairs   minimum number of pairs of slices
 * @param mostPairs    maximum number of pairs of slices
 * @param stopAt       half width of an interval that is narrow enough, as a share of the ratio
 * @param starts       how often the region servers are started, 1 or more
 * @param selfTest     whether the arms are the same, so that ratios other than 1 are failures
 * @param encodings    data block encodings of arms' tables; the profile's of an arm that is absent
 * @param clients      {@link ArmSpec#STOCK} or {@link ArmSpec#STRATA} by the arm, whose jars the
 *                     arm's client has; empty when one client process asks both arms
 * @param secure       options of a secured cluster; empty for one that isn't
 */
record PairsRequest(Request request, List<Integer> threads, double sliceSeconds, long turnMillis,
  int leastPairs, int mostPairs, double stopAt, int starts, boolean selfTest,
  Map<String, String> encodings, Map<String, String> clients, List<String> secure) {

  int mostThreads() {
    return threads.stream().mapToInt(Integer::intValue).max().orElseThrow();
  }

  /** Whether each arm has a client process of its own. */
  boolean ownClients() {
    return !clients.isEmpty();
  }

  /** Whose jars the client of an arm has. */
  String clientOf(String arm) {
    return clients.getOrDefault(arm, ArmSpec.STRATA);
  }

  /** Returns the arm, 0 or 1, that begins a pair; pairs are counted from 1. */
  static int first(int pair) {
    return (pair + 1) % 2;
  }
}
