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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** Keys of earlier builds that aren't read any more, and what has taken their place. */
@InterfaceAudience.Private
final class RemovedKeys {
  /** By key, what a server does now. */
  private static final Map<String, String> INSTEAD;
  static {
    Map<String, String> instead = new TreeMap<>();
    String multiget = "hbase.regionserver.multiget.parallel.";
    instead.put(multiget + "queue", "as many tasks wait as there are threads");
    instead.put(multiget + "min.gets", "requests of 4 gets or more may be spread");
    instead.put(multiget + "max.per.request",
      "16 threads may help with one request, or half of " + multiget + "threads if that is less");
    instead.put(multiget + "hand.over.micros",
      "a thread is asked for help if it takes over 50 us of waiting, or 100 us of work");
    String sizing = "hbase.server.allocator.sizing.";
    instead.put(sizing + "block.size",
      "buffers hold blocks of 64 KB, or as much as hbase.server.allocator.buffer.size says");
    instead.put(sizing + "batch.gets", "there are buffers for batches of 50 gets, or as many as"
      + " hbase.server.allocator.max.buffer.count says");
    String hotBlocks = "hbase.regionserver.hotblocks.";
    instead.put(hotBlocks + "max.blocks", "10000 blocks of a region are listed");
    instead.put(hotBlocks + "write.period.seconds",
      "each minute up to six lists that have changed are written");
    String cells = "hbase.coprocessor.scanner.cells.";
    instead.put(cells + "held.max.bytes", "a call holds 8 MB");
    instead.put(cells + "guarded", "for tests of coprocessors, give"
      + " -Dcoprocessor.cells.guarded=true to the JVM");
    for (String name : new String[] { "bucket.sizes", "writer.threads", "writer.queuelength",
      "acceptfactor", "minfactor", "extrafreefactor", "single.factor", "multi.factor",
      "memory.factor" }) {
      String ofBoth = "hbase.bucketcache." + name + " is for both tiers";
      instead.put("hbase.bucketcache.l1." + name, ofBoth);
      instead.put("hbase.bucketcache.l2." + name, ofBoth);
    }
    INSTEAD = Collections.unmodifiableMap(instead);
  }

  private RemovedKeys() {
  }

  /** Returns a line for each key that is still set, which begins with it. */
  static List<String> left(Configuration conf) {
    return INSTEAD.keySet().stream().filter(key -> conf.get(key) != null)
      .map(key -> key + " is " + conf.getTrimmed(key) + ". It isn't read any more: remove it; "
        + INSTEAD.get(key) + ".")
      .collect(Collectors.toList());
  }

  /** Returns all of them, in alphabetical order. */
  static List<String> names() {
    return new ArrayList<>(INSTEAD.keySet());
  }
}
