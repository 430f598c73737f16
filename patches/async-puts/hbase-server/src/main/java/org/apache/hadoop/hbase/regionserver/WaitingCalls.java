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

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.LateResponse;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/** The calls of a server whose response waits for the write-ahead log. Thread-safe. */
@InterfaceAudience.Private
final class WaitingCalls implements Executor {
  private static final int MOST_CALLS = 4096;
  private static final long MOST_BYTES = 64L << 20;
  /** Which the cells of a response take of a pool, however few they are. */
  private static final int RESPONSE_BUFFER = 64 << 10;
  /** Of what is kept of each write beside its cells, about. */
  private static final int WRITE_BYTES = 1 << 10;

  private final MetricsAsyncPuts metrics = MetricsAsyncPuts.getInstance();
  private final AtomicInteger calls = new AtomicInteger();
  /** Of their requests, their writes, and results. */
  private final AtomicLong bytes = new AtomicLong();
  private final ThreadPoolExecutor executor =
    new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(),
      new ThreadFactoryBuilder().setNameFormat("AsyncPuts-%d").setDaemon(true).build());

  WaitingCalls() {
    executor.allowCoreThreadTimeOut(true);
  }

  /** Returns true if one more may wait. */
  boolean haveRoom() {
    return calls.get() < MOST_CALLS && bytes.get() < MOST_BYTES;
  }

  /**
   * Returns the response of a call, which waits for a batch more.
   * @param results which the response has; has null where there is none
   */
  LateResponse respondLate(ServerCall<?> call, Result[] results) {
    metrics.incrAsync();
    boolean isFirst = call.getLateResponse() == null;
    LateResponse response = call.getOrCreateLateResponse();
    long before = response.getHeldBytes();
    if (isFirst) {
      response.hold(call.getSize());
      response.atEnd(() -> add(-1, -response.getHeldBytes()));
    }
    response.hold(WRITE_BYTES);
    response.holdCells(sizeOf(results), RESPONSE_BUFFER);
    add(isFirst ? 1 : 0, response.getHeldBytes() - before);
    return response;
  }

  private static long sizeOf(Result[] results) {
    long size = 0;
    for (Result result : results) {
      if (result != null && !result.isEmpty()) {
        size += Result.getTotalSizeOfCells(result);
      }
    }
    return size;
  }

  private void add(int newCalls, long newBytes) {
    calls.addAndGet(newCalls);
    bytes.addAndGet(newBytes);
    metrics.addWaiting(newCalls, newBytes);
  }

  /** Does what a thread of the log, or of another write, shouldn't. */
  @Override
  public void execute(Runnable action) {
    executor.execute(action);
  }
}
