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

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestTinyLfuTierMovePolicy {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestTinyLfuTierMovePolicy.class);

  private final BlockCacheKey block = new BlockCacheKey("file", 0);
  private final TierMovePolicy policy = new TinyLfuTierMovePolicy(1_000);

  private void read(int times) {
    for (int i = 0; i < times; i++) {
      policy.onRead(block, true);
    }
  }

  private boolean shouldPromote() {
    return policy.shouldPromoteData(policy.frequency(block));
  }

  @Test
  public void dataIsPromotedOnceItShowsReuse() {
    assertFalse(shouldPromote());
    read(1);
    assertFalse(shouldPromote());
    read(1);
    assertTrue(shouldPromote());
  }

  @Test
  public void dataMustBeReadClearlyMoreOftenThanWhatWasEvicted() {
    policy.onDataEvictedFromL1(4);
    read(8);
    assertFalse("twice the deviation of 4 is 4", shouldPromote());
    read(1);
    assertTrue(shouldPromote());
  }

  @Test
  public void ofBlocksThatAreReadAsOftenAsCanBeToldFewDriveOutAnother() {
    policy.onDataEvictedFromL1(FrequencySketch.MAX_FREQUENCY);
    read(FrequencySketch.MAX_FREQUENCY - 1);
    assertFalse(shouldPromote());
    read(1);
    int promotions = 0;
    for (int i = 0; i < 1_600; i++) {
      promotions += shouldPromote() ? 1 : 0;
    }
    assertTrue(promotions + " of 1600", promotions > 30 && promotions < 250);
  }

  @Test
  public void aBlockThatIsReadAsOftenAsCanBeToldDrivesOutAnyThatIsNot() {
    read(100);
    for (int frequency = 0; frequency < FrequencySketch.MAX_FREQUENCY; frequency++) {
      policy.onDataEvictedFromL1(frequency);
      assertTrue("one of " + frequency, shouldPromote());
    }
  }

  @Test
  public void whatWasHotIsForgottenWhenL1ServesClearlyLess() {
    BlockCacheKey other = new BlockCacheKey("other", 0);
    for (int i = 0; i < 10_000; i++) {
      policy.onRead(other, true);
    }
    policy.onDataEvictedFromL1(FrequencySketch.MAX_FREQUENCY);
    int reads = 0;
    while (policy.frequency(other) > 0 && reads < 5_000) {
      policy.onRead(new BlockCacheKey("another", reads % 50), false);
      reads++;
    }
    assertTrue(reads + " reads", reads < 1_000);
    read(2);
    assertTrue(shouldPromote());
  }

  @Test
  public void aScanMakesItForgetNothing() {
    BlockCacheKey other = new BlockCacheKey("other", 0);
    for (int i = 0; i < 10_000; i++) {
      policy.onRead(other, true);
    }
    policy.onDataEvictedFromL1(FrequencySketch.MAX_FREQUENCY);
    for (int i = 0; i < 5_000; i++) {
      policy.onRead(new BlockCacheKey("another", i), false);
    }
    assertEquals(FrequencySketch.MAX_FREQUENCY, policy.frequency(other));
    read(2);
    assertFalse(shouldPromote());
  }

  @Test
  public void theBarFallsWhenReadsAge() {
    policy.onDataEvictedFromL1(4);
    for (int i = 0; i < 200_000; i++) {
      policy.onRead(new BlockCacheKey("other", i), true);
    }
    read(3);
    assertTrue(shouldPromote());
  }

  @Test
  public void metadataAndHotDataAreDemoted() {
    assertTrue(policy.shouldDemote(block, false));
    assertFalse(policy.shouldDemote(block, true));
    read(2);
    assertTrue(policy.shouldDemote(block, true));
  }

  @Test
  public void splitMovesNothing() {
    TierMovePolicy split = TierMovePolicy.SPLIT;
    split.onRead(block, false);
    split.onRead(block, false);
    split.onDataEvictedFromL1(0);
    assertFalse(split.movesBlocks());
    assertFalse(split.shouldPromoteData(FrequencySketch.MAX_FREQUENCY));
    assertFalse(split.shouldDemote(block, true) || split.shouldDemote(block, false));
    assertEquals(0, split.frequency(block));
  }
}
