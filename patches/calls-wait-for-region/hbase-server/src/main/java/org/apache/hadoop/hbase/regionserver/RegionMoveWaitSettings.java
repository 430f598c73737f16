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
package org.apache.hadoop.hbase.regionserver;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.yetus.audience.InterfaceAudience;

/** Settings of {@link RegionMoveWaits}. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class RegionMoveWaitSettings {
  /** Milliseconds that a call waits at most for its region to open or close; 0 for off. */
  public static final String MAX_MILLIS_KEY = "hbase.regionserver.region.move.wait.max.ms";
  public static final int MAX_MILLIS_DEFAULT = 0;

  private static final int MOST_MILLIS = 10_000;

  private final int maxMillis;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public RegionMoveWaitSettings(Configuration conf) {
    maxMillis = SettingsReader.readInt(conf, MAX_MILLIS_KEY, MAX_MILLIS_DEFAULT, 0, MOST_MILLIS);
  }

  public boolean isEnabled() {
    return maxMillis > 0;
  }

  /** Returns milliseconds; 0 for no wait. */
  public int getMaxMillis() {
    return maxMillis;
  }
}
