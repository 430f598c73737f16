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
package org.hbasestrata.bench.report;

import java.time.Instant;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A stop of all application threads by the garbage collector.
 * @param start         when it began
 * @param millis        how long it took
 * @param type          what the collector did in it, such as Young
 * @param cause         why; null when not told
 * @param edenBytes     of G1's eden before it; null when not known
 * @param promotedBytes that the old generation, without humongous objects, grew by in a young
 *                      collection; null in any other, and when not known
 */
public record Pause(Instant start, double millis, String type, String cause, Long edenBytes,
  Long promotedBytes) {

  /** What is collected in a pause. */
  public enum Kind {
    /** The young generation, with some old regions or without. */
    YOUNG,
    /** The whole heap, while all threads stand. */
    FULL,
    /** Nothing yet: a step of a collection that runs beside the application. */
    CONCURRENT
  }

  Pause(Instant start, double millis, String type, String cause) {
    this(start, millis, type, cause, null, null);
  }

  /** Told by the names that GCToolKit and flight recordings have for it. */
  public Kind kind() {
    String name = type.toLowerCase(Locale.ROOT);
    if (isOneOf(name, "full", "parallelold", "serialold", "concurrent mode", "system")) {
      return Kind.FULL;
    }
    if (isOneOf(name, "young", "mixed", "parnew", "defnew", "psyounggen", "scavenge", "g1new",
      "promotion failed") && !isOneOf(name, "mark start", "mark end", "relocate")) {
      return Kind.YOUNG;
    }
    return Kind.CONCURRENT;
  }

  /** Whether old objects are found in it, at the end of a concurrent marking. */
  public boolean isRemark() {
    return isOneOf(type.toLowerCase(Locale.ROOT), "remark", "mark end", "final mark");
  }

  private static boolean isOneOf(String name, String... parts) {
    return Stream.of(parts).anyMatch(name::contains);
  }
}
