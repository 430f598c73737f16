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

import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How the tiers of a block cache use their room: which hits stack distances stand for. Thread-safe,
 * but for what it is given.
 */
@InterfaceAudience.Private
final class CacheModel {
  /** What L1 has if data has no place in it, in words. */
  static final String METADATA = "indexes and bloom filters";

  /*
   * One cache: metadata and data share its room.
   * L1 and L2 of a CombinedBlockCache: L1 has metadata, L2 data.
   * Tiers of a CompositeBucketCache: L1 has metadata, and the data that is read most in the room
   * that this leaves. L2 has the copies of data in L1 only until they go for not being read, so it
   * adds its room to that of L1. Metadata that L1 has no room for is in L2. If blocks don't move,
   * L1 has metadata only.
   */
  private final CachePart l1;
  /** Null if there is one cache. */
  private final CachePart l2;
  /** Null if the cache isn't a CompositeBucketCache. */
  private final CompositeBucketCache tiers;

  CacheModel(BlockCache cache) {
    tiers = cache instanceof CompositeBucketCache ? (CompositeBucketCache) cache : null;
    if (cache instanceof CombinedBlockCache) {
      l1 = new CachePart(((CombinedBlockCache) cache).getFirstLevelCache());
      l2 = new CachePart(((CombinedBlockCache) cache).getSecondLevelCache());
    } else {
      l1 = new CachePart(cache);
      l2 = null;
    }
  }

  CachePart getL1() {
    return l1;
  }

  /** Returns null if there is one cache. */
  CachePart getL2() {
    return l2;
  }

  /** Returns true if metadata and data share the room of a single cache. */
  boolean isShared() {
    return l2 == null;
  }

  /** Returns true if the statistics have a miss again when its look-up is repeated. */
  boolean countsRepeatedMisses() {
    return l2 != null && tiers == null;
  }

  /** Returns false if a tier is off. */
  boolean isEnabled() {
    return l1.isEnabled() && (l2 == null || l2.isEnabled());
  }

  /** Returns the bytes that all tiers may take. */
  long getCapacity() {
    return l1.getCapacity() + (l2 == null ? 0 : l2.getCapacity());
  }

  /** Returns the bytes that a block takes, which is as it is cached. */
  int bytesOf(HFileBlock block, boolean metadata) {
    return (metadata || l2 == null ? l1 : l2).bytesOf(block);
  }

  /** Returns true if L1 has data, too. */
  boolean hasDataInL1() {
    return l2 == null || movesBlocks();
  }

  private boolean movesBlocks() {
    return tiers != null && tiers.movesBlocks();
  }

  /** Returns the kinds of blocks that a tier has, for people. */
  String describe(boolean first) {
    if (l2 == null) {
      return "all blocks";
    }
    if (!movesBlocks()) {
      return first ? METADATA : "data";
    }
    return first ? "indexes, bloom filters, and data that is read often" : "data";
  }

  /**
   * Estimates the hits of metadata.
   * @param l1Bytes size of L1
   * @param l2Bytes size of L2; 0 to leave it out
   */
  double metadataHits(SampledReferences references, double l1Bytes, double l2Bytes) {
    double inL1 = l1Bytes * l1.usablePart();
    if (l2 == null) {
      return references.metadata().sharedHits(inL1, references.countOfMetadata());
    }
    double inL2 = movesBlocks() ? l2Bytes * l2.usablePart() : 0;
    return references.metadata().hits(inL1 + inL2, references.countOfMetadata());
  }

  /** Estimates the hits of data, with the parameters of {@link #metadataHits}. */
  double dataHits(SampledReferences references, double l1Bytes, double l2Bytes) {
    if (l2 == null) {
      return references.data().sharedHits(l1Bytes * l1.usablePart(), references.countOfData());
    }
    StackDistances data = references.data();
    double count = references.countOfData();
    double roomInL1 = movesBlocks() ? dataBytesInL1(references, l1Bytes) : 0;
    return Math.max(data.popularHits(references.popularData(), roomInL1, count),
      l2Bytes > 0 ? data.hits(roomInL1 + l2Bytes * l2.usablePart(), count) : 0);
  }

  /** Returns true if the cache has room for all blocks that are read. */
  boolean fits(SampledReferences references) {
    double ofMetadata = references.metadata().bytes();
    double ofData = references.data().bytes();
    double inL1 = l1.getCapacity() * l1.usablePart();
    double inL2 = l2 == null ? 0 : l2.getCapacity() * l2.usablePart();
    return l2 == null || movesBlocks()
      ? ofMetadata + ofData <= inL1 + inL2
      : ofMetadata <= inL1 && ofData <= inL2;
  }

  /** Returns the bytes that L1 has left for data. */
  double dataBytesInL1(SampledReferences references, double l1Bytes) {
    return Math.max(0, l1Bytes * l1.usablePart() - references.metadata().bytes());
  }
}
