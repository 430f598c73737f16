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

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.MovedRegionRetries;
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.hadoop.hbase.conf.SettingsReader.InvalidSettingException;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndexSettings;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupSettings;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheKeys;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheTierSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFile;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFileLock;
import org.apache.hadoop.hbase.io.hfile.bucket.DeviceWatch;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEnginePaths;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEngineSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.TierSettings;
import org.apache.hadoop.hbase.io.hfile.mrc.CacheSizingSettings;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentCacheFactory;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentCacheSettings;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.hadoop.hbase.ipc.BufferPoolSettings;
import org.apache.hadoop.hbase.ipc.HandshakeSettings;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all settings of a server before it is created, or without one (STRATA-8), so that a value
 * that isn't allowed is a readable line in the log instead of the innermost cause of an exception.
 * Stateless.
 */
@InterfaceAudience.Private
public final class SettingsCheck {
  private static final Logger LOG = LoggerFactory.getLogger(SettingsCheck.class);

  /** Reads the keys of a feature, and refuses the first value that isn't allowed. */
  private interface Reader {
    /**
     * Reads the keys.
     * @param directMemory bytes that the JVM allows
     * @throws InvalidSettingException if a value isn't allowed
     */
    void read(Configuration conf, long directMemory);
  }

  private static final Pattern TIER_SIZE =
    Pattern.compile("hbase\\.bucketcache\\.(l[12]\\.)?size");

  private static final List<Reader> READERS = Collections.unmodifiableList(Arrays.asList(
    (conf, direct) -> new BufferPoolSettings(conf),
    (conf, direct) -> new ParallelMultiGetSettings(conf),
    (conf, direct) -> new RowPathSettings(conf),
    (conf, direct) -> new CursorCompactionSettings(conf),
    (conf, direct) -> new BackgroundWorkSettings(conf),
    (conf, direct) -> new ScanRunsSettings(conf),
    (conf, direct) -> new MemStoreIndexSettings(conf),
    (conf, direct) -> new EventLoopGetSettings(conf),
    (conf, direct) -> new HotBlocksSettings(conf),
    (conf, direct) -> new StartupWarmupSettings(conf),
    (conf, direct) -> new OrphanBlocksSettings(conf),
    (conf, direct) -> new RegionMoveWaitSettings(conf),
    (conf, direct) -> SettingsReader.readInt(conf, MovedRegionRetries.MAX_KEY,
      MovedRegionRetries.MAX_DEFAULT, 0, MovedRegionRetries.MOST),
    (conf, direct) -> new HandshakeSettings(conf),
    (conf, direct) -> new CacheWarmupSettings(conf),
    (conf, direct) -> new BlockSeekIndexSettings(conf), SettingsCheck::readTiers,
    (conf, direct) -> ofBucketCache(conf, c -> BucketCacheKeys.checkFactors(c, 0)),
    (conf, direct) -> ofBucketCache(conf, BucketCacheRules::readSizes),
    SettingsCheck::readSegments,
    (conf, direct) -> SettingsReader.readBoolean(conf, FileEngineSettings.CHECKSUM_KEY, false),
    (conf, direct) -> SegmentCacheSettings.readMaxBytesPerSecond(conf),
    (conf, direct) -> FileEngineSettings.readPoolSize(conf),
    (conf, direct) -> DeviceWatch.readRetryInterval(conf),
    (conf, direct) -> new CoprocessorCellsSettings(conf),
    (conf, direct) -> new CacheSizingSettings(conf)));

  /** The keys that the readers read. */
  private static final List<String> KEYS;
  static {
    List<String> keys = new ArrayList<>(Arrays.asList(BufferPoolSettings.ENABLED_KEY,
      ParallelMultiGetSettings.ENABLED_KEY, ParallelMultiGetSettings.THREADS_KEY,
      RowPathSettings.ENABLED_KEY, CursorCompactionSettings.ENABLED_KEY,
      MemStoreIndexSettings.TREE_ENABLED_KEY, ScanRunsSettings.ENABLED_KEY,
      EventLoopGetSettings.ENABLED_KEY, BackgroundWorkSettings.ENABLED_KEY,
      HandshakeSettings.TIMEOUT_KEY,
      HotBlocksSettings.ENABLED_KEY, HotBlocksSettings.MAX_BYTES_PER_SECOND_KEY,
      StartupWarmupSettings.MAX_SECONDS_KEY, OrphanBlocksSettings.TTL_SECONDS_KEY,
      RegionMoveWaitSettings.MAX_MILLIS_KEY, MovedRegionRetries.MAX_KEY,
      CacheWarmupSettings.ENABLED_KEY, CacheWarmupSettings.OPEN_THRESHOLD_KEY,
      CacheWarmupSettings.MAX_BYTES_PER_SECOND_KEY, CompositeBucketCacheSettings.PROMOTION_KEY,
      FileEngineSettings.CHECKSUM_KEY, FileEngineSettings.POOL_SIZE_KEY,
      DeviceWatch.RETRY_INTERVAL_KEY, BlockSeekIndexSettings.ENABLED_KEY,
      BlockSeekIndexSettings.SIZE_KEY, CoprocessorCellsSettings.HELD_KEY,
      CacheSizingSettings.ENABLED_KEY, SegmentCacheSettings.MAX_BYTES_PER_SECOND_KEY));
    keys.addAll(BucketCacheTierSettings.keys());
    KEYS = Collections.unmodifiableList(keys);
  }

  private SettingsCheck() {
  }

  private static void readTiers(Configuration conf, long directMemory) {
    if (CompositeBucketCacheSettings.isEnabled(conf)) {
      readEnabledTiers(conf, directMemory);
    }
  }

  /** Reads the settings of tiers, of any engine. */
  public static CompositeBucketCacheSettings readEnabledTiers(Configuration conf,
    long directMemory) {
    SegmentCacheFactory.registerEngine();
    return new CompositeBucketCacheSettings(conf, directMemory);
  }

  private static void ofBucketCache(Configuration conf, Consumer<Configuration> reader) {
    if (
      CoreRules.hasBucketCache(conf) && !CompositeBucketCacheSettings.isEnabled(conf)
        && !SegmentCacheSettings.isUsed(conf)
    ) {
      reader.accept(conf);
    }
  }

  private static void readSegments(Configuration conf, long directMemory) {
    if (SegmentCacheSettings.isUsed(conf)) {
      new SegmentCacheSettings(conf, directMemory);
    }
  }

  private static void checkPaths(Configuration conf, long directMemory) {
    FileEnginePaths paths = paths(conf, directMemory);
    paths.check();
    paths.checkContent(CacheFile::refusal);
  }

  private static void checkThatFilesAreFree(Configuration conf, long directMemory) {
    paths(conf, directMemory).check(CacheFileLock::refusal);
  }

  private static FileEnginePaths paths(Configuration conf, long directMemory) {
    if (CompositeBucketCacheSettings.isEnabled(conf)) {
      return readEnabledTiers(conf, directMemory).getPaths();
    }
    return SegmentCacheSettings.isUsed(conf)
      ? new SegmentCacheSettings(conf, directMemory).getFilePaths()
      : FileEnginePaths.ofDirectCache(conf);
  }

  /** Returns the keys of the patches, which HBase without patches doesn't read. */
  public static List<String> keys() {
    return KEYS;
  }

  /** Returns true if a region server can be created. Otherwise logs a line for each reason. */
  public static boolean passes(Configuration conf) {
    try {
      return isAllowed(conf);
    } catch (RuntimeException | LinkageError e) {
      // For example a class can't be loaded. The server will find out whether it needs the class.
      LOG.warn("The check of the settings failed, so the server starts without it", e);
      return true;
    }
  }

  private static boolean isAllowed(Configuration conf) {
    long directMemory = directMemory();
    List<String> refusals = refusals(conf, directMemory);
    if (refusals.isEmpty()) {
      Refusals ofOthersFiles = new Refusals();
      read(SettingsCheck::checkThatFilesAreFree, conf, directMemory, ofOthersFiles);
      refusals = ofOthersFiles.lines();
    }
    refusals.forEach(refusal -> LOG.error("The region server doesn't start: {}", refusal));
    RemovedKeys.left(conf).forEach(LOG::warn);
    StandaloneKeys.left(conf).forEach(LOG::warn);
    return refusals.isEmpty();
  }

  /** Returns the bytes of direct memory that this JVM allows. */
  private static long directMemory() {
    long estimate = DirectMemoryUtils.getDirectMemorySize();
    try {
      // The estimate misses a size with the unit t, and one in a file of flags.
      return Math.max(estimate,
        Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .getVMOption("MaxDirectMemorySize").getValue()));
    } catch (RuntimeException | LinkageError e) {
      return estimate; // another kind of JVM
    }
  }

  /** Returns true if a server without tiers creates a BucketCache. */
  public static boolean hasBucketCache(Configuration conf) {
    return CoreRules.hasBucketCache(conf);
  }

  /**
   * Returns the reasons why a server with regions couldn't start or open regions, a line for each
   * value, which begins with its key. Writes to no file, and doesn't check whether another server
   * uses it.
   * @param directMemory bytes that its JVM allows; Long.MAX_VALUE if unknown
   */
  public static List<String> refusals(Configuration conf, long directMemory) {
    Refusals refusals = new Refusals();
    Configuration rest = refuseValues(conf, directMemory, refusals);
    read(SettingsCheck::checkPaths, rest, directMemory, refusals);
    return refusals.lines();
  }

  /**
   * Like {@link #refusals}, for a server on any host: doesn't check that paths exist, nor that
   * there is enough direct memory.
   */
  public static List<String> refusalsAnywhere(Configuration conf) {
    Refusals refusals = new Refusals();
    refuseValues(conf, Long.MAX_VALUE, refusals);
    return refusals.lines();
  }

  /** Refuses values, and returns a copy of the configuration without the refused numbers. */
  private static Configuration refuseValues(Configuration conf, long directMemory,
    Refusals refusals) {
    Configuration rest = new Configuration(conf);
    NumericKeys.check(rest, false, refusals);
    CoreRules.check(rest, directMemory, refusals);
    for (Reader reader : READERS) {
      read(reader, rest, directMemory, refusals);
    }
    return rest;
  }

  /** Returns the reasons why a master without regions couldn't start, like {@link #refusals}. */
  public static List<String> refusalsOfMaster(Configuration conf) {
    Refusals refusals = new Refusals();
    Configuration rest = new Configuration(conf);
    NumericKeys.check(rest, true, refusals);
    CoreRules.checkMaster(rest, refusals);
    return refusals.lines();
  }

  /** Returns warnings of settings that work but are probably mistakes, a line for each key. */
  public static List<String> warnings(Configuration conf) {
    List<String> warnings = SettingsWarnings.of(conf, KEYS);
    warnings.addAll(RemovedKeys.left(conf));
    warnings.addAll(StandaloneKeys.left(conf));
    warnings.addAll(CacheFileWarnings.of(conf));
    if (
      conf.getBoolean(EventLoopGetSettings.ENABLED_KEY, false)
        && !conf.getBoolean(RowPathSettings.ENABLED_KEY, false)
    ) {
      warnings.add(EventLoopGetSettings.ENABLED_KEY + " is true. It does nothing unless "
        + RowPathSettings.ENABLED_KEY + " is true, too; set both, or remove it.");
    }
    return warnings;
  }

  /** Reads repeatedly, each time without the refused value, so that all values are checked. */
  private static void read(Reader reader, Configuration conf, long directMemory,
    Refusals refusals) {
    Configuration rest = conf;
    Set<String> refused = new HashSet<>();
    boolean again = true;
    while (again) {
      again = false;
      try {
        reader.read(rest, refused.isEmpty() ? directMemory : Long.MAX_VALUE);
      } catch (InvalidSettingException e) {
        refusals.add(e);
        if (refused.isEmpty()) {
          rest = new Configuration(conf);
        }
        replace(rest, e.getKey());
        again = refused.add(e.getKey());
      }
    }
  }

  /** Replaces a value that isn't allowed by one that is. */
  private static void replace(Configuration conf, String key) {
    if (key.endsWith(".ioengine")) {
      IOEngineType type = IOEngineType.of(conf.getTrimmed(key, ""));
      conf.set(key, (type == IOEngineType.SEGMENTS ? type : IOEngineType.OFFHEAP).prefix());
      conf.unset(key.replace("ioengine", TierSettings.PERSISTENT_PATH));
      conf.unset(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY);
    } else if (TIER_SIZE.matcher(key).matches()) {
      conf.set(key, "1g");
    } else {
      conf.unset(key);
    }
  }
}
