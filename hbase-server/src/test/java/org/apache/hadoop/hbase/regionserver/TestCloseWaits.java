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

  @Test
  public void twoHundredClosesThatAllWaitInVainWaitLittleLongerThanOne() {
    int closes = 200;
    long between = 5;
    long now = START;
    long waited = 0;
    for (int i = 0; i < closes; i++) {
      long granted = waits.begin(now);
      waited += granted;
      now += granted;
      waits.end(now);
      now += between;
    }

    assertTrue(waited + " of " + MOST, waited <= MOST + closes * between / 10);
  }

  @Test
  public void timePassesOnceForAllThatWaitAtOnce() {
    assertEquals(MOST, waits.begin(START));
    assertEquals(MOST - 400, waits.begin(START + 400));
    waits.end(START + 500);
    waits.end(START + 700);

    assertEquals(MOST - 700, waits.begin(START + 700));
  }

  @Test
  public void aWaitThatEndsEarlyLeavesTheRestToTheNextOne() {
    waits.begin(START);
    waits.end(START + 30);

    assertEquals(MOST - 30, waits.begin(START + 30));
  }

  @Test
  public void timeComesBackWhileNoneWaits() {
    waits.begin(START);
    waits.end(START + MOST);

    assertEquals(0, waits.begin(START + MOST));
    waits.end(START + MOST);
    assertEquals(50, waits.begin(START + MOST + 500));
    waits.end(START + MOST + 500);
    assertEquals(MOST, waits.begin(START + 100 * MOST));
  }
}
