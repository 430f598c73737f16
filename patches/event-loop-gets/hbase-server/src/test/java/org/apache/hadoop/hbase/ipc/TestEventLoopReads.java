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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.ipc.EventLoopReads.Outcome;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** How much of an event loop's time reads get. */
@Category({ RPCTests.class, SmallTests.class })
public class TestEventLoopReads {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEventLoopReads.class);

  private static final long MILLISECOND = 1_000_000;

  private final EventLoopReads.BackOff backOff = new EventLoopReads.BackOff();

  @Test
  public void aTurnEndsWithItsTimeAndTheNextOneBeginsAfterWhatWasReceived() {
    EventLoopReads.Turn turn = new EventLoopReads.Turn();
    List<Runnable> tasks = new ArrayList<>();
    assertTrue(turn.begin(tasks::add));
    turn.add(MILLISECOND / 10);
    assertTrue(turn.begin(tasks::add));
    turn.add(MILLISECOND);
    assertFalse(turn.begin(tasks::add));
    assertEquals(1, tasks.size());
    tasks.get(0).run();
    assertTrue(turn.begin(tasks::add));
    assertEquals(2, tasks.size());
  }

  @Test
  public void callsThatAreNotTriedAreNoReasonToSkipOthers() {
    backOff.add(Outcome.NOT_TRIED);
    assertFalse(backOff.skips());
  }

  @Test
  public void theMoreIsTriedInVainTheLessIsTried() {
    int tried = 0;
    for (int i = 0; i < 10_000; i++) {
      if (!backOff.skips()) {
        tried++;
        backOff.add(Outcome.IN_VAIN);
      }
    }
    assertTrue("tried " + tried, tried > 100 && tried < 200);
    // What is in memory now is soon tried each time again.
    int skippedInARow = 0;
    for (int i = 0; i < 1_000; i++) {
      if (!backOff.skips()) {
        backOff.add(Outcome.READ);
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
      if (backOff.skips()) {
        skipped++;
      } else {
        backOff.add(i % 100 == 0 ? Outcome.IN_VAIN : Outcome.READ);
      }
    }
    assertEquals(100, skipped, 2);
  }

  /** Handlers don't run. */
  private static boolean getWaitsBehind(float readShare, Message param) {
    Configuration conf = HBaseConfiguration.create();
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, readShare);
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0.5f);
    SimpleRpcScheduler scheduler =
      new SimpleRpcScheduler(conf, 10, 2, 2, 2, Stubs.of(PriorityFunction.class), null, 10);
    assertFalse(EventLoopReads.readsWait(scheduler));
    assertTrue(scheduler.dispatch(new CallRunner(null,
      Stubs.of(RpcCall.class, "getHeader", RequestHeader.getDefaultInstance(), "getParam", param,
        "getRequestUser", Optional.empty()))));
    return EventLoopReads.readsWait(scheduler);
  }

  @Test
  public void getsGoPastWritesAndScansThatHaveHandlersOfTheirOwn() {
    assertFalse(getWaitsBehind(0.5f, MutateRequest.getDefaultInstance()));
    assertFalse(getWaitsBehind(0.5f, ScanRequest.getDefaultInstance()));
    assertTrue(getWaitsBehind(0.5f, GetRequest.getDefaultInstance()));
    assertTrue(getWaitsBehind(0, MutateRequest.getDefaultInstance()));
    assertTrue(getWaitsBehind(0, ScanRequest.getDefaultInstance()));
  }
}
