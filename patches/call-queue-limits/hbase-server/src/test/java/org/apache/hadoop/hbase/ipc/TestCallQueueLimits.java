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
import static org.junit.Assert.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/**
 * When queues of calls refuse calls, with handlers that don't run. Without the change three queues
 * of 30 handlers take 900 calls in place of 300, a limit of 50 with read and write queues is one of
 * 250, queues for hbase:meta with 20 handlers take 250 calls in place of 180, and a queue of CoDel
 * that is full to the limit gives its first call.
 */
@Category({ RPCTests.class, SmallTests.class })
public class TestCallQueueLimits {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCallQueueLimits.class);

  private static final int CALLS = 5000;

  private final PriorityFunction priority = Stubs.of(PriorityFunction.class);
  private final Configuration conf = HBaseConfiguration.create();
  private final List<CallRunner> calls = new ArrayList<>();

  @Before
  public void setUp() {
    conf.unset(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH);
    conf.unset(RpcScheduler.IPC_SERVER_PRIORITY_MAX_CALLQUEUE_LENGTH);
    conf.setFloat(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, 0.1f);
  }

  private CallRunner call(Object param) {
    RpcCall call = Stubs.of(RpcCall.class, "getHeader", RequestHeader.getDefaultInstance(),
      "getParam", param, "getReceiveTime", EnvironmentEdgeManager.currentTime(), "getRequestUser",
      Optional.empty());
    return new CallRunner(null, call);
  }

  /** Returns how many of many calls are accepted. */
  private int accepted(RpcExecutor executor, Object param, int count) {
    int accepted = 0;
    for (int i = 0; i < count; i++) {
      CallRunner call = call(param);
      if (executor.dispatch(call)) {
        calls.add(call);
        accepted++;
      }
    }
    return accepted;
  }

  private int accepted(RpcScheduler scheduler) throws Exception {
    int accepted = 0;
    for (int i = 0; i < CALLS; i++) {
      if (scheduler.dispatch(call(GetRequest.getDefaultInstance()))) {
        accepted++;
      }
    }
    return accepted;
  }

  private SimpleRpcScheduler scheduler() {
    return new SimpleRpcScheduler(conf, 30, 2, 2, 2, priority, null, 10);
  }

  @Test
  public void withoutALimitEachQueueHasThatOfItsHandlers() throws Exception {
    assertEquals(300, accepted(scheduler()));
  }

  @Test
  public void aConfiguredLimitIsEachQueues() throws Exception {
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 70);
    assertEquals(210, accepted(scheduler()));
  }

  @Test
  public void aLimitThatIsConfiguredLaterIsEachQueues() throws Exception {
    SimpleRpcScheduler scheduler = scheduler();
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 20);
    scheduler.onConfigurationChange(conf);
    assertEquals(60, accepted(scheduler));
  }

  @Test
  public void readAndWriteQueuesHaveTheirLimit() {
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0.5f);
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0.5f);
    RWQueueRpcExecutor executor = new RWQueueRpcExecutor("rw", 30, 50, priority, conf, null);
    assertEquals(50, accepted(executor, MutateRequest.getDefaultInstance(), CALLS));
    assertEquals(50, accepted(executor, ScanRequest.getDefaultInstance(), CALLS));
    assertEquals(50, accepted(executor, GetRequest.getDefaultInstance(), CALLS));
  }

  @Test
  public void queuesForMetaHaveTheLimitOfTheKindWithMostHandlers() {
    conf.setFloat(MetaRWQueueRpcExecutor.META_CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0);
    RpcExecutor executor = new MetaRWQueueRpcExecutor("priority.RWQ", 20,
      CallQueueLimits.configured(conf, RpcScheduler.IPC_SERVER_PRIORITY_MAX_CALLQUEUE_LENGTH),
      priority, conf, null);
    assertEquals(180, accepted(executor, GetRequest.getDefaultInstance(), CALLS));
    assertEquals(180, accepted(executor, MutateRequest.getDefaultInstance(), CALLS));
  }

  @Test
  public void aQueueThatIsFullToItsPlacesGivesTheLastCall() {
    RpcExecutor executor = new BalancedQueueRpcExecutor("codel", 1,
      RpcExecutor.CALL_QUEUE_TYPE_CODEL_CONF_VALUE, 100, priority, conf, null);
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 400);
    executor.resizeQueues(conf);
    assertEquals(250, accepted(executor, GetRequest.getDefaultInstance(), CALLS));
    assertSame(calls.get(249), executor.getQueues().get(0).poll());
  }

  @Test
  public void aQueueThatIsFullToItsLimitGivesTheLastCall() {
    RpcExecutor executor = new BalancedQueueRpcExecutor("codel", 1,
      RpcExecutor.CALL_QUEUE_TYPE_CODEL_CONF_VALUE, 50, priority, conf, null);
    assertEquals(45, accepted(executor, GetRequest.getDefaultInstance(), 45));
    Queue<CallRunner> queue = executor.getQueues().get(0);
    assertSame(calls.get(44), queue.poll());

    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 100);
    executor.resizeQueues(conf);
    assertSame(calls.get(0), queue.poll());
  }
}
