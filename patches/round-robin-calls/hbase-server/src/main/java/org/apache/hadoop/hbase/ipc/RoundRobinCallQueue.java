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

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Spliterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue of calls in which connections take turns: each has its first call served, then each its
 * second. Calls of one connection stay in their order. So in the queue a connection waits for one
 * call of each other one, however many these have sent. Calls whose connection has been closed take
 * no turn.
 * <p>
 * The last tenth of the limit is for connections of which no call waits yet. Of the rest a
 * connection may have as many calls waiting as {@value #SHARE} times what is left: eight ninths of
 * it if it is alone (dynamic thresholds of Choudhury and Hahne, IEEE/ACM Transactions on Networking
 * 6, 1998). Thread-safe.
 * <p>
 * For executors of calls: methods that these don't call aren't supported.
 */
@InterfaceAudience.Private
public final class RoundRobinCallQueue extends AbstractQueue<CallRunner>
  implements BlockingQueue<CallRunner> {
  /** What {@link RpcExecutor#CALL_QUEUE_TYPE_CONF_KEY} has for queues of this class. */
  static final String TYPE = "round-robin";
  private static final Logger LOG = LoggerFactory.getLogger(RoundRobinCallQueue.class);
  private static final String TYPES = String.join(", ",
    RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE, TYPE,
    RpcExecutor.CALL_QUEUE_TYPE_CODEL_CONF_VALUE, RpcExecutor.CALL_QUEUE_TYPE_DEADLINE_CONF_VALUE,
    RpcExecutor.CALL_QUEUE_TYPE_PLUGGABLE_CONF_VALUE);
  private static final AtomicBoolean WARNED = new AtomicBoolean();
  private static final int SHARE = 8;
  /** The limit by what is left to connections of which no call waits. */
  private static final int LIMIT_BY_RESERVE = 10;
  /** What the names of executors of usual calls begin with. */
  private static final String EXECUTOR = "default";
  /** Stands for the connection of calls that have none. */
  private static final Object NO_CONNECTION = new Object();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();
  private final int places;
  private final Function<CallRunner, Object> connectionOf;
  private final Map<Object, Waiting> connections = new IdentityHashMap<>();
  /** Connections of which calls wait, the next one first. */
  private final ArrayDeque<Waiting> turns = new ArrayDeque<>();
  private int limit;
  private volatile int size;

  /** Calls of a connection; there is at least one. */
  private static final class Waiting {
    private final Object connection;
    private final ArrayDeque<CallRunner> calls = new ArrayDeque<>();

    private Waiting(Object connection) {
      this.connection = connection;
    }
  }

  /** @param places how many calls it has room for; also the limit, until another one is set */
  public RoundRobinCallQueue(int places) {
    this(places, RoundRobinCallQueue::connectionOf);
  }

  /** @param connectionOf gives the same object for calls that share turns, and no null */
  RoundRobinCallQueue(int places, Function<CallRunner, Object> connectionOf) {
    this.places = places;
    this.limit = places;
    this.connectionOf = connectionOf;
  }

  /** Whether the queues of usual calls are of this class, by their configured type. */
  static boolean isType(String callQueueType) {
    return TYPE.equals(callQueueType);
  }

  /**
   * Whether the queues of an executor, by its name, are.
   * @param callQueueType none of those that aren't served in order
   */
  static boolean isType(String callQueueType, String executor) {
    if (!executor.startsWith(EXECUTOR)) {
      return false;
    }
    if (
      !isType(callQueueType) && !RpcExecutor.isFifoQueueType(callQueueType)
        && WARNED.compareAndSet(false, true)
    ) {
      LOG.warn("{} is '{}', and queues are {}; allowed: {}", RpcExecutor.CALL_QUEUE_TYPE_CONF_KEY,
        callQueueType, RpcExecutor.CALL_QUEUE_TYPE_FIFO_CONF_VALUE, TYPES);
    }
    return isType(callQueueType);
  }

  /** Tells those of the queues that are of this class from how many calls on they refuse some. */
  static void setLimit(List<BlockingQueue<CallRunner>> queues, int limit) {
    for (BlockingQueue<CallRunner> queue : queues) {
      if (queue instanceof RoundRobinCallQueue) {
        ((RoundRobinCallQueue) queue).setLimit(limit);
      }
    }
  }

  private void setLimit(int calls) {
    lock.lock();
    try {
      limit = Math.min(calls, places);
    } finally {
      lock.unlock();
    }
  }

  private static Object connectionOf(CallRunner call) {
    RpcCall rpc = call.getRpcCall();
    Object connection = rpc instanceof ServerCall ? ((ServerCall<?>) rpc).connection : null;
    return connection == null ? NO_CONNECTION : connection;
  }

  /** Returns false if the queue is full, or the call's connection has its share of it. */
  @Override
  public boolean offer(CallRunner call) {
    Object connection = connectionOf.apply(call);
    lock.lock();
    try {
      Waiting waiting = connections.get(connection);
      int left = limit - size;
      if (waiting != null) {
        left -= limit / LIMIT_BY_RESERVE;
      }
      if (left <= 0 || waiting != null && waiting.calls.size() >= (long) SHARE * left) {
        return false;
      }
      if (waiting == null) {
        waiting = new Waiting(connection);
        connections.put(connection, waiting);
        turns.add(waiting);
      }
      waiting.calls.add(call);
      size++;
      notEmpty.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CallRunner poll() {
    if (size == 0) {
      return null;
    }
    lock.lock();
    try {
      return next();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public CallRunner take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (size == 0) {
        notEmpty.await();
      }
      return next();
    } finally {
      lock.unlock();
    }
  }

  /** Returns the call whose turn it is, or null; the caller has the lock. */
  private CallRunner next() {
    Waiting waiting = turns.poll();
    if (waiting == null) {
      return null;
    }
    CallRunner call = waiting.calls.poll();
    if (waiting.calls.isEmpty()) {
      connections.remove(waiting.connection);
    } else if (isClosed(call)) {
      turns.addFirst(waiting);
    } else {
      turns.add(waiting);
    }
    size--;
    return call;
  }

  private static boolean isClosed(CallRunner call) {
    RpcCall rpc = call.getRpcCall();
    return rpc != null && rpc.disconnectSince() >= 0;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int remainingCapacity() {
    lock.lock();
    try {
      return Math.max(0, limit - size);
    } finally {
      lock.unlock();
    }
  }

  /** Of the calls that wait now, by connection. */
  @Override
  public Iterator<CallRunner> iterator() {
    return waiting().iterator();
  }

  @Override
  public Spliterator<CallRunner> spliterator() {
    return waiting().spliterator();
  }

  private List<CallRunner> waiting() {
    List<CallRunner> calls = new ArrayList<>(size);
    lock.lock();
    try {
      for (Waiting waiting : turns) {
        calls.addAll(waiting.calls);
      }
    } finally {
      lock.unlock();
    }
    return Collections.unmodifiableList(calls);
  }

  @Override
  public CallRunner peek() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void put(CallRunner call) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean offer(CallRunner call, long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CallRunner poll(long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int drainTo(Collection<? super CallRunner> target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int drainTo(Collection<? super CallRunner> target, int most) {
    throw new UnsupportedOperationException();
  }
}
