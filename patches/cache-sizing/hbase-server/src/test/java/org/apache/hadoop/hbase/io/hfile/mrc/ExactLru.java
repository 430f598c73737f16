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

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** A cache that evicts the block referenced longest ago, to compare estimates with. */
final class ExactLru {
  private final long capacity;
  private final Map<Long, Integer> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private long used;
  private long hits;
  private long references;

  /** @param capacity bytes */
  ExactLru(long capacity) {
    this.capacity = capacity;
  }

  /** Returns true if the block was cached. */
  boolean reference(long block, int bytes) {
    references++;
    if (blocks.get(block) != null) {
      hits++;
      return true;
    }
    blocks.put(block, bytes);
    used += bytes;
    for (Iterator<Integer> eldest = blocks.values().iterator(); used > capacity;) {
      used -= eldest.next();
      eldest.remove();
    }
    return false;
  }

  void forget(long block) {
    Integer bytes = blocks.remove(block);
    used -= bytes == null ? 0 : bytes;
  }

  double hitRatio() {
    return hits / (double) references;
  }
}
