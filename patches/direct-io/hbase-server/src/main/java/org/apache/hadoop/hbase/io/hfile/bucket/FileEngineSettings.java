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
package org.apache.hadoop.hbase.io.hfile.bucket;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads settings of a bucket cache that keeps its blocks in files. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class FileEngineSettings {
  public static final Setting<Boolean> CHECKSUM =
    Setting.ofBoolean("hbase.bucketcache.checksum", false,
      "Whether blocks that the bucket cache keeps in files, `file:`, `files:`, `direct:` or"
        + " `mmap:`, have a CRC32C, which is compared when they are read.")
      .unset("true with engine `direct:`, else false");

  public static final Setting<String> POOL_SIZE =
    Setting.ofText("hbase.bucketcache.direct.pool.size",
      "MB, or a number with a unit, 1 MB at least: direct memory for the buffers that an engine"
        + " `direct:` reads and writes with, and `segments:` reads with. While all are in use,"
        + " `direct:` goes through the page cache, and `segments:` takes buffers of the heap.")
      .unset("2 MB for each handler");

  /** Default size of the pool per handler, in bytes. */
  private static final long POOL_BYTES_PER_HANDLER = 2 << 20;
  /** Limit in bytes. Sums of sizes below it don't overflow. */
  private static final long MOST_BYTES = 1L << 50;

  private FileEngineSettings() {
  }

  /**
   * Reads the size of the pool.
   * @return bytes
   * @throws IllegalArgumentException if the setting isn't allowed; the message names the key, the
   *                                  value and what is allowed
   */
  public static long readPoolSize(Configuration conf) {
    String value = POOL_SIZE.read(conf);
    return value == null
      ? POOL_BYTES_PER_HANDLER * conf.getInt(HConstants.REGION_SERVER_HANDLER_COUNT,
        HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT)
      : parseSize(POOL_SIZE.key(), value);
  }

  /**
   * Reads a size of memory or of a file.
   * @param key   for the message
   * @param value MB, at least 1; or a number with a unit
   * @return bytes
   * @throws IllegalArgumentException if the value isn't allowed; the message names the key and what
   *                                  is allowed
   */
  public static long parseSize(String key, String value) {
    try {
      long bytes = Character.isLetter(value.charAt(value.length() - 1))
        ? TraditionalBinaryPrefix.string2long(value)
        : (long) (Float.parseFloat(value) * (1 << 20));
      if (bytes >= 1 << 20 && bytes < MOST_BYTES) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, as a number out of range is.
    }
    throw Setting.invalid(key, value, "Give MB, at least 1, or "
      + Setting.SIZE_WITH_UNIT + ", such as 4g; less than 1 PB.");
  }
}
