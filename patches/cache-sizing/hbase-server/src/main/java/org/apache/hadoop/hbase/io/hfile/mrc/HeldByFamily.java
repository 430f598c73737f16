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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.bucket.BlockCacheKeys;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentCache;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreFile;
import org.apache.yetus.audience.InterfaceAudience;

/** Counts what tiers hold of each column family of open regions. Stateless. */
@InterfaceAudience.Private
final class HeldByFamily {
  /** Blocks that are looked at. Maps are in the order of hashes, so these are a sample. */
  private static final int MAX_BLOCKS = 1_000_000;

  private static final List<String> NO_FAMILY = Arrays.asList("", "");

  private HeldByFamily() {
  }

  /** Returns what the tiers of a cache hold, the biggest first in each tier. */
  static List<HeldBytes> count(CacheModel model, Collection<? extends Region> regions) {
    Map<String, List<String>> families = familiesByFile(regions);
    List<HeldBytes> held = new ArrayList<>(count("L1", model.getL1(), families));
    if (model.getL2() != null) {
      held.addAll(count("L2", model.getL2(), families));
    }
    return Collections.unmodifiableList(held);
  }

  /** Returns table and column family by the names of their files. */
  private static Map<String, List<String>> familiesByFile(Collection<? extends Region> regions) {
    Map<String, List<String>> families = new HashMap<>();
    for (Region region : regions) {
      for (Store store : region.getStores()) {
        List<String> family =
          Arrays.asList(store.getTableName().getNameAsString(), store.getColumnFamilyName());
        for (StoreFile file : store.getStorefiles()) {
          String name = file.getPath().getName();
          families.put(name, family);
          families.putIfAbsent(
            BlockCacheKeys.referredKey(new BlockCacheKey(name, 0)).getHfileName(), family);
        }
      }
    }
    return families;
  }

  private static List<HeldBytes> count(String tier, CachePart part,
    Map<String, List<String>> families) {
    Map<List<String>, long[]> sums = new HashMap<>();
    double scale = sum(part.getCache(), families, sums);
    List<HeldBytes> held = new ArrayList<>();
    sums.forEach((family, sum) -> held.add(new HeldBytes(tier, family.get(0), family.get(1),
      Math.round(sum[0] * scale), Math.round(sum[1] * scale))));
    held.sort(Comparator.comparingLong(HeldBytes::getBytes).reversed());
    return held;
  }

  /** Adds blocks of a cache; returns what the sums have to be multiplied by. */
  private static double sum(BlockCache cache, Map<String, List<String>> families,
    Map<List<String>, long[]> sums) {
    if (cache instanceof SegmentCache) {
      ((SegmentCache) cache)
        .forEachFile((file, blocks, bytes) -> add(sums, families, file, blocks, bytes));
      return 1;
    }
    long seen = 0;
    Iterator<CachedBlock> blocks = cache.iterator();
    while (blocks.hasNext() && seen < MAX_BLOCKS) {
      CachedBlock block = blocks.next();
      add(sums, families, block.getFilename(), 1, block.getSize());
      seen++;
    }
    return blocks.hasNext() ? cache.getBlockCount() / (double) seen : 1;
  }

  private static void add(Map<List<String>, long[]> sums, Map<String, List<String>> families,
    String file, long blocks, long bytes) {
    long[] sum = sums.computeIfAbsent(families.getOrDefault(file, NO_FAMILY), name -> new long[2]);
    sum[0] += blocks;
    sum[1] += bytes;
  }
}
