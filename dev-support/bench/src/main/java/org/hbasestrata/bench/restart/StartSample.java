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

/**
 * What there was at a moment of a region server that is restarted under a load of a set rate.
 * @param millis     since the epoch
 * @param due        gets that were due by then
 * @param answered   gets that were answered
 * @param pid        the server's process; {@link #DOWN} while there is none
 * @param cpuSeconds user and system time of that process
 */
public record StartSample(long millis, long due, long answered, long pid, double cpuSeconds) {
  /** No process. */
  public static final long DOWN = 0;

  public String toLine() {
    return millis + " " + due + " " + answered + " " + pid + " " + cpuSeconds;
  }

  static StartSample parse(String line) {
    String[] words = line.split(" ");
    return new StartSample(Long.parseLong(words[0]), Long.parseLong(words[1]),
      Long.parseLong(words[2]), Long.parseLong(words[3]), Double.parseDouble(words[4]));
  }
}
