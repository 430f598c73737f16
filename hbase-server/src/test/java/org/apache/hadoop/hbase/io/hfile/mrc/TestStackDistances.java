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

import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestStackDistances {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestStackDistances.class);

  private static final int KB = 1 << 10;
  private static final double[] FACTORS = { 0.25, 0.5, 1, 2, 4, 8 };
  private static final double POINT = 0.01;
  private static final int SAMPLES = 1 << 15;
  private static final double RATE = 1 / 16.0;
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
      StackDistances estimate = estimates[seed];
      for (int i = 0; i < exact.length; i++) {
        double ratio = estimate.hits(size * FACTORS[i], references) / estimate.base(references);
        if (Boolean.getBoolean("print")) {
          System.out.printf("%s x%.2f exact %.4f est %.4f err %.4f raw %.4f samples %d rate %.4f heap %d%n", name, FACTORS[i],
            exact[i].hitRatio(), ratio, ratio - exact[i].hitRatio(),
            estimate.hits(size * FACTORS[i], Double.NaN) / estimate.base(Double.NaN), estimate.samples(), estimate.rate(), estimate.heapSize());
          continue;
        }
        assertEquals(name + " at " + FACTORS[i] + " times the size, sample " + seed,
          exact[i].hitRatio(), ratio, POINT);
      }
    }
  }

  @Test
  public void zipf() {
    replay("zipf", Trace.zipf(400_000, 0.99, 1), 1_500_000, 40_000L * 64 * KB, 60 * KB, 68 * KB);
  }

  @Test
  public void zipfOfManySizes() {
    replay("sizes", Trace.zipf(400_000, 0.8, 2), 1_500_000, 40_000L * 64 * KB, 4 * KB, 128 * KB);
  }

  @Test
  public void uniform() {
    replay("uniform", Trace.zipf(400_000, 0, 3), 1_500_000, 40_000L * 64 * KB, 60 * KB, 68 * KB);
  }

  @Test
  public void loop() {
    replay("loop", Trace.loop(100_000), 1_500_000, 40_000L * 64 * KB, 60 * KB, 68 * KB);
  }

  @Test
  public void zipfWithScans() {
    replay("scans", Trace.withScans(Trace.zipf(200_000, 0.9, 4), 40_000, 20_000), 1_500_000,
      20_000L * 64 * KB, 60 * KB, 68 * KB);
  }

  @Test
  public void fewHotBlocks() {
    replay("hot", Trace.zipf(100_000, 1.1, 5), 1_500_000, 20_000L * 128 * KB, 100 * KB, 132 * KB);
  }
}
