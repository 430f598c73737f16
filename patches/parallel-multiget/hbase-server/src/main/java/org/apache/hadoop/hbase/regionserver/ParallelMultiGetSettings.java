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
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of {@link ParallelMultiGet}, which can be changed while the server runs. Immutable.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class ParallelMultiGetSettings {
  private static final int MOST_THREADS = 1024;

  public static final Setting<Boolean> ENABLED =
    Setting.ofBoolean("hbase.regionserver.multiget.parallel.enabled", false,
      "Whether the gets of a batch are spread over threads.").live();

  public static final Setting<Integer> THREADS =
    Setting.ofInt("hbase.regionserver.multiget.parallel.threads",
      Runtime.getRuntime().availableProcessors(),
      "Threads that help handlers, all requests together, 1 to 1024.")
      .unset("one per processor; with a cache or tier in files, four per processor, at least 32")
      .range(1, MOST_THREADS).live();

  private static final int THREADS_PER_CPU_ON_DEVICE = 4;
  private static final int FEWEST_THREADS_ON_DEVICE = 32;
  /** A data block, an index block and a compressed block. */
  private static final int BUFFERS_PER_THREAD = 3;

  /**
   * A system property, for tests: each request of two gets or more is spread from its first get on.
   */
  static final String SPREAD_ALL_PROPERTY = "multiget.parallel.spread.all";

  /** The handler alone serves requests with fewer gets than this. */
  private static final int MIN_GETS = 4;
  private static final int MIN_GETS_TO_SPREAD = 2;

  /** Half of all threads, if those are less, so that one request doesn't take all. */
  private static final int MOST_PER_REQUEST = 16;

  /** Waiting for a device that a helper must be expected to take over; of work in memory twice. */
  private static final long HAND_OVER_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

  private final boolean enabled;
  private final int cpus;
  private final int threads;
  private final boolean spreadAll;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public ParallelMultiGetSettings(Configuration conf) {
    enabled = ENABLED.read(conf);
    cpus = Runtime.getRuntime().availableProcessors();
    threads = THREADS.read(conf, isCacheOnDevice(conf)
      ? Math.min(Math.max(FEWEST_THREADS_ON_DEVICE, THREADS_PER_CPU_ON_DEVICE * cpus), MOST_THREADS)
      : Math.min(cpus, MOST_THREADS));
    spreadAll = Boolean.getBoolean(SPREAD_ALL_PROPERTY);
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** Returns the number of processors that the JVM may use. */
  int getCpus() {
    return cpus;
  }

  /** Registers the buffers that the threads take, which the buffer pool's size accounts for. */
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

  public int getMinGets() {
    return spreadAll ? MIN_GETS_TO_SPREAD : MIN_GETS;
  }

  public int getMaxPerRequest() {
    return Math.max(1, Math.min(threads / 2, MOST_PER_REQUEST));
  }

  /** Returns the threshold in nanoseconds; 0 to spread each request. */
  public long getHandOverNanos() {
    return spreadAll ? 0 : HAND_OVER_NANOS;
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
    return new long[] { enabled ? 1 : 0, cpus, threads, spreadAll ? 1 : 0 };
  }

  /** Returns true if a bucket cache is in files, as any tier of the block cache. */
  private static boolean isCacheOnDevice(Configuration conf) {
    return conf.getValByRegex("^hbase\\.bucketcache\\.(.*\\.)?ioengine$").values().stream()
      .map(String::trim).anyMatch(IOEngineType::isOnDevice);
  }
}
