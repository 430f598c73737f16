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
package org.apache.hadoop.hbase.io.hfile.segment;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.Test;

/**
 * Lincheck runs what threads do with a block of a cache of segments (STRATA-22) at once, over and
 * over. Whatever the order, what is read is right, what was evicted is gone, and counts, pages and
 * pins are what they were.
 */
public class SegmentRacesTest {
  // See TierRacesTest for why stress testing, and why the operations are classes of their own.

  /** Of each scenario. */
  private static final int RUNS = Integer.getInteger("races.runs", 100);

  private static void check(Class<?> races, Class<?> oneByOne) {
    LinChecker.check(races,
      new StressOptions().threads(3).actorsPerThread(3).actorsBefore(0).actorsAfter(1)
        .iterations(15).invocationsPerIteration(RUNS).minimizeFailedScenario(false)
        .sequentialSpecification(oneByOne));
  }

  @Test
  public void readsAndEvictionsOfABlockThatIsCachedAgain() {
    check(EntryRaces.class, EntryRaces.OneByOne.class);
  }

  @Test
  public void readsWhileSegmentsAreEvicted() {
    check(EvictionRaces.class, EvictionRaces.OneByOne.class);
  }
}
