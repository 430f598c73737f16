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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.util.StringUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The response of a call that waits for writes of the call, while the thread that ran its method
 * goes on with others. It is sent by whoever ends last, a write or the method. The request's
 * buffers are held until then. The thread that runs the method calls {@link #awaitWrite}; writes
 * may end in any thread.
 */
@InterfaceAudience.Private
public final class LateResponse {
  private static final Logger LOG = LoggerFactory.getLogger(LateResponse.class);

  /** What is told of slow calls is no work for a thread of the log, nor are many actions. */
  private static final int SLOW_MS = 100;
  private static final int MOST_ACTIONS = 16;

  private final ServerCall<?> call;
  /** Writes that haven't ended, and the method. */
  private final AtomicInteger awaited = new AtomicInteger(1);
  /** What is done when all have ended, if none failed. Of the method's thread until it ends. */
  private final List<Runnable> afterwards = new ArrayList<>(2);
  /** Of the method's thread. */
  private boolean methodEnded;
  private volatile IOException failure;
  private Runnable atEnd;
  /** Of the method's thread until it ends. */
  private long heldBytes;
  private boolean holdsCells;

  LateResponse(ServerCall<?> call) {
    this.call = call;
    call.retainByWAL();
  }

  /**
   * Has something done when the writes have ended that the response of this thread's call awaits.
   * @param action isn't run if a write fails
   * @return false if the response waits for none, and the caller is to do it at once
   */
  public static boolean defer(Runnable action) {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    return call instanceof ServerCall && defer((ServerCall<?>) call, action);
  }

  static boolean defer(ServerCall<?> call, Runnable action) {
    LateResponse response = call.getLateResponse();
    if (response == null) {
      return false;
    }
    response.afterwards.add(action);
    return true;
  }

  /** Has something done when all have ended, failed or not. */
  public void atEnd(Runnable action) {
    atEnd = action;
  }

  /** Adds bytes that are held until it is sent. */
  public void hold(long bytes) {
    heldBytes += bytes;
  }

  /** Adds bytes of cells in the response, and once what that takes for them. */
  public void holdCells(long bytes, long onceBytes) {
    heldBytes += bytes;
    if (bytes > 0 && !holdsCells) {
      holdsCells = true;
      heldBytes += onceBytes;
    }
  }

  public long getHeldBytes() {
    return heldBytes;
  }

  /** Has the response wait for one more write. */
  public void awaitWrite() {
    awaited.incrementAndGet();
  }

  /**
   * Ends a write, and sends the response if it was the last to end.
   * @param cause    why it failed, which is the response then; null if it didn't
   * @param executor does so if that may take long
   */
  public void endWrite(IOException cause, Executor executor) {
    if (cause != null) {
      failure = cause;
    }
    if (awaited.decrementAndGet() > 0) {
      return;
    }
    if (
      afterwards.size() > MOST_ACTIONS
        || EnvironmentEdgeManager.currentTime() - call.getStartTime() > SLOW_MS
    ) {
      executor.execute(this::endAndSend);
    } else {
      endAndSend();
    }
  }

  private void endAndSend() {
    end();
    try {
      call.sendResponseIfReady();
    } catch (IOException e) {
      LOG.warn("The response of {} couldn't be sent", call.toShortString(), e);
    }
  }

  /**
   * Ends the method of a call, which has a response by now, or won't have one.
   * @return true if a write is still to end, which sends it
   */
  static boolean endMethod(RpcCall call) {
    LateResponse response =
      call instanceof ServerCall ? ((ServerCall<?>) call).getLateResponse() : null;
    return response != null && response.endMethod();
  }

  private boolean endMethod() {
    if (methodEnded) {
      return true;
    }
    methodEnded = true;
    if (awaited.decrementAndGet() > 0) {
      return true;
    }
    end();
    return false;
  }

  private void end() {
    try {
      IOException cause = failure;
      if (cause == null) {
        afterwards.forEach(Runnable::run);
      } else {
        call.connection.rpcServer.getMetrics().exception(cause);
        call.setResponse(null, null, cause, StringUtils.stringifyException(cause));
      }
    } catch (RuntimeException e) {
      LOG.error("What follows the writes of {} failed", call.toShortString(), e);
    } finally {
      call.releaseByWAL();
      if (atEnd != null) {
        atEnd.run();
      }
    }
  }
}
