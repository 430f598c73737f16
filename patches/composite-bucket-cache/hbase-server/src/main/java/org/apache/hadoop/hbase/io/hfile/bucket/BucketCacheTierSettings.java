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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.SettingsReader;
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
  private static final String PREFIX = "hbase.bucketcache.";

  /** Whether blocks that L2 keeps in files have a checksum. Blocks of L1 have none. */
  private static final String CHECKSUM = "checksum";
  private static final boolean CHECKSUM_DEFAULT = true;

  private static final String ACCEPT_FACTOR = PREFIX + "acceptfactor";
  private static final String MIN_FACTOR = PREFIX + "minfactor";
  private static final String EXTRA_FREE_FACTOR = PREFIX + "extrafreefactor";
  private static final String SINGLE_FACTOR = PREFIX + "single.factor";
  private static final String MULTI_FACTOR = PREFIX + "multi.factor";
  private static final String MEMORY_FACTOR = PREFIX + "memory.factor";
  /** Tolerated rounding error in the sum of three floats. */
  private static final float ROUNDING = 1e-6f;
  private static final Map<String, Float> FACTOR_DEFAULTS;
  static {
    Map<String, Float> defaults = new LinkedHashMap<>();
    defaults.put(ACCEPT_FACTOR, 0.95f);
    defaults.put(MIN_FACTOR, 0.85f);
    defaults.put(EXTRA_FREE_FACTOR, 0.10f);
    defaults.put(SINGLE_FACTOR, 0.25f);
    defaults.put(MULTI_FACTOR, 0.50f);
    defaults.put(MEMORY_FACTOR, 0.25f);
    FACTOR_DEFAULTS = Collections.unmodifiableMap(defaults);
  }

  private static final String ERROR_TOLERATION =
    "hbase.bucketcache.ioengine.errors.tolerated.duration";
  private static final int BUCKET_SIZE_UNIT = 256;
  private static final int FEWEST_BLOCKS_IN_BUCKET = 4;
  private static final int DEFAULT_BUCKET_SIZES = 14;
  private static final int DEFAULT_BIGGEST_BUCKET_SIZE = 513 * 1024;

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
    writerThreads = readWriterThreads(conf);
    writerQueueLength = readWriterQueueLength(conf);
    int[] sizes = readBucketSizes(conf);
    bucketSizes = isDirect() ? DirectFileIOEngine.alignSlots(sizes) : sizes;
    checkThatBucketsFit();
    persistentPath = readPersistentPath();
    ioErrorsTolerated =
      conf.getInt(ERROR_TOLERATION, BucketCache.DEFAULT_ERROR_TOLERATION_DURATION);
    checkFactors(conf);
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
    readWriterThreads(keys.getConfiguration());
    readWriterQueueLength(keys.getConfiguration());
    readBucketSizes(keys.getConfiguration());
    checkFactors(keys.getConfiguration());
  }

  private static boolean readChecksum(TierKeys keys) {
    return keys.isOfSecondTier() && SettingsReader.readBoolean(keys.getConfiguration(),
      keys.key(CHECKSUM), CHECKSUM_DEFAULT);
  }

  private static int readWriterThreads(Configuration conf) {
    return SettingsReader.readInt(conf, BlockCacheFactory.BUCKET_CACHE_WRITER_THREADS_KEY,
      BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS, 1, Integer.MAX_VALUE);
  }

  private static int readWriterQueueLength(Configuration conf) {
    return SettingsReader.readInt(conf, BlockCacheFactory.BUCKET_CACHE_WRITER_QUEUE_KEY,
      BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE, 1, Integer.MAX_VALUE);
  }

  /** Returns the keys that only tiers have. */
  public static List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (String tier : new String[] { "l1.", "l2." }) {
      keys.add(PREFIX + tier + IOENGINE);
      keys.add(PREFIX + tier + SIZE);
    }
    keys.add(PREFIX + "l2." + CHECKSUM);
    keys.add(PREFIX + "l2." + PERSISTENT_PATH);
    return keys;
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
    FACTOR_DEFAULTS.keySet().forEach(key -> view.setFloat(key, factor(conf, key)));
    // BucketCache requires that they do so exactly.
    view.setFloat(MEMORY_FACTOR, 1 - (factor(conf, SINGLE_FACTOR) + factor(conf, MULTI_FACTOR)));
    view.setBoolean(FileEngineSettings.CHECKSUM_KEY, checksum);
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

  /** Returns the slot sizes in bytes, or null for BucketCache's default sizes. */
  private static int[] readBucketSizes(Configuration conf) {
    String key = BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY;
    if (conf.getTrimmed(key, "").isEmpty()) {
      return null;
    }
    String[] values = conf.getTrimmedStrings(key);
    int[] sizes = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      try {
        sizes[i] = Integer.parseInt(values[i]);
      } catch (NumberFormatException e) {
        // Reported below, as 0 is.
      }
      if (sizes[i] <= 0 || sizes[i] % BUCKET_SIZE_UNIT != 0) {
        throw SettingsReader.invalid(key, values[i],
          SettingsReader.multiplesOf(BUCKET_SIZE_UNIT));
      }
    }
    return sizes;
  }

  /**
   * Checks the tier's size. The allocator needs a bucket for each slot size, and a bucket holds
   * four of the biggest blocks.
   */
  private void checkThatBucketsFit() {
    int count = bucketSizes == null ? DEFAULT_BUCKET_SIZES : bucketSizes.length;
    int biggest = bucketSizes == null
      ? DEFAULT_BIGGEST_BUCKET_SIZE
      : Arrays.stream(bucketSizes).max().orElse(DEFAULT_BIGGEST_BUCKET_SIZE);
    long needed = (long) count * FEWEST_BLOCKS_IN_BUCKET * biggest;
    if (size < needed) {
      throw invalid(SIZE, keys.get(SIZE), "With " + count + " sizes of up to " + biggest
        + " bytes in " + BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY + " it must be at least "
        + ((needed >> 20) + 1) + " MB.");
    }
  }

  private static void checkFactors(Configuration conf) {
    FACTOR_DEFAULTS.keySet().forEach(key -> {
      float factor = factor(conf, key);
      boolean extra = key.equals(EXTRA_FREE_FACTOR);
      if (!(factor >= 0) || Float.isInfinite(factor) || factor > 1 && !extra) {
        throw SettingsReader.invalid(key, conf.getTrimmed(key), SettingsReader.numberFrom0(!extra));
      }
    });
    float min = factor(conf, MIN_FACTOR);
    float accept = factor(conf, ACCEPT_FACTOR);
    if (min > accept) {
      throw SettingsReader.invalid(MIN_FACTOR, String.valueOf(min),
        "It must not be above " + ACCEPT_FACTOR + ", " + accept + ".");
    }
    float single = factor(conf, SINGLE_FACTOR);
    float multi = factor(conf, MULTI_FACTOR);
    float memory = factor(conf, MEMORY_FACTOR);
    if (single + multi > 1 || Math.abs(single + multi + memory - 1) > ROUNDING) {
      throw SettingsReader.invalid(SINGLE_FACTOR, String.valueOf(single), "With " + MULTI_FACTOR
        + ", " + multi + ", and " + MEMORY_FACTOR + ", " + memory + ", it must add up to 1.");
    }
  }

  private static float factor(Configuration conf, String key) {
    String value = conf.getTrimmed(key, "");
    try {
      return value.isEmpty() ? FACTOR_DEFAULTS.get(key) : Float.parseFloat(value);
    } catch (NumberFormatException e) {
      throw SettingsReader.invalid(key, value, SettingsReader.numberFrom0(true));
    }
  }
}
