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

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFileIOEngine;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEnginePaths;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of a {@link SegmentCache}, which is there if {@code hbase.bucketcache.ioengine} is
 * {@link SegmentCacheFactory#ENGINE}, or that with paths behind a colon. Its size is
 * {@code hbase.bucketcache.size}. Immutable.
 */
@InterfaceAudience.Private
public final class SegmentCacheSettings {
  private static final int MIN_SEGMENT_SIZE = 1 << 17;
  private static final int MIN_SEGMENT_SIZE_ON_DEVICE = 1 << 22;
  /** Small, as a scanner keeps its block, and so the segment, between calls. */
  private static final int SEGMENT_SIZE = 1 << 21;
  private static final int FEWEST_SEGMENTS = 64;
  /** Bytes that segments are multiples of. */
  private static final int ALIGNMENT = 4096;
  private static final int MIN_MB = 1;
  private static final int MIN_MB_OF_PATH = 64;
  /** The part of the cache that the index may take beside it: enough for blocks of 2 KB. */
  private static final int INDEX_PART = 100;
  /** The same of a cache on devices: enough for blocks of 16 KB. */
  private static final int DEVICE_INDEX_PART = 750;
  private static final long MIN_INDEX_BYTES = 1 << 20;
  private static final long MB = 1 << 20;
  private static final String EXTERNAL_CACHE_KEY = "hbase.blockcache.use.external";

  private final String engine;
  private final List<Path> paths;
  private final int segments;
  private final int segmentSize;
  private final long expectedBlocks;
  private final long poolBytes;

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
    engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    getFilePaths();
    paths = Collections.unmodifiableList(FileEnginePaths.of(engine));
    String list = conf.getTrimmed(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, "");
    if (!list.isEmpty()) {
      throw SettingsReader.invalid(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, list,
        "The engine " + SegmentCacheFactory.ENGINE + " has no list of blocks: with paths it finds"
          + " them in its files. Unset it.");
    }
    long size = readSize(conf);
    segmentSize = paths.isEmpty()
      ? segmentSize(size, SEGMENT_SIZE, MIN_SEGMENT_SIZE)
      : segmentSize(size / paths.size(), EntryWord.MAX_SEGMENT_SIZE, MIN_SEGMENT_SIZE_ON_DEVICE);
    int parts = Math.max(1, paths.size());
    segments = (int) (size / parts / segmentSize) * parts;
    expectedBlocks = size
      / Math.max(1, conf.getInt(BlockCacheFactory.BLOCKCACHE_BLOCKSIZE_KEY,
        HConstants.DEFAULT_BLOCKSIZE));
    poolBytes = paths.isEmpty() ? 0 : DirectFileIOEngine.readPoolSize(conf);
    if (getDirectMemory() > directMemory) {
      throw SettingsReader.invalid(HConstants.BUCKET_CACHE_SIZE_KEY,
        conf.get(HConstants.BUCKET_CACHE_SIZE_KEY),
        "With its index the cache takes " + (getDirectMemory() >> 20) + " MB, the JVM allows "
          + (directMemory >> 20) + " MB of direct memory. Lower it, or raise HBASE_OFFHEAPSIZE"
          + " (-XX:MaxDirectMemorySize) to more than that.");
    }
  }

  private long readSize(Configuration conf) {
    String value = conf.getTrimmed(HConstants.BUCKET_CACHE_SIZE_KEY, "missing");
    float megabytes;
    try {
      megabytes = Float.parseFloat(value);
    } catch (NumberFormatException e) {
      megabytes = 0;
    }
    int least = paths.isEmpty() ? MIN_MB : MIN_MB_OF_PATH * paths.size();
    int most = (int) ((long) EntryWord.MAX_SEGMENTS * EntryWord.MAX_SEGMENT_SIZE / MB);
    if (!(megabytes >= least && megabytes <= most)) {
      throw SettingsReader.invalid(HConstants.BUCKET_CACHE_SIZE_KEY, value,
        "Give MB, from " + least + " to " + most + ", without a unit, as 1024.");
    }
    return (long) (megabytes * MB);
  }

  private static int segmentSize(long size, int most, int least) {
    long bySize = Math.max(least, Math.min(most, size / FEWEST_SEGMENTS));
    while (size / bySize > EntryWord.MAX_SEGMENTS) {
      bySize *= 2;
    }
    return (int) (bySize / ALIGNMENT * ALIGNMENT);
  }

  /**
   * Returns the paths of the engine's files; none for one in memory.
   * @throws IllegalArgumentException like the constructor, if a path isn't allowed
   */
  public FileEnginePaths getFilePaths() {
    return new FileEnginePaths().addEngine(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine);
  }

  /** Returns true if the configuration asks for this engine, in memory or with paths. */
  public static boolean isEnabled(Configuration conf) {
    String engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    return engine.equals(SegmentCacheFactory.ENGINE)
      || engine.startsWith(SegmentCacheFactory.ENGINE + ":");
  }

  /** Returns true if a region server with this configuration has a cache of this engine. */
  public static boolean isUsed(Configuration conf) {
    return isEnabled(conf) && !CompositeBucketCacheSettings.isEnabled(conf)
      && !conf.getBoolean(EXTERNAL_CACHE_KEY, false) && hasHeapCache(conf);
  }

  /** Returns true if a server creates a cache on the heap, without which it creates no other. */
  public static boolean hasHeapCache(Configuration conf) {
    try {
      return MemorySizeUtil.getOnHeapCacheSize(conf) >= 0;
    } catch (IllegalArgumentException e) {
      // Not a number, which is refused elsewhere, or more than this JVM's heap.
      return true;
    }
  }

  /** Returns the engine's name, with its paths. */
  String getEngine() {
    return engine;
  }

  /** Returns the paths of files, each of which has an equal part; none for a cache in memory. */
  List<Path> getPaths() {
    return paths;
  }

  /** Returns true if blocks are in memory. */
  public boolean isInMemory() {
    return paths.isEmpty();
  }

  /** Returns the number of segments of all files together. */
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
    return Math.max(MIN_INDEX_BYTES, getSize() / (isInMemory() ? INDEX_PART : DEVICE_INDEX_PART));
  }

  /** Returns the most bytes of direct memory that the cache takes. */
  public long getDirectMemory() {
    long blocks = isInMemory()
      ? getSize()
      : poolBytes + (long) paths.size() * (DevicePart.CHUNKS + 4) * SegmentStream.CHUNK_MEMORY;
    return blocks + getMaxIndexBytes();
  }
}
