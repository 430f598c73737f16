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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestSampledBlocks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSampledBlocks.class);

  private static final int CAPACITY = 100;
  private static final int STEPS = 50_000;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final SampledBlocks blocks = new SampledBlocks(CAPACITY);
  private final Map<Long, Integer> expected = new HashMap<>();
  private final Random random = seed.newRandom();

  @Test
  public void isLikeAMap() {
    for (int step = 0; step < STEPS; step++) {
      // Few lower bits, so that blocks often have the same place in the table.
      long hash = (long) random.nextInt(1000) << 32 | random.nextInt(4);
      int slot = blocks.find(hash);
      Integer bytes = expected.get(hash);
      assertEquals(bytes == null, slot == SampledBlocks.NONE);
      if (bytes != null) {
        assertEquals((int) bytes, blocks.bytes(slot));
        assertEquals(hash, blocks.hash(slot));
        if (random.nextBoolean()) {
          blocks.remove(slot);
          expected.remove(hash);
        }
      } else if (!blocks.isFull()) {
        blocks.add(hash, step, 0, 0);
        expected.put(hash, step);
      }
      assertEquals(expected.size(), blocks.size());
    }
    assertTrue("the test didn't come near the capacity", expected.size() > CAPACITY / 4);
    expected.keySet().forEach(hash -> assertTrue(blocks.find(hash) != SampledBlocks.NONE));
    int[] seen = new int[1];
    blocks.forEach(slot -> true, slot -> seen[0]++);
    assertEquals(expected.size(), seen[0]);
  }
}
