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
package org.apache.hadoop.hbase.regionserver.wal;

import java.util.Iterator;
import java.util.NavigableSet;
import org.apache.yetus.audience.InterfaceAudience;

/** Finds syncs of a log that are to reach the disks. */
@InterfaceAudience.Private
final class ForcedSyncs {

  private ForcedSyncs() {
  }

  /**
   * Returns true if one of those between two transactions, the first and the one behind the last
   * included, is forced.
   * @param pending   by their transactions
   * @param otherwise what is returned if there is none at all between them
   */
  static boolean any(NavigableSet<SyncFuture> pending, long first, long last, boolean otherwise) {
    boolean found = false;
    // Most of those that wait for an earlier sync are before the first.
    for (Iterator<SyncFuture> futures = pending.descendingIterator(); futures.hasNext();) {
      SyncFuture future = futures.next();
      long txid = future.getTxid();
      if (txid < first) {
        break;
      }
      if (txid <= last + 1 && future.isForceSync()) {
        return true;
      }
      found |= txid > first && txid <= last;
    }
    return !found && otherwise;
  }
}
