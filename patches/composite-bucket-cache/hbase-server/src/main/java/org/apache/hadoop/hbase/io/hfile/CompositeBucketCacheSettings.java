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
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFileIOEngine;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEngineSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEnginePaths;
import org.apache.hadoop.hbase.io.hfile.bucket.TierEngines;
import org.apache.hadoop.hbase.io.hfile.bucket.TierSettings;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of a {@link CompositeBucketCache}, which is on if {@link TierSettings#L1_IOENGINE}
 * is set.
 * Immutable. A key of L2 that isn't set falls back to the key without {@code l2.}, so a server with
 * a BucketCache gets it as L2 by setting L1's engine and size.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class CompositeBucketCacheSettings {

  public static final Setting<Boolean> PROMOTION =
    Setting.ofBoolean("hbase.bucketcache.composite.promotion", true,
      "Whether blocks move between the tiers: metadata that the first has no room for to the"
        + " second and back, data that is read often to the first.").live();

  private final TierSettings l1;
  private final TierSettings l2;
  private final boolean promotion;
  private final FileEnginePaths paths = new FileEnginePaths();

  /**
   * Reads the settings of this JVM's server.
   * @throws IllegalArgumentException if a value isn't allowed, or two contradict each other; the
   *                                  message names the key, the value and what to do
   */
  public CompositeBucketCacheSettings(Configuration conf) {
    this(conf, DirectMemoryUtils.getDirectMemorySize());
  }

  /**
   * Reads the settings of a server that runs in another JVM.
   * @param directMemory bytes of direct memory that its JVM allows; Long.MAX_VALUE if not known yet
   * @throws IllegalArgumentException like the other constructor
   */
  public CompositeBucketCacheSettings(Configuration conf, long directMemory) {
    l1 = TierEngines.read(conf, "l1", IOEngineType.prefixesOfFirstTier(), false);
    checkThereIsL2(conf);
    l2 = TierEngines.read(conf, "l2", IOEngineType.prefixes(), true);
    promotion = PROMOTION.read(conf);
    l1.addTo(paths);
    l2.addTo(paths);
    checkDirectMemory(directMemory);
  }

  /** Returns true if the configuration asks for a CompositeBucketCache. */
  public static boolean isEnabled(Configuration conf) {
    return TierSettings.L1_IOENGINE.isSet(conf);
  }

  public TierSettings getL1() {
    return l1;
  }

  public TierSettings getL2() {
    return l2;
  }

  public boolean isPromotion() {
    return promotion;
  }

  /** Returns the paths of the files of both tiers. */
  public FileEnginePaths getPaths() {
    return paths;
  }

  /**
   * Registers the demand of the tiers, in place of that of a single BucketCache, so that the size
   * of the buffer pool accounts for it.
   */
  public static void registerDemand() {
    DirectMemoryDemand.register(DirectMemoryDemand.BLOCK_CACHE, conf -> isEnabled(conf)
      ? new CompositeBucketCacheSettings(conf).demand()
      : DirectFileIOEngine.demand(conf));
  }

  private DirectMemoryDemand demand() {
    return new DirectMemoryDemand(l1.getQueuedBlocks() + l2.getQueuedBlocks(), getDirectMemory());
  }

  /** Returns the bytes of the JVM's direct memory that both tiers take. */
  public long getDirectMemory() {
    return l1.getDirectMemory() + l2.getDirectMemory();
  }

  private void checkThereIsL2(Configuration conf) {
    if (
      !TierSettings.L2_IOENGINE.isSet(conf)
        && conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "").isEmpty()
    ) {
      throw l1.invalid(TierSettings.IOENGINE, l1.getIoEngine(),
        "That is a first tier without a second. Set " + TierSettings.L2_IOENGINE
          + ", or unset it and set " + HConstants.BUCKET_CACHE_IOENGINE_KEY
          + " for a single BucketCache.");
    }
  }

  private void checkDirectMemory(long direct) {
    long wanted = getDirectMemory();
    long pool = l1.getPoolBytes() + l2.getPoolBytes();
    if (pool > direct) {
      throw Setting.invalid(FileEngineSettings.POOL_SIZE.key(), (pool >> 20) + " MB",
        "The JVM allows " + (direct >> 20) + " MB of direct memory. Lower it, or raise"
          + " HBASE_OFFHEAPSIZE (-XX:MaxDirectMemorySize) to more than that.");
    }
    if (wanted > direct) {
      TierSettings tier = l1.isOffHeap() ? l1 : l2;
      throw tier.invalid(TierSettings.SIZE, (tier.getSize() >> 20) + " MB",
        "The tiers take " + (wanted >> 20) + " MB, the JVM allows " + (direct >> 20)
          + " MB of direct memory. Lower it, or raise HBASE_OFFHEAPSIZE (-XX:MaxDirectMemorySize)"
          + " to more than the tiers take, for buffers and the off-heap memstore.");
    }
  }
}
