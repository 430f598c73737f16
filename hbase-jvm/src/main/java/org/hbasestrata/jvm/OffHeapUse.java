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
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEngineSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.TierSettings;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentCacheSettings;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.ipc.BufferPoolSettings;
import org.apache.hadoop.hbase.regionserver.SettingsCheck;

/** The direct memory that a region server's configuration asks for. Immutable. */
final class OffHeapUse {
  private static final String OFFHEAP = "offheap";
  /** Upstream's estimate of a response, of which a handler has two in progress. */
  private static final int ANSWER_BYTES = 2 << Sizes.BITS_OF_MB;
  /** The buffers get one part in 12: a pool that is sized for its load adapts to what it has. */
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
  private long directCacheMegabytes;

  /** Computes the use of a configuration in which {@link SettingsCheck} refuses nothing. */
  OffHeapUse(Configuration conf) {
    if (ServerJars.haveOurSettings() && CompositeBucketCacheSettings.isEnabled(conf)) {
      CompositeBucketCacheSettings tiers =
        SettingsCheck.readEnabledTiers(conf, Long.MAX_VALUE);
      addTier("L1 of the block cache", tiers.getL1());
      addTier("L2 of the block cache", tiers.getL2());
    } else {
      addBucketCache(conf);
    }
    add("memstore", MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY,
      conf.getLong(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, 0));
    addBuffers(conf);
  }

  List<Use> all() {
    return Collections.unmodifiableList(uses);
  }

  /** Returns the direct memory of all users in MB. */
  long megabytes() {
    return uses.stream().mapToLong(Use::megabytes).sum();
  }

  /** Returns the size of the BucketCaches in MB, in memory or in files, whose blocks take heap. */
  long cacheMegabytes() {
    return cacheMegabytes;
  }

  /**
   * Returns the direct memory that a server takes at its start, in MB. Without it the server fails
   * to start; other users take theirs under load.
   */
  long megabytesAtOnce() {
    return directCacheMegabytes;
  }

  /** Returns the users, and how much each of them takes. */
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

  private void addBucketCache(Configuration conf) {
    String engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    if (ServerJars.haveOurSettings() ? SettingsCheck.hasBucketCache(conf) : !engine.isEmpty()) {
      if (ServerJars.haveOurSettings() && SegmentCacheSettings.isUsed(conf)) {
        addSegments("block cache", new SegmentCacheSettings(conf, Long.MAX_VALUE));
        return;
      }
      long bytes = MemorySizeUtil.getBucketCacheSize(conf);
      boolean isDirectIO =
        ServerJars.haveOurSettings() && IOEngineType.of(engine).isDirectIO();
      addCache("block cache", HConstants.BUCKET_CACHE_SIZE_KEY, bytes, engine.startsWith(OFFHEAP),
        isDirectIO ? FileEngineSettings.readPoolSize(conf) : 0);
    }
  }

  private void addSegments(String what, SegmentCacheSettings cache) {
    long direct = megabytes(cache.getDirectMemory());
    directCacheMegabytes += cache.isInMemory() ? direct : 0;
    add((cache.isInMemory() ? what + " with its index" : "buffers and index of " + what),
      cache.key(TierSettings.SIZE), direct);
  }

  private void addTier(String what, TierSettings tier) {
    if (tier instanceof SegmentCacheSettings) {
      addSegments(what, (SegmentCacheSettings) tier);
    } else {
      addCache(what, tier.key(TierSettings.SIZE), tier.getSize(), tier.isOffHeap(),
        tier.getPoolBytes());
    }
  }

  /**
   * Adds a block cache or a tier of one.
   * @param bytes     size of the cache
   * @param isOffHeap whether that is direct memory; a mapped file isn't, as the JVM counts it
   * @param pool      bytes of direct memory for buffers
   */
  private void addCache(String what, String sizeKey, long bytes, boolean isOffHeap, long pool) {
    cacheMegabytes += megabytes(bytes);
    if (isOffHeap) {
      directCacheMegabytes += megabytes(bytes);
      add(what, sizeKey, megabytes(bytes));
    }
    if (pool > 0) {
      add("buffers of " + what, FileEngineSettings.POOL_SIZE.key(), megabytes(pool));
    }
  }

  /** Converts bytes to MB, rounded up. */
  private static long megabytes(long bytes) {
    return (bytes + (1 << Sizes.BITS_OF_MB) - 1) >> Sizes.BITS_OF_MB;
  }

  private void addBuffers(Configuration conf) {
    if (!conf.getBoolean(ByteBuffAllocator.ALLOCATOR_POOL_ENABLED_KEY, true)) {
      return;
    }
    if (ServerJars.haveOurSettings() && BufferPoolSettings.ENABLED.read(conf)
      && conf.get(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY) == null) {
      add("buffers", BufferPoolSettings.ENABLED.key(), megabytes() / OTHERS_FOR_BUFFERS);
      return;
    }
    long size =
      conf.getInt(ByteBuffAllocator.BUFFER_SIZE_KEY, ByteBuffAllocator.DEFAULT_BUFFER_SIZE);
    long handlers = conf.getInt(HConstants.REGION_SERVER_HANDLER_COUNT,
      HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    long count = conf.getInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY,
      size <= 0 ? 0 : (int) (handlers * (ANSWER_BYTES / size) * 2));
    add("buffers", ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, megabytes(count * size));
  }
}
