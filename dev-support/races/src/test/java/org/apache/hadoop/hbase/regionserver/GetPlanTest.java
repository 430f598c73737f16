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
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.strategy.managed.modelchecking.ModelCheckingOptions;
import org.junit.Test;

/**
 * Lincheck explores how a handler and its helpers claim the gets of a request while the handler
 * ends it, for example because its call is cancelled (HBASE-23063). In any order each get is
 * claimed once, and none after the end.
 */
public class GetPlanTest {
  private static final int GETS = 4;

  /** Of each scenario. */
  private static final int RUNS = Integer.getInteger("races.runs", 100);

  private final GetPlan plan;
  private int cursor;

  public GetPlanTest() {
    PlannedGet[] gets = new PlannedGet[GETS];
    for (int i = 0; i < GETS; i++) {
      gets[i] = new PlannedGet(i, null, null);
    }
    plan = new GetPlan(null, gets, 0, Long.MAX_VALUE);
  }

  /** The handler comes to the next get; returns true if the handler has to run it. */
  @Operation(nonParallelGroup = "handler")
  public boolean handlerClaims() {
    return cursor < GETS && plan.claim(cursor++);
  }

  /** Returns the index of the get that a helper, or the waiting handler, claims; -1 for none. */
  @Operation
  public int helperClaims() {
    PlannedGet claimed = plan.claimNext();
    return claimed == null ? -1 : claimed.regionAction;
  }

  /** Returns the number of gets that were claimed. */
  @Operation(nonParallelGroup = "handler")
  public int handlerEnds() {
    cursor = GETS;
    return plan.endClaims();
  }

  @Test
  public void claimsAreAsIfOneCameAfterTheOther() {
    // Operations before the threads begin would leave them no gets to claim.
    LinChecker.check(GetPlanTest.class,
      new ModelCheckingOptions().threads(3).actorsPerThread(2).actorsBefore(0).actorsAfter(1)
        .iterations(6).invocationsPerIteration(RUNS));
  }
}
