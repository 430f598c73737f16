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

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.apache.hadoop.hbase.ipc.PreparedRead;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The locks of a put that an event loop is to write: with these its thread waits for none. To be
 * discarded by the thread that made it.
 */
@InterfaceAudience.Private
public final class PreparedPut implements PreparedRead {
  private final HRegion region;
  /** Releases the locks. */
  private final Deque<Runnable> locks = new ArrayDeque<>();

  private PreparedPut(HRegion region) {
    this.region = region;
  }

  /** Acquires the locks of a put to a row; returns null if one of them isn't free. */
  static PreparedPut tryAcquire(HRegion region, byte[] row) {
    PreparedPut put = new PreparedPut(region);
    boolean acquired = false;
    try {
      acquired = region.tryLocks(row, put.locks) && tryReadLocks(region.getStores(), put.locks);
    } finally {
      if (!acquired) {
        put.discard();
      }
    }
    return acquired ? put : null;
  }

  private static boolean tryReadLocks(Collection<HStore> stores, Deque<Runnable> locks) {
    for (HStore store : stores) {
      StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
      if (!engine.tryReadLock()) {
        return false;
      }
      locks.push(engine::readUnlock);
    }
    return true;
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
    while (!locks.isEmpty()) {
      locks.pop().run();
    }
  }
}
