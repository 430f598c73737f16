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
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.hadoop.hbase.util.UnsafeAccess;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct buffers whose memory begins at a multiple of {@link DirectFile#ALIGNMENT}, in a few sizes.
 * They are made when they are needed, and kept. Thread-safe.
 */
@InterfaceAudience.Private
final class AlignedBufferPool {
  /*
   * One lock for all: it is held for some ten nanoseconds, beside a read that takes a thousand
   * times as long. Buffers of a size are a list through the buffers themselves, so that taking one
   * and giving it back allocates nothing. When the pool is full and has none of the size, a bigger
   * one will do; if there is none, free ones that are smaller make room, and the collector gives
   * their memory back. It isn't freed at once, since a reader that uses a block after releasing it
   * would crash the process.
   */
  private static final Logger LOG = LoggerFactory.getLogger(AlignedBufferPool.class);

  /** A buffer of the pool, until it is freed. */
  final class PooledBuffer implements Recycler {
    private final int sizeIndex;
    private final ByteBuffer bytes;
    private PooledBuffer next;

    private PooledBuffer(int sizeIndex, ByteBuffer bytes) {
      this.sizeIndex = sizeIndex;
      this.bytes = bytes;
    }

    /** Returns The buffer; its holder may set position and limit. */
    ByteBuffer bytes() {
      return bytes;
    }

    /** Gives the buffer back. To be called once. */
    @Override
    public void free() {
      giveBack(this);
    }
  }

  private final int[] sizes;
  private final PooledBuffer[] free;
  private long maxBytes;
  private long bytes;
  private final LongAdder exhausted = new LongAdder();

  /**
   * @param sizes    of buffers in bytes, multiples of {@link DirectFile#ALIGNMENT}
   * @param maxBytes that all buffers may have together
   */
  AlignedBufferPool(int[] sizes, long maxBytes) {
    this.sizes = sizes.clone();
    Arrays.sort(this.sizes);
    this.maxBytes = maxBytes;
    free = new PooledBuffer[sizes.length];
  }

  /**
   * Takes a buffer, cleared.
   * @param length bytes that it has at least
   * @return the buffer, to be freed by the caller; null if the pool is exhausted, or length is more
   *         than its biggest size
   */
  PooledBuffer take(int length) {
    int size = sizeIndex(length);
    PooledBuffer buffer = size < sizes.length ? pollOrMake(size) : null;
    if (buffer == null) {
      exhausted.increment();
    } else {
      buffer.bytes.clear();
    }
    return buffer;
  }

  /** Returns Bytes of direct memory that the pool's buffers have. */
  synchronized long getBytes() {
    return bytes;
  }

  /** Returns Bytes of direct memory that the pool's buffers may have. */
  synchronized long getMaxBytes() {
    return maxBytes;
  }

  /** Returns How often {@link #take} returned null. */
  long getExhaustedCount() {
    return exhausted.sum();
  }

  private int sizeIndex(int length) {
    int index = 0;
    while (index < sizes.length && sizes[index] < length) {
      index++;
    }
    return index;
  }

  private PooledBuffer pollOrMake(int size) {
    synchronized (this) {
      PooledBuffer buffer = poll(size);
      if (buffer == null && !reserve(size)) {
        buffer = pollBigger(size);
        if (buffer == null && !dropSmaller(size)) {
          return null;
        }
      }
      if (buffer != null) {
        return buffer;
      }
    }
    // Here, since it takes its time: the memory is filled with zeros.
    return make(size);
  }

  private PooledBuffer poll(int size) {
    PooledBuffer buffer = free[size];
    if (buffer != null) {
      free[size] = buffer.next;
      buffer.next = null;
    }
    return buffer;
  }

  private PooledBuffer pollBigger(int size) {
    for (int bigger = size + 1; bigger < sizes.length; bigger++) {
      PooledBuffer buffer = poll(bigger);
      if (buffer != null) {
        return buffer;
      }
    }
    return null;
  }

  private boolean reserve(int size) {
    if (bytes + capacity(size) > maxBytes) {
      return false;
    }
    bytes += capacity(size);
    return true;
  }

  private boolean dropSmaller(int size) {
    for (int smaller = size - 1; smaller >= 0; smaller--) {
      while (poll(smaller) != null) {
        bytes -= capacity(smaller);
        if (reserve(size)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns Bytes of memory for a buffer, with what aligning it costs. */
  private int capacity(int size) {
    return sizes[size] + DirectFile.ALIGNMENT;
  }

  private PooledBuffer make(int size) {
    try {
      ByteBuffer memory = ByteBuffer.allocateDirect(capacity(size));
      long address = UnsafeAccess.directBufferAddress(memory);
      memory.position((int) (DirectFile.align(address) - address));
      memory.limit(memory.position() + sizes[size]);
      return new PooledBuffer(size, memory.slice());
    } catch (OutOfMemoryError e) {
      synchronized (this) {
        bytes -= capacity(size);
        maxBytes = bytes;
      }
      LOG.warn("The pool of aligned buffers stays at {} bytes, since there is no more direct memory"
        + ". Raise HBASE_OFFHEAPSIZE (-XX:MaxDirectMemorySize) or lower {}.", getBytes(),
        DirectFileIOEngine.POOL_SIZE_KEY, e);
      return null;
    }
  }

  private synchronized void giveBack(PooledBuffer buffer) {
    buffer.next = free[buffer.sizeIndex];
    free[buffer.sizeIndex] = buffer;
  }
}
