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

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of one tier of a {@code CompositeBucketCache}: its engine, size and files from
 * {@code hbase.bucketcache.l1.*} or {@code hbase.bucketcache.l2.*}, all else from the keys of a
 * cache without tiers, which both tiers read. Immutable.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class BucketCacheTierSettings implements TierSettings {
  private static final Setting<Integer> WRITER_THREADS =
    Setting.ofInt(BlockCacheFactory.BUCKET_CACHE_WRITER_THREADS_KEY,
      BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS, "").range(1, Integer.MAX_VALUE);
  private static final Setting<Integer> WRITER_QUEUE_LENGTH =
    Setting.ofInt(BlockCacheFactory.BUCKET_CACHE_WRITER_QUEUE_KEY,
      BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE, "").range(1, Integer.MAX_VALUE);

  /** Tolerated rounding error in the sum of three floats. */
  private static final float ROUNDING = 1e-6f;
  private static final String ERROR_TOLERATION =
    "hbase.bucketcache.ioengine.errors.tolerated.duration";

  private final Configuration conf;
  private final TierKeys keys;
  private final String ioEngine;
  private final long size;
  private final int writerThreads;
  private final int writerQueueLength;
  private final int[] bucketSizes;
  private final String persistentPath;
  private final int ioErrorsTolerated;
  private final boolean checksum;

  /**
   * Reads the settings of a tier.
   * @param engines prefixes of the engine names that the tier may have
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key and what
   *                                  is allowed
   */
  BucketCacheTierSettings(TierKeys keys, List<String> engines) {
    this.keys = keys;
    conf = keys.getConfiguration();
    checksum = readChecksum(keys);
    ioEngine = readEngine(engines);
    size = readSize();
    writerThreads = WRITER_THREADS.read(conf);
    writerQueueLength = WRITER_QUEUE_LENGTH.read(conf);
    int[] sizes = BucketCacheKeys.readBucketSizes(conf);
    bucketSizes = isDirect() ? DirectFileIOEngine.alignSlots(sizes) : sizes;
    checkThatBucketsFit();
    persistentPath = readPersistentPath();
    ioErrorsTolerated =
      conf.getInt(ERROR_TOLERATION, BucketCache.DEFAULT_ERROR_TOLERATION_DURATION);
    BucketCacheKeys.checkFactors(conf, ROUNDING);
    if (isDirect()) {
      FileEngineSettings.readPoolSize(conf);
    }
  }

  /**
   * Refuses values of these settings that no tier may have, for a tier of an engine that doesn't
   * use them: who sets one is told of it, and doesn't come across it when the engine is changed.
   * @throws IllegalArgumentException like the constructor
   */
  static void checkUnused(TierKeys keys) {
    readChecksum(keys);
    WRITER_THREADS.read(keys.getConfiguration());
    WRITER_QUEUE_LENGTH.read(keys.getConfiguration());
    BucketCacheKeys.readBucketSizes(keys.getConfiguration());
    BucketCacheKeys.checkFactors(keys.getConfiguration(), ROUNDING);
  }

  private static boolean readChecksum(TierKeys keys) {
    Setting<Boolean> checksum =
      keys.key(CHECKSUM).equals(L2_CHECKSUM.key()) ? L2_CHECKSUM : FileEngineSettings.CHECKSUM;
    return keys.isOfSecondTier() && checksum.read(keys.getConfiguration(), true);
  }

  @Override
  public TierKeys getKeys() {
    return keys;
  }

  @Override
  public String getIoEngine() {
    return ioEngine;
  }

  @Override
  public long getSize() {
    return size;
  }

  public int getWriterThreads() {
    return writerThreads;
  }

  /** Returns the number of blocks that may wait for each writer thread. */
  public int getWriterQueueLength() {
    return writerQueueLength;
  }

  /** Returns the number of blocks that may wait to be written, for all writer threads together. */
  @Override
  public long getQueuedBlocks() {
    return (long) writerThreads * writerQueueLength;
  }

  /** Returns the slot sizes in bytes, or null for BucketCache's default sizes. */
  public int[] getBucketSizes() {
    return bucketSizes == null ? null : bucketSizes.clone();
  }

  /** Without one the tier starts empty. */
  @Override
  public String getPersistentPath() {
    return persistentPath;
  }

  /** Returns for how long I/O errors are tolerated, in milliseconds. */
  public int getIoErrorsTolerated() {
    return ioErrorsTolerated;
  }

  @Override
  public boolean isOffHeap() {
    return type().isInDirectMemory();
  }

  @Override
  public long getDirectMemory() {
    return isOffHeap() ? size : getPoolBytes();
  }

  @Override
  public long getPoolBytes() {
    return isDirect() ? FileEngineSettings.readPoolSize(conf) : 0;
  }

  private boolean isDirect() {
    return type().isDirectIO();
  }

  private IOEngineType type() {
    return IOEngineType.of(ioEngine);
  }

  @Override
  public void addTo(FileEnginePaths paths) {
    paths.addEngine(key(IOENGINE), ioEngine, bucketSizes)
      .addList(key(PERSISTENT_PATH), persistentPath);
  }

  /**
   * Returns a copy of the configuration for {@link BucketCache}, with factors that add up to 1 and
   * the checksum switch of this tier.
   */
  @Override
  public Configuration toCacheConfiguration() {
    Configuration view = new Configuration(conf);
    BucketCacheKeys.setFactors(view);
    // BucketCache requires that they do so exactly.
    view.setFloat(BucketCacheKeys.MEMORY_FACTOR,
      1 - (BucketCacheKeys.factor(conf, BucketCacheKeys.SINGLE_FACTOR)
        + BucketCacheKeys.factor(conf, BucketCacheKeys.MULTI_FACTOR)));
    view.setBoolean(FileEngineSettings.CHECKSUM.key(), checksum);
    return view;
  }

  private String readEngine(List<String> engines) {
    String engine = keys.get(IOENGINE);
    if (engine == null) {
      throw invalid(IOENGINE, "missing", "Set it to one of " + engines + ".");
    }
    boolean known = engines.stream().anyMatch(name -> name.endsWith(":")
      ? engine.startsWith(name) && engine.length() > name.length()
      : engine.equals(name));
    if (!known) {
      throw invalid(IOENGINE, engine, "Allowed are " + engines + ", with a path behind a colon.");
    }
    return engine;
  }

  private long readSize() {
    String value = keys.get(SIZE);
    return FileEngineSettings.parseSize(key(SIZE), value == null ? "missing" : value);
  }

  /**
   * Reads the path of the block list. Engines in memory don't survive a restart, and the mapped
   * engines place other parts of the file at the same addresses.
   */
  private String readPersistentPath() {
    String path = keys.get(PERSISTENT_PATH);
    if (path != null && !type().isListed()) {
      List<String> listed = IOEngineType.prefixesOfListed();
      int last = listed.size() - 1;
      throw invalid(PERSISTENT_PATH, path, "Only the engines "
        + String.join(", ", listed.subList(0, last)) + " and " + listed.get(last)
        + " keep blocks over a restart, not " + ioEngine + ". Unset it.");
    }
    return path;
  }

  private void checkThatBucketsFit() {
    String fix = BucketCacheKeys.fixOfSize(size, bucketSizes);
    if (fix != null) {
      throw invalid(SIZE, keys.get(SIZE), fix);
    }
  }
}
