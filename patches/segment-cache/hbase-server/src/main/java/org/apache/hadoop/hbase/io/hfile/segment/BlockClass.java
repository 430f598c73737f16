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
package org.apache.hadoop.hbase.io.hfile.segment;

import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.yetus.audience.InterfaceAudience;

/** What an index entry knows of its block: its category, and whether it is an in-memory one. */
@InterfaceAudience.Private
final class BlockClass {
  /** Number of classes. */
  static final int COUNT = 1 << 3;

  static final int DATA = 0;
  private static final int INDEX = 1;
  private static final int BLOOM = 2;
  private static final int META = 3;
  private static final int IN_MEMORY = 4;
  private static final BlockCategory[] CATEGORIES = { BlockCategory.DATA, BlockCategory.INDEX,
    BlockCategory.BLOOM, BlockCategory.META };

  private BlockClass() {
  }

  /**
   * Returns a number of three bits.
   * @param inMemory whether the block is of a family whose blocks outlive others
   */
  static int of(BlockType type, boolean inMemory) {
    int category = META;
    if (type.isData()) {
      category = DATA;
    } else if (type.getCategory() == BlockCategory.INDEX) {
      category = INDEX;
    } else if (type.getCategory() == BlockCategory.BLOOM) {
      category = BLOOM;
    }
    return category | (inMemory ? IN_MEMORY : 0);
  }

  static boolean isData(int blockClass) {
    return category(blockClass) == BlockCategory.DATA;
  }

  static boolean isInMemory(int blockClass) {
    return (blockClass & IN_MEMORY) != 0;
  }

  /** Returns META for all that isn't data, of an index or of a bloom filter. */
  static BlockCategory category(int blockClass) {
    return CATEGORIES[blockClass & CATEGORIES.length - 1];
  }

  /** Returns a type of blocks of this class. */
  static BlockType type(int blockClass) {
    switch (category(blockClass)) {
      case DATA:
        return BlockType.DATA;
      case INDEX:
        return BlockType.LEAF_INDEX;
      case BLOOM:
        return BlockType.BLOOM_CHUNK;
      default:
        return BlockType.META;
    }
  }
}
