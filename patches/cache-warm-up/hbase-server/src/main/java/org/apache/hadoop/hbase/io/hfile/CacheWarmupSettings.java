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
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of cache warm-up (HBASE-23355). Immutable. In a store's configuration the keys of
 * its table and column family take precedence over those of the server.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class CacheWarmupSettings {
  public static final Setting<Boolean> ENABLED =
    Setting.ofBoolean("hbase.rs.cachewarmup.enabled", false,
      "Whether one policy decides what of a file is cached when it is written or opened. Regions"
        + " take it when they are opened. A table or family may have its own, in its"
        + " `CONFIGURATION`.")
      .unset("true if `hbase.rs.prefetchblocksonopen.threshold` is set, else false");

  public static final Setting<Long> OPEN_THRESHOLD =
    Setting.ofBytes("hbase.rs.prefetchblocksonopen.threshold", Long.MAX_VALUE,
      "Bytes, or a number with a unit: of bigger files that are opened only index and bloom blocks"
        + " are cached. A table or family may have its own, in its `CONFIGURATION`.")
      .unset("no limit")
      .fix("Give bytes, or " + Setting.SIZE_WITH_UNIT
        + ", such as 20g; 0 for index and bloom blocks only; unset it for no limit.");

  public static final Setting<Long> MAX_BYTES_PER_SECOND =
    Setting.ofBytes("hbase.hfile.prefetch.max.bytes.per.second", 0,
      "Bytes, or a number with a unit, that all warm-ups of the server read in a second; 0 for no"
        + " limit.")
      .fix("Give bytes, or " + Setting.SIZE_WITH_UNIT + ", such as 20g; 0 for no limit.")
      .live();

  private final boolean enabled;
  private final long openThreshold;
  private final long maxBytesPerSecond;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public CacheWarmupSettings(Configuration conf) {
    enabled = ENABLED.read(conf, OPEN_THRESHOLD.isSet(conf));
    openThreshold = OPEN_THRESHOLD.read(conf);
    maxBytesPerSecond = MAX_BYTES_PER_SECOND.read(conf);
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
