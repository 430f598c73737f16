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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.yetus.audience.InterfaceAudience;

/** Settings of {@link OrphanBlocks}. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class OrphanBlocksSettings {
  /**
   * Seconds that the block cache keeps the blocks of files that no region of the server has; 0 for
   * what {@code hbase.rs.evictblocksonclose} says.
   */
  public static final String TTL_SECONDS_KEY = "hbase.regionserver.orphan.blocks.ttl.seconds";
  public static final int TTL_SECONDS_DEFAULT = 0;

  private static final int MOST_SECONDS = (int) TimeUnit.DAYS.toSeconds(30);

  private final int ttlSeconds;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public OrphanBlocksSettings(Configuration conf) {
    ttlSeconds =
      SettingsReader.readInt(conf, TTL_SECONDS_KEY, TTL_SECONDS_DEFAULT, 0, MOST_SECONDS);
  }

  public boolean isEnabled() {
    return ttlSeconds > 0;
  }

  /** Returns seconds; 0 for off. */
  public int getTtlSeconds() {
    return ttlSeconds;
  }
}
