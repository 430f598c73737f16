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

import java.util.Arrays;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The positions of the blocks of a file that a block cache keeps: index, bloom and data blocks,
 * each category in file order. Blocks of the load-on-open section are left out. Takes 12 bytes per
 * block. Not thread-safe.
 */
@InterfaceAudience.Private
final class HFileBlockLayout {
  private final Blocks index = new Blocks();
  private final Blocks bloom = new Blocks();
  private final Blocks data = new Blocks();
  private final boolean notesData;

  /** Blocks of one category. */
  static final class Blocks {
    private static final int FIRST_LENGTH = 16;

    private long[] offsets = new long[FIRST_LENGTH];
    private int[] sizes = new int[FIRST_LENGTH];
    private int count;

    void add(long offset, int size) {
      if (count == sizes.length) {
        int length = count + (count >> 1);
        offsets = Arrays.copyOf(offsets, length);
        sizes = Arrays.copyOf(sizes, length);
      }
      offsets[count] = offset;
      sizes[count] = size;
      count++;
    }

    int count() {
      return count;
    }

    void clear() {
      count = 0;
    }

    /** Returns the offset of the block in the file. */
    long offset(int i) {
      return offsets[i];
    }

    /** Returns the size of the block in the file in bytes, with its header. */
    int size(int i) {
      return sizes[i];
    }
  }

  /** @param extent which blocks are recorded; METADATA or EVERYTHING */
  HFileBlockLayout(Extent extent) {
    notesData = extent == Extent.EVERYTHING;
  }

  /**
   * Adds a block, unless its category isn't recorded. Blocks of a category are added in file order.
   * @param size bytes in the file, with the header
   */
  void add(BlockCategory category, long offset, int size) {
    if (category != BlockCategory.DATA || notesData) {
      of(category).add(offset, size);
    }
  }

  /** @param category INDEX, BLOOM or DATA */
  Blocks of(BlockCategory category) {
    switch (category) {
      case INDEX:
        return index;
      case BLOOM:
        return bloom;
      case DATA:
        return data;
      default:
        throw new IllegalArgumentException("Blocks of " + category + " aren't warmed");
    }
  }

  long heapSize() {
    return (long) (Long.BYTES + Integer.BYTES)
      * (index.sizes.length + bloom.sizes.length + data.sizes.length);
  }
}
