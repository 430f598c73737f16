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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

@Category({ RPCTests.class, SmallTests.class })
public class TestRoundRobinCallQueue {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRoundRobinCallQueue.class);

  private static final int PATIENCE_SECONDS = 60;

  private final Map<CallRunner, String> connections = new ConcurrentHashMap<>();
  private final Map<CallRunner, String> names = new ConcurrentHashMap<>();
  private final Set<String> closed = new HashSet<>();
  private final RoundRobinCallQueue queue = queue(90);

  private RoundRobinCallQueue queue(int places) {
    return new RoundRobinCallQueue(places, connections::get);
  }

  /** Returns a call of the connection that its name begins with. */
  private CallRunner call(String name) {
    CallRunner call = new CallRunner(null, Stubs.of(RpcCall.class, "getHeader",
      RequestHeader.getDefaultInstance(), "getParam", GetRequest.getDefaultInstance(),
      "getRequestUser", Optional.empty(), "disconnectSince", closed.contains(name) ? 0L : -1L));
    connections.put(call, name.substring(0, 1).intern());
    names.put(call, name);
    return call;
  }

  private void offer(String... calls) {
    for (String name : calls) {
      assertTrue(name, queue.offer(call(name)));
    }
  }

  /** Returns how many calls of a connection are taken before one is refused. */
  private int fill(RoundRobinCallQueue filled, String connection) {
    int count = 0;
    while (filled.offer(call(connection))) {
      count++;
    }
    return count;
  }

  private String poll() {
    CallRunner call = queue.poll();
    return call == null ? null : names.get(call);
  }

  private List<String> pollAll() {
    List<String> all = new ArrayList<>();
    for (String name; (name = poll()) != null;) {
      all.add(name);
    }
    return all;
  }

  @Test
  public void connectionsTakeTurns() {
    offer("a1", "a2", "a3", "a4", "b1", "b2", "c1");

    assertEquals("[a1, b1, c1, a2, b2, a3, a4]", pollAll().toString());
    assertEquals(0, queue.size());
    assertNull(poll());
  }

  @Test
  public void aConnectionThatComesBackWaitsForOneCallOfEachOther() {
    offer("a1", "a2", "a3", "b1", "b2");
    assertEquals("a1", poll());
    offer("c1");
    assertEquals("b1", poll());
    assertEquals("a2", poll());
    assertEquals("c1", poll());
    offer("c2");

    assertEquals("[b2, a3, c2]", pollAll().toString());
  }

  @Test
  public void callsOfClosedConnectionsTakeNoTurn() {
    Collections.addAll(closed, "a1", "a2", "a3");
    offer("a1", "a2", "a3", "b1", "b2", "c1");

    assertEquals("[a1, a2, a3, b1, c1, b2]", pollAll().toString());
  }

  @Test
  public void oneConnectionLeavesPlacesToOthers() {
    assertEquals(72, fill(queue, "a"));
    assertEquals(8, fill(queue, "b"));
    // The last places are for the first calls of connections.
    for (int i = 0; i < 10; i++) {
      assertEquals(1, fill(queue, String.valueOf((char) ('c' + i))));
    }
    assertEquals(0, fill(queue, "z"));
    assertEquals(90, queue.size());
    assertEquals(0, queue.remainingCapacity());
    assertEquals(90, pollAll().size());
  }

  @Test
  public void sharesAreOfTheLimit() {
    RoundRobinCallQueue.setLimit(Collections.singletonList(queue), 45);
    assertEquals(37, fill(queue, "a"));
    RoundRobinCallQueue.setLimit(Collections.singletonList(queue), 20);
    assertFalse(queue.offer(call("b1")));
    RoundRobinCallQueue.setLimit(Collections.singletonList(queue), 1_000);
    assertEquals("No more than its places.", 90, 37 + queue.remainingCapacity());
  }

  @Test
  public void aQueueOfOneCallTakesIt() {
    RoundRobinCallQueue one = queue(1);
    assertTrue(one.offer(call("a1")));
    assertFalse(one.offer(call("b1")));
  }

  @Test
  public void aListOfItsCallsCanBeMadeWhileTheyChange() {
    offer("a1", "a2", "b1");
    List<String> listed = queue.stream().map(call -> {
      poll();
      return names.get(call);
    }).collect(Collectors.toList());

    assertEquals("[a1, a2, b1]", listed.toString());
    assertEquals(0, queue.size());
    assertFalse(queue.iterator().hasNext());
  }

  @Test
  public void callsWithoutAConnectionShareTurns() {
    RoundRobinCallQueue without = new RoundRobinCallQueue(10);
    CallRunner first = call("a");
    CallRunner second = call("b");
    assertTrue(without.offer(first));
    assertTrue(without.offer(second));
    assertSame(first, without.poll());
    assertSame(second, without.poll());
  }

  @Test
  public void whoTakesWaitsForACall() throws Exception {
    FutureTask<String> taken = new FutureTask<>(() -> names.get(queue.take()));
    Thread thread = new Thread(taken);
    thread.setDaemon(true);
    thread.start();
    Waiter.waitFor(conf(), TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS),
      () -> thread.getState() == Thread.State.WAITING);
    offer("a1");
    assertEquals("a1", taken.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
  }

  /** Each call is given once, those of a connection in their order. */
  @Test
  public void manyThreadsOfferAndTake() throws Exception {
    int threads = 3;
    int calls = 20_000;
    ExecutorService pool = Executors.newFixedThreadPool(2 * threads);
    CountDownLatch offered = new CountDownLatch(threads);
    AtomicInteger given = new AtomicInteger();
    try {
      List<Future<?>> offers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        String connection = String.valueOf((char) ('a' + t));
        offers.add(pool.submit(() -> {
          try {
            for (int i = 0; i < calls; i++) {
              CallRunner call = call(connection + i);
              while (!queue.offer(call)) {
                Thread.yield();
              }
            }
          } finally {
            offered.countDown();
          }
        }));
      }
      List<Future<Map<String, Integer>>> takers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        takers.add(pool.submit(() -> takeInOrder(offered, given)));
      }
      for (Future<?> offer : offers) {
        offer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      for (Future<Map<String, Integer>> taker : takers) {
        taker.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
      assertEquals(threads * calls, given.get());
      assertEquals(0, queue.size());
      assertEquals(90, queue.remainingCapacity());
    } finally {
      pool.shutdownNow();
    }
  }

  private Map<String, Integer> takeInOrder(CountDownLatch offered, AtomicInteger given) {
    Map<String, Integer> last = new HashMap<>();
    while (offered.getCount() > 0 || queue.size() > 0) {
      CallRunner call = queue.poll();
      if (call == null) {
        Thread.yield();
        continue;
      }
      given.incrementAndGet();
      String name = names.remove(call);
      String connection = connections.remove(call);
      int number = Integer.parseInt(name.substring(1));
      Integer before = last.put(connection, number);
      assertTrue(before + " before " + number, before == null || before < number);
    }
    return last;
  }

  private static Configuration conf() {
    Configuration conf = HBaseConfiguration.create();
    conf.set(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY, RoundRobinCallQueue.TYPE);
    conf.setFloat(RpcExecutor.CALL_QUEUE_HANDLER_FACTOR_CONF_KEY, 0.1f);
    return conf;
  }

  /** Handlers don't run. */
  private int accepted(SimpleRpcScheduler scheduler) {
    int accepted = 0;
    for (int i = 0; i < 1_000; i++) {
      if (scheduler.dispatch(call("a"))) {
        accepted++;
      }
    }
    return accepted;
  }

  private static SimpleRpcScheduler scheduler(Configuration conf) {
    return new SimpleRpcScheduler(conf, 10, 2, 2, 2, Stubs.of(PriorityFunction.class), null, 10);
  }

  @Test
  public void theTypeOfAQueueIsConfigured() {
    Configuration conf = conf();
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 45);
    SimpleRpcScheduler scheduler = scheduler(conf);
    assertEquals(37, accepted(scheduler));
    assertEquals(37, scheduler.getGeneralQueueLength());

    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 90);
    scheduler.onConfigurationChange(conf);
    assertEquals(72, 37 + accepted(scheduler));
    assertEquals(72, scheduler.getGeneralQueueLength());
  }

  @Test
  public void readsAndWritesHaveQueuesOfTheType() {
    Configuration conf = conf();
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0.5f);
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 45);
    assertEquals(37, accepted(scheduler(conf)));
  }

  @Test
  public void queuesOfOtherCallsAreNot() {
    assertTrue(RoundRobinCallQueue.isType(RoundRobinCallQueue.TYPE, "default.FPBQ"));
    assertFalse(RoundRobinCallQueue.isType(RoundRobinCallQueue.TYPE, "priority.RWQ"));
    assertFalse(
      RoundRobinCallQueue.isType(RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE, "default.FPBQ"));
  }

  @Test
  public void withoutTheTypeAConnectionMayFillAQueue() {
    Configuration conf = conf();
    conf.unset(RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY);
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, 45);
    assertEquals(45, accepted(scheduler(conf)));
  }
}
