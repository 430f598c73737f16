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

import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl.WriteEntry;
import org.apache.hadoop.hbase.regionserver.wal.AsyncFSWAL;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Writes of a call, all of one region, for whose sync and visibility the response waits in place of
 * the thread: puts and deletes, an increment or append, or what is done if a row is as expected. A
 * call is told that it may be so; the region asks when it comes to a place where it would wait. Of
 * the call's thread until the response waits, then of who ends the sync.
 */
@InterfaceAudience.Private
final class AsyncPut {
  private final WaitingCalls waiting;
  private final ServerCall<?> call;
  private final HRegion region;
  private final Mutation first;
  private final boolean readsUnsynced;
  private boolean begun;
  /** Null if nothing is to be synced. */
  private AsyncFSWAL wal;
  private long txid;
  private boolean forceSync;
  private UnsyncedWrites writes;
  private WriteEntry entry;
  private boolean answers;

  private AsyncPut(WaitingCalls waiting, ServerCall<?> call, HRegion region, Mutation first,
    boolean readsUnsynced) {
    this.waiting = waiting;
    this.call = call;
    this.region = region;
    this.first = first;
    this.readsUnsynced = readsUnsynced;
  }

  /**
   * Has a batch not wait.
   * @param call          the current call of this thread
   * @param first         of its mutations
   * @param readsUnsynced whether it is made of what increments and appends have written to its row,
   *                      synced or not. They are before it in the log, so it can't be synced
   *                      without them.
   */
  static void allow(WaitingCalls waiting, ServerCall<?> call, HRegion region, Mutation first,
    boolean readsUnsynced) {
    call.setWrites(new AsyncPut(waiting, call, region, first, readsUnsynced));
  }

  /** Whether the current call reads what isn't synced. */
  static boolean readsUnsynced(HRegion region) {
    AsyncPut put = of(region);
    return put != null && put.readsUnsynced;
  }

  /** Whether the current call has read a cell that isn't synced. */
  static boolean isUnsynced(Cell cell) {
    AsyncPut put = current();
    return put != null && put.readsUnsynced && cell instanceof ExtendedCell
      && ((ExtendedCell) cell).getSequenceId() > put.region.getMVCC().getReadPoint();
  }

  /** Returns what the current call has for a region; null if its writes are waited for. */
  private static AsyncPut of(HRegion region) {
    AsyncPut put = current();
    return put != null && put.region == region ? put : null;
  }

  private static AsyncPut current() {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    return call instanceof ServerCall ? (AsyncPut) ((ServerCall<?>) call).getWrites() : null;
  }

  /**
   * Begins to write a batch whose rows are locked, and of which no coprocessor is asked any more.
   * @param first of all mutations, which may be those of a coprocessor's own write
   * @param whole whether it has all mutations that are left; a later part may read what this writes
   */
  static void begin(HRegion region, Mutation first, boolean whole) {
    AsyncPut put = of(region);
    if (put != null) {
      put.begun = whole && put.first == first;
    }
  }

  private static AsyncPut begunOf(HRegion region) {
    AsyncPut put = of(region);
    return put != null && put.begun ? put : null;
  }

  /**
   * Takes a sync upon itself, which is asked for when the batch is in the memstore.
   * @return false if the caller is to sync
   */
  static boolean takesSync(HRegion region, long txid, Durability durability) {
    AsyncPut put = begunOf(region);
    if (put == null || durability.ordinal() <= Durability.ASYNC_WAL.ordinal()) {
      return false;
    }
    put.wal = (AsyncFSWAL) region.getWAL();
    put.txid = txid;
    put.forceSync = durability == Durability.FSYNC_WAL;
    return true;
  }

  /**
   * Has the response wait until a batch is synced and can be read.
   * @param results of its increments and appends; has null for others
   * @return false if the caller is to wait
   */
  static boolean takesEntry(HRegion region, MiniBatchOperationInProgress<Mutation> batch,
    WriteEntry entry, Result[] results) {
    AsyncPut put = begunOf(region);
    if (put == null) {
      return false;
    }
    put.answers = true;
    put.waiting.respondLate(put.call, results).awaitWrite();
    put.send(batch, entry);
    return true;
  }

  /**
   * Has a batch that isn't wholly in the memstore, as its call says, unseen until it is synced.
   * @param entry null if it was completed
   * @return what the caller is to complete; null if nothing
   */
  static WriteEntry takesFailed(HRegion region, MiniBatchOperationInProgress<Mutation> batch,
    WriteEntry entry) {
    AsyncPut put = begunOf(region);
    if (put == null || put.wal == null || entry == null) {
      return entry;
    }
    put.send(batch, entry);
    return null;
  }

  private void send(MiniBatchOperationInProgress<Mutation> batch, WriteEntry writeEntry) {
    call.setWrites(null);
    entry = writeEntry;
    writes = region.getOrCreateUnsyncedWrites();
    writes.add(batch, entry.getWriteNumber());
    if (region.getRegionServerServices().isAborted()) {
      writes.abort();
    }
    if (wal == null) {
      synced(null);
    } else {
      wal.whenSynced(txid, forceSync, this::synced);
    }
  }

  private void synced(Throwable failure) {
    if (failure != null) {
      waiting.execute(() -> fail(failure));
    } else if (region.getMVCC().complete(entry)) {
      end();
    } else {
      region.getMVCC().whenRead(entry.getWriteNumber(), () -> waiting.execute(this::end));
    }
  }

  private void end() {
    writes.end();
    respond(null);
  }

  /**
   * Nobody may read what wasn't synced, and no later write either. A sync succeeds, or the server
   * dies.
   */
  private void fail(Throwable failure) {
    IOException cause = new IOException("Writes of region " + region.getRegionInfo()
      .getRegionNameAsString() + " couldn't be synced to the write-ahead log", failure);
    region.getMVCC().fail(cause);
    writes.end();
    respond(cause);
    RegionServerServices server = region.getRegionServerServices();
    if (!server.isAborted()) {
      server.abort(cause.getMessage(), failure);
    }
  }

  private void respond(IOException failure) {
    if (answers) {
      call.getLateResponse().endWrite(failure, waiting);
    }
  }
}
