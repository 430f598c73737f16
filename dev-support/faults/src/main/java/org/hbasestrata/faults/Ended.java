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

/**
 * A server that ended by itself.
 * @param server as `cluster status` has it
 * @param why    what it logged when it aborted, in a line; empty if it logged nothing, as one that
 *               was killed or crashed
 */
record Ended(String server, String why) {
  private static final String START = " STARTING ";
  private static final String ABORT = "***** ABORTING ";

  /** @param log of the server, with those of its earlier starts */
  static Ended of(String server, Iterable<String> log) {
    String why = "";
    for (String line : log) {
      int abort = line.indexOf(ABORT);
      if (line.contains(START)) {
        why = "";
      } else if (why.isEmpty() && abort >= 0) {
        why = line.substring(abort + ABORT.length()).replace(" *****", "");
      }
    }
    return new Ended(server, why);
  }
}
