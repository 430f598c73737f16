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
import static org.junit.Assert.fail;

import java.util.concurrent.atomic.AtomicInteger;
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

  /** Returns a sketch that doesn't age. */
  private static FrequencySketch sketch(long blocks) {
    return new FrequencySketch(blocks, Long.MAX_VALUE, () -> fail("ages"));
  }

  @Test
  public void aBlockThatWasNeverReadHasFrequencyZero() {
    assertEquals(0, sketch(100).frequency(42));
  }

  @Test
  public void countsReadsUpToTheMaximum() {
    FrequencySketch sketch = sketch(100);
    for (int reads = 1; reads <= 20; reads++) {
      sketch.increment(42);
      assertEquals(Math.min(reads, FrequencySketch.MAX_FREQUENCY), sketch.frequency(42));
    }
  }

  @Test
  public void tellsFrequentBlocksFromOthers() {
    int blocks = 10_000;
    FrequencySketch sketch = sketch(2 * blocks);
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

  /** Block offsets in a file are close to multiples of the block size, which makes poor hashes. */
  private static int hash(int block) {
    return new BlockCacheKey("0123456789abcdef0123456789abcdef", block * 65_600L).hashCode();
  }

  @Test
  public void halvesAllEstimatesAtOnceAfterManyReads() {
    AtomicInteger agings = new AtomicInteger();
    FrequencySketch sketch = new FrequencySketch(100_000, 20_000, agings::incrementAndGet);
    for (int block = 0; block < 1_000; block++) {
      for (int read = 0; read < 12; read++) {
        sketch.increment(hash(block));
      }
    }
    int reads = 12_000;
    for (; agings.get() == 0; reads++) {
      sketch.increment(hash(1_000_000 + reads));
    }
    assertTrue("after " + reads + " reads", reads > 15_000 && reads < 30_000);
    assertTrue("that takes its time", sketch.longsToHalve() > sketch.heapSize() / 16);
    assertThatMostAreHalved(sketch);
    for (; sketch.longsToHalve() > 0; reads++) {
      int before = sketch.longsToHalve();
      sketch.increment(hash(1_000_000 + reads));
      assertTrue("a read's part is small",
        before - sketch.longsToHalve() <= FrequencySketch.LONGS_HALVED_AT_A_TIME);
    }
    assertEquals("it was but one", 1, agings.get());
    assertThatMostAreHalved(sketch);
  }

  private static void assertThatMostAreHalved(FrequencySketch sketch) {
    int others = 0;
    for (int block = 0; block < 1_000; block++) {
      others += sketch.frequency(hash(block)) == 6 ? 0 : 1;
    }
    assertTrue(others + " of 1000 aren't", others < 20);
  }

  @Test
  public void readsCountInFullWhileTheTableIsHalved() {
    AtomicInteger agings = new AtomicInteger();
    FrequencySketch sketch = new FrequencySketch(100_000, 1_000, agings::incrementAndGet);
    for (int read = 0; agings.get() == 0; read++) {
      sketch.increment(hash(1_000_000 + read));
    }
    int wrong = 0;
    for (int block = 0; block < 100; block++) {
      sketch.increment(hash(block));
      sketch.increment(hash(block));
      wrong += sketch.increment(hash(block)) == 3 && sketch.frequency(hash(block)) == 3 ? 0 : 1;
    }
    assertTrue("is under way", sketch.longsToHalve() > 0);
    assertTrue(wrong + " of 100 aren't", wrong < 5);
  }

  @Test
  public void forgetsAllReads() {
    FrequencySketch sketch = sketch(10_000);
    for (int i = 0; i < 10; i++) {
      for (int block = 0; block < 1_000; block++) {
        for (int read = 0; read < 3; read++) {
          sketch.increment(hash(block));
        }
      }
      sketch.forget();
      int remembered = 0;
      for (int block = 0; block < 1_000; block++) {
        remembered += sketch.frequency(hash(block)) > 0 ? 1 : 0;
      }
      assertTrue(remembered + " of 1000 are remembered", remembered < 50);
    }
  }

  @Test
  public void takesAFewBytesABlock() {
    assertTrue(sketch(1_000_000).heapSize() <= 16 * 1_000_000);
    assertTrue(sketch(Long.MAX_VALUE).heapSize() <= 1 << 29);
    assertTrue(sketch(1).heapSize() > 0);
  }
}
