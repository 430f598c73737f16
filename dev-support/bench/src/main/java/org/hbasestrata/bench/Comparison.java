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
package org.hbasestrata.bench;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What was asked of a comparison, and what it ran on: {@code comparison.json}. It is written when
 * the comparison begins, as {@link State#PARTIAL}, and again when it ends.
 * @param profile           the YCSB profile
 * @param command           the exact command line
 * @param state             whether all runs of all rounds were done
 * @param reason            why it is partial, one line; null when it is complete
 * @param start             when it began; null when not known
 * @param end               when it ended; null while it runs
 * @param arms              the arms, two or more; all others are compared with the first
 * @param rounds            rounds asked for, 1 or more; in each every arm runs once
 * @param rows              rows in the table; null for the profile's own
 * @param minutes           length of a run's measured part; null when its operations end it
 * @param targetPerSecond   operations a second asked of the client; null when as many as go
 * @param memoryBytes       what heap, off-heap memory and page cache may take together, in bytes;
 *                          null when not limited
 * @param pageCache         the page cache; null when not looked after
 * @param commit            the commit of the checkout, with "-dirty" when files were changed; null
 *                          when not known
 * @param machine           the machine; null when not known
 * @param versions          versions by name, such as "HBase" and "Hadoop"; null or empty when not
 *                          known
 * @param configDifferences settings that the arms don't share; null or empty when none
 * @param notes             for the reader, such as that no memory limit could be had; null or empty
 *                          when none
 */
public record Comparison(String profile, String command, State state, String reason, Instant start,
  Instant end, List<Arm> arms, int rounds, Long rows, Double minutes, Double targetPerSecond,
  Long memoryBytes, PageCache pageCache, String commit, Machine machine,
  Map<String, String> versions, List<ConfigDifference> configDifferences, List<String> notes) {

  public Comparison {
    Checks.present("profile", profile);
    Checks.present("command", command);
    Checks.present("state", state);
    arms = Checks.list(arms);
    if (arms.size() < 2) {
      throw new IllegalArgumentException("arms has " + arms.size() + ", allowed: 2 or more");
    }
    if (arms.stream().map(Arm::name).distinct().count() < arms.size()) {
      throw new IllegalArgumentException("two arms have the same name");
    }
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds is " + rounds + ", allowed: 1 or more");
    }
    versions = Checks.map(versions);
    configDifferences = Checks.list(configDifferences);
    notes = Checks.list(notes);
  }
}
