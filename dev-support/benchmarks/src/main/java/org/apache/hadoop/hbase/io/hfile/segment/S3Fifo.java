/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.segment;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** S3-FIFO (Yang et al., SOSP 2023), block by block, to compare with. */
final class S3Fifo {
  private static final int SMALL_PART = 10;
  private static final int MOST = 3;

  private final int capacity;
  private final Map<Long, Integer> frequencies = new HashMap<>();
  private final Deque<Long> small = new ArrayDeque<>();
  private final Deque<Long> main = new ArrayDeque<>();
  private final Set<Long> ghosts = new LinkedHashSet<>();

  S3Fifo(int capacity) {
    this.capacity = capacity;
  }

  /** Returns whether the block was there; it is afterwards. */
  boolean read(long block) {
    Integer frequency = frequencies.get(block);
    if (frequency != null) {
      frequencies.put(block, Math.min(MOST, frequency + 1));
      return true;
    }
    while (frequencies.size() >= capacity) {
      evict();
    }
    (ghosts.remove(block) ? main : small).add(block);
    frequencies.put(block, 0);
    return false;
  }

  private void evict() {
    if (small.size() >= capacity / SMALL_PART || main.isEmpty()) {
      long block = small.remove();
      if (frequencies.get(block) > 1) {
        frequencies.put(block, 0);
        main.add(block);
      } else {
        frequencies.remove(block);
        ghosts.add(block);
        if (ghosts.size() > capacity) {
          ghosts.remove(ghosts.iterator().next());
        }
      }
    } else {
      long block = main.remove();
      int frequency = frequencies.get(block);
      if (frequency > 0) {
        frequencies.put(block, frequency - 1);
        main.add(block);
      } else {
        frequencies.remove(block);
      }
    }
  }
}
