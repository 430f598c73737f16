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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one call holds of what its closed scanners read: blocks and segments of the memstore. It is
 * released when the call has been answered and the write-ahead log has written the call's edits,
 * whichever is later. Thread-safe.
 */
@InterfaceAudience.Private
public final class HeldCells {
  private static final Logger LOG = LoggerFactory.getLogger(HeldCells.class);

  private final List<HFileBlock> blocks = new ArrayList<>();
  private final Map<Object, Runnable> others = new IdentityHashMap<>();
  /** Bytes of the blocks. */
  private long bytes;
  /** Bytes of blocks of open scanners, which are held when these are closed. */
  @GuardedBy("this")
  private long openBytes;
  /** One of the call, and one of each edit that isn't written. */
  @GuardedBy("this")
  private int references = 1;

  HeldCells() {
  }

  /** Retains a block. */
  synchronized void add(HFileBlock block) {
    block.retain();
    blocks.add(block);
    long size = bytesOf(block);
    bytes += size;
    MetricsCoprocessorCells.held(size, bytes);
  }

  /**
   * Adds what isn't a block.
   * @param key     told from others by identity
   * @param release run when this is released
   * @return false if it was added before
   */
  public synchronized boolean add(Object key, Runnable release) {
    return others.putIfAbsent(key, release) == null;
  }

  /** Counts bytes of blocks that an open scanner has read; less than 0 when it is closed. */
  synchronized void addOpenBytes(long change) {
    openBytes += change;
  }

  /** Returns the bytes that are held, and those that will be when open scanners are closed. */
  synchronized long getBytes() {
    return bytes + openBytes;
  }

  /** Returns true if edits of the call aren't written. */
  synchronized boolean isBeingWritten() {
    return references > 1;
  }

  synchronized void retain() {
    references++;
  }

  /** Gives up a reference. The last one releases what is held. */
  public void release() {
    synchronized (this) {
      if (--references > 0) {
        return;
      }
    }
    blocks.forEach(block -> release(block::release));
    blocks.clear();
    others.values().forEach(HeldCells::release);
    others.clear();
    MetricsCoprocessorCells.released(bytes);
    bytes = 0;
  }

  /** Goes on with what else is held. */
  private static void release(Runnable release) {
    try {
      release.run();
    } catch (RuntimeException e) {
      LOG.error("What a coprocessor's scanner read couldn't be released", e);
    }
  }

  /** Returns the bytes of a block in memory. */
  static long bytesOf(HFileBlock block) {
    return block.headerSize() + block.getUncompressedSizeWithoutHeader();
  }
}
