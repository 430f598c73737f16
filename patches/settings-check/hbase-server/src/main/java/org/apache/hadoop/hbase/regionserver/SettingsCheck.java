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
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.MovedRegionRetries;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.conf.Setting.InvalidSettingException;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndexSettings;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupSettings;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.SuspectDataNodeSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheKeys;
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
import org.apache.hadoop.hbase.regionserver.wal.WALEventLoop;
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

  /** What is read together: the settings that classes declare, and how. */
  private static final class Feature {
    private final Reader reader;
    private final List<Setting<?>> settings = new ArrayList<>();

    Feature(Reader reader, Class<?>... declaring) {
      this.reader = reader;
      for (Class<?> type : declaring) {
        settings.addAll(declaredBy(type));
      }
    }

    /** Settings that are allowed or not each by itself. */
    Feature(Class<?> declaring) {
      settings.addAll(declaredBy(declaring));
      reader = (conf, direct) -> settings.forEach(setting -> setting.read(conf));
    }
  }

  /** Apart, so that a class that can't be loaded doesn't keep the check from saying so. */
  private static final class Features {
    static final List<Feature> ALL = Collections.unmodifiableList(Arrays.asList(
      new Feature(BufferPoolSettings.class), new Feature(ParallelMultiGetSettings.class),
      new Feature(RowPathSettings.class), new Feature(CursorCompactionSettings.class),
      new Feature(BackgroundWorkSettings.class), new Feature(ScanRunsSettings.class),
      new Feature(MemStoreIndexSettings.class), new Feature(EventLoopGetSettings.class),
      new Feature(HotBlocksSettings.class), new Feature(StartupWarmupSettings.class),
      new Feature(OrphanBlocksSettings.class), new Feature(RegionMoveWaitSettings.class),
      new Feature(MovedRegionRetries.class), new Feature(HandshakeSettings.class),
      new Feature(CacheWarmupSettings.class), new Feature(BlockSeekIndexSettings.class),
      new Feature(SettingsCheck::readTiers, TierSettings.class, CompositeBucketCacheSettings.class),
      new Feature((conf, direct) -> ofBucketCache(conf, c -> BucketCacheKeys.checkFactors(c, 0))),
      new Feature((conf, direct) -> ofBucketCache(conf, BucketCacheRules::readSizes)),
      new Feature(SettingsCheck::readSegments), new Feature(SegmentCacheSettings.class),
      new Feature((conf, direct) -> {
        FileEngineSettings.CHECKSUM.read(conf);
        FileEngineSettings.readPoolSize(conf);
      }, FileEngineSettings.class),
      new Feature(DeviceWatch.class), new Feature(CoprocessorCellsSettings.class),
      new Feature(CacheSizingSettings.class), new Feature(SuspectDataNodeSettings.class),
      new Feature(ScanTurnSettings.class), new Feature(AsyncPutSettings.class),
      new Feature(WALEventLoop.class)));
  }

  private SettingsCheck() {
  }

  /** Returns the public constants of a class that are settings, in their order. */
  private static List<Setting<?>> declaredBy(Class<?> type) {
    List<Setting<?>> settings = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (field.getType() == Setting.class && Modifier.isPublic(field.getModifiers())) {
        try {
          settings.add((Setting<?>) field.get(null));
        } catch (IllegalAccessException e) {
          throw new IllegalStateException(field.toString(), e);
        }
      }
    }
    return settings;
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

  /** Returns the settings of the patches, which HBase without patches doesn't have. */
  public static List<Setting<?>> settings() {
    return Features.ALL.stream().flatMap(feature -> feature.settings.stream())
      .collect(Collectors.toList());
  }

  /** Returns the keys of these settings. */
  public static List<String> keys() {
    return settings().stream().map(Setting::key).collect(Collectors.toList());
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
    for (Feature feature : Features.ALL) {
      read(feature.reader, rest, directMemory, refusals);
    }
    return rest;
  }

  /** Returns the reasons why a master without regions couldn't start, like {@link #refusals}. */
  public static List<String> refusalsOfMaster(Configuration conf) {
    Refusals refusals = new Refusals();
    Configuration rest = new Configuration(conf);
    NumericKeys.check(rest, true, refusals);
    CoreRules.checkMaster(rest, refusals);
    read((master, direct) -> WALEventLoop.OWN.read(master), rest, 0, refusals);
    return refusals.lines();
  }

  /** Returns warnings of settings that work but are probably mistakes, a line for each key. */
  public static List<String> warnings(Configuration conf) {
    List<String> warnings = SettingsWarnings.of(conf, keys());
    warnings.addAll(RemovedKeys.left(conf));
    warnings.addAll(StandaloneKeys.left(conf));
    warnings.addAll(CacheFileWarnings.of(conf));
    if (
      conf.getBoolean(EventLoopGetSettings.ENABLED.key(), false)
        && !conf.getBoolean(RowPathSettings.ENABLED.key(), false)
    ) {
      warnings.add(EventLoopGetSettings.ENABLED + " is true. It does nothing unless "
        + RowPathSettings.ENABLED + " is true, too; set both, or remove it.");
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
