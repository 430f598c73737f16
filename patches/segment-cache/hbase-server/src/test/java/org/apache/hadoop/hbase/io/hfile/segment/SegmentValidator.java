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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.io.hfile.BlockType.BlockCategory;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;

/** Checks the inner structure of a cache of segments that nobody uses meanwhile. */
public final class SegmentValidator {
  private final SegmentCache cache;
  /** Position and length of records, by segment. */
  private final Map<Integer, TreeMap<Integer, Integer>> records = new HashMap<>();
  private final Map<BlockCategory, long[]> sums = new HashMap<>();

  private SegmentValidator(SegmentCache cache) {
    this.cache = cache;
  }

  /** Checks that index, counts and records agree; reads each block. */
  public static void validate(SegmentCache cache) {
    SegmentValidator validator = new SegmentValidator(cache);
    cache.getIndex().tables().forEach(validator::validateFile);
    validator.validateCounts();
    validator.validateSegments();
  }

  private void validateFile(FileTable file) {
    String name = file.getName();
    assertSame(name, file, cache.getIndex().get(file.getId()));
    assertSame(name, file, cache.getIndex().get(name));
    Map<Long, Long> words = new HashMap<>();
    file.visit((offset, size, word) -> {
      assertEquals(name + " has " + offset + " once", null, words.put(offset, word));
      assertTrue(size > 0);
    });
    assertEquals(name, words.size(), file.getEntries());
    assertTrue(name + " has blocks", !words.isEmpty());
    words.forEach((offset, word) -> {
      assertEquals(name, (long) word, file.find(offset));
      HFileBlock block = cache.getStore().read(file, offset, word);
      assertNotNull(name + " has " + offset, block);
      assertEquals(BlockClass.isData(EntryWord.blockClass(word)), block.getBlockType().isData());
      block.release();
      add(word);
    });
  }

  private void add(long word) {
    int length = EntryWord.length(word);
    assertEquals("of one record", null,
      records.computeIfAbsent(EntryWord.segment(word), segment -> new TreeMap<>())
        .put(EntryWord.position(word), length));
    long[] sum = sums.computeIfAbsent(BlockClass.category(EntryWord.blockClass(word)),
      category -> new long[2]);
    sum[0]++;
    sum[1] += length;
  }

  private void validateCounts() {
    Occupancy counts = cache.getOccupancy();
    long blocks = 0;
    long bytes = 0;
    for (BlockCategory category : BlockCategory.values()) {
      long[] sum = sums.getOrDefault(category, new long[2]);
      assertEquals(category + " blocks", sum[0], counts.getBlocks(category));
      assertEquals(category + " bytes", sum[1], counts.getBytes(category));
      blocks += sum[0];
      bytes += sum[1];
    }
    assertEquals(blocks, counts.getBlocks());
    assertEquals(bytes, counts.getBytes());
  }

  private void validateSegments() {
    records.forEach((segment, lengths) -> {
      int end = 0;
      int live = 0;
      for (Map.Entry<Integer, Integer> record : lengths.entrySet()) {
        assertTrue("records of segment " + segment + " are apart", record.getKey() >= end);
        end = record.getKey() + record.getValue();
        live += record.getValue();
      }
      assertEquals("segment " + segment, live, cache.getOccupancy().getLiveBytes(segment));
    });
  }
}
