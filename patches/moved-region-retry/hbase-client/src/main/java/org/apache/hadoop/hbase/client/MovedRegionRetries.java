/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.client;

import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How soon an operation is tried again whose region is on its way to another server: at once if the
 * exception names that server, else after a part of the usual pause that grows with each such
 * retry. These retries are few, and aren't counted as attempts: whatever comes after them is as
 * without them. Thread-safe.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class MovedRegionRetries {
  public static final Setting<Integer> MAX =
    Setting.ofInt("hbase.client.moved.region.retries", 0,
      "How often at most, up to 100 times, a client tries an operation again soon whose region"
        + " moves, at once where it knows the new server; 0 for the pauses that follow any other"
        + " error.").range(0, 100);

  /** What {@link #pause} returns for the usual pause. */
  public static final long USUAL = -1;


  /** The pause grows by one of so many parts, until it is the usual one. */
  private static final int PARTS = 10;

  /** What an error says of its region, the most hopeful first. */
  private static final int MOVED = 0;
  private static final int MOVING = 1;
  private static final int OTHER = 2;

  private final int max;
  private final long usualPause;
  private final AtomicInteger retries = new AtomicInteger();

  /**
   * Creates what an operation has.
   * @param max        how many retries are soon
   * @param usualPause before the operation's second attempt, in any unit
   */
  public MovedRegionRetries(int max, long usualPause) {
    this.max = max;
    this.usualPause = usualPause;
  }

  /**
   * Creates what an operation of a blocking client has.
   * @param callable may be of any kind; only one on a region has such retries
   */
  static MovedRegionRetries of(RetryingCallable<?> callable, long usualPause) {
    ConnectionConfiguration conf = callable instanceof RegionServerCallable
      ? ((RegionServerCallable<?, ?>) callable).getConnection().getConnectionConfiguration()
      : null;
    return new MovedRegionRetries(conf == null ? 0 : conf.getMovedRegionRetries(), usualPause);
  }

  /**
   * Returns the pause before the operation is tried again, in the unit of the usual one.
   * @return {@link #USUAL} if the error isn't that of a region that moves, or there were as many
   *         retries as there may be
   */
  public long pause(Throwable error) {
    return pause(Collections.singleton(error));
  }

  /** The same for errors of a batch, each of which must be that of a region that moves. */
  public long pause(Collection<Throwable> errors) {
    int worst = errors.stream().mapToInt(MovedRegionRetries::rank).max().orElse(OTHER);
    if (max == 0 || worst == OTHER) {
      return USUAL;
    }
    int retry = retries.incrementAndGet();
    if (retry > max) {
      return USUAL;
    }
    return worst == MOVED ? 0 : usualPause * Math.min(retry, PARTS) / PARTS;
  }

  /**
   * Returns which of two errors of a batch decides about its pause: that of a region that moves
   * only if there is no other one, and one that names the next server only if each does.
   * @param before null if there was none before
   * @param last   decides if both say the same, or no retries are soon
   */
  Throwable decisive(Throwable before, Throwable last) {
    return max == 0 || before == null || rank(last) >= rank(before) ? last : before;
  }

  private static int rank(Throwable error) {
    if (error instanceof RegionMovedException) {
      return MOVED;
    }
    return error instanceof NotServingRegionException ? MOVING : OTHER;
  }
}
