/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.jvm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;

/**
 * Finds what upstream's jars refuse in a configuration, or read otherwise than it is meant. Keys
 * that they don't read are none of that. Needs none of our classes.
 */
final class UpstreamRules {
  private static final String ENGINE = HConstants.BUCKET_CACHE_IOENGINE_KEY;
  private static final String SIZE = HConstants.BUCKET_CACHE_SIZE_KEY;
  private static final String L1_ENGINE = "hbase.bucketcache.l1.ioengine";
  private static final String PREFETCH = "hbase.rs.prefetchblocksonopen";
  private static final String WARMUP = "hbase.rs.cachewarmup.enabled";
  private static final String ZSTD = "hbase.io.compress.zstd.codec";
  private static final String OFFHEAP = "offheap";
  private static final String[] FACTORS = { "hbase.bucketcache.single.factor",
    "hbase.bucketcache.multi.factor", "hbase.bucketcache.memory.factor" };
  private static final float[] DEFAULT_FACTORS = { 0.25f, 0.5f, 0.25f };
  /** The most that cache and memstore may have of the heap, in percent. */
  private static final int MOST_HEAP = 80;

  private final Configuration conf;
  private final List<String> lines = new ArrayList<>();

  private UpstreamRules(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Returns a line for each problem, which begins with its key and says what to do.
   * @param conf        the server's, into which no shares were put
   * @param direct      direct memory that the server's JVM allows, in MB; null if not known
   * @param environment the server's
   */
  static List<String> of(Configuration conf, Long direct, Map<String, String> environment) {
    UpstreamRules rules = new UpstreamRules(conf);
    rules.checkEngine();
    rules.checkTiers();
    rules.checkSize(direct);
    rules.checkFactors();
    rules.checkPrefetch();
    rules.checkClasses();
    rules.checkVariables(environment);
    return rules.lines;
  }

  private void add(String key, String fix) {
    lines.add(key + " is " + conf.get(key) + ". " + fix);
  }

  private String engine() {
    return conf.getTrimmed(ENGINE, "");
  }

  private boolean hasTiers() {
    return !conf.getTrimmed(L1_ENGINE, "").isEmpty();
  }

  private boolean isOffHeap() {
    return engine().equals(OFFHEAP) || engine().equals("segments");
  }

  private void checkEngine() {
    String engine = engine();
    if (engine.equals("segments")) {
      add(ENGINE, "Upstream has no such engine, and doesn't start. Set it to offheap.");
    } else if (engine.startsWith("segments:") || engine.startsWith("direct:")) {
      add(ENGINE, "Upstream has no such engine, and doesn't start. Set it to files:"
        + engine.substring(engine.indexOf(':') + 1)
        + ", and delete the files and the list of blocks once the server has stopped.");
    }
  }

  private void checkTiers() {
    if (!hasTiers()) {
      return;
    }
    if (engine().isEmpty()) {
      add(L1_ENGINE, "Upstream has no tiers, and no BucketCache then: its data blocks go to the"
        + " heap. Set " + ENGINE + ", and " + SIZE + " in MB.");
    }
    String cache = HConstants.HFILE_BLOCK_CACHE_SIZE_KEY;
    String memstore = MemorySizeUtil.MEMSTORE_SIZE_KEY;
    int percent = percent(cache, HConstants.HFILE_BLOCK_CACHE_SIZE_DEFAULT)
      + percent(memstore, MemorySizeUtil.DEFAULT_MEMSTORE_SIZE);
    if (percent > MOST_HEAP) {
      String key = conf.get(cache) == null ? memstore : cache;
      add(key, "With tiers the cache takes no heap. Upstream has " + percent + " % of it for "
        + cache + " and " + memstore + ", and doesn't start. Lower one, to " + MOST_HEAP
        + " % together.");
    }
  }

  private int percent(String key, float byDefault) {
    return (int) (conf.getFloat(key, byDefault) * 100);
  }

  private void checkSize(Long direct) {
    if (engine().isEmpty()) {
      return;
    }
    float megabytes;
    try {
      megabytes = conf.getFloat(SIZE, 0);
    } catch (NumberFormatException e) {
      add(SIZE, "Upstream takes no unit, and doesn't start. Give MB, such as 1024.");
      return;
    }
    if (isOffHeap() && direct != null && megabytes > direct) {
      add(SIZE, "That is in direct memory on upstream, and its JVM allows " + direct
        + " MB. Lower it, or raise " + MemoryPlan.OFFHEAP + ".");
    }
  }

  private void checkFactors() {
    float sum = 0;
    String set = null;
    for (int i = 0; i < FACTORS.length; i++) {
      sum += conf.getFloat(FACTORS[i], DEFAULT_FACTORS[i]);
      set = set == null && conf.get(FACTORS[i]) != null ? FACTORS[i] : set;
    }
    if (set != null && sum != 1 && !engine().isEmpty()) {
      add(set, "Upstream adds it to the other two of single, multi and memory.factor, gets " + sum
        + " rather than 1, and doesn't start. Give others, such as 0.25, 0.5 and 0.25.");
    }
  }

  private void checkPrefetch() {
    if (conf.getBoolean(PREFETCH, false) && conf.getBoolean(WARMUP, false)) {
      add(PREFETCH, "Upstream knows no limits for it, and reads the files of each region that it"
        + " opens in full, until its cache is full. Set it to false.");
    }
  }

  private void checkClasses() {
    if (conf.getTrimmed(ZSTD, "").endsWith(".ZstdFrameCodec")) {
      add(ZSTD, "Upstream has no such class, and opens no region of a table with ZSTD. Once the"
        + " server has stopped, remove the key or set another codec, as \"Tables with ZSTD\" in"
        + " docs/operators-guide.md says.");
    }
  }

  /** Finds numbers that the scripts compute, which upstream's don't. */
  private void checkVariables(Map<String, String> environment) {
    Map<String, String> values = new TreeMap<>();
    conf.forEach(entry -> values.put(entry.getKey(), entry.getValue()));
    for (String name : Arrays.asList(Shares.CACHE, Shares.MEMSTORE, Shares.FLUSH_SIZE)) {
      values.forEach((key, value) -> {
        if (value.contains("${env." + name) && environment.getOrDefault(name, "").isEmpty()
          && !key.matches("hbase\\.bucketcache\\.l[12]\\..*")) {
          lines.add(key + " is " + value + ". Upstream's scripts don't compute the variable, so it"
            + " is " + conf.get(key) + ". Give a number, or set the variable in hbase-env.sh.");
        }
      });
    }
  }
}
