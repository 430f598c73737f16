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
import java.util.function.ToIntBiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEnginePaths;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEngineSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.TierKeys;
import org.apache.hadoop.hbase.io.hfile.bucket.TierSettings;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of a {@link SegmentCache}, which is there if {@code hbase.bucketcache.ioengine} is
 * {@link IOEngineType#SEGMENTS}, or that with paths behind a colon, or of one that is a tier
 * with that engine. Immutable.
 */
@InterfaceAudience.Private
public final class SegmentCacheSettings implements TierSettings {
  public static final Setting<Long> MAX_BYTES_PER_SECOND =
    Setting.ofBytes("hbase.bucketcache.segments.max.bytes.per.second", 0,
      "Bytes, or a number with a unit, that a cache of segments writes to its devices in a second"
        + " at most, so that they last; 0 for no limit. Blocks beyond it aren't cached.")
      .fix("Give bytes, or " + Setting.SIZE_WITH_UNIT + ", such as 100m; 0 for no limit.");

  private static final int MIN_MB = 1;
  private static final int MIN_MB_OF_PATH = 64;
  /** The part of the cache that the index may take beside it: enough for blocks of 2 KB. */
  private static final int INDEX_PART = 100;
  /** The same of a cache on devices: enough for blocks of 16 KB. */
  private static final int DEVICE_INDEX_PART = 750;
  private static final long MIN_INDEX_BYTES = 1 << 20;
  private static final long MB = 1 << 20;
  private static final String EXTERNAL_CACHE_KEY = "hbase.blockcache.use.external";

  private final TierKeys keys;
  private final String engine;
  private final List<Path> paths;
  private final int segments;
  private final int segmentSize;
  private final long expectedBlocks;
  private final long poolBytes;
  private final long waitMs;
  private final long maxBytesPerSecond;

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
    this(TierKeys.ofSingleCache(conf));
    if (getDirectMemory() > directMemory) {
      throw invalid(SIZE, keys.get(SIZE),
        "With its index the cache takes " + (getDirectMemory() >> 20) + " MB, the JVM allows "
          + (directMemory >> 20) + " MB of direct memory. Lower it, or raise HBASE_OFFHEAPSIZE"
          + " (-XX:MaxDirectMemorySize) to more than that.");
    }
  }

  /** Reads the settings of a tier, or of a single cache. */
  SegmentCacheSettings(TierKeys keys) {
    this(keys, (paths, sizeOfEach) -> 0);
  }

  /** @param found finds the size of segments that files have; 0 for that which suits them */
  private SegmentCacheSettings(TierKeys keys, ToIntBiFunction<List<Path>, Long> found) {
    this.keys = keys;
    Configuration conf = keys.getConfiguration();
    engine = keys.get(IOENGINE);
    getFilePaths();
    paths = Collections.unmodifiableList(FileEnginePaths.of(engine));
    boolean isFirstTier = !keys.isOfSingleCache() && !keys.isOfSecondTier();
    if (isFirstTier && !paths.isEmpty()) {
      throw invalid(IOENGINE, engine,
        "The first tier is in memory. Set it to " + IOEngineType.SEGMENTS.prefix() + ".");
    }
    String list = keys.get(PERSISTENT_PATH);
    if (list != null) {
      throw invalid(PERSISTENT_PATH, list,
        "The engine " + IOEngineType.SEGMENTS.prefix() + " has no list of blocks: with paths it"
          + " finds them in its files. Unset it.");
    }
    long size = readSize();
    int parts = Math.max(1, paths.size());
    int ofFiles = found.applyAsInt(paths, size / parts);
    int suitable =
      paths.isEmpty() ? SegmentSize.inMemory(size) : SegmentSize.onDevice(size / parts);
    segmentSize = ofFiles > 0 ? ofFiles : suitable;
    segments = (int) (size / parts / segmentSize) * parts;
    expectedBlocks = size
      / Math.max(1, conf.getInt(BlockCacheFactory.BLOCKCACHE_BLOCKSIZE_KEY,
        HConstants.DEFAULT_BLOCKSIZE));
    poolBytes = paths.isEmpty() ? 0 : FileEngineSettings.readPoolSize(conf);
    waitMs = conf.getLong(BucketCache.QUEUE_ADDITION_WAIT_TIME, 0);
    maxBytesPerSecond = MAX_BYTES_PER_SECOND.read(conf);
  }

  /**
   * Returns these settings, with segments of the size that those of the files have, if that does:
   * so a cache that gets another size, or another number of files, keeps its blocks.
   */
  SegmentCacheSettings withSegmentsOfFiles() {
    return new SegmentCacheSettings(keys, (files, size) -> SegmentFileHeader
      .findSegmentSize(files, bytes -> SegmentSize.isUsable(bytes, size, files.size())));
  }

  private long readSize() {
    String value = keys.get(SIZE) == null ? "missing" : keys.get(SIZE);
    int least = paths.isEmpty() ? MIN_MB : MIN_MB_OF_PATH * paths.size();
    long most = (long) EntryWord.MAX_SEGMENTS * EntryWord.MAX_SEGMENT_SIZE / MB;
    long bytes = keys.isOfSingleCache()
      ? megabytes(value)
      : FileEngineSettings.parseSize(key(SIZE), value);
    if (bytes < least * MB || bytes > most * MB) {
      throw invalid(SIZE, value, "Give MB, from " + least + " to " + most
        + (keys.isOfSingleCache() ? ", without a unit, such as 1024." : "."));
    }
    return bytes;
  }

  /** Returns bytes; a number that is out of range if the value is none. */
  private static long megabytes(String value) {
    try {
      return (long) (Float.parseFloat(value) * MB);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Returns the paths of the engine's files; none for one in memory.
   * @throws IllegalArgumentException like the constructor, if a path isn't allowed
   */
  public FileEnginePaths getFilePaths() {
    return new FileEnginePaths().addEngine(key(IOENGINE), engine, null);
  }

  @Override
  public void addTo(FileEnginePaths all) {
    all.addEngine(key(IOENGINE), engine, null);
  }

  @Override
  public TierKeys getKeys() {
    return keys;
  }

  /** Returns true if the configuration asks for this engine, in memory or with paths. */
  public static boolean isEnabled(Configuration conf) {
    return IOEngineType.of(conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, ""))
      == IOEngineType.SEGMENTS;
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

  @Override
  public String getIoEngine() {
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
  @Override
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
  @Override
  public long getDirectMemory() {
    long buffers = (PartState.CHUNKS + 4L + FooterReaders.READERS) * SegmentStream.CHUNK_MEMORY;
    long blocks = isInMemory() ? getSize() : poolBytes + paths.size() * buffers;
    return blocks + getMaxIndexBytes();
  }

  @Override
  public long getPoolBytes() {
    return poolBytes;
  }

  /** Returns how long a thread that may wait for room does so, in milliseconds. */
  long getWaitMs() {
    return waitMs;
  }

  /** Returns 0 for no limit. */
  long getMaxBytesPerSecond() {
    return maxBytesPerSecond;
  }

  /** Returns what the parts of a cache on devices do about errors. */
  PartSettings getPartSettings() {
    return new PartSettings(keys.getConfiguration());
  }

  /** Returns null: the blocks are found in the files. */
  @Override
  public String getPersistentPath() {
    return null;
  }

  /** Returns 0: what waits to be written is in memory of the cache's own. */
  @Override
  public long getQueuedBlocks() {
    return 0;
  }

  @Override
  public boolean isOffHeap() {
    return isInMemory();
  }

  /** Of a cache of segments no setting changes while it is there. */
  @Override
  public Configuration toCacheConfiguration() {
    return keys.getConfiguration();
  }
}
