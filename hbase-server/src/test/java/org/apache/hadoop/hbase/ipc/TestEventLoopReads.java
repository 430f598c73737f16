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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.ipc.EventLoopReads.Outcome;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** How much of an event loop's time a connection gets. */
@Category({ RPCTests.class, SmallTests.class })
public class TestEventLoopReads {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEventLoopReads.class);

  private static final long MILLISECOND = 1_000_000;

  private final EventLoopReads.Turn turn = new EventLoopReads.Turn();

  @Test
  public void aTurnEndsWithItsTime() {
    assertTrue(turn.begin());
    turn.add(Outcome.READ, MILLISECOND / 10);
    assertTrue(turn.begin());
    turn.add(Outcome.READ, MILLISECOND);
    assertFalse(turn.begin());
    turn.end();
    assertTrue(turn.begin());
  }

  @Test
  public void callsThatAreNotReadAheadUseTimeButAreNoReasonToSkipOthers() {
    turn.add(Outcome.OTHER, 1);
    assertTrue(turn.begin());
    turn.add(Outcome.OTHER, MILLISECOND);
    assertFalse(turn.begin());
  }

  @Test
  public void theMoreIsNotInMemoryTheLessIsTried() {
    int tried = 0;
    for (int i = 0; i < 10_000; i++) {
      if (turn.begin()) {
        tried++;
        turn.add(Outcome.NOT_IN_MEMORY, 0);
      }
    }
    assertTrue("tried " + tried, tried > 100 && tried < 200);
    // What is in memory now is soon tried each time again.
    int skippedInARow = 0;
    for (int i = 0; i < 1_000; i++) {
      if (turn.begin()) {
        turn.add(Outcome.READ, 0);
        skippedInARow = 0;
      } else {
        skippedInARow++;
      }
    }
    assertEquals(0, skippedInARow);
  }

  @Test
  public void oneOfAHundredSkipsOneOther() {
    int skipped = 0;
    for (int i = 0; i < 10_000; i++) {
      if (!turn.begin()) {
        skipped++;
      } else {
        turn.add(i % 100 == 0 ? Outcome.NOT_IN_MEMORY : Outcome.READ, 0);
      }
    }
    assertEquals(100, skipped, 2);
  }
}
