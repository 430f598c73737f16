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
import static org.junit.Assert.assertFalse;
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

  /** Always the same, since bounds of shares hold for most samples only. */
  private final Random random = new Random(1);
  private final HitShareWatch watch = new HitShareWatch(L1_BLOCKS);

  /**
   * Reads a few blocks repeatedly.
   * @return how often the share was reported to have dropped
   */
  private int read(int reads, double share) {
    int drops = 0;
    for (int i = 0; i < reads; i++) {
      drops += watch.hasDropped(i % 8, random.nextDouble() < share) ? 1 : 0;
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
  public void whatAScanReadsDoesNotCount() {
    read(L1_BLOCKS, 1);
    for (int i = 0; i < 10 * L1_BLOCKS; i++) {
      assertFalse(watch.hasDropped(8 + i, false));
      assertEquals("beside a scan", 0, read(1, 1));
    }
    assertEquals(1, read(L1_BLOCKS / 10, 0));
  }

  @Test
  public void norDoesWhatAScanReadsAgainIfL1CouldNotHoldIt() {
    read(L1_BLOCKS, 1);
    for (int i = 0; i < 10 * L1_BLOCKS; i++) {
      assertFalse(watch.hasDropped(8 + i % L1_BLOCKS, false));
    }
  }

  @Test
  public void ofASmallL1AFewReadsTellNothing() {
    HitShareWatch small = new HitShareWatch(10);
    for (int i = 0; i < 100; i++) {
      assertFalse(small.hasDropped(1, true));
    }
    for (int i = 0; i < 300; i++) {
      assertFalse("no window is over", small.hasDropped(1, false));
    }
  }
}
