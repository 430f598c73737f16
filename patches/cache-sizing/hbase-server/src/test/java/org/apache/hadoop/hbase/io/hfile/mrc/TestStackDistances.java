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
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, MediumTests.class })
public class TestStackDistances {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestStackDistances.class);

  private static final int KB = 1 << 10;
  private static final double[] FACTORS = { 0.25, 0.5, 1, 2, 4, 8 };
  private static final double POINT = 0.01;
  private static final int SAMPLES = 1 << 15;
  /** A trace of so many times the blocks has as many in its sample. */
  private static final int SCALE = Integer.getInteger("stack.distances.scale", 1);
  private static final double RATE = 1 / 4.0 / SCALE;
  private static final int REFERENCES = 375_000 * SCALE;
  private static final int BLOCKS = 100_000 * SCALE;
  /** Bytes of a cache that has room for a tenth of them. */
  private static final long SIZE = 10_000L * SCALE * 64 * KB;
  private static final int SEEDS = 3;

  /** Replays a trace, and compares with exact caches of several sizes. */
  private static void replay(String name, LongSupplier trace, int references, long size, int least,
    int most) {
    ExactLru[] exact = new ExactLru[FACTORS.length];
    for (int i = 0; i < exact.length; i++) {
      exact[i] = new ExactLru((long) (size * FACTORS[i]));
    }
    StackDistances[] estimates = new StackDistances[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      estimates[seed] = new StackDistances(SAMPLES, RATE);
      estimates[seed].setMaxDistance(8 * size);
    }
    for (int i = 0; i < references; i++) {
      long block = trace.getAsLong();
      int bytes = Trace.bytes(block, least, most);
      for (ExactLru cache : exact) {
        cache.reference(block, bytes);
      }
      for (int seed = 0; seed < SEEDS; seed++) {
        estimates[seed].reference(Trace.hash(block, seed), bytes, 0, 0, false, i, 1, null);
      }
    }
    for (int seed = 0; seed < SEEDS; seed++) {
      double sum = 0;
      for (int i = 0; i < exact.length; i++) {
        double ratio = estimates[seed].hits(size * FACTORS[i], references)
          / estimates[seed].base(references);
        double error = Math.abs(ratio - exact[i].hitRatio());
        String where = name + " at " + FACTORS[i] + " times the size, sample " + seed + ": " + ratio
          + " for " + exact[i].hitRatio();
        // A quarter of the size has the room of a few hundred blocks of the sample.
        assertTrue(where, error < (FACTORS[i] < 1 ? 1.5 * POINT : POINT));
        sum += error;
      }
      assertTrue(name + ", sample " + seed + ", mean error " + sum / exact.length,
        sum / exact.length < POINT);
    }
  }

  /**
   * Replays a trace of blocks whose numbers are their ranks, with some that are read once among
   * them, and compares with caches that always have the blocks that are read most.
   */
  private static void replayPopular(String name, LongSupplier trace, int references, long size,
    int least, int most) {
    // Numbers of the blocks that fit.
    long[] fitting = new long[FACTORS.length];
    long bytes = 0;
    for (int i = 0, block = 0; i < fitting.length; block++) {
      bytes += Trace.bytes(block, least, most);
      for (; i < fitting.length && bytes > size * FACTORS[i]; i++) {
        fitting[i] = block;
      }
    }
    long[] hits = new long[FACTORS.length];
    Set<Long> seen = new HashSet<>();
    StackDistances estimate = new StackDistances(SAMPLES, RATE);
    estimate.setMaxDistance(8 * size);
    for (int i = 0; i < references; i++) {
      long block = trace.getAsLong();
      if (!seen.add(block)) {
        for (int factor = 0; factor < hits.length; factor++) {
          hits[factor] += block < fitting[factor] ? 1 : 0;
        }
      }
      estimate.reference(Trace.hash(block, 0), Trace.bytes(block, least, most), 0, 0, false, i, 1,
        null);
    }
    PopularBlocks popular = estimate.popular();
    for (int i = 0; i < hits.length; i++) {
      double exact = hits[i] / (double) references;
      double ratio = estimate.popularHits(popular, size * FACTORS[i], references)
        / estimate.base(references);
      String where = name + " at " + FACTORS[i] + " times the size: " + ratio + " for " + exact;
      // Which blocks are read most has to be learned, so it serves less than where that is known:
      // of those that are read few times in all, the more.
      assertTrue(where, ratio > exact - (FACTORS[i] > 2 ? 6 * POINT : 2 * POINT));
      assertTrue(where, ratio < exact + POINT);
    }
  }

  @Test
  public void hotBlocksKept() {
    replayPopular("hot", Trace.zipf(BLOCKS / 4, 1.1, 5), REFERENCES, SIZE, 100 * KB, 132 * KB);
  }

  @Test
  public void zipfKept() {
    replayPopular("zipf", Trace.zipf(BLOCKS, 0.99, 1), REFERENCES, SIZE, 60 * KB, 68 * KB);
  }

  @Test
  public void blocksThatScansReadOnceAreNoHits() {
    replayPopular("scans",
      Trace.withScans(Trace.zipf(BLOCKS / 2, 0.9, 4), BLOCKS / 10, BLOCKS / 20), REFERENCES,
      SIZE / 2, 60 * KB, 68 * KB);
  }

  @Test
  public void zipf() {
    replay("zipf", Trace.zipf(BLOCKS, 0.99, 1), REFERENCES, SIZE, 60 * KB, 68 * KB);
  }

  @Test
  public void zipfOfManySizes() {
    replay("sizes", Trace.zipf(BLOCKS, 0.8, 2), REFERENCES, SIZE, 4 * KB, 128 * KB);
  }

  @Test
  public void uniform() {
    replay("uniform", Trace.zipf(BLOCKS, 0, 3), REFERENCES, SIZE, 60 * KB, 68 * KB);
  }

  @Test
  public void loop() {
    replay("loop", Trace.loop(BLOCKS / 4), REFERENCES, SIZE, 60 * KB, 68 * KB);
  }

  @Test
  public void zipfWithScans() {
    replay("scans",
      Trace.withScans(Trace.zipf(BLOCKS / 2, 0.9, 4), BLOCKS / 10, BLOCKS / 20), REFERENCES,
      SIZE / 2, 60 * KB, 68 * KB);
  }

  @Test
  public void fewHotBlocks() {
    replay("hot", Trace.zipf(BLOCKS / 4, 1.1, 5), REFERENCES, SIZE, 100 * KB, 132 * KB);
  }

  @Test
  public void memoryIsBounded() {
    StackDistances distances = new StackDistances(1000, 1);
    for (int i = 0; i < 300_000; i++) {
      distances.reference(Trace.hash(i, 0), 64 * KB, 0, i % 10, false, i, 1, null);
      assertTrue(distances.samples() <= 1000);
    }
    assertTrue(distances.rate() + "", distances.rate() < 1 / 200.0);
    assertTrue(distances.heapSize() + "", distances.heapSize() < 300 * KB);
    assertFalse(distances.isThin());
    distances.forgetFile(0);
    assertTrue(distances.isThin());
    distances.restart();
    assertEquals(1, distances.rate(), 0);
  }

  @Test
  public void blocksDeeperThanAnyCacheLeaveBeforeOthers() {
    StackDistances distances = new StackDistances(1000, 1);
    distances.setMaxDistance(100 * 64 * KB);
    for (int i = 0; i < 10_000; i++) {
      distances.reference(Trace.hash(i, 0), 64 * KB, 0, 0, false, i, 1, null);
    }
    assertEquals(1, distances.rate(), 0);
  }

  @Test
  public void blocksThatWereCachedBeforeCountNeitherAsHitsNorAsMisses() {
    StackDistances distances = new StackDistances(1000, 1);
    for (int i = 0; i < 200; i++) {
      distances.reference(i, KB, 0, 0, i < 100, i, 1, null);
    }
    for (int i = 0; i < 200; i++) {
      distances.reference(i, KB, 0, 0, true, 200 + i, 1, null);
    }
    assertEquals(100, distances.unknown(), 0);
    assertEquals(300, distances.base(400), 0);
    assertEquals(200, distances.hits(1000 * KB, 400), 1e-6);
    assertEquals(0, distances.hits(100 * KB, 400), 1e-6);
  }

  @Test
  public void aCacheForTwoKindsNeedsRoomForBoth() {
    StackDistances one = new StackDistances(1000, 1);
    StackDistances other = new StackDistances(1000, 1);
    long time = 0;
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 100; i++) {
        one.reference(i, 64 * KB, 0, 0, false, time++, 1, other);
        other.reference(1000 + i, 64 * KB, 0, 0, false, time++, 1, one);
      }
    }
    assertEquals(100, one.hits(110 * 64 * KB, 200), 1e-6);
    assertEquals(0, one.sharedHits(180 * 64 * KB, 200), 1e-6);
    assertEquals(100, one.sharedHits(220 * 64 * KB, 200), 1e-6);
  }

  @Test
  public void aFileThatIsGoneMakesRoom() {
    StackDistances distances = new StackDistances(1000, 1);
    for (int i = 0; i < 100; i++) {
      distances.reference(i, KB, i % 2, 0, false, i, 1, null);
    }
    distances.forgetFile(1);
    assertEquals(50, distances.samples());
    assertEquals(50 * KB, distances.bytes(), 0);
    distances.reference(0, KB, 0, 0, true, 100, 1, null);
    assertFalse(distances.isThin());
    assertEquals(1, distances.hits(51 * KB, Double.NaN), 1e-6);
  }

  @Test
  public void countsDecayAndARestartForgetsAll() {
    StackDistances distances = new StackDistances(1000, 1);
    for (int i = 0; i < 200; i++) {
      distances.reference(i % 100, KB, 0, 3, false, i, 1, null);
    }
    distances.decay(0.5);
    assertEquals(100, distances.references(), 1e-6);
    assertEquals(1, distances.tables().size());
    distances.restart();
    assertEquals(0, distances.references(), 0);
    assertEquals(0, distances.samples());
    assertTrue(distances.tables().isEmpty());
  }
}
