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

import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers calls on the event loop that received them, if all that they read is in memory. The
 * others, and all calls while some wait for a handler, go to the scheduler. Thread-safe.
 */
@InterfaceAudience.Private
public final class EventLoopReads {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoopReads.class);

  private final Reader reader;

  /** Reads what calls ask for. */
  public interface Reader {
    /** Returns true if calls of this kind are read before their methods run. */
    boolean takes(RpcCall call);

    /** Reads what a call asks for, if that needs no waiting, and gives it to the call. */
    Outcome read(ServerCall<?> call);
  }

  /** What came of reading ahead. */
  public enum Outcome {
    READ,
    /** Something would have to be waited for. */
    NOT_IN_MEMORY,
    /** The call isn't one of those that are read ahead. */
    OTHER
  }

  /** What one connection may do in one turn of its event loop. Used by that loop's thread alone. */
  static final class Turn {
    /** The longest that a turn answers calls of a connection. */
    private static final long BUDGET_NANOS = 500_000;
    private static final int MAX_SKIPPED = 63;

    private long nanos;
    /** Calls that went to a handler at once after the last one that wasn't in memory. */
    private int skipped;
    /** Calls that still do. */
    private int toSkip;

    /** Ends the turn: what the connection has received was handled. */
    void end() {
      nanos = 0;
    }

    /** Returns false if a call has to go to a handler at once. */
    boolean begin() {
      if (nanos >= BUDGET_NANOS) {
        return false;
      }
      if (toSkip > 0) {
        toSkip--;
        return false;
      }
      return true;
    }

    /** Notes how a call went that this was begun for. */
    void add(Outcome outcome, long spentNanos) {
      nanos += spentNanos;
      if (outcome == Outcome.READ) {
        skipped >>= 1;
      } else if (outcome == Outcome.NOT_IN_MEMORY) {
        skipped = Math.min(2 * skipped + 1, MAX_SKIPPED);
        toSkip = skipped;
      }
    }
  }

  public EventLoopReads(Reader reader) {
    this.reader = reader;
  }

  /**
   * Answers a call.
   * @param turn of the call's connection
   * @return false if the call has to go to the scheduler, and nothing has been done
   */
  boolean answer(ServerCall<?> call, Turn turn, RpcServer server) {
    if (
      !reader.takes(call) || !turn.begin() || server.getScheduler().getGeneralQueueLength() > 0
    ) {
      return false;
    }
    long start = System.nanoTime();
    Outcome outcome = reader.read(call);
    if (outcome == Outcome.READ) {
      run(call, server);
    }
    turn.add(outcome, System.nanoTime() - start);
    return outcome == Outcome.READ;
  }

  /** Runs the call as a handler does. */
  private static void run(ServerCall<?> call, RpcServer server) {
    CallRunner runner = new CallRunner(server, call);
    runner.setStatus(RpcServer.getStatus());
    try {
      runner.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("A call failed on the event loop: {}", call, e);
    } finally {
      call.discardPreparedRead();
    }
  }
}
