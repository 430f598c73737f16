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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of cache warm-up (HBASE-23355). Immutable. In a store's configuration the keys of
 * its table and column family take precedence over those of the server.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class CacheWarmupSettings {
  /**
   * Whether {@link CacheWarmupPolicy} decides what is cached of a file that is written or opened.
   * Defaults to true if {@link #OPEN_THRESHOLD_KEY} is set, and to false otherwise.
   */
  public static final String ENABLED_KEY = "hbase.rs.cachewarmup.enabled";

  /** Bytes. If a file is bigger, only its index and bloom blocks are cached when it is opened. */
  public static final String OPEN_THRESHOLD_KEY = CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY
    + ".threshold";
  public static final long OPEN_THRESHOLD_DEFAULT = Long.MAX_VALUE;

  /**
   * Bytes per second that all warm-ups of a server may read, from file system and network; 0 for no
   * limit. Applies to the whole server, and can be changed while it runs.
   */
  public static final String MAX_BYTES_PER_SECOND_KEY = "hbase.hfile.prefetch.max.bytes.per.second";
  public static final long MAX_BYTES_PER_SECOND_DEFAULT = 0;

  private final boolean enabled;
  private final long openThreshold;
  private final long maxBytesPerSecond;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public CacheWarmupSettings(Configuration conf) {
    enabled = SettingsReader.readBoolean(conf, ENABLED_KEY,
      !conf.getTrimmed(OPEN_THRESHOLD_KEY, "").isEmpty());
    openThreshold = readBytes(conf, OPEN_THRESHOLD_KEY, OPEN_THRESHOLD_DEFAULT,
      "0 for index and bloom blocks only; unset it for no limit.");
    maxBytesPerSecond = readBytes(conf, MAX_BYTES_PER_SECOND_KEY, MAX_BYTES_PER_SECOND_DEFAULT,
      "0 for no limit.");
  }

  private static long readBytes(Configuration conf, String key, long unset, String zero) {
    return SettingsReader.readBytes(conf, key, unset, 0, Long.MAX_VALUE,
      "Give bytes, or " + SettingsReader.SIZE_WITH_UNIT + ", as 20g; " + zero);
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** Returns the threshold in bytes; never negative. */
  public long getOpenThreshold() {
    return openThreshold;
  }

  /** Returns the limit in bytes per second; 0 for none. */
  public long getMaxBytesPerSecond() {
    return maxBytesPerSecond;
  }
}
