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
package org.hbasestrata.bench.restart;

import java.util.Map;
import java.util.TreeMap;
import org.hbasestrata.bench.Server;

/**
 * What all region servers did in a second.
 * @param lookups             look-ups by tier of the block cache, and as {@link #ALL} in all of it
 * @param hdfsBlocksRead      HFile blocks read from HDFS
 * @param cpuSeconds          of the processes
 * @param compilerSeconds     of these, those of the JIT compilers
 * @param regionsInTransition as the master tells
 */
public record ServerSecond(Map<String, Server.CacheTier> lookups, long hdfsBlocksRead,
  double cpuSeconds, double compilerSeconds, int regionsInTransition) {
  /** The block cache as a whole. */
  public static final String ALL = "all";
  static final ServerSecond NOTHING = new ServerSecond(Map.of(), 0, 0, 0, 0);

  /** The sum, of regions in transition the most. */
  public ServerSecond plus(ServerSecond more) {
    Map<String, Server.CacheTier> sum = new TreeMap<>(lookups);
    more.lookups.forEach((tier, counts) -> sum.merge(tier, counts, Server.CacheTier::plus));
    return new ServerSecond(sum, hdfsBlocksRead + more.hdfsBlocksRead,
      cpuSeconds + more.cpuSeconds, compilerSeconds + more.compilerSeconds,
      Math.max(regionsInTransition, more.regionsInTransition));
  }

  /** Hits in percent of the look-ups, by tier. */
  Map<String, Double> hitPercents() {
    Map<String, Double> percents = new TreeMap<>();
    lookups.forEach((tier, counts) -> {
      if (counts.hits() + counts.misses() > 0) {
        percents.put(tier, 100.0 * counts.hits() / (counts.hits() + counts.misses()));
      }
    });
    return percents;
  }
}
