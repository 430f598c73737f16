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

import org.apache.hadoop.hbase.ipc.PreparedRead;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.ServerCall;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A get that was read before its call ran, or that turned out to need blocks that aren't in memory.
 * Of the latter it knows what a second reading needn't count again.
 */
@InterfaceAudience.Private
final class PreparedGet implements PreparedRead {
  private final HRegion region;
  /** Milliseconds since the epoch. */
  private final long start = EnvironmentEdgeManager.currentTime();
  /** Null if it wasn't read, or isn't this object's any more. */
  private GetBatch batch;
  private boolean notInMemory;
  private final FirstReading reading = new FirstReading();

  PreparedGet(HRegion region) {
    this.region = region;
  }

  /** Returns what the call knows of an attempt, which it doesn't any more; null if nothing. */
  static PreparedGet take(RpcCallContext context) {
    PreparedRead prepared =
      context instanceof ServerCall ? ((ServerCall<?>) context).takePreparedRead() : null;
    return prepared instanceof PreparedGet ? (PreparedGet) prepared : null;
  }

  @Override
  public long getReadTime() {
    return isRead() ? start : 0;
  }

  HRegion getRegion() {
    return region;
  }

  /** Takes over what was read. */
  void setBatch(GetBatch batch) {
    this.batch = batch;
  }

  boolean isRead() {
    return batch != null;
  }

  /** Returns what was read, to be closed by the caller; null if it wasn't. */
  GetBatch takeBatch() {
    GetBatch taken = batch;
    batch = null;
    return taken;
  }

  /** Notes that it wasn't read, since something would have had to be waited for. */
  void setNotInMemory() {
    notInMemory = true;
  }

  boolean isNotInMemory() {
    return notInMemory;
  }

  /** Returns what reading it in memory has counted. */
  FirstReading getReading() {
    return reading;
  }

  @Override
  public void discard() {
    GetBatch unused = takeBatch();
    if (unused != null) {
      unused.close();
    }
  }
}
