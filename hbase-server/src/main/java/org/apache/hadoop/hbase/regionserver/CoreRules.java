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
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What HBase itself asks of the values of its keys beyond being numbers: it ends with others, or
 * can't serve. Numbers that aren't any have been refused before.
 */
@InterfaceAudience.Private
final class CoreRules {
  /** Below these a server ends, or regions can't be opened or written to. */
  private static final Map<String, Integer> LEAST = new LinkedHashMap<>();
  static {
    LEAST.put(HConstants.REGION_SERVER_HANDLER_COUNT, 0);
    LEAST.put(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 1);
    LEAST.put(HConstants.ZK_SESSION_TIMEOUT, 1);
    LEAST.put(HConstants.THREAD_WAKE_FREQUENCY, 1);
    LEAST.put(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 0);
    LEAST.put(CompactSplit.SMALL_COMPACTION_THREADS, 1);
    LEAST.put("hbase.regionserver.executor.openregion.threads", 1);
    LEAST.put("hbase.regionserver.hlog.blocksize", 1);
    LEAST.put("hbase.regionserver.msginterval", 0);
    LEAST.put("hfile.index.block.max.size", 1);
  }

  private static final List<String> POLICIES =
    Collections.unmodifiableList(Arrays.asList("LRU", "IndexOnlyLRU", "TinyLFU", "AdaptiveLRU"));
  private static final List<String> PROVIDERS = Collections
    .unmodifiableList(Arrays.asList("asyncfs", "defaultProvider", "filesystem", "multiwal"));
  private static final List<String> MEMSTORES = Collections.unmodifiableList(
    Arrays.stream(MemoryCompactionPolicy.values()).map(Enum::name).collect(Collectors.toList()));
  private static final int LAST_PORT = 65535;

  private CoreRules() {
  }

  /**
   * Refuses what a server with regions doesn't serve with.
   * @param directMemory bytes that its JVM allows
   */
  static void check(Configuration conf, long directMemory, Refusals refusals) {
    LEAST.forEach((key, least) -> atLeast(conf, key, least, refusals));
    if (conf.getBoolean(ByteBuffAllocator.ALLOCATOR_POOL_ENABLED_KEY, true)) {
      atLeast(conf, ByteBuffAllocator.BUFFER_SIZE_KEY, 1, refusals);
    }
    checkName(conf, CompactingMemStore.COMPACTING_MEMSTORE_TYPE_KEY, MEMSTORES, refusals);
    checkPort(conf, HConstants.REGIONSERVER_PORT, 0, refusals);
    checkPort(conf, HConstants.REGIONSERVER_INFO_PORT, Integer.MIN_VALUE, refusals);
    checkHeap(conf, refusals);
    checkFiles(conf, refusals);
    if (CompositeBucketCacheSettings.isEnabled(conf)) {
      NumericKeys.checkBucketCache(conf, refusals);
    } else {
      checkName(conf, BlockCacheFactory.BLOCKCACHE_POLICY_KEY, POLICIES, refusals);
      BucketCacheRules.check(conf, directMemory, refusals);
    }
  }

  /** Refuses directories in a file system that there isn't, and a WAL of a kind likewise. */
  static void checkFiles(Configuration conf, Refusals refusals) {
    for (String key : Arrays.asList(HConstants.HBASE_DIR, CommonFSUtils.HBASE_WAL_DIR)) {
      String value = conf.getTrimmed(key, "");
      if (!value.isEmpty()) {
        checkDirectory(conf, key, value, refusals);
      }
    }
    String provider = conf.get(WALFactory.WAL_PROVIDER, PROVIDERS.get(0));
    if (!PROVIDERS.contains(provider) && conf.getClassByNameOrNull(provider.trim()) == null) {
      refusals.add(WALFactory.WAL_PROVIDER, provider,
        "Give one of " + PROVIDERS + ", or the name of a class that there is.");
    }
  }

  private static void checkDirectory(Configuration conf, String key, String value,
    Refusals refusals) {
    try {
      URI uri = new Path(value).toUri();
      if (uri.getScheme() != null) {
        FileSystem.getFileSystemClass(uri.getScheme(), conf);
      }
    } catch (IOException | IllegalArgumentException e) {
      refusals.add(key, value, "Give a directory of a file system that there is, as"
        + " hdfs://NAMENODE:8020/hbase. (" + e.getMessage() + ")");
    }
  }

  static void atLeast(Configuration conf, String key, long least, Refusals refusals) {
    String value = conf.getTrimmed(key);
    if (value != null && conf.getLong(key, least) < least) {
      refusals.add(key, value, "Give a whole number of at least " + least + ".");
    }
  }

  private static void checkPort(Configuration conf, String key, int least, Refusals refusals) {
    int port = conf.getInt(key, 0);
    if (port < least || port > LAST_PORT) {
      refusals.add(key, conf.get(key), "Give a port, " + LAST_PORT + " at most; 0 for any.");
    }
  }

  private static void checkHeap(Configuration conf, Refusals refusals) {
    String sizeKey = HConstants.HFILE_BLOCK_CACHE_MEMORY_SIZE_KEY;
    if (conf.get(sizeKey) != null) {
      try {
        MemorySizeUtil.getBlockCacheSizeInBytes(conf);
      } catch (IllegalArgumentException e) {
        refusals.add(sizeKey, conf.get(sizeKey),
          "Give bytes, or a number with MB or GB behind it.");
      }
      return;
    }
    if (conf.get(MemorySizeUtil.HBASE_REGION_SERVER_FREE_HEAP_MIN_MEMORY_SIZE_KEY) != null) {
      return;
    }
    try {
      MemorySizeUtil.validateRegionServerHeapMemoryAllocation(conf);
    } catch (RuntimeException e) {
      refusals.add(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY,
        conf.get(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY,
          String.valueOf(HConstants.HFILE_BLOCK_CACHE_SIZE_DEFAULT)),
        "With " + MemorySizeUtil.MEMSTORE_SIZE_KEY + ", "
          + MemorySizeUtil.getGlobalMemStoreHeapPercent(conf, false)
          + ", that is more than 0.8 of the heap. Lower one of them.");
    }
  }

  /** Whatever the case of its letters. */
  private static void checkName(Configuration conf, String key, List<String> names,
    Refusals refusals) {
    String value = conf.get(key);
    if (value != null && names.stream().noneMatch(value::equalsIgnoreCase)) {
      refusals.add(key, value, "Give one of " + names + ".");
    }
  }
}
