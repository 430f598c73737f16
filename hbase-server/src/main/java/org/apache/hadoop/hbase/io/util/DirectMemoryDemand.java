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
package org.apache.hadoop.hbase.io.util;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The direct memory that a part of a region server takes: buffers of the server's pool, and bytes
 * outside the pool. Immutable.
 */
/*
 * The pool is created before the parts that use it, so its size is computed from the configuration.
 * This class doesn't know the parts: each registers a function that returns its demand.
 */
@InterfaceAudience.Private
public final class DirectMemoryDemand {
  /** The part that caches blocks: a single BucketCache, or none, unless another registers. */
  public static final String BLOCK_CACHE = "the block cache's queues";

  private static final long MB = 1L << 20;
  @GuardedBy("itself")
  private static final Map<String, Function<Configuration, DirectMemoryDemand>> PARTS =
    new LinkedHashMap<>();
  private static final Function<Configuration, DirectMemoryDemand> SINGLE_BUCKET_CACHE =
    DirectMemoryDemand::ofBucketCache;
  /** Those that have another block cache in its place, by part. */
  @GuardedBy("PARTS")
  private static final Map<String, Predicate<Configuration>> NO_BUCKET_CACHE = new HashMap<>();
  private static final DirectMemoryDemand NOTHING = new DirectMemoryDemand(0, 0);
  static {
    PARTS.put(BLOCK_CACHE, SINGLE_BUCKET_CACHE);
  }

  private final long buffers;
  private final long bytes;

  /**
   * Creates a demand.
   * @param buffers number of buffers of the pool
   * @param bytes   bytes of direct memory outside the pool
   */
  public DirectMemoryDemand(long buffers, long bytes) {
    this.buffers = buffers;
    this.bytes = bytes;
  }

  public long getBuffers() {
    return buffers;
  }

  public long getBytes() {
    return bytes;
  }

  /**
   * Registers a part, and replaces an earlier registration of it. Thread-safe.
   * @param part   name of the part, for the log
   * @param demand returns the part's demand, never null; called by any thread. If a setting isn't
   *               allowed it throws an IllegalArgumentException whose message names the key, the
   *               value and what to do.
   */
  public static void register(String part, Function<Configuration, DirectMemoryDemand> demand) {
    synchronized (PARTS) {
      PARTS.put(part, demand);
    }
  }

  /**
   * Registers the demand of a single BucketCache, unless another {@link #BLOCK_CACHE} is
   * registered, before or after. Otherwise like {@link #register}.
   */
  public static void registerBucketCache(Function<Configuration, DirectMemoryDemand> demand) {
    synchronized (PARTS) {
      PARTS.replace(BLOCK_CACHE, SINGLE_BUCKET_CACHE, demand);
    }
  }

  /**
   * Registers a block cache that some configurations have in place of a BucketCache. Otherwise like
   * {@link #register}.
   * @param isUsed returns true for such a configuration; called by any thread
   * @param demand called only for such a configuration
   */
  public static void registerInsteadOfBucketCache(String part, Predicate<Configuration> isUsed,
    Function<Configuration, DirectMemoryDemand> demand) {
    synchronized (PARTS) {
      NO_BUCKET_CACHE.put(part, isUsed);
      PARTS.put(part, conf -> isUsed.test(conf) ? demand.apply(conf) : NOTHING);
    }
  }

  private static boolean hasBucketCache(Configuration conf) {
    synchronized (PARTS) {
      return !conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "").isEmpty()
        && NO_BUCKET_CACHE.values().stream().noneMatch(isUsed -> isUsed.test(conf));
    }
  }

  /**
   * Returns the demand of each part of a server with this configuration, in the order of
   * registration. Thread-safe.
   * @throws IllegalArgumentException if a setting isn't allowed
   */
  public static Map<String, DirectMemoryDemand> of(Configuration conf) {
    Map<String, Function<Configuration, DirectMemoryDemand>> parts;
    synchronized (PARTS) {
      parts = new LinkedHashMap<>(PARTS);
    }
    Map<String, DirectMemoryDemand> demands = new LinkedHashMap<>();
    parts.forEach((part, demand) -> demands.put(part, demand.apply(conf)));
    return demands;
  }

  /** Returns the demand of a single BucketCache, which is zero if there is none. */
  public static DirectMemoryDemand ofBucketCache(Configuration conf) {
    String engine = conf.getTrimmed(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
    if (!hasBucketCache(conf)) {
      return NOTHING;
    }
    // Blocks wait in buffers of the pool until they are written to the cache.
    long queues = (long) conf.getInt(BlockCacheFactory.BUCKET_CACHE_WRITER_THREADS_KEY,
      BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS)
      * conf.getInt(BlockCacheFactory.BUCKET_CACHE_WRITER_QUEUE_KEY,
        BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE);
    return new DirectMemoryDemand(queues, IOEngineType.of(engine).isInDirectMemory()
      ? (long) (conf.getFloat(HConstants.BUCKET_CACHE_SIZE_KEY, 0) * MB)
      : 0);
  }
}
