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
package org.hbasestrata.jvm;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Divides the off-heap memory for the shipped hbase-site.xml, which reads these environment
 * variables. One part in 16, at least 64 MB, is left for the file system's client and the network.
 * The rest is divided between the block cache, the memstore and the buffer pool as 8 : 3 : 1, like
 * source A's 40, 15 and 5 GB of 64.
 */
final class Shares {
  static final String CACHE = "HBASE_BUCKETCACHE_MB";
  static final String MEMSTORE = "HBASE_OFFHEAP_MEMSTORE_MB";
  static final String FLUSH_SIZE = "HBASE_MEMSTORE_FLUSH_SIZE";

  /** Least MB that hold a bucket of each size. */
  private static final int LEAST_CACHE = 32;
  /** Least MB of off-heap memory that give the cache {@link #LEAST_CACHE}. */
  private static final int LEAST = 112;
  private static final int LEAST_REST = 64;
  /** MB, upstream's default. */
  private static final int BIGGEST_FLUSH = 128;

  private final Map<String, String> values = new LinkedHashMap<>();

  /**
   * Divides off-heap memory.
   * @param megabytes   MB to divide
   * @param directName  what sets them, for advice
   * @param environment variables that are set there aren't changed
   */
  Shares(long megabytes, String directName, Map<String, String> environment) {
    long parts = megabytes - rest(megabytes);
    long cache = parts * 8 / 12;
    put(CACHE, cache, environment);
    if (values.containsKey(CACHE) && cache < LEAST_CACHE) {
      throw new JvmException(directName + " of " + Sizes.text(megabytes)
        + " leaves the block cache " + CACHE + "=" + Math.max(0, cache) + " MB, and it needs "
        + LEAST_CACHE + ": set " + directName + " to " + LEAST + "m or more");
    }
    put(MEMSTORE, parts * 3 / 12, environment);
    put(FLUSH_SIZE, flushSize(number(MEMSTORE, environment)), environment);
  }

  /**
   * Returns the flush size in bytes: a quarter of the memstore, since a region never reaches a
   * flush size above the memstore.
   * @param memstore MB
   */
  static long flushSize(long memstore) {
    long flush = memstore / 4;
    return (flush < 1 || flush > BIGGEST_FLUSH ? BIGGEST_FLUSH : flush) << 20;
  }

  private void put(String name, long value, Map<String, String> environment) {
    if (environment.getOrDefault(name, "").isEmpty()) {
      values.put(name, Long.toString(value));
    }
  }

  private long number(String name, Map<String, String> environment) {
    String value = values.getOrDefault(name, environment.get(name));
    if (!value.matches("\\d{1,12}")) {
      throw new JvmException(name + "=" + value + " is not a number; give one, or unset it");
    }
    return Long.parseLong(value);
  }

  /** Returns the MB that are left for others, of this many. */
  private static long rest(long megabytes) {
    return Math.max(megabytes / 16, LEAST_REST);
  }

  /** Returns the off-heap memory that is needed for this many MB in use, in MB. */
  static long around(long used) {
    return used + Math.max((used + 14) / 15, LEAST_REST);
  }

  /** Returns the variables that weren't set in the environment. */
  Map<String, String> values() {
    return values;
  }

  /** Replaces the variables in a configuration's values, since a JVM can't set its environment. */
  void applyTo(Configuration conf) {
    apply(values, conf);
  }

  /** Likewise, with these variables. */
  static void apply(Map<String, String> values, Configuration conf) {
    Map<String, String> changes = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : conf) {
      // The raw value, with the names of variables in it.
      String value = entry.getValue();
      for (Map.Entry<String, String> variable : values.entrySet()) {
        value = Pattern.compile("\\$\\{env\\." + variable.getKey() + "(:?-[^}]*)?}")
          .matcher(value).replaceAll(Matcher.quoteReplacement(variable.getValue()));
      }
      if (!value.equals(entry.getValue())) {
        changes.put(entry.getKey(), value);
      }
    }
    changes.forEach(conf::set);
  }
}
