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
package org.apache.hadoop.hbase.io.hfile;

import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Striped;

/**
 * Locks the blocks of a file: shared for moves between tiers, exclusive for evictions. So no move
 * is half done while they are evicted, and a move that begins later finds nothing to move. Some
 * files share a lock.
 */
@InterfaceAudience.Private
final class FileLocks {
  private static final int LOCKS = 64;

  private final Striped<ReadWriteLock> locks = Striped.readWriteLock(LOCKS);

  /** Returns the lock to hold while a block of the file moves. */
  Lock forMove(String hfileName) {
    return locks.get(hfileName).readLock();
  }

  /** Returns the lock to hold while blocks of the file are evicted from all tiers. */
  Lock forEviction(String hfileName) {
    return locks.get(hfileName).writeLock();
  }
}
