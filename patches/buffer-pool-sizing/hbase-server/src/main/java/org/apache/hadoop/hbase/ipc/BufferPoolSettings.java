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
package org.apache.hadoop.hbase.ipc;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of {@link BufferPoolSizing}, read once when the server starts. Immutable.
 * {@link ByteBuffAllocator#BUFFER_SIZE_KEY} and {@link ByteBuffAllocator#MAX_BUFFER_COUNT_KEY} take
 * precedence over what is computed from these settings, as far as memory allows.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class BufferPoolSettings {
  private static final String PREFIX = "hbase.server.allocator.sizing.";

  /** Whether the size and the number of the pool's buffers are computed. */
  public static final String ENABLED_KEY = PREFIX + "enabled";
  public static final boolean ENABLED_DEFAULT = false;

  /** Bytes: the biggest BLOCKSIZE that many families have. A buffer holds a block of this size. */
  public static final String BLOCK_SIZE_KEY = PREFIX + "block.size";
  public static final int BLOCK_SIZE_DEFAULT = HConstants.DEFAULT_BLOCKSIZE;
  private static final int SMALLEST_BLOCK = 4 * 1024;
  private static final int BIGGEST_BLOCK = 16 * 1024 * 1024;

  /** Number of gets in a big batch. Their blocks are held until the batch is answered. */
  public static final String BATCH_GETS_KEY = PREFIX + "batch.gets";
  public static final int BATCH_GETS_DEFAULT = 50;
  private static final int MOST_GETS = 100_000;

  private final boolean enabled;
  private final int blockSize;
  private final int batchGets;

  /**
   * Reads the settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what to do
   */
  public BufferPoolSettings(Configuration conf) {
    enabled = SettingsReader.readBoolean(conf, ENABLED_KEY, ENABLED_DEFAULT);
    blockSize = (int) SettingsReader.readBytes(conf, BLOCK_SIZE_KEY, BLOCK_SIZE_DEFAULT,
      SMALLEST_BLOCK, BIGGEST_BLOCK, "Give bytes, or a whole number with k or m behind it, as 64k;"
        + " from " + SMALLEST_BLOCK + " to " + BIGGEST_BLOCK + ".");
    batchGets = SettingsReader.readInt(conf, BATCH_GETS_KEY, BATCH_GETS_DEFAULT, 1, MOST_GETS);
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** Returns the block size in bytes, without header, checksums and the excess of the last cell. */
  public int getBlockSize() {
    return blockSize;
  }

  public int getBatchGets() {
    return batchGets;
  }
}
