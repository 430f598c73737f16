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

import java.util.ArrayList;
import java.util.List;
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
public class TestRecencyStack {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRecencyStack.class);

  private static final int SLOTS = 200;
  private static final int STEPS = 20_000;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final RecencyStack stack = new RecencyStack(new int[SLOTS]);
  /** Slots, the one on top last. */
  private final List<Integer> expected = new ArrayList<>();
  private final int[] weights = new int[SLOTS];
  private final long[] times = new long[SLOTS];
  private final Random random = seed.newRandom();

  @Test
  public void isLikeAListAfterEachStep() {
    for (int step = 0; step < STEPS; step++) {
      int slot = random.nextInt(SLOTS);
      if (expected.remove((Integer) slot)) {
        stack.remove(slot, weights[slot]);
      }
      if (random.nextInt(8) > 0) {
        weights[slot] = 1 + random.nextInt(1000);
        times[slot] = step;
        stack.push(slot, weights[slot], step);
        expected.add(slot);
      }
      if (step % 50 == 0) {
        check(step);
      }
    }
  }

  private void check(int step) {
    assertEquals(expected.size(), stack.size());
    long above = 0;
    for (int i = expected.size() - 1; i >= 0; i--) {
      int slot = expected.get(i);
      assertEquals("above slot " + slot + " after step " + step, above, stack.bytesAbove(slot));
      assertEquals(above, stack.bytesAfter(times[slot]));
      assertEquals(times[slot], stack.timeOf(slot));
      above += weights[slot];
      assertEquals(above, stack.bytesAfter(times[slot] - 1));
    }
    assertEquals(above, stack.bytes());
    assertEquals(above, stack.bytesAfter(-1));
  }
}
