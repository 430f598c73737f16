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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.apache.hadoop.hbase.ipc.PreparedRead;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.regionserver.HRegion.RowLockContext;
import org.apache.hadoop.hbase.regionserver.HRegion.RowLockImpl;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The locks of a put that an event loop is to write: with these its thread waits for none. To be
 * discarded by the thread that made it.
 */
@InterfaceAudience.Private
public final class PreparedPut implements PreparedRead {
  private final HRegion region;
  private final List<Lock> locks = new ArrayList<>(4);
  /** Of the row, which counts this put; null before its lock is asked for. */
  private RowLockContext rowContext;

  private PreparedPut(HRegion region) {
    this.region = region;
  }

  /** Acquires the locks of a put to a row; returns null if one of them isn't free. */
  static PreparedPut tryAcquire(HRegion region, byte[] row) {
    PreparedPut put = new PreparedPut(region);
    boolean acquired = false;
    try {
      acquired = region.tryLocks(row, put);
    } finally {
      if (!acquired) {
        put.discard();
      }
    }
    return acquired ? put : null;
  }

  /** Acquires a lock if it is free. */
  boolean tryLock(Lock lock) {
    boolean acquired = FreeLocks.tryLock(lock);
    if (acquired) {
      locks.add(lock);
    }
    return acquired;
  }

  /** Acquires the lock of the row if it is free; its context has counted this put. */
  boolean tryLock(RowLockImpl lock) {
    rowContext = lock.getContext();
    return tryLock(lock.getLock());
  }

  /** Whether the current call of this thread is a put that an event loop writes. */
  public static boolean isRunning() {
    return current() != null;
  }

  /** Returns the region of such a put, which can't be closed before it ends. */
  static HRegion getRegion() {
    return current().region;
  }

  private static PreparedPut current() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    PreparedRead prepared =
      call instanceof ServerCall ? ((ServerCall<?>) call).getPreparedRead() : null;
    return prepared instanceof PreparedPut ? (PreparedPut) prepared : null;
  }

  @Override
  public long getReadTime() {
    return 0;
  }

  @Override
  public void discard() {
    try {
      while (!locks.isEmpty()) {
        locks.remove(locks.size() - 1).unlock();
      }
    } finally {
      RowLockContext context = rowContext;
      rowContext = null;
      if (context != null) {
        context.cleanUp();
      }
    }
  }
}
