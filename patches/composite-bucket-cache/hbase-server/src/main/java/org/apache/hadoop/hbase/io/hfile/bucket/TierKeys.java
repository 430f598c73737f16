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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.yetus.audience.InterfaceAudience;

/** The keys of one tier, or those of a single cache, and their values. Immutable. */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class TierKeys {
  private static final String PREFIX = "hbase.bucketcache.";

  private final Configuration conf;
  /** With a full stop; empty for a single cache. */
  private final String tier;
  private final boolean fallsBack;

  /**
   * Returns the keys of a tier.
   * @param tier      "l1" or "l2"
   * @param fallsBack whether a key that isn't set for the tier falls back to the key without the
   *                  tier's name
   */
  static TierKeys of(Configuration conf, String tier, boolean fallsBack) {
    return new TierKeys(conf, tier + ".", fallsBack);
  }

  /** Returns the keys of a cache that is no tier. */
  public static TierKeys ofSingleCache(Configuration conf) {
    return new TierKeys(conf, "", false);
  }

  private TierKeys(Configuration conf, String tier, boolean fallsBack) {
    this.conf = conf;
    this.tier = tier;
    this.fallsBack = fallsBack;
  }

  public Configuration getConfiguration() {
    return conf;
  }

  /** Returns true for the keys of a cache that is no tier. */
  public boolean isOfSingleCache() {
    return tier.isEmpty();
  }

  /** Returns true for a second tier. */
  public boolean isOfSecondTier() {
    return fallsBack;
  }

  /** Returns the name of the key that a setting is read from. */
  public String key(String name) {
    String key = PREFIX + tier + name;
    return fallsBack && conf.get(key) == null && conf.get(PREFIX + name) != null
      ? PREFIX + name
      : key;
  }

  /** Returns the value of a setting without blanks around it; null if there is none. */
  public String get(String name) {
    String value = conf.getTrimmed(key(name));
    return value == null || value.isEmpty() ? null : value;
  }

  /**
   * Returns the exception for a setting.
   * @param value the value that isn't allowed
   * @param fix   what is allowed, a sentence
   */
  public IllegalArgumentException invalid(String name, String value, String fix) {
    return Setting.invalid(key(name), value, fix);
  }
}
