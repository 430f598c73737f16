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
public class TestTinyLfuPlacementAdmissionPolicy {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestTinyLfuPlacementAdmissionPolicy.class);

  private final BlockCacheKey block = new BlockCacheKey("file", 0);
  private final CachePlacementAdmissionPolicy policy = new TinyLfuPlacementAdmissionPolicy(1_000);

  private void read(int times) {
    for (int i = 0; i < times; i++) {
      policy.onRead(block);
    }
  }

  @Test
  public void dataIsPromotedOnceItShowsReuse() {
    assertFalse(policy.shouldPromote(block, true));
    read(1);
    assertFalse(policy.shouldPromote(block, true));
    read(1);
    assertTrue(policy.shouldPromote(block, true));
  }

  @Test
  public void metadataIsAlwaysPromoted() {
    assertTrue(policy.shouldPromote(block, false));
  }

  @Test
  public void dataMustBeReadClearlyMoreOftenThanWhatWasEvicted() {
    policy.onDataEvictedFromL1(4);
    read(8);
    assertFalse("twice the deviation of 4 is 4", policy.shouldPromote(block, true));
    read(1);
    assertTrue(policy.shouldPromote(block, true));
  }

  @Test
  public void ofBlocksThatAreReadAsOftenAsCanBeToldNoneDrivesOutAnother() {
    policy.onDataEvictedFromL1(FrequencySketch.MAX_FREQUENCY);
    read(100);
    assertFalse(policy.shouldPromote(block, true));
  }

  @Test
  public void theBarFallsWhenReadsAge() {
    policy.onDataEvictedFromL1(4);
    for (int i = 0; i < 200_000; i++) {
      policy.onRead(new BlockCacheKey("other", i));
    }
    read(3);
    assertTrue(policy.shouldPromote(block, true));
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
    CachePlacementAdmissionPolicy split = CachePlacementAdmissionPolicy.SPLIT;
    split.onRead(block);
    split.onRead(block);
    split.onDataEvictedFromL1(0);
    assertFalse(split.movesBlocks());
    assertFalse(split.shouldPromote(block, true) || split.shouldPromote(block, false));
    assertFalse(split.shouldDemote(block, true) || split.shouldDemote(block, false));
    assertEquals(0, split.frequency(block));
  }
}
