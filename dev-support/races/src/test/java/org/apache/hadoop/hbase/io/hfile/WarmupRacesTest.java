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
package org.apache.hadoop.hbase.io.hfile;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.Test;

/**
 * Lincheck closes a region while a file of it is warmed (HBASE-23355), over and over. Whatever the
 * order, the warm-up ends and nothing refers to it.
 */
public class WarmupRacesTest {
  /** Of each scenario. */
  private static final int RUNS = Integer.getInteger("races.runs", 50);

  @Test
  public void closedFilesAreNoLongerWarmed() {
    LinChecker.check(WarmupRaces.class,
      new StressOptions().threads(2).actorsPerThread(2).actorsBefore(0).actorsAfter(0)
        .iterations(20).invocationsPerIteration(RUNS).minimizeFailedScenario(false)
        .sequentialSpecification(WarmupRaces.OneByOne.class));
  }
}
