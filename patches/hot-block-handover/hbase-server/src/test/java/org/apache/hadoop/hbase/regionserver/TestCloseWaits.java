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
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ RegionServerTests.class, SmallTests.class })
public class TestCloseWaits {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCloseWaits.class);

  private static final long MOST = 1_000;
  /** Not 0, since a clock of a process begins anywhere. */
  private static final long START = -7_000;

  private final CloseWaits waits = new CloseWaits(MOST, START);

  private long begun;

  private long begin(long now) {
    begun = now;
    return waits.begin(now);
  }

  private void end(long now, boolean inTime) {
    waits.end(begun, now, inTime);
  }

  @Test
  public void twoHundredClosesThatAllWaitInVainWaitLittleLongerThanOne() {
    int closes = 200;
    long between = 5;
    long now = START;
    long waited = 0;
    for (int i = 0; i < closes; i++) {
      long granted = begin(now);
      waited += granted;
      now += granted;
      end(now, false);
      now += between;
    }

    assertTrue(waited + " of " + MOST, waited <= MOST + closes * between / 10);
  }

  @Test
  public void twoHundredClosesThatWaitInTimeLeaveAllTimeToTheNextOne() {
    long now = START;
    for (int i = 0; i < 200; i++) {
      assertEquals(MOST, begin(now));
      now += 50;
      end(now, true);
      now += 200;
    }

    assertEquals(MOST, begin(now));
  }

  @Test
  public void timePassesOnceForAllThatWaitAtOnce() {
    assertEquals(MOST, waits.begin(START));
    assertEquals(MOST - 400, waits.begin(START + 400));
    waits.end(START, START + 500, false);
    waits.end(START + 400, START + 700, false);

    assertEquals(MOST - 700, waits.begin(START + 700));
  }

  @Test
  public void aWaitInTimeBesideOneInVainGivesNothingOfItBack() {
    waits.begin(START);
    waits.begin(START + 100);
    waits.end(START + 100, START + 300, true);
    assertEquals(MOST - 400, waits.begin(START + 400));
    waits.end(START + 400, START + 450, true);
    waits.end(START, START + 600, false);

    assertEquals(MOST - 600, waits.begin(START + 600));
  }

  @Test
  public void aWaitInVainThatEndsEarlyLeavesTheRestToTheNextOne() {
    begin(START);
    end(START + 30, false);

    assertEquals(MOST - 30, begin(START + 30));
  }

  @Test
  public void timeComesBackWhileNoneWaits() {
    begin(START);
    end(START + MOST, false);

    assertEquals(0, begin(START + MOST));
    end(START + MOST, false);
    assertEquals(50, begin(START + MOST + 500));
    end(START + MOST + 500, false);
    assertEquals(MOST, begin(START + 100 * MOST));
  }
}
