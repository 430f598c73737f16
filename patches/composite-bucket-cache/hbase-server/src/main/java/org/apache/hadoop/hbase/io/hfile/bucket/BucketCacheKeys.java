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

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads the keys of a BucketCache that a single one and those of tiers have in common. */
@InterfaceAudience.Private
public final class BucketCacheKeys {
  private static final String PREFIX = "hbase.bucketcache.";
  private static final String ACCEPT_FACTOR = PREFIX + "acceptfactor";
  private static final String MIN_FACTOR = PREFIX + "minfactor";
  private static final String EXTRA_FREE_FACTOR = PREFIX + "extrafreefactor";
  static final String SINGLE_FACTOR = PREFIX + "single.factor";
  static final String MULTI_FACTOR = PREFIX + "multi.factor";
  static final String MEMORY_FACTOR = PREFIX + "memory.factor";
  private static final Map<String, Float> FACTORS;
  static {
    Map<String, Float> factors = new LinkedHashMap<>();
    factors.put(ACCEPT_FACTOR, 0.95f);
    factors.put(MIN_FACTOR, 0.85f);
    factors.put(EXTRA_FREE_FACTOR, 0.10f);
    factors.put(SINGLE_FACTOR, 0.25f);
    factors.put(MULTI_FACTOR, 0.50f);
    factors.put(MEMORY_FACTOR, 0.25f);
    FACTORS = Collections.unmodifiableMap(factors);
  }

  private static final int BUCKET_SIZE_UNIT = 256;
  private static final int FEWEST_BLOCKS_IN_BUCKET = 4;
  private static final int DEFAULT_BUCKET_SIZES = 14;
  private static final int DEFAULT_BIGGEST_BUCKET_SIZE = 513 * 1024;

  private BucketCacheKeys() {
  }

  /**
   * Reads the sizes of slots.
   * @return bytes; null for BucketCache's default sizes
   * @throws IllegalArgumentException if a size isn't allowed; the message names the key
   */
  public static int[] readBucketSizes(Configuration conf) {
    String key = BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY;
    String[] values = conf.getTrimmedStrings(key);
    if (values.length == 0) {
      return null;
    }
    int[] sizes = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      try {
        sizes[i] = Integer.parseInt(values[i]);
      } catch (NumberFormatException e) {
        // Reported below, as 0 is.
      }
      if (sizes[i] <= 0 || sizes[i] % BUCKET_SIZE_UNIT != 0) {
        throw Setting.invalid(key, values[i],
          "Give bytes, each a multiple of " + BUCKET_SIZE_UNIT + ", separated by commas.");
      }
    }
    return sizes;
  }

  /**
   * Says what to do if a cache is too small for its buckets. The allocator needs a bucket for each
   * slot size, and a bucket holds four of the biggest blocks.
   * @param size        bytes
   * @param bucketSizes bytes; null for BucketCache's default sizes
   * @return null if the cache is big enough
   */
  public static String fixOfSize(double size, int[] bucketSizes) {
    int count = bucketSizes == null ? DEFAULT_BUCKET_SIZES : bucketSizes.length;
    int biggest = bucketSizes == null
      ? DEFAULT_BIGGEST_BUCKET_SIZE
      : Arrays.stream(bucketSizes).max().orElse(DEFAULT_BIGGEST_BUCKET_SIZE);
    long needed = (long) count * FEWEST_BLOCKS_IN_BUCKET * biggest;
    return size >= needed
      ? null
      : "With " + count + " sizes of up to " + biggest + " bytes in "
        + BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY + " it must be at least "
        + ((needed >> 20) + 1) + " MB.";
  }

  /**
   * Checks the factors.
   * @param rounding by how much the sum of the three of priorities may differ from 1
   * @throws IllegalArgumentException if one isn't allowed; the message names its key
   */
  public static void checkFactors(Configuration conf, float rounding) {
    FACTORS.keySet().forEach(key -> {
      float factor = factor(conf, key);
      boolean extra = key.equals(EXTRA_FREE_FACTOR);
      if (!(factor >= 0) || Float.isInfinite(factor) || factor > 1 && !extra) {
        throw Setting.invalid(key, conf.getTrimmed(key), numberFrom0(!extra));
      }
    });
    float min = factor(conf, MIN_FACTOR);
    float accept = factor(conf, ACCEPT_FACTOR);
    if (min > accept) {
      throw Setting.invalid(MIN_FACTOR, String.valueOf(min),
        "It must not be above " + ACCEPT_FACTOR + ", " + accept + ".");
    }
    float single = factor(conf, SINGLE_FACTOR);
    float multi = factor(conf, MULTI_FACTOR);
    float memory = factor(conf, MEMORY_FACTOR);
    if (single + multi > 1 || Math.abs(single + multi + memory - 1) > rounding) {
      throw Setting.invalid(SINGLE_FACTOR, String.valueOf(single), "With " + MULTI_FACTOR
        + ", " + multi + ", and " + MEMORY_FACTOR + ", " + memory + ", it must add up to 1.");
    }
  }

  static float factor(Configuration conf, String key) {
    String value = conf.getTrimmed(key, "");
    try {
      return value.isEmpty() ? FACTORS.get(key) : Float.parseFloat(value);
    } catch (NumberFormatException e) {
      throw Setting.invalid(key, value, numberFrom0(true));
    }
  }

  private static String numberFrom0(boolean to1) {
    return "Give a number " + (to1 ? "from 0 to 1." : "of at least 0.");
  }

  /** Sets all factors to what they are read as. */
  static void setFactors(Configuration conf) {
    FACTORS.keySet().forEach(key -> conf.setFloat(key, factor(conf, key)));
  }
}
