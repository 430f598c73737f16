/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.bucket;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.Test;

/**
 * Lincheck runs what threads do with a block of a CompositeBucketCache (HBASE-23296) at once, over
 * and over. Whatever the order, what is read is right, what was evicted is gone, and all memory
 * comes back.
 */
public class TierRacesTest {
  /*
   * Lincheck's stress testing, not its model checking, which would need minutes: it leaves an
   * execution and begins anew wherever a thread waits for a lock.
   *
   * The operations are classes of their own, since Lincheck can't take over what JUnit has loaded.
   */

  /** Of each scenario. */
  private static final int RUNS = Integer.getInteger("races.runs", 100);

  private static void check(Class<?> races, Class<?> oneByOne) {
    LinChecker.check(races,
      new StressOptions().threads(3).actorsPerThread(2).actorsBefore(0).actorsAfter(1)
        .iterations(25).invocationsPerIteration(RUNS).minimizeFailedScenario(false)
        .sequentialSpecification(oneByOne));
  }

  @Test
  public void promotionEvictionAndReads() {
    check(PromotionRaces.class, PromotionRaces.OneByOne.class);
  }

  @Test
  public void demotionAndEvictionByFile() {
    check(DemotionRaces.class, DemotionRaces.OneByOne.class);
  }
}
