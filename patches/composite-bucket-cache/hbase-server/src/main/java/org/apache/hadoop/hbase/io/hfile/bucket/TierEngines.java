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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Finds out which engine a tier has, reads its settings and creates it: BucketCache's own, or one
 * that was registered. Thread-safe.
 */
@InterfaceAudience.Private
public final class TierEngines {
  /** An engine that isn't BucketCache's. Thread-safe. */
  public interface Maker {
    /**
     * Reads the settings of a tier.
     * @throws IllegalArgumentException if a value isn't allowed; the message names the key and what
     *                                  is allowed
     */
    TierSettings read(TierKeys keys);

    /**
     * Creates a second tier, and starts it.
     * @param settings what {@link #read} returned
     * @throws IOException if it can't be started
     */
    TierEngine create(TierSettings settings) throws IOException;

    /** Like {@link #create}, a first tier. */
    FirstTierEngine createFirst(TierSettings settings) throws IOException;
  }

  private static final Map<IOEngineType, Maker> MAKERS = new ConcurrentSkipListMap<>();

  private TierEngines() {
  }

  /** Has tiers use an engine, if they have the name of this type. */
  public static void register(IOEngineType type, Maker maker) {
    MAKERS.put(type, maker);
  }

  /**
   * Reads the settings of a tier.
   * @param tier      "l1" or "l2"
   * @param engines   prefixes of the names of BucketCache's engines that the tier may have
   * @param fallsBack whether a key that isn't set for the tier falls back to the key without the
   *                  tier's name
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key and what
   *                                  is allowed
   */
  public static TierSettings read(Configuration conf, String tier, List<String> engines,
    boolean fallsBack) {
    TierKeys keys = TierKeys.of(conf, tier, fallsBack);
    String engine = keys.get(TierSettings.IOENGINE);
    Maker maker = engine == null ? null : maker(engine);
    if (maker != null) {
      BucketCacheTierSettings.checkUnused(keys);
      return maker.read(keys);
    }
    List<String> all = new ArrayList<>(engines);
    MAKERS.keySet().forEach(type -> all.add(type.prefix()));
    return new BucketCacheTierSettings(keys, all);
  }

  /** Returns null for an engine of BucketCache. */
  private static Maker maker(String engine) {
    return MAKERS.get(IOEngineType.of(engine));
  }

  /**
   * Creates a second tier, and starts its engine.
   * @param blockSize approximate bytes of a block
   * @throws IOException if the engine can't be started
   */
  public static TierEngine create(TierSettings settings, int blockSize) throws IOException {
    Maker maker = maker(settings.getIoEngine());
    return maker == null
      ? new TierBucketCache((BucketCacheTierSettings) settings, blockSize)
      : maker.create(settings);
  }

  /** Like {@link #create}, a first tier. */
  public static FirstTierEngine createFirst(TierSettings settings, int blockSize)
    throws IOException {
    Maker maker = maker(settings.getIoEngine());
    return maker == null
      ? new FirstTierBucketCache((BucketCacheTierSettings) settings, blockSize)
      : maker.createFirst(settings);
  }
}
