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

import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.CompactSplit;
import org.apache.yetus.audience.InterfaceAudience;

/** Computes number and size of the buffers in a region server's pool (HBASE-21879). Immutable. */
/*
 * A buffer holds a whole block, so that the block is one piece of memory: the default BLOCKSIZE,
 * the last cell, which may exceed it by an eighth, the block's header and that of the next block,
 * which a reader fetches with it, and the checksums.
 *
 * Buffers are allocated on demand, so their number is what a full load takes: all general handlers,
 * and those that a scheduler adds, with a batch whose blocks aren't in memory, one response each on
 * its way to the client, and everything that reads and writes files meanwhile. Without this class
 * the number is that of the responses alone. It is limited by the remaining direct memory, since a
 * direct buffer beyond that is an OutOfMemoryError.
 */
@InterfaceAudience.Private
final class BufferPoolSizing {
  private static final int KB = 1024;
  private static final int MB = 1024 * KB;
  private static final int BUFFER_BYTES =
    HConstants.DEFAULT_BLOCKSIZE + HConstants.DEFAULT_BLOCKSIZE / 8;

  /** Size of a response that clients ask for by default. */
  private static final int RESPONSE_BYTES = 2 * MB;
  /** One response is sent while the next one is built. */
  private static final int RESPONSES_OF_HANDLER = 2;
  /** Of a big batch; their blocks are held until it is answered. */
  private static final int GETS_OF_BATCH = 50;
  /** Short-lived buffers of a reader: an index block and a compressed block. */
  private static final int BLOCKS_IN_PASSING = 2;
  private static final int BLOCKS_OF_COMPACTED_FILE = 2;

  private static final int UNRESERVED_DIVISOR = 16;
  private static final long LEAST_UNRESERVED = 64L * MB;

  private final boolean enabled;
  private final int bufferSize;
  private final int bufferCount;
  private final boolean countIsSet;
  private final int handlers;
  private final int addedHandlers;
  private final int perHandler;
  private final Map<String, DirectMemoryDemand> parts;
  private final int fileWriters;
  private final int prefetches;
  private final long needed;
  private final long wanted;
  private final long directMemory;
  private final long partsMemory;
  private final long memstoreMemory;
  private final long unreserved;

  /**
   * Computes the size of a pool.
   * @param addedHandlers number of the handlers that the scheduler has of its own
   * @param directMemory  bytes that the JVM allows
   * @throws IllegalArgumentException if a setting isn't allowed; the message names the key, the
   *                                  value and what to do
   */
  BufferPoolSizing(Configuration conf, int addedHandlers, long directMemory) {
    enabled = BufferPoolSettings.ENABLED.read(conf);
    bufferSize = conf.getInt(ByteBuffAllocator.BUFFER_SIZE_KEY, enabled
      ? BUFFER_BYTES
      : ByteBuffAllocator.DEFAULT_BUFFER_SIZE);
    handlers = conf.getInt(HConstants.REGION_SERVER_HANDLER_COUNT,
      HConstants.DEFAULT_REGION_SERVER_HANDLER_COUNT);
    this.addedHandlers = addedHandlers;
    perHandler = RESPONSES_OF_HANDLER * ((RESPONSE_BYTES - 1) / Math.max(bufferSize, 1) + 1)
      + GETS_OF_BATCH + BLOCKS_IN_PASSING;
    parts = DirectMemoryDemand.of(conf);
    fileWriters = fileWriters(conf);
    prefetches = conf.getInt("hbase.hfile.thread.prefetch", 4) * (1 + BLOCKS_IN_PASSING);
    needed = ((long) handlers + addedHandlers) * perHandler + fileWriters + prefetches
      + parts.values().stream().mapToLong(DirectMemoryDemand::getBuffers).sum();
    this.directMemory = directMemory;
    partsMemory = parts.values().stream().mapToLong(DirectMemoryDemand::getBytes).sum();
    memstoreMemory = conf.getLong(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, 0) * MB;
    unreserved = Math.max(directMemory / UNRESERVED_DIVISOR, LEAST_UNRESERVED);
    countIsSet = conf.get(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY) != null;
    wanted = countIsSet ? conf.getInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 0) : needed;
    bufferCount = (int) Math.min(Math.min(wanted, room()), Integer.MAX_VALUE);
  }

  private static int fileWriters(Configuration conf) {
    int compactions = conf.getInt(CompactSplit.LARGE_COMPACTION_THREADS,
      CompactSplit.LARGE_COMPACTION_THREADS_DEFAULT)
      + conf.getInt(CompactSplit.SMALL_COMPACTION_THREADS,
        CompactSplit.SMALL_COMPACTION_THREADS_DEFAULT);
    int files = conf.getInt("hbase.hstore.compaction.max", 10);
    return conf.getInt("hbase.hstore.flusher.count", 2)
      + compactions * (files * BLOCKS_OF_COMPACTED_FILE + 1);
  }

  /** Returns the number of buffers that fit into the direct memory which nothing else takes. */
  private long room() {
    long bytes = directMemory - partsMemory - memstoreMemory - unreserved;
    return Math.max(bytes, 0) / Math.max(bufferSize, 1);
  }

  /** Returns true if the pool is sized here, false if {@link ByteBuffAllocator} sizes it. */
  boolean isEnabled() {
    return enabled;
  }

  /** Returns the size of a buffer in bytes. */
  int getBufferSize() {
    return bufferSize;
  }

  /** Returns the maximum number of buffers: the number that is set or needed, if there is room. */
  int getBufferCount() {
    return bufferCount;
  }

  /** Returns the number of buffers that a full load takes, even if there is less room. */
  long getNeededBuffers() {
    return needed;
  }

  /**
   * Returns a sentence that tells what to change, and to which value, if a pool is too small.
   * @param count maximum number of buffers of the pool
   */
  String advice(int count) {
    long target = Math.min(count < needed ? needed : 2L * count, Integer.MAX_VALUE);
    if (enabled && count < wanted) {
      target = Math.min(target, wanted);
      return "Raise " + memoryFor(target) + ": it then has " + target + " buffers instead of "
        + count + ".";
    }
    return "Set " + ByteBuffAllocator.MAX_BUFFER_COUNT_KEY + ", " + count + ", to " + target
      + (target > room() ? " and raise " + memoryFor(target) + "." : ".");
  }

  /** Returns what to raise, and by how much, so that there is room for this many buffers. */
  private String memoryFor(long count) {
    long reserved = partsMemory + memstoreMemory + count * bufferSize;
    long atLeast = Math.max(reserved + LEAST_UNRESERVED,
      (reserved * UNRESERVED_DIVISOR - 1) / (UNRESERVED_DIVISOR - 1) + 1);
    return "HBASE_OFFHEAPSIZE (-XX:MaxDirectMemorySize), " + directMemory / MB + " MB, by "
      + ((atLeast - directMemory - 1) / MB + 1) + " MB";
  }

  /** Returns true if the number of buffers is set to more than there is room for. */
  boolean isCut() {
    return enabled && countIsSet && bufferCount < wanted;
  }

  /** Returns what to do if {@link #isCut()}. */
  String cutAdvice() {
    long target = Math.min(needed, wanted);
    return ByteBuffAllocator.MAX_BUFFER_COUNT_KEY + " is " + wanted + ", the pool has "
      + bufferCount + " buffers of " + bufferSize + " bytes: the direct memory has no room for"
      + " more. A full load takes " + needed + (bufferCount >= needed
        ? ": lower it."
        : "; for " + target + " raise " + memoryFor(target) + '.');
  }

  /** Returns the numbers and what they are computed from. */
  @Override
  public String toString() {
    return bufferCount + " buffers of " + bufferSize + " bytes at most, "
      + (long) bufferCount * bufferSize / MB + " MB. A full load takes " + needed + ": "
      + perHandler + " for each of " + handlers + " handlers"
      + (addedHandlers > 0 ? " and " + addedHandlers + " of the scheduler's own, " : ", ")
      + parts.entrySet().stream()
        .map(part -> part.getValue().getBuffers() + " for " + part.getKey() + ", ")
        .collect(Collectors.joining())
      + fileWriters + " for flushes and compactions, " + prefetches
      + " for prefetch. There is room for " + room() + ": direct memory of " + directMemory / MB
      + " MB, less " + partsMemory / MB + " for the block cache, " + memstoreMemory / MB
      + " for the memstore and "
      + unreserved / MB + " for file system and network.";
  }
}
