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

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bytes that a BucketCache has of each region: those of its blocks. A block counts from the
 * time that its file's region is known, which may be told by another block of the file. A block may
 * go before it comes, since the cache's map is changed first; then its file has less than nothing
 * for a moment. Any thread may call.
 */
@InterfaceAudience.Private
final class RegionBytes {

  /** Blocks of a file; read and written within the map's methods. */
  private static final class FileBytes {
    /** Encoded name; null if it isn't known. */
    String region;
    long bytes;
  }

  private final Map<String, FileBytes> files = new ConcurrentHashMap<>();
  private final Map<String, Long> regions;

  /** @param regions sizes by encoded name; others may read and clear them */
  RegionBytes(Map<String, Long> regions) {
    this.regions = regions;
  }

  private static String region(Path file) {
    return file.getParent().getParent().getName();
  }

  private void add(String region, long bytes) {
    if (region != null && bytes != 0) {
      regions.merge(region, bytes, (had, more) -> had + more == 0 ? null : (Long) (had + more));
    }
  }

  private void tell(FileBytes file, String region) {
    if (file.region == null) {
      file.region = region;
      add(region, file.bytes);
    }
  }

  private FileBytes change(FileBytes had, long bytes) {
    FileBytes file = had == null ? new FileBytes() : had;
    file.bytes += bytes;
    add(file.region, bytes);
    return file.bytes == 0 ? null : file;
  }

  /**
   * Counts a block that was cached.
   * @return true
   */
  boolean cached(BlockCacheKey key, long bytes) {
    files.compute(key.getHfileName(), (name, had) -> {
      FileBytes file = change(had, bytes);
      if (file != null && key.getFilePath() != null) {
        tell(file, region(key.getFilePath()));
      }
      return file;
    });
    return true;
  }

  /** A block of a file was evicted. */
  void evicted(String hfile, long bytes) {
    files.compute(hfile, (name, had) -> change(had, -bytes));
  }

  /** Tells the region of a file, which is two folders above it. */
  void belongs(Path path) {
    files.computeIfPresent(path.getName(), (name, file) -> {
      tell(file, region(path));
      return file;
    });
  }

  /**
   * A file isn't cached as a whole any more.
   * @return true
   */
  static boolean forget(Map<String, ?> fullyCached, String hfile) {
    fullyCached.remove(hfile);
    return true;
  }

  void clear() {
    files.clear();
  }

  /**
   * Counts what a cache had when it was shut down.
   * @param fullyCached region and size of the files that are cached as a whole, by name
   */
  void retrieve(Map<BlockCacheKey, BucketEntry> blocks,
    Map<String, Pair<String, Long>> fullyCached) {
    clear();
    regions.clear();
    blocks.forEach((key, entry) -> cached(key, entry.getLength()));
    fullyCached.forEach((name, regionAndSize) -> files.computeIfPresent(name, (ignored, file) -> {
      tell(file, regionAndSize.getFirst());
      return file;
    }));
  }
}
