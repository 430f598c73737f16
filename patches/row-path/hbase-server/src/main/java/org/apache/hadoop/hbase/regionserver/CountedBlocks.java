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

import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The blocks of a file whose bytes the gets of a request have counted, by their offsets. Used by
 * one thread.
 */
/*
 * A hash table of open addressing, at most half full. Offsets are stored with 1 added; 0 is a free
 * slot.
 */
@InterfaceAudience.Private
final class CountedBlocks {
  private static final int FIRST_SLOTS = 16;

  private long[] slots = new long[FIRST_SLOTS];
  private int size;

  /** Returns true if the block wasn't counted before, which it is from now on. */
  boolean add(long offset) {
    int slot = find(slots, offset + 1);
    if (slots[slot] != 0) {
      return false;
    }
    slots[slot] = offset + 1;
    if (++size > slots.length / 2) {
      long[] more = new long[slots.length * 2];
      Arrays.stream(slots).filter(stored -> stored != 0)
        .forEach(stored -> more[find(more, stored)] = stored);
      slots = more;
    }
    return true;
  }

  private static int find(long[] table, long stored) {
    int slot = Long.hashCode(stored * 0x9e3779b97f4a7c15L) & table.length - 1;
    while (table[slot] != 0 && table[slot] != stored) {
      slot = slot + 1 & table.length - 1;
    }
    return slot;
  }
}
