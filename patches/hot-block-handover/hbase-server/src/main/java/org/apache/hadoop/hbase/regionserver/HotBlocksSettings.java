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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.yetus.audience.InterfaceAudience;

/** Settings of {@link HotBlockHandover}. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class HotBlocksSettings {
  /** Whether a region's server leaves a list of its hot blocks for the next one, and reads it. */
  public static final String ENABLED_KEY = "hbase.regionserver.hotblocks.handover.enabled";
  public static final boolean ENABLED_DEFAULT = false;

  /** Bytes per second that a server reads ahead for all of its regions; 0 for no limit. */
  public static final String MAX_BYTES_PER_SECOND_KEY =
    "hbase.regionserver.hotblocks.max.bytes.per.second";
  public static final long MAX_BYTES_PER_SECOND_DEFAULT = 100 * 1024 * 1024;

  private final boolean enabled;
  private final long maxBytesPerSecond;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public HotBlocksSettings(Configuration conf) {
    enabled = SettingsReader.readBoolean(conf, ENABLED_KEY, ENABLED_DEFAULT);
    maxBytesPerSecond =
      SettingsReader.readBytes(conf, MAX_BYTES_PER_SECOND_KEY, MAX_BYTES_PER_SECOND_DEFAULT, 0,
        Long.MAX_VALUE, "Give bytes, or " + SettingsReader.SIZE_WITH_UNIT
          + ", as 100m; 0 for no limit.");
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** Returns bytes; 0 for no limit. */
  public long getMaxBytesPerSecond() {
    return maxBytesPerSecond;
  }
}
