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
package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Reason;
import org.apache.hadoop.hbase.io.hfile.WrittenFiles.WrittenFile;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockResidency;
import org.apache.hadoop.hbase.regionserver.CreateStoreFileWriterParams;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects writers and openers of files with the {@link CacheWarmupPolicy} (HBASE-23355). A writer
 * leaves here the positions of the blocks that it wrote and which of them it cached. The opener
 * then reads only those that didn't make it into the cache. Thread-safe.
 */
@InterfaceAudience.Private
public final class CacheWarmup {
  private static final Logger LOG = LoggerFactory.getLogger(CacheWarmup.class);

  private CacheWarmup() {
  }

  /**
   * Applies the server's settings.
   * @throws IllegalArgumentException if a value isn't allowed; the message names the key, the value
   *                                  and what is allowed
   */
  public static void configure(Configuration conf) {
    BlockWarmer.THROTTLE.setRate(new CacheWarmupSettings(conf).getMaxBytesPerSecond());
  }

  /** Applies changed settings of the server; none if a value isn't allowed. */
  public static void onConfigurationChange(Configuration conf) {
    try {
      configure(conf);
    } catch (IllegalArgumentException e) {
      LOG.error("Cache warm-up keeps its settings, since the new ones aren't allowed: {}",
        e.getMessage());
    }
  }

  /** Tells a writer that is about to be created what to cache. */
  public static void onCreateWriter(CacheConfig store, CacheConfig writer,
    CreateStoreFileWriterParams params) {
    CacheWarmupPolicy policy = store.getWarmupPolicy();
    if (policy == null) {
      return;
    }
    Extent extent = policy.extent(params.isCompaction() ? Reason.COMPACTION : Reason.FLUSH,
      params.totalCompactedFilesSize(), store);
    if (extent != Extent.NOTHING) {
      writer.enableCacheOnWrite();
      writer.setCacheDataOnWrite(extent == Extent.EVERYTHING);
    }
  }

  /** Returns the layout to record a writer's blocks in; null if no warm-up needs it. */
  static HFileBlockLayout createLayout(CacheConfig writer, Path path) {
    Extent cached = cached(writer);
    return path == null || writer.getWarmupPolicy() == null || cached == Extent.NOTHING
      ? null
      : new HFileBlockLayout(cached);
  }

  private static Extent cached(CacheConfig writer) {
    if (writer.shouldCacheDataOnWrite()) {
      return Extent.EVERYTHING;
    }
    return writer.shouldCacheIndexesOnWrite() && writer.shouldCacheBloomsOnWrite()
      ? Extent.METADATA
      : Extent.NOTHING;
  }

  /** Counts a block that the writer offered to the cache, if the cache didn't take it. */
  static void onCacheOnWrite(BlockCache cache, BlockCacheKey key) {
    if (BlockResidency.of(cache, key) == BlockResidency.ABSENT) {
      MetricsCacheWarmup.get().droppedOnWrite();
    }
  }

  /** Keeps the layout of a file that is completely written. */
  static void onWritten(CacheConfig writer, String file, HFileBlockLayout layout) {
    writer.getBlockCache()
      .ifPresent(cache -> WrittenFiles.put(file, new WrittenFile(cache, layout, cached(writer))));
  }

  /**
   * Requests the warm-up of a file that is being opened.
   * @return the warm-up, which the reader cancels when it is closed; null if
   *         {@link PrefetchExecutor} alone decides
   */
  static HFileWarmup onOpen(HFilePreadReader reader, HFileInfo info, CacheConfig family,
    Configuration conf) {
    CacheWarmupPolicy policy = family.getWarmupPolicy();
    BlockCache cache = family.getBlockCache().orElse(null);
    Path path = reader.getPath();
    if (policy == null || isTemporary(path)) {
      return null;
    }
    WrittenFile written = WrittenFiles.get(path.getName(), cache);
    // The decision at writing stands, or blocks that were left out would be read back.
    Extent extent = written == null ? policy.extent(reason(path), reader.length(), family)
      : written.cached();
    if (
      extent == Extent.EVERYTHING
        && !family.shouldCacheBlockOnRead(BlockCategory.DATA, info, conf)
    ) {
      // The family's data isn't cached, is too old to be, or is in the cache already.
      extent = Extent.METADATA;
    }
    if (extent == Extent.NOTHING) {
      return null;
    }
    try {
      HFileWarmup warmup = HFileWarmup.create(reader, info, family, conf, extent, written);
      if (warmup == null) {
        WrittenFiles.forget(path.getName());
      } else {
        PrefetchExecutor.request(path, warmup);
      }
      return warmup;
    } catch (IOException | RuntimeException e) {
      LOG.warn("Can't find the blocks of {}, so it is prefetched if prefetch is on", path, e);
      return null;
    }
  }

  /**
   * Cancels the warm-ups of a region that begins to close, since they would delay it.
   * @param region encoded name
   */
  public static void onCloseRegion(String region) {
    PrefetchExecutor.getRequested().filter(HFileWarmup.class::isInstance)
      .map(HFileWarmup.class::cast)
      .filter(warmup -> warmup.getProgress().getRegion().equals(region))
      .forEach(HFileWarmup::cancel);
    HFileWarmup.forgetRegion(region);
  }

  private static Reason reason(Path path) {
    if (StoreFileInfo.isReference(path)) {
      return Reason.REFERENCE;
    }
    return StoreFileInfo.hasBulkloadSeqId(path) ? Reason.BULK_LOAD : Reason.REGION_OPEN;
  }

  /** Returns true for a new file that is opened for a check before it is moved to its place. */
  private static boolean isTemporary(Path path) {
    for (Path folder = path.getParent(); folder != null; folder = folder.getParent()) {
      String name = folder.getName();
      if (
        name.equals(HConstants.HBASE_TEMP_DIRECTORY)
          || name.equals(HConstants.HREGION_COMPACTIONDIR_NAME)
      ) {
        return true;
      }
    }
    return false;
  }
}
