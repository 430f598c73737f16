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
package org.hbasestrata.bench.pairs;

import java.util.Map;

/**
 * Some seconds of a profile on one arm, in turns with the other.
 * @param start                 of the region servers, from 1
 * @param pair                  which pair of that start, from 1
 * @param second                whether the other arm had the pair's first turn
 * @param operations            none of which failed
 * @param rows                  that the operations read or wrote
 * @param seconds               operations by their rate
 * @param server                what the arm's region server used
 * @param clientCpuSeconds      user and system time of the client
 * @param clientSwitches        context switches of the client
 * @param clientAllocatedBytes  on the client's heap
 * @param idleShare             CPU seconds a second of the other region server, when it had no
 *                              turns, in a slice before
 * @param quietSeconds          how long the region server still worked after the last operation
 * @param latencies             by operation
 */
public record Slice(int threads, int start, int pair, String arm, boolean second,
  long operations, long rows, double seconds, ServerUse server, double clientCpuSeconds,
  double clientSwitches, double clientAllocatedBytes, double idleShare, double quietSeconds,
  Map<String, Latency> latencies) {

  /** Latencies of one kind of operation, in microseconds. */
  public record Latency(long count, double meanUs, double p50Us, double p99Us, double p999Us) {
  }
}
