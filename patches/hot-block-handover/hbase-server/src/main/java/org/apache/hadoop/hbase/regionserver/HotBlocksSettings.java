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
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/** Settings of {@link HotBlockHandover}. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class HotBlocksSettings {
  public static final Setting<Boolean> ENABLED =
    Setting.ofBoolean("hbase.regionserver.hotblocks.handover.enabled", false,
      "Whether a region server leaves a list of a region's hot blocks for the next one, and reads"
        + " those of regions that it opens.");

  public static final Setting<Long> MAX_BYTES_PER_SECOND =
    Setting.ofBytes("hbase.regionserver.hotblocks.max.bytes.per.second", 100L << 20,
      "Bytes, or a number with a unit, that a server reads ahead in a second for all regions"
        + " together; 0 for no limit.")
      .fix("Give bytes, or " + Setting.SIZE_WITH_UNIT + ", such as 100m; 0 for no limit.");

  private final boolean enabled;
  private final long maxBytesPerSecond;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public HotBlocksSettings(Configuration conf) {
    enabled = ENABLED.read(conf);
    maxBytesPerSecond = MAX_BYTES_PER_SECOND.read(conf);
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** Returns bytes; 0 for no limit. */
  public long getMaxBytesPerSecond() {
    return maxBytesPerSecond;
  }
}
