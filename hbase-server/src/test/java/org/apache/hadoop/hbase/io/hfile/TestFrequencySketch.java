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
public class TestFrequencySketch {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFrequencySketch.class);

  @Test
  public void aBlockThatWasNeverReadHasFrequencyZero() {
    assertEquals(0, new FrequencySketch(100).frequency(42));
  }

  @Test
  public void countsReadsUpToTheMaximum() {
    FrequencySketch sketch = new FrequencySketch(100);
    for (int reads = 1; reads <= 20; reads++) {
      sketch.increment(42);
      assertEquals(Math.min(reads, FrequencySketch.MAX_FREQUENCY), sketch.frequency(42));
    }
  }

  @Test
  public void tellsFrequentBlocksFromOthers() {
    int blocks = 10_000;
    FrequencySketch sketch = new FrequencySketch(2 * blocks);
    for (int block = 0; block < blocks; block++) {
      for (int read = 0; read < (block < 100 ? 8 : 1); read++) {
        sketch.increment(hash(block));
      }
    }
    int wrong = 0;
    for (int block = 0; block < blocks; block++) {
      int frequency = sketch.frequency(hash(block));
      assertTrue("never below what was counted", frequency >= (block < 100 ? 8 : 1));
      wrong += block >= 100 && frequency > 1 ? 1 : 0;
    }
    assertTrue(wrong + " of " + blocks + " are overrated", wrong < blocks / 100);
  }

  /** Block offsets in a file are near multiples of the block's size, which makes poor hashes. */
  private static int hash(int block) {
    return new BlockCacheKey("0123456789abcdef0123456789abcdef", block * 65_600L).hashCode();
  }

  @Test
  public void halvesEstimatesAfterManyReads() {
    FrequencySketch sketch = new FrequencySketch(1_000);
    for (int read = 0; read < 12; read++) {
      sketch.increment(42);
    }
    assertEquals(12, sketch.frequency(42));
    Random random = new Random(1);
    int reads = 0;
    while (!sketch.increment(random.nextInt())) {
      reads++;
    }
    assertTrue("after " + reads + " reads", reads > 2_000 && reads < 8_000);
    int halved = sketch.frequency(42);
    assertTrue("12 became " + halved, halved >= 6 && halved <= 9);
  }

  @Test
  public void takesAFewBytesABlock() {
    assertTrue(new FrequencySketch(1_000_000).heapSize() <= 16 * 1_000_000);
    assertTrue(new FrequencySketch(Long.MAX_VALUE).heapSize() <= 1 << 29);
    assertTrue(new FrequencySketch(1).heapSize() > 0);
  }
}
