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

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers calls on the event loop that received them, if all that they read is in memory. The
 * others, and all calls while some wait for a handler of gets, go to the scheduler. Thread-safe.
 */
@InterfaceAudience.Private
public final class EventLoopReads {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopReads.class);

  private static final ThreadLocal<Turn> TURN = ThreadLocal.withInitial(Turn::new);

  private final List<Reader> readers = new CopyOnWriteArrayList<>();

  /** Reads what calls ask for. */
  public interface Reader {
    /** Returns true if calls of this kind are read before their methods run. */
    boolean takes(RpcCall call);

    /** Returns true if calls of this kind wait for handlers. */
    default boolean waits(RpcScheduler scheduler) {
      return readsWait(scheduler);
    }

    /** Returns true if trying a call costs so much that it is done less where it is in vain. */
    default boolean isTriedInVain() {
      return true;
    }

    /** Reads what a call asks for, if that needs no waiting, and gives it to the call. */
    Outcome read(ServerCall<?> call);
  }

  /** What came of reading ahead. */
  public enum Outcome {
    READ,
    /** It was tried: something would have to be waited for, or needs another way to read. */
    IN_VAIN,
    /** The call isn't one of those that are read ahead, which was known before it was tried. */
    NOT_TRIED
  }

  /**
   * A turn of an event loop: it handles what all connections have received, then its tasks. Used by
   * the loop's thread alone.
   */
  static final class Turn implements Runnable {
    /** The longest that a turn reads and answers calls. */
    private static final long BUDGET_NANOS = 500_000;

    private long nanos;
    private boolean begun;

    /**
     * Returns false if the time of the turn is over.
     * @param loop runs the end of the turn
     */
    boolean begin(Executor loop) {
      if (!begun) {
        begun = true;
        loop.execute(this);
      }
      return nanos < BUDGET_NANOS;
    }

    void add(long spentNanos) {
      nanos += spentNanos;
    }

    /** Ends the turn. */
    @Override
    public void run() {
      nanos = 0;
      begun = false;
    }
  }

  /**
   * Has a connection try less while its calls are tried in vain. Used by one event loop's thread
   * alone.
   */
  static final class BackOff {
    private static final int MAX_SKIPPED = 63;

    /** Calls that went to a handler at once after the last one that was tried in vain. */
    private int skipped;
    /** Calls that still do. */
    private int toSkip;

    /** Returns true if a call is to go to a handler at once. */
    boolean skips() {
      if (toSkip == 0) {
        return false;
      }
      toSkip--;
      return true;
    }

    /** Notes how a call went that wasn't skipped. */
    void add(Outcome outcome) {
      if (outcome == Outcome.READ) {
        skipped >>= 1;
      } else if (outcome == Outcome.IN_VAIN) {
        skipped = Math.min(2 * skipped + 1, MAX_SKIPPED);
        toSkip = skipped;
      }
    }
  }

  public EventLoopReads(Reader reader) {
    add(reader);
  }

  /** Adds what reads calls of another kind. */
  public void add(Reader reader) {
    readers.add(reader);
  }

  /**
   * Reads what a call asks for.
   * @param backOff of the call's connection
   * @param loop    whose thread this is
   * @return true if the call is to be {@link #run}; else it goes to the scheduler
   */
  boolean read(ServerCall<?> call, BackOff backOff, Executor loop, RpcServer server) {
    for (Reader reader : readers) {
      if (reader.takes(call)) {
        return read(call, reader, backOff, loop, server);
      }
    }
    return false;
  }

  private static boolean read(ServerCall<?> call, Reader reader, BackOff backOff, Executor loop,
    RpcServer server) {
    if (
      reader.waits(server.getScheduler()) || reader.isTriedInVain() && backOff.skips()
    ) {
      return false;
    }
    Turn turn = TURN.get();
    if (!turn.begin(loop)) {
      return false;
    }
    long start = System.nanoTime();
    Outcome outcome = reader.read(call);
    turn.add(System.nanoTime() - start);
    if (reader.isTriedInVain()) {
      backOff.add(outcome);
    }
    return outcome == Outcome.READ;
  }

  /** Whether calls wait for the handlers of gets. With own queues writes and scans don't. */
  static boolean readsWait(RpcScheduler scheduler) {
    int calls = scheduler.getGeneralQueueLength();
    return calls > 0 && calls > scheduler.getWriteQueueLength() + scheduler.getScanQueueLength();
  }

  /** Runs a call that was read, as a handler does. */
  void run(ServerCall<?> call, RpcServer server) {
    long start = System.nanoTime();
    try {
      CallRunner runner = new CallRunner(server, call);
      runner.setStatus(RpcServer.getStatus());
      runner.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A call failed on the event loop: {}", call, e);
    } finally {
      call.discardPreparedRead();
      TURN.get().add(System.nanoTime() - start);
    }
  }
}
