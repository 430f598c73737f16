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
import org.apache.yetus.audience.InterfaceAudience;

/** What an index entry knows of its block: data or metadata, and whether it is an in-memory one. */
@InterfaceAudience.Private
final class BlockClass {
  static final int DATA = 0;
  private static final int METADATA = 1;
  private static final int IN_MEMORY = 2;

  private BlockClass() {
  }

  /**
   * Returns a number of two bits.
   * @param inMemory whether the block is of a family whose blocks outlive others
   */
  static int of(BlockType type, boolean inMemory) {
    return (type.isData() ? DATA : METADATA) | (inMemory ? IN_MEMORY : 0);
  }

  static boolean isData(int blockClass) {
    return (blockClass & METADATA) == 0;
  }

  static boolean isInMemory(int blockClass) {
    return (blockClass & IN_MEMORY) != 0;
  }
}
