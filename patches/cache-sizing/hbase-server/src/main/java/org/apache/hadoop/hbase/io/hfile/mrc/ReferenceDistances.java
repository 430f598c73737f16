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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The stack distances of references to sampled blocks, with a correction for the blocks that the
 * sample lacks or has too many of. Not thread-safe.
 */
@InterfaceAudience.Private
final class ReferenceDistances {
  /*
   * How many references the sample lacks is known, since the cache counts all of them. Which ones
   * isn't. SHARDS-adj takes them for hits at any size, as if only the hottest blocks mattered. That
   * is wrong where all blocks are alike, as in a loop. Here what is missing has the distances of
   * references that are weighted with the square of the number of their block's: those of the
   * hottest blocks if some are much hotter than others, and those of all otherwise.
   */
  private static final int SUB_BITS = 5;

  private final DistanceHistogram distances = new DistanceHistogram(SUB_BITS);
  private final DistanceHistogram weighted = new DistanceHistogram(SUB_BITS);
  private double weightedFirst;

  /**
   * @param distance bytes of cache that the reference needs
   * @param ofBlock  references that the block had before, at the present rate
   */
  void add(double distance, double references, double ofBlock) {
    distances.add(distance, references);
    weighted.add(distance, references * (1 + ofBlock) * (1 + ofBlock));
  }

  /** Adds first references, which have no distance. */
  void addFirst(double references) {
    weightedFirst += references;
  }

  void scale(double factor) {
    distances.scale(factor);
    weighted.scale(factor);
    weightedFirst *= factor;
  }

  /** Returns the references with a distance. */
  double total() {
    return distances.total();
  }

  /** Returns the hits in a cache of so many bytes, without a correction. */
  double within(double bytes) {
    return distances.within(bytes);
  }

  /** Returns the part of the references that the sample lacks that are hits in such a cache. */
  double missingPart(double bytes) {
    double all = weighted.total() + weightedFirst;
    // Blocks of which none is in the sample are few, and any cache has room for them.
    return all > 0 ? weighted.within(bytes) / all : 1;
  }

  /** Returns the bytes of the smallest cache with so many hits, without a correction. */
  double bytesFor(double references) {
    return distances.bytesFor(references);
  }

  /** Returns the bytes of heap that the counts take. */
  long heapSize() {
    return distances.heapSize() + weighted.heapSize();
  }
}
