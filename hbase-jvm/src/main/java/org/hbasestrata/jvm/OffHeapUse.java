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
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.util.StringUtils.TraditionalBinaryPrefix;

/** The direct memory that a region server's configuration asks for. Immutable. */
final class OffHeapUse {
  static final String CACHE_SIZE_KEY = "hbase.bucketcache.size";
  static final String L1_ENGINE_KEY = "hbase.bucketcache.l1.ioengine";
  static final String L1_SIZE_KEY = "hbase.bucketcache.l1.size";
  static final String L2_ENGINE_KEY = "hbase.bucketcache.l2.ioengine";
  static final String L2_SIZE_KEY = "hbase.bucketcache.l2.size";
  static final String DIRECT_POOL_KEY = "hbase.bucketcache.direct.pool.size";
  static final String SIZED_POOL_KEY = "hbase.server.allocator.sizing.enabled";
  static final String MEMSTORE_KEY = "hbase.regionserver.offheap.global.memstore.size";

  private static final String OFFHEAP = "offheap";
  private static final String DIRECT = "direct:";
  private static final int DIRECT_POOL_MB_OF_HANDLER = 2;
  /** What upstream reckons for an answer, of which a handler has two under way. */
  private static final int ANSWER_BYTES = 2 << Sizes.BITS_OF_MB;
  /** A pool that is sized for its load adapts to what there is; it is left one part in 12. */
  private static final int OTHERS_FOR_BUFFERS = 11;

  /** One user of direct memory. */
  static final class Use {
    private final String what;
    private final String key;
    private final long megabytes;

    Use(String what, String key, long megabytes) {
      this.what = what;
      this.key = key;
      this.megabytes = megabytes;
    }

    String key() {
      return key;
    }

    long megabytes() {
      return megabytes;
    }

    @Override
    public String toString() {
      return what + " " + Sizes.text(megabytes) + " (" + key + ")";
    }
  }

  private final List<Use> uses = new ArrayList<>();
  private long cacheMegabytes;

  OffHeapUse(Configuration conf) {
    String l1 = conf.getTrimmed(L1_ENGINE_KEY, "");
    if (l1.isEmpty()) {
      addCache("block cache", conf, HConstants.BUCKET_CACHE_IOENGINE_KEY, CACHE_SIZE_KEY);
    } else {
      addCache("L1 of the block cache", conf, L1_ENGINE_KEY, L1_SIZE_KEY);
      addCache("L2 of the block cache", conf,
        conf.get(L2_ENGINE_KEY) == null ? HConstants.BUCKET_CACHE_IOENGINE_KEY : L2_ENGINE_KEY,
        conf.get(L2_SIZE_KEY) == null ? CACHE_SIZE_KEY : L2_SIZE_KEY);
    }
    add("memstore", MEMSTORE_KEY, number(conf, MEMSTORE_KEY, 0));
    addBuffers(conf);
  }

  List<Use> all() {
    return Collections.unmodifiableList(uses);
  }

  /** Returns MB. */
  long megabytes() {
    return uses.stream().mapToLong(Use::megabytes).sum();
  }

  /** Returns MB of the block cache's tiers, wherever they are. */
  long cacheMegabytes() {
    return cacheMegabytes;
  }

  /** Returns what users there are, and how much each takes. */
  @Override
  public String toString() {
    return uses.isEmpty() ? "nothing"
      : uses.stream().map(Use::toString).collect(Collectors.joining(", "));
  }

  private void add(String what, String key, long megabytes) {
    if (megabytes > 0) {
      uses.add(new Use(what, key, megabytes));
    }
  }

  private void addCache(String what, Configuration conf, String engineKey, String sizeKey) {
    String engine = conf.getTrimmed(engineKey, "");
    if (engine.isEmpty()) {
      return;
    }
    long cache = megabytes(sizeKey, conf.getTrimmed(sizeKey, "0"));
    cacheMegabytes += cache;
    // Other engines map a file, which isn't direct memory to the JVM.
    if (engine.startsWith(OFFHEAP)) {
      add(what, sizeKey, cache);
    } else if (engine.startsWith(DIRECT)) {
      String size = conf.getTrimmed(DIRECT_POOL_KEY, "");
      add("buffers of " + what, DIRECT_POOL_KEY, size.isEmpty()
        ? handlers(conf) * DIRECT_POOL_MB_OF_HANDLER
        : megabytes(DIRECT_POOL_KEY, size));
    }
  }

  private static long megabytes(String key, String size) {
    try {
      return Character.isLetter(size.charAt(size.length() - 1))
        ? TraditionalBinaryPrefix.string2long(size) >> Sizes.BITS_OF_MB
        : (long) Math.ceil(Float.parseFloat(size));
    } catch (IllegalArgumentException e) {
      throw new JvmException(key + " is " + size + ". Give MB, at least 1, or, but for upstream's"
        + " keys, a whole number with k, m, g or t behind it, as 4g.");
    }
  }

  private void addBuffers(Configuration conf) {
    if (!conf.getBoolean(ByteBuffAllocator.ALLOCATOR_POOL_ENABLED_KEY, true)) {
      return;
    }
    if (conf.getBoolean(SIZED_POOL_KEY, false)
      && conf.get(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY) == null) {
      add("buffers", SIZED_POOL_KEY, megabytes() / OTHERS_FOR_BUFFERS);
      return;
    }
    long size =
      number(conf, ByteBuffAllocator.BUFFER_SIZE_KEY, ByteBuffAllocator.DEFAULT_BUFFER_SIZE);
    long count = number(conf, ByteBuffAllocator.MAX_BUFFER_COUNT_KEY,
      size <= 0 ? 0 : handlers(conf) * (ANSWER_BYTES / size) * 2);
    add("buffers", ByteBuffAllocator.MAX_BUFFER_COUNT_KEY,
      (count * size + (1 << Sizes.BITS_OF_MB) - 1) >> Sizes.BITS_OF_MB);
  }

  private static long handlers(Configuration conf) {
    return number(conf, HConstants.REGION_SERVER_HANDLER_COUNT,
      HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
  }

  private static long number(Configuration conf, String key, long byDefault) {
    try {
      return conf.getLong(key, byDefault);
    } catch (NumberFormatException e) {
      throw new JvmException(key + " is " + conf.get(key) + ". Give a whole number.");
    }
  }
}
