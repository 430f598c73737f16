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
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCacheSettings;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentCacheSettings;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The rules for keys of HBase beyond being numbers: with other values it stops, or can't serve.
 * Values that aren't numbers have been refused before.
 */
@InterfaceAudience.Private
final class CoreRules {
  /** Below these values a server stops, or regions can't be opened or written to. */
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
  /** Schemes of those that Hadoop's client always has. */
  private static final List<String> FILE_SYSTEMS =
    Collections.unmodifiableList(Arrays.asList("file", "hdfs"));
  private static final String CODECS_KEY = "hbase.regionserver.codecs";
  private static final String EXTERNAL_CACHE_KEY = "hbase.blockcache.use.external";
  private static final int LAST_PORT = 65535;
  private static final int WHOLE_HEAP = 100;

  private CoreRules() {
  }

  /**
   * Refuses settings with which a server with regions doesn't serve.
   * @param directMemory bytes that its JVM allows
   */
  static void check(Configuration conf, long directMemory, Refusals refusals) {
    LEAST.forEach((key, least) -> {
      if (NumericKeys.isRead(conf, key)) {
        refusals.atLeast(conf, key, least);
      }
    });
    if (conf.getBoolean(ByteBuffAllocator.ALLOCATOR_POOL_ENABLED_KEY, true)) {
      refusals.atLeast(conf, ByteBuffAllocator.BUFFER_SIZE_KEY, 1);
    }
    checkName(conf, CompactingMemStore.COMPACTING_MEMSTORE_TYPE_KEY, MEMSTORES, refusals);
    checkPort(conf, HConstants.REGIONSERVER_PORT, 0, refusals);
    checkPort(conf, HConstants.REGIONSERVER_INFO_PORT, Integer.MIN_VALUE, refusals);
    checkZooKeeperPort(conf, refusals);
    if (!conf.getBoolean(HConstants.CLUSTER_DISTRIBUTED, false)) {
      checkMasterPorts(conf, refusals); // one process runs all servers
    }
    checkHeap(conf, refusals);
    checkDirectories(conf, refusals);
    if (NumericKeys.isWalWritten(conf)) {
      checkWalProvider(conf, refusals);
    }
    checkFormat(conf, refusals);
    if (CompositeBucketCacheSettings.isEnabled(conf)) {
      NumericKeys.checkBucketCache(conf, refusals);
    } else if (SegmentCacheSettings.hasHeapCache(conf)) {
      checkName(conf, BlockCacheFactory.BLOCKCACHE_POLICY_KEY, POLICIES, refusals);
      checkRanges(conf, refusals);
      if (SegmentCacheSettings.isUsed(conf)) {
        NumericKeys.checkBucketCache(conf, refusals);
      } else if (hasBucketCache(conf)) {
        BucketCacheRules.check(conf, directMemory, refusals);
      }
    }
  }

  /** Refuses what a master without regions doesn't start with. Its own region always has a WAL. */
  static void checkMaster(Configuration conf, Refusals refusals) {
    checkMasterPorts(conf, refusals);
    checkZooKeeperPort(conf, refusals);
    checkDirectories(conf, refusals);
    checkWalProvider(conf, refusals);
  }

  /** Returns true if a server without tiers reads the keys of a BucketCache, or of its engine. */
  static boolean hasBucketCache(Configuration conf) {
    return SegmentCacheSettings.hasHeapCache(conf) && !conf.getBoolean(EXTERNAL_CACHE_KEY, false)
      && !conf.get(HConstants.BUCKET_CACHE_IOENGINE_KEY, "").isEmpty();
  }

  private static void checkDirectories(Configuration conf, Refusals refusals) {
    for (String key : Arrays.asList(HConstants.HBASE_DIR, CommonFSUtils.HBASE_WAL_DIR)) {
      String value = conf.getTrimmed(key, "");
      if (!value.isEmpty()) {
        checkDirectory(conf, key, value, refusals);
      }
    }
  }

  private static void checkWalProvider(Configuration conf, Refusals refusals) {
    String provider = conf.get(WALFactory.WAL_PROVIDER, PROVIDERS.get(0));
    if (!PROVIDERS.contains(provider) && !isWalProvider(conf, provider.trim())) {
      refusals.add(WALFactory.WAL_PROVIDER, provider, "Give one of " + PROVIDERS
        + ", or the name of a class that there is and that is a WALProvider.");
    }
  }

  private static boolean isWalProvider(Configuration conf, String name) {
    Class<?> provider = conf.getClassByNameOrNull(name);
    return provider != null && WALProvider.class.isAssignableFrom(provider);
  }

  /** Refuses file versions that HBase doesn't write, and compressions that it doesn't know. */
  private static void checkFormat(Configuration conf, Refusals refusals) {
    int version = conf.getInt(HFile.FORMAT_VERSION_KEY, HFile.MAX_FORMAT_VERSION);
    if (version != HFile.MAX_FORMAT_VERSION) {
      refusals.add(HFile.FORMAT_VERSION_KEY, conf.get(HFile.FORMAT_VERSION_KEY),
        "Give " + HFile.MAX_FORMAT_VERSION + ", or remove it: files of others can be read all the"
          + " same.");
    }
    // Only the server can try whether a codec works: its libraries may be missing here.
    for (String codec : conf.getStrings(CODECS_KEY, new String[0])) {
      try {
        Compression.getCompressionAlgorithmByName(codec.toLowerCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        refusals.add(CODECS_KEY, conf.get(CODECS_KEY), "There is no codec '" + codec
          + "'. Give some of " + Arrays.stream(Compression.Algorithm.values())
            .map(Compression.Algorithm::getName).collect(Collectors.toList())
          + ", separated by commas alone.");
      }
    }
  }

  private static void checkDirectory(Configuration conf, String key, String value,
    Refusals refusals) {
    try {
      URI uri = new Path(value).toUri();
      String scheme = uri.getScheme();
      // The search for others loads all that there are, a fifth of what bin/hbase jvm takes.
      boolean known = FILE_SYSTEMS.contains(scheme) && conf.get("fs." + scheme + ".impl") == null;
      if (scheme != null && !known) {
        FileSystem.getFileSystemClass(scheme, conf);
      }
    } catch (IOException | RuntimeException e) {
      // Also if the class of the file system is missing.
      refusals.add(key, value, "Give a directory of a file system that there is, as"
        + " hdfs://NAMENODE:8020/hbase. (" + e.getMessage() + ")");
    }
  }

  private static void checkPort(Configuration conf, String key, int least, Refusals refusals) {
    int port = conf.getInt(key, 0);
    if (port < least || port > LAST_PORT) {
      refusals.add(key, conf.get(key), "Give a port, " + LAST_PORT + " at most; 0 for any.");
    }
  }

  private static void checkMasterPorts(Configuration conf, Refusals refusals) {
    checkPort(conf, HConstants.MASTER_PORT, 0, refusals);
    checkPort(conf, HConstants.MASTER_INFO_PORT, Integer.MIN_VALUE, refusals);
  }

  /** Checks the default port of the ZooKeeper servers, if one is named without a port. */
  private static void checkZooKeeperPort(Configuration conf, Refusals refusals) {
    String key = HConstants.ZOOKEEPER_CLIENT_PORT;
    int port = conf.getInt(key, HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT);
    boolean asked = !conf.getBoolean(HConstants.CLUSTER_DISTRIBUTED, false)
      || Arrays.stream(conf.getStrings(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST))
        .anyMatch(host -> !host.contains(":"));
    if (asked && (port < 1 || port > LAST_PORT)) {
      refusals.add(key, conf.get(key), "Give a port, from 1 to " + LAST_PORT + ".");
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
    if (isHeapNeeded(conf)) {
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

  /** Returns true if sizes are set in bytes: only the server knows their share of its heap. */
  private static boolean isHeapNeeded(Configuration conf) {
    return conf.get(HConstants.HFILE_BLOCK_CACHE_MEMORY_SIZE_KEY) != null
      || conf.get(MemorySizeUtil.HBASE_REGION_SERVER_FREE_HEAP_MIN_MEMORY_SIZE_KEY) != null;
  }

  /** Refuses ranges that exceed the heap, by the arithmetic of HeapMemoryManager. */
  private static void checkRanges(Configuration conf, Refusals refusals) {
    if (isHeapNeeded(conf) || refusals.has(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY)) {
      return;
    }
    float memstore = MemorySizeUtil.getGlobalMemStoreHeapPercent(conf, false);
    float cache = MemorySizeUtil.getBlockCacheHeapPercent(conf);
    checkRange(conf, HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY,
      Math.max(memstore, conf.getFloat(HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY, memstore)),
      HeapMemoryManager.BLOCK_CACHE_SIZE_MIN_RANGE_KEY,
      Math.min(cache, conf.getFloat(HeapMemoryManager.BLOCK_CACHE_SIZE_MIN_RANGE_KEY, cache)),
      refusals);
    checkRange(conf, HeapMemoryManager.BLOCK_CACHE_SIZE_MAX_RANGE_KEY,
      Math.max(cache, conf.getFloat(HeapMemoryManager.BLOCK_CACHE_SIZE_MAX_RANGE_KEY, cache)),
      HeapMemoryManager.MEMSTORE_SIZE_MIN_RANGE_KEY,
      Math.min(memstore, conf.getFloat(HeapMemoryManager.MEMSTORE_SIZE_MIN_RANGE_KEY, memstore)),
      refusals);
  }

  private static void checkRange(Configuration conf, String mostKey, float most, String leastKey,
    float least, Refusals refusals) {
    int free = (int) (MemorySizeUtil.getRegionServerMinFreeHeapFraction(conf) * WHOLE_HEAP);
    if ((int) (most * WHOLE_HEAP) + (int) (least * WHOLE_HEAP) + free > WHOLE_HEAP) {
      refusals.add(mostKey, String.valueOf(most), "With " + leastKey + ", " + least
        + ", that is more than " + (1 - (float) free / WHOLE_HEAP) + " of the heap. Lower one.");
    }
  }

  /** Checks a name, regardless of case. */
  private static void checkName(Configuration conf, String key, List<String> names,
    Refusals refusals) {
    String value = conf.get(key);
    if (value != null && names.stream().noneMatch(value::equalsIgnoreCase)) {
      refusals.add(key, value, "Give one of " + names + ".");
    }
  }
}
