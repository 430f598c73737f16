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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.FirstLevelBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.FileBlockSource;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ RegionServerTests.class, SmallTests.class })
public class TestHotBlockList {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHotBlockList.class);

  private static final String FILE = "file";
  private static final String OTHER = "other";
  private static final Set<String> FILES = new HashSet<>(Arrays.asList(FILE, OTHER));
  private static final int MANY = 1000;

  /** What a source tells of its blocks. */
  private interface Blocks {
    void tell(FileBlockSource.Visitor visitor);
  }

  /** A cache that knows no more than the blocks of some files. */
  private static <T extends BlockCache> T cache(Class<T> type, Map<String, Blocks> files) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(),
      new Class<?>[] { type, FileBlockSource.class }, (proxy, method, arguments) -> {
        switch (method.getName()) {
          case "getStats":
            return new CacheStats("blocks");
          case "visitBlocks":
            files.getOrDefault(arguments[0], visitor -> {
            }).tell((FileBlockSource.Visitor) arguments[1]);
            return null;
          default:
            throw new UnsupportedOperationException(method.toString());
        }
      }));
  }

  private static <T extends BlockCache> T cache(Class<T> type, Blocks blocks) {
    return cache(type, Collections.singletonMap(FILE, blocks));
  }

  /** A cache with data blocks at 0, 100, 200 and so on, the last ones the hottest. */
  private static BlockCache cacheOf(int blocks) {
    return cache(BlockCache.class, first(blocks));
  }

  private static Blocks first(int blocks) {
    return visitor -> {
      for (int i = 0; i < blocks; i++) {
        visitor.visit(100L * i, 90, true, i);
      }
    };
  }

  private static List<Long> offsets(List<HotBlockList.Block> group) {
    return group.stream().map(block -> block.offset).collect(Collectors.toList());
  }

  @Test
  public void metadataComesFirstAndTheFirstTierBeforeTheSecond() {
    FirstLevelBlockCache l1 = cache(FirstLevelBlockCache.class, visitor -> {
      visitor.visit(500, 10, false, 0);
      visitor.visit(300, 10, true, 1);
    });
    BlockCache l2 = cache(BlockCache.class, visitor -> {
      visitor.visit(400, 10, true, 1_000);
      visitor.visit(100, 10, true, 3_000);
      visitor.visit(200, 10, true, 2_000);
      // L1 has it, too.
      visitor.visit(300, 10, true, 5_000);
    });

    HotBlockList list = HotBlockList.of(new CombinedBlockCache(l1, l2),
      Collections.singleton(FILE), MANY);

    assertEquals(Arrays.asList(Collections.singletonList(500L), Collections.singletonList(300L),
      Collections.singletonList(100L), Collections.singletonList(200L),
      Collections.singletonList(400L)),
      list.groups().stream().map(TestHotBlockList::offsets).collect(Collectors.toList()));
  }

  @Test
  public void theHottestAreListedIfThereAreMoreThanAllowed() {
    HotBlockList list = HotBlockList.of(cacheOf(100), FILES, 8);

    assertEquals(8, list.size());
    assertEquals(Arrays.asList(9800L, 9900L), offsets(list.groups().get(1)));
    assertEquals(Arrays.asList(9200L, 9300L), offsets(list.groups().get(4)));
  }

  @Test
  public void otherFilesAreLeftOut() {
    assertEquals(0, HotBlockList.of(cacheOf(100), Collections.singleton(OTHER), MANY).size());
  }

  @Test
  public void isReadAsItWasWritten() throws IOException {
    Map<String, Blocks> files = new HashMap<>();
    files.put(FILE, first(50));
    files.put(OTHER, visitor -> {
      visitor.visit(1L << 39, -1, true, 77);
      visitor.visit(7, Integer.MAX_VALUE, false, 0);
    });
    BlockCache cache = cache(BlockCache.class, files);
    HotBlockList list = HotBlockList.of(cache, FILES, MANY);

    HotBlockList read = HotBlockList.of(list.toBytes(), MANY);

    assertEquals(52, read.size());
    assertEquals(asText(list), asText(read));
  }

  private static String asText(HotBlockList list) {
    return list.groups().stream().map(group -> group.stream()
      .map(block -> block.file + ' ' + block.offset + ' ' + block.size)
      .collect(Collectors.joining(", "))).collect(Collectors.joining("\n"));
  }

  @Test
  public void takesSixBytesForABlockOf64Kilobytes() {
    BlockCache cache = cache(BlockCache.class, visitor -> {
      for (int i = 0; i < MANY; i++) {
        visitor.visit(66_000L * i, 65_999, true, i % 7);
      }
    });

    int bytes = HotBlockList.of(cache, FILES, MANY).toBytes().length;

    assertTrue(bytes + " bytes", bytes < 9 * MANY);
  }

  @Test
  public void anyDamageIsFound() {
    byte[] bytes = HotBlockList.of(cacheOf(20), FILES, MANY).toBytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 4;
      assertThrows("byte " + i, IOException.class, () -> HotBlockList.of(flipped, MANY));
      byte[] cut = Arrays.copyOf(bytes, i);
      assertThrows(i + " bytes", IOException.class, () -> HotBlockList.of(cut, MANY));
    }
  }

  @Test
  public void noMoreAreReadThanAllowed() throws IOException {
    byte[] bytes = HotBlockList.of(cacheOf(100), FILES, MANY).toBytes();

    assertEquals(30, HotBlockList.of(bytes, 30).size());
  }

  @Test
  public void tellsWhichShareOfTheHottestAListLacks() {
    HotBlockList all = HotBlockList.of(cacheOf(100), FILES, MANY);
    HotBlockList cold = HotBlockList.of(cacheOf(50), FILES, MANY);
    HotBlockList hot = HotBlockList.of(cacheOf(100), FILES, 50);

    assertEquals(0, HotBlockList.lacking(all.fingerprint(), all.hottest()), 0);
    assertEquals(0, HotBlockList.lacking(hot.fingerprint(), all.hottest()), 0);
    assertEquals(1, HotBlockList.lacking(cold.fingerprint(), all.hottest()), 0);
    assertEquals(0.5, HotBlockList.lacking(cold.fingerprint(), all.fingerprint()), 0);
    assertEquals(1, HotBlockList.lacking(new int[0], all.hottest()), 0);
    assertEquals(0, HotBlockList.lacking(new int[0], new int[0]), 0);
  }

  @Test
  public void aCacheWithoutBlocksGivesAnEmptyList() throws IOException {
    HotBlockList list = HotBlockList.of(cacheOf(0), FILES, MANY);

    assertEquals(0, list.size());
    assertEquals(0, HotBlockList.of(list.toBytes(), MANY).size());
  }
}
