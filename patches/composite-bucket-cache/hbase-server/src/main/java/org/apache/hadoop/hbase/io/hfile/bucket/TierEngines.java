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
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Finds out which engine a tier has, and reads its settings: BucketCache's own, or one that was
 * registered. Thread-safe.
 */
@InterfaceAudience.Private
public final class TierEngines {
  private static final Map<String, Function<TierKeys, TierSettings>> READERS =
    new ConcurrentSkipListMap<>();

  private TierEngines() {
  }

  /**
   * Has tiers use an engine that isn't BucketCache's.
   * @param name   of the engine, without a colon
   * @param reader reads the settings of a tier whose engine has this name, or this name and paths
   */
  public static void register(String name, Function<TierKeys, TierSettings> reader) {
    READERS.put(name, reader);
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
    for (Map.Entry<String, Function<TierKeys, TierSettings>> other : READERS.entrySet()) {
      if (engine != null && isNamed(engine, other.getKey())) {
        BucketCacheTierSettings.checkUnused(keys);
        return other.getValue().apply(keys);
      }
    }
    List<String> all = new ArrayList<>(engines);
    all.addAll(READERS.keySet());
    return new BucketCacheTierSettings(keys, all);
  }

  /** Returns true if an engine has this name, or this name with paths behind a colon. */
  public static boolean isNamed(String engine, String name) {
    return engine.equals(name) || engine.startsWith(name + ":");
  }
}
