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
import org.hbasestrata.tools.ToolException;

/**
 * How much memory each arm gets, and its shares.
 * @param bytes     all of it
 * @param heapBytes the heap's share
 */
public record Memory(long bytes, long heapBytes) {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmgt])b?");
  private static final long MEGABYTE = 1 << 20;
  private static final long LEAST = 1 << 30;
  private static final long LEAST_HEAP = 128 * MEGABYTE;

  /** A quarter is the heap: half of what is off-heap, as source A of conf/hbase-site.xml had it. */
  Memory(long bytes) {
    this(bytes, bytes / 4);
  }

  /** Reads a size such as 6g. */
  static Memory parse(String text) {
    long bytes = bytes(text);
    if (bytes >= LEAST) {
      return new Memory(bytes);
    }
    throw ToolException.usage("--memory is '" + text + "', allowed: a size of 1g or more, such as"
      + " 6g or 1536m");
  }

  /**
   * The same with another heap.
   * @param text a size such as 2g; null for this one's
   */
  public Memory withHeap(String text) {
    if (text == null) {
      return this;
    }
    long heap = bytes(text);
    if (heap < LEAST_HEAP || heap > bytes / 4 * 3) {
      throw ToolException.usage("--heap is '" + text + "', allowed: a size from 128m to three"
        + " quarters of --memory " + this);
    }
    return new Memory(bytes, heap);
  }

  /** Half of it all, in the same shares. */
  Memory half() {
    return new Memory(bytes / 2, heapBytes / 2);
  }

  /** Returns -1 for what is no size. */
  private static long bytes(String text) {
    Matcher matcher = SIZE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return -1;
    }
    long bytes = Long.parseLong(matcher.group(1)) << 10 * ("kmgt".indexOf(matcher.group(2)) + 1);
    return bytes < Long.MAX_VALUE >> 10 ? bytes : -1;
  }

  long heapMegabytes() {
    return heapBytes / MEGABYTE;
  }

  /** Two thirds of what the heap leaves. The rest is for the JVM itself and the page cache. */
  long offHeapMegabytes() {
    return (bytes - heapBytes) / 3 * 2 / MEGABYTE;
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
