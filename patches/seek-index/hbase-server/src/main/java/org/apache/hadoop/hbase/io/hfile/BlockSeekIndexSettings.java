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

/** The settings of seek indexes of cached blocks. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class BlockSeekIndexSettings {
  /** Whether data blocks in the block cache get indexes of their cells. */
  public static final String ENABLED_KEY = "hbase.regionserver.block.seek.index.enabled";
  public static final boolean ENABLED_DEFAULT = false;

  /**
   * Bytes of heap that the indexes of all blocks may take, from 1 MB to 16 GB. Defaults to a 50th
   * of the heap.
   */
  public static final String SIZE_KEY = "hbase.regionserver.block.seek.index.size";
  public static final long MIN_SIZE = 1L << 20;
  public static final long MAX_SIZE = SeekIndexStore.MAX_BYTES;
  private static final int DEFAULT_PART_OF_HEAP = 50;

  private final boolean enabled;
  private final long size;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public BlockSeekIndexSettings(Configuration conf) {
    enabled = SettingsReader.readBoolean(conf, ENABLED_KEY, ENABLED_DEFAULT);
    size = SettingsReader.readBytes(conf, SIZE_KEY, defaultSize(), MIN_SIZE, MAX_SIZE,
      "Give bytes, or " + SettingsReader.SIZE_WITH_UNIT + ", from 1m to 16g.");
  }

  private static long defaultSize() {
    long part = Runtime.getRuntime().maxMemory() / DEFAULT_PART_OF_HEAP;
    return Math.max(MIN_SIZE, Math.min(MAX_SIZE, part));
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** Returns the most bytes of heap that the indexes may take. */
  public long getSize() {
    return size;
  }
}
