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
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Finds out which engine a tier has, and reads its settings: BucketCache's own, or one that was
 * registered. Thread-safe.
 */
@InterfaceAudience.Private
public final class TierEngines {
  private static final Map<IOEngineType, Function<TierKeys, TierSettings>> READERS =
    new ConcurrentSkipListMap<>();

  private TierEngines() {
  }

  /**
   * Has tiers use an engine that isn't BucketCache's.
   * @param reader reads the settings of a tier whose engine is of this type
   */
  public static void register(IOEngineType type, Function<TierKeys, TierSettings> reader) {
    READERS.put(type, reader);
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
    Function<TierKeys, TierSettings> reader =
      engine == null ? null : READERS.get(IOEngineType.of(engine));
    if (reader != null) {
      BucketCacheTierSettings.checkUnused(keys);
      return reader.apply(keys);
    }
    List<String> all = new ArrayList<>(engines);
    READERS.keySet().forEach(type -> all.add(type.prefix()));
    return new BucketCacheTierSettings(keys, all);
  }
}
