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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** When {@link IdleCpus} allows processors for helpers. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestIdleCpus {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestIdleCpus.class);

  private static final int CPUS = 8;

  private double load;
  private int asked;
  private final IdleCpus idle = new IdleCpus(CPUS, () -> {
    asked++;
    return load;
  });

  private int ticksWithHelp() {
    int ticks = 0;
    for (idle.tick(); idle.get() > 0; idle.tick()) {
      ticks++;
    }
    return ticks;
  }

  @Test
  public void noneIsIdleBeforeTheFirstLook() {
    assertEquals(0, idle.get());
  }

  @Test
  public void thoseThatNothingRunsOnAreIdle() {
    load = 0.3;
    idle.tick();
    assertEquals(6, idle.get());
  }

  @Test
  public void whatHelpUsesIsNotTakenForLoad() {
    idle.tick();
    assertEquals(8, idle.get());
    load = 1;
    idle.tick();
    assertEquals(8, idle.get());
  }

  @Test
  public void looksAgainAfterTenPeriodsOfHelp() {
    assertEquals(10, ticksWithHelp());
    assertEquals(10, ticksWithHelp());
    load = 0.9;
    assertEquals(0, ticksWithHelp());
  }

  @Test
  public void aBusyMachineIsLookedAtUntilItIsNot() {
    load = 0.76;
    for (int i = 0; i < 100; i++) {
      idle.tick();
      assertEquals(0, idle.get());
    }
    load = 0.75;
    idle.tick();
    assertEquals(2, idle.get());
  }

  @Test
  public void noneIsIdleIfTheSystemDoesNotTell() {
    load = -1;
    idle.tick();
    assertEquals(0, idle.get());
    load = Double.NaN;
    idle.tick();
    assertEquals(0, idle.get());
  }

  @Test
  public void theSystemIsAskedAtTheBeginningAndTheEndOfALook() {
    idle.tick();
    int before = asked;
    for (int i = 0; i < 9; i++) {
      idle.tick();
    }
    assertEquals(before, asked);
    idle.tick();
    idle.tick();
    assertEquals(before + 2, asked);
  }
}
