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

/**
 * One run of one arm: {@code run.json}. The client's figures are in ycsb.json beside it, pauses in
 * gc.log, pauses, safepoints and allocation sites in server.jfr; here is what else is known.
 * @param round         the round, from 1
 * @param arm           the arm's name
 * @param position      its turn in the round, from 1
 * @param state         whether the run came to its end; a partial one gives no numbers
 * @param reason        why it is partial, one line; null when it is complete
 * @param start         when the region server was started; null when it never was
 * @param end           when the region server was stopped; null when it never was
 * @param measuredStart when the first reading of the server's counters was taken; null for the
 *                      start that ycsb.json tells
 * @param measuredEnd   when the last one was; null for the end that ycsb.json tells. Pauses,
 *                      safepoints and allocations outside of the two don't count.
 * @param server        the readings; null when there are none
 * @param notes         for the reader, such as that a counter couldn't be read; null or empty when
 *                      none
 */
public record Run(int round, String arm, int position, State state, String reason, Instant start,
  Instant end, Instant measuredStart, Instant measuredEnd, Server server, List<String> notes) {

  public Run {
    if (round < 1) {
      throw new IllegalArgumentException("round is " + round + ", allowed: 1 or more");
    }
    Checks.present("arm", arm);
    Checks.present("state", state);
    notes = Checks.list(notes);
  }
}
