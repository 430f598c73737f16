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
package org.apache.hadoop.hbase.regionserver;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.Test;

/**
 * Lincheck runs puts that release their locks before they can be read, increments and gets
 * (STRATA-70), over and over: what each returns is as if one came after the other, and each put is
 * told once that it can be read.
 */
public class UnsyncedWritesRacesTest {
  // See TierRacesTest for why stress testing, and why the operations are classes of their own.

  /** Of each scenario. */
  private static final int RUNS = Integer.getInteger("races.runs", 100);

  @Test
  public void putsIncrementsAndGetsAreAsIfOneCameAfterTheOther() {
    LinChecker.check(UnsyncedWritesRaces.class,
      new StressOptions().threads(3).actorsPerThread(4).actorsBefore(0).actorsAfter(1)
        .iterations(30).invocationsPerIteration(RUNS).minimizeFailedScenario(false)
        .sequentialSpecification(UnsyncedWritesRaces.OneByOne.class));
  }
}
