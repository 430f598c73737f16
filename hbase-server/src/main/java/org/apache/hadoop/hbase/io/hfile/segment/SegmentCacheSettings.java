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
package org.apache.hadoop.hbase.io.hfile.segment;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of a {@link SegmentCache}, which is there if {@code hbase.bucketcache.ioengine} is
 * {@link #ENGINE}. Its size is {@code hbase.bucketcache.size}. Immutable.
 */
@InterfaceAudience.Private
public final class SegmentCacheSettings {
  /** The engine's name. */
  public static final String ENGINE = "segments";

  private static final int MIN_SEGMENT_SIZE = 1 << 17;
  /** Small, as a scanner keeps its block, and so the segment, between calls. */
  private static final int SEGMENT_SIZE = 1 << 21;
  private static final int FEWEST_SEGMENTS = 64;
  /** A cache of this many MB has 8 segments. */
  private static final float MIN_MB = 1;
  /** The part of the cache that the index may take beside it: enough for blocks of 2 KB. */
  private static final int INDEX_PART = 100;
  private static final long MIN_INDEX_BYTES = 1 << 20;
  private static final long MB = 1 << 20;
  private static final String DEMAND = "the block cache's segments";

  private final int segments;
  private final int segmentSize;
  private final long expectedBlocks;

  /**
   * Reads the settings of this JVM's server, whose configuration {@link #isEnabled} is true for.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public SegmentCacheSettings(Configuration conf) {
    this(conf, DirectMemoryUtils.getDirectMemorySize());
  }

  /**
   * Reads the settings of a server that runs in another JVM.
   * @param directMemory bytes of direct memory that its JVM allows; Long.MAX_VALUE if not known yet
   * @throws IllegalArgumentException like the other constructor
   */
  public SegmentCacheSettings(Configuration conf, long directMemory) {
    String engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    if (!engine.equals(ENGINE)) {
      throw SettingsReader.invalid(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine,
        "The engine " + ENGINE + " is in memory, and has no path. Give " + ENGINE
          + ", or file: or direct: with a path for a cache on a device.");
    }
    String list = conf.getTrimmed(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, "");
    if (!list.isEmpty()) {
      throw SettingsReader.invalid(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, list,
        "The engine " + ENGINE + " keeps no blocks over a restart. Unset it.");
    }
    long size = readSize(conf);
    segmentSize = segmentSize(size);
    segments = (int) (size / segmentSize);
    expectedBlocks = size
      / Math.max(1, conf.getInt(BlockCacheFactory.BLOCKCACHE_BLOCKSIZE_KEY,
        HConstants.DEFAULT_BLOCKSIZE));
    if (getDirectMemory() > directMemory) {
      throw SettingsReader.invalid(HConstants.BUCKET_CACHE_SIZE_KEY,
        conf.get(HConstants.BUCKET_CACHE_SIZE_KEY),
        "With its index the cache takes " + (getDirectMemory() >> 20) + " MB, the JVM allows "
          + (directMemory >> 20) + " MB of direct memory. Lower it, or raise HBASE_OFFHEAPSIZE"
          + " (-XX:MaxDirectMemorySize) to more than that.");
    }
  }

  private static long readSize(Configuration conf) {
    String value = conf.getTrimmed(HConstants.BUCKET_CACHE_SIZE_KEY, "missing");
    float megabytes;
    try {
      megabytes = Float.parseFloat(value);
    } catch (NumberFormatException e) {
      megabytes = 0;
    }
    long most = (long) EntryWord.MAX_SEGMENTS * EntryWord.MAX_SEGMENT_SIZE / MB;
    if (!(megabytes >= MIN_MB && megabytes <= most)) {
      throw SettingsReader.invalid(HConstants.BUCKET_CACHE_SIZE_KEY, value,
        "Give MB, from 1 to " + most + ", without a unit, as 1024.");
    }
    return (long) (megabytes * MB);
  }

  private static int segmentSize(long size) {
    long bySize = Math.max(MIN_SEGMENT_SIZE, Math.min(SEGMENT_SIZE, size / FEWEST_SEGMENTS));
    while (size / bySize > EntryWord.MAX_SEGMENTS) {
      bySize *= 2;
    }
    return (int) (bySize / EntryWord.UNIT * EntryWord.UNIT);
  }

  /** Returns true if the configuration asks for this engine, be it with a path, which it hasn't. */
  public static boolean isEnabled(Configuration conf) {
    String engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    return engine.equals(ENGINE) || engine.startsWith(ENGINE + ":");
  }

  /** Has the size of the buffer pool account for the cache's memory. */
  public static void registerDemand() {
    DirectMemoryDemand.register(DEMAND, conf -> new DirectMemoryDemand(0,
      isEnabled(conf) ? new SegmentCacheSettings(conf, Long.MAX_VALUE).getDirectMemory() : 0));
  }

  int getSegments() {
    return segments;
  }

  /** Returns bytes. */
  int getSegmentSize() {
    return segmentSize;
  }

  /** Returns the bytes of all segments. */
  public long getSize() {
    return (long) segments * segmentSize;
  }

  /** Returns the number of blocks that a full cache has. */
  long getExpectedBlocks() {
    return expectedBlocks;
  }

  /** Returns the most bytes of direct memory that the index takes. */
  long getMaxIndexBytes() {
    return Math.max(MIN_INDEX_BYTES, getSize() / INDEX_PART);
  }

  /** Returns the most bytes of direct memory that the cache takes. */
  public long getDirectMemory() {
    return getSize() + getMaxIndexBytes();
  }
}
