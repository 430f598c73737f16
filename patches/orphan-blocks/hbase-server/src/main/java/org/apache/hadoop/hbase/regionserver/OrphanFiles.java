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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The files of which a block cache has blocks although no region of its server has the file, and
 * since when. For one thread.
 */
@InterfaceAudience.Private
final class OrphanFiles {
  private final long ttlNanos;
  /** The time of the first look, in nanoseconds, by the file's name. */
  private final Map<String, Long> since = new HashMap<>();
  private int returned;

  OrphanFiles(long ttlNanos) {
    this.ttlNanos = ttlNanos;
  }

  /**
   * Looks at all files.
   * @param cached those with blocks
   * @param owned  those that a region has, as of a moment after {@code cached}
   * @param nanos  of {@link System#nanoTime()}
   * @return those that no region has had since a look that is as long ago as is waited for
   */
  List<String> update(Set<String> cached, Set<String> owned, long nanos) {
    since.keySet().retainAll(cached);
    int before = since.size();
    since.keySet().removeAll(owned);
    returned = before - since.size();
    List<String> expired = new ArrayList<>();
    for (String file : cached) {
      if (!owned.contains(file)) {
        since.putIfAbsent(file, nanos);
        if (nanos - since.get(file) >= ttlNanos) {
          expired.add(file);
        }
      }
    }
    return expired;
  }

  /** The file's blocks were evicted. */
  void remove(String file) {
    since.remove(file);
  }

  int size() {
    return since.size();
  }

  /** Returns how many files a region has had again at the last look. */
  int getReturned() {
    return returned;
  }
}
