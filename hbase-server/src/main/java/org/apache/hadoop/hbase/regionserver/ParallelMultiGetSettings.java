/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of {@link ParallelMultiGet}. Immutable. Each of them can be changed while the server
 * runs.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class ParallelMultiGetSettings {
  private static final String PREFIX = "hbase.regionserver.multiget.parallel.";

  /** Whether the gets of a multi request are spread over threads. */
  public static final String ENABLED_KEY = PREFIX + "enabled";
  public static final boolean ENABLED_DEFAULT = false;

  /**
   * Threads that help handlers, all requests together. By default as many as there are processors;
   * if the block cache is on a device, four for each processor and at least 32, for they wait.
   */
  public static final String THREADS_KEY = PREFIX + "threads";
  private static final int THREADS_PER_CPU_ON_DEVICE = 4;
  private static final int FEWEST_THREADS_ON_DEVICE = 32;
  private static final int MOST_THREADS = 1024;
  /** A block of data, one of the index, and one that is compressed. */
  private static final int BUFFERS_PER_THREAD = 3;

  /** Invitations to help that may wait for a thread; by default as many as threads. */
  public static final String QUEUE_KEY = PREFIX + "queue";
  private static final int LONGEST_QUEUE = 65_536;

  /** Requests with fewer gets than this are served by their handler alone. */
  public static final String MIN_GETS_KEY = PREFIX + "min.gets";
  public static final int MIN_GETS_DEFAULT = 4;

  /**
   * Threads that may help with one request; by default 16, or half of all if that is less, so that
   * one request doesn't have all.
   */
  public static final String MAX_PER_REQUEST_KEY = PREFIX + "max.per.request";
  private static final int MAX_PER_REQUEST_DEFAULT = 16;

  /**
   * Microseconds of waiting for a device that a thread must be expected to take over to be invited;
   * of work in memory twice as many. 0 spreads each request that has enough gets, from its first
   * one on, whatever they cost.
   */
  public static final String HAND_OVER_MICROS_KEY = PREFIX + "hand.over.micros";
  public static final int HAND_OVER_MICROS_DEFAULT = 50;

  private final boolean enabled;
  private final int cpus;
  private final int threads;
  private final int queue;
  private final int minGets;
  private final int maxPerRequest;
  private final long handOverNanos;

  /**
   * @throws IllegalArgumentException if a value isn't allowed; names the key, its value and what to
   *                                  do
   */
  public ParallelMultiGetSettings(Configuration conf) {
    enabled = SettingsReader.readBoolean(conf, ENABLED_KEY, ENABLED_DEFAULT);
    cpus = Runtime.getRuntime().availableProcessors();
    threads = SettingsReader.readInt(conf, THREADS_KEY, isCacheOnDevice(conf)
      ? Math.min(Math.max(FEWEST_THREADS_ON_DEVICE, THREADS_PER_CPU_ON_DEVICE * cpus), MOST_THREADS)
      : Math.min(cpus, MOST_THREADS), 1, MOST_THREADS);
    queue = SettingsReader.readInt(conf, QUEUE_KEY, threads, 1, LONGEST_QUEUE);
    minGets =
      SettingsReader.readInt(conf, MIN_GETS_KEY, MIN_GETS_DEFAULT, 2, Integer.MAX_VALUE);
    maxPerRequest = SettingsReader.readInt(conf, MAX_PER_REQUEST_KEY,
      Math.max(1, Math.min(threads / 2, MAX_PER_REQUEST_DEFAULT)), 1, Integer.MAX_VALUE);
    handOverNanos = TimeUnit.MICROSECONDS
      .toNanos(SettingsReader.readInt(conf, HAND_OVER_MICROS_KEY, HAND_OVER_MICROS_DEFAULT, 0,
        Integer.MAX_VALUE));
    if (maxPerRequest > threads) {
      throw SettingsReader.invalid(MAX_PER_REQUEST_KEY, String.valueOf(maxPerRequest),
        "It can't be above " + THREADS_KEY + ", " + threads + ". Lower it, or raise that.");
    }
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** Returns Processors that the JVM may use. */
  int getCpus() {
    return cpus;
  }

  /** Has the pool of buffers know of what the threads take. */
  public static void registerDemand() {
    DirectMemoryDemand.register("parallel multiget", conf -> {
      ParallelMultiGetSettings settings = new ParallelMultiGetSettings(conf);
      return new DirectMemoryDemand(
        settings.isEnabled() ? (long) settings.getThreads() * BUFFERS_PER_THREAD : 0, 0);
    });
  }

  public int getThreads() {
    return threads;
  }

  public int getQueue() {
    return queue;
  }

  public int getMinGets() {
    return minGets;
  }

  public int getMaxPerRequest() {
    return maxPerRequest;
  }

  /** Returns Nanoseconds; 0 to spread whatever it costs. */
  public long getHandOverNanos() {
    return handOverNanos;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ParallelMultiGetSettings
      && Arrays.equals(values(), ((ParallelMultiGetSettings) other).values());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values());
  }

  private long[] values() {
    return new long[] { enabled ? 1 : 0, cpus, threads, queue, minGets, maxPerRequest,
      handOverNanos };
  }

  /** Whether a bucket cache is a file, whichever tier of the block cache it is. */
  private static boolean isCacheOnDevice(Configuration conf) {
    return conf.getValByRegex("^hbase\\.bucketcache\\.(.*\\.)?ioengine$").values().stream()
      .map(String::trim).anyMatch(engine -> engine.startsWith("file")
        || engine.startsWith("direct") || engine.startsWith("mmap"));
  }
}
