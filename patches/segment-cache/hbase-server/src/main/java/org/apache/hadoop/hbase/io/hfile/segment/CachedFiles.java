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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.yetus.audience.InterfaceAudience;

/** What pages and the balancer are told of the files and blocks in an index. */
@InterfaceAudience.Private
final class CachedFiles {
  private CachedFiles() {
  }

  /** Returns the region and the bytes of each fully cached file, by the file's name. */
  static Map<String, Pair<String, Long>> fully(SegmentIndex index) {
    Map<String, Pair<String, Long>> files = new HashMap<>();
    for (FileTable table : index.tables()) {
      Pair<String, Long> file = table.getFullyCached();
      if (file != null) {
        files.put(table.getName(), file);
      }
    }
    return files;
  }

  /** Returns the bytes of fully cached files, by region. */
  static Map<String, Long> bytesByRegion(SegmentIndex index) {
    Map<String, Long> regions = new HashMap<>();
    fully(index).values()
      .forEach(file -> regions.merge(file.getFirst(), file.getSecond(), Long::sum));
    return regions;
  }

  /** Returns all blocks; those of one file at a time are copied from the index. */
  static Stream<CachedBlock> blocks(SegmentIndex index) {
    return index.tables().stream().flatMap(table -> {
      List<CachedBlock> blocks = new ArrayList<>();
      table.visit((offset, size, word) -> blocks.add(new SegmentCachedBlock(table.getName(), offset,
        word, index.getOccupancy().getBegun(word))));
      return blocks.stream();
    });
  }
}
