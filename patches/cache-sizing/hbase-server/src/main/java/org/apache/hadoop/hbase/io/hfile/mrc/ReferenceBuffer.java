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
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * References on their way from the threads that read to the one that counts. Bounded: what comes
 * when there is no room is dropped and counted. Any thread may offer, one at a time may drain.
 */
@InterfaceAudience.Private
final class ReferenceBuffer {
  /*
   * Rings, as Caffeine's read buffer has them: a thread always takes the same ring, so that threads
   * seldom write to the same words, and gives up where it would have to wait.
   */
  private static final int MAX_RINGS = 8;
  private static final int RING_SIZE = 1024;
  private static final int ATTEMPTS = 3;
  /** A reference and its place. */
  private static final int REFERENCE_BYTES = 48;

  private final Ring[] rings;
  private final LongAdder dropped = new LongAdder();

  /** @param threads number of threads that are expected to run at the same time */
  ReferenceBuffer(int threads) {
    rings = new Ring[Integer.highestOneBit(Math.max(1, Math.min(MAX_RINGS, threads)))];
    for (int i = 0; i < rings.length; i++) {
      rings[i] = new Ring();
    }
  }

  void offer(BlockReference reference) {
    long thread = Thread.currentThread().getId() * 0x9E3779B97F4A7C15L;
    if (!rings[(int) (thread >>> Integer.SIZE) & rings.length - 1].offer(reference)) {
      dropped.increment();
    }
  }

  /** Takes what is there, in the order of each thread. */
  void drain(Consumer<BlockReference> consumer) {
    for (Ring ring : rings) {
      ring.drain(consumer);
    }
  }

  /** Returns how many references wait. */
  long size() {
    long size = 0;
    for (Ring ring : rings) {
      size += ring.written.get() - ring.read.get();
    }
    return size;
  }

  /** Returns the bytes of heap that the buffer takes when it is full. */
  long heapSize() {
    return (long) rings.length * RING_SIZE * REFERENCE_BYTES;
  }

  /** Returns how many references were dropped. */
  long getDropped() {
    return dropped.sum();
  }

  private static final class Ring {
    private final AtomicReferenceArray<BlockReference> slots =
      new AtomicReferenceArray<>(RING_SIZE);
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong read = new AtomicLong();

    boolean offer(BlockReference reference) {
      for (int i = 0; i < ATTEMPTS; i++) {
        long position = written.get();
        if (position - read.get() >= RING_SIZE) {
          return false;
        }
        if (written.compareAndSet(position, position + 1)) {
          slots.lazySet((int) position & RING_SIZE - 1, reference);
          return true;
        }
      }
      return false;
    }

    void drain(Consumer<BlockReference> consumer) {
      long position = read.get();
      for (long end = written.get(); position < end; position++) {
        int slot = (int) position & RING_SIZE - 1;
        BlockReference reference = slots.get(slot);
        if (reference == null) {
          break; // it is being written
        }
        slots.lazySet(slot, null);
        read.lazySet(position + 1);
        consumer.accept(reference);
      }
    }
  }
}
