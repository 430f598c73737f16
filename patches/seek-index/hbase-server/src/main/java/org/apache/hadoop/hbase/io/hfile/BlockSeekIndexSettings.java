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

/** The settings of seek indexes of cached blocks. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class BlockSeekIndexSettings {
  public static final long MIN_SIZE = 1L << 20;
  public static final long MAX_SIZE = SeekIndexStore.MAX_BYTES;
  private static final int DEFAULT_PART_OF_HEAP = 50;

  public static final Setting<Boolean> ENABLED =
    Setting.ofBoolean("hbase.regionserver.block.seek.index.enabled", false,
      "Whether data blocks in the block cache get indexes of their cells, for gets.").live();

  public static final Setting<Long> SIZE =
    Setting.ofBytes("hbase.regionserver.block.seek.index.size", defaultSize(),
      "Bytes, or a number with a unit, of heap that these indexes may take together, 1m to 16g.")
      .unset("a 50th of the heap")
      .range(MIN_SIZE, MAX_SIZE)
      .fix("Give bytes, or " + Setting.SIZE_WITH_UNIT + ", from 1m to 16g.")
      .live();

  private final boolean enabled;
  private final long size;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public BlockSeekIndexSettings(Configuration conf) {
    enabled = ENABLED.read(conf);
    size = SIZE.read(conf);
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
