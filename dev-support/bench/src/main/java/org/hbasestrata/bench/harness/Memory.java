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

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.bench.BenchException;

/**
 * How much memory each arm gets, and its shares.
 * @param bytes all of it
 */
record Memory(long bytes) {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmgt])b?");
  private static final long MEGABYTE = 1 << 20;
  private static final long LEAST = 1 << 30;

  /** Reads a size such as 6g. */
  static Memory parse(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      long bytes = Long.parseLong(matcher.group(1)) << 10 * ("kmgt".indexOf(matcher.group(2)) + 1);
      if (bytes >= LEAST && bytes < Long.MAX_VALUE >> 10) {
        return new Memory(bytes);
      }
    }
    throw BenchException.usage("--memory is '" + text + "', allowed: a size of 1g or more, such as"
      + " 6g or 1536m", null);
  }

  /** A quarter: half of what is off-heap, as source A of conf/hbase-site.xml had it. */
  long heapMegabytes() {
    return bytes / 4 / MEGABYTE;
  }

  /** A half. The quarter that is left is for the JVM itself and the page cache. */
  long offHeapMegabytes() {
    return bytes / 2 / MEGABYTE;
  }

  /** For bin/hbase. */
  Map<String, String> environment() {
    return Map.of("HBASE_HEAPSIZE", heapMegabytes() + "m", "HBASE_OFFHEAPSIZE",
      offHeapMegabytes() + "m");
  }

  @Override
  public String toString() {
    return bytes % (MEGABYTE << 10) == 0 ? (bytes / MEGABYTE >> 10) + "g" : bytes / MEGABYTE + "m";
  }
}
