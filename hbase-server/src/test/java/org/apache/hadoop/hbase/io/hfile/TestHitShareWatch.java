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
package org.apache.hadoop.hbase.io.hfile;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Random;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestHitShareWatch {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHitShareWatch.class);

  private static final int L1_BLOCKS = 100_000;

  private final Random random = new Random(1);
  private final HitShareWatch watch = new HitShareWatch(L1_BLOCKS);

  /** Returns How often the share was said to have dropped. */
  private int read(int reads, double share) {
    int drops = 0;
    for (int i = 0; i < reads; i++) {
      drops += watch.hasDropped(random.nextDouble() < share) ? 1 : 0;
    }
    return drops;
  }

  @Test
  public void aShareThatVariesByChanceHasNotDropped() {
    for (double share : new double[] { 0.01, 0.1, 0.3, 0.5, 0.9, 1 }) {
      assertEquals("of " + share, 0, read(10 * L1_BLOCKS, share));
    }
  }

  @Test
  public void aDropIsToldOnceWithinATenthOfL1sBlocks() {
    for (double share : new double[] { 1, 0.8, 0.6, 0.4, 0.2, 0.1 }) {
      read(L1_BLOCKS, share);
      assertEquals("from " + share, 1, read(L1_BLOCKS / 10, share / 2));
      assertEquals(0, read(L1_BLOCKS, share / 2));
    }
  }

  @Test
  public void aSlowDeclineIsTold() {
    int drops = 0;
    for (double share = 0.8; share > 0.4; share -= 0.001) {
      drops += read(L1_BLOCKS / 10, share);
    }
    assertTrue(drops + " drops", drops >= 1 && drops <= 3);
  }

  @Test
  public void ofASmallL1AFewReadsTellNothing() {
    HitShareWatch small = new HitShareWatch(10);
    for (int i = 0; i < 100; i++) {
      assertTrue(!small.hasDropped(true));
    }
    for (int i = 0; i < 300; i++) {
      assertTrue("no window is over", !small.hasDropped(false));
    }
  }
}
