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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator.Recycler;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of direct buffers in a few sizes, whose memory begins at a multiple of
 * {@link DirectFile#ALIGNMENT}. Buffers are allocated on demand and kept. Thread-safe.
 */
@InterfaceAudience.Private
public final class AlignedBufferPool {
  /*
   * One lock guards all: it is held for some ten nanoseconds, and a read takes a thousand times as
   * long. The free buffers of a size are a list linked through the buffers, so that taking one and
   * giving it back allocates nothing. If the pool is full and has no buffer of the size, a bigger
   * one is used. If there is none, smaller free buffers are dropped to make room, and the garbage
   * collector frees their memory. It isn't freed at once, since a reader that uses a block after
   * releasing it would crash the process.
   */
  private static final Logger LOG = LoggerFactory.getLogger(AlignedBufferPool.class);

  /** A buffer of the pool. Whoever takes it frees it. */
  public final class PooledBuffer implements Recycler {
    private final int sizeIndex;
    private final ByteBuffer bytes;
    private PooledBuffer next;

    private PooledBuffer(int sizeIndex, ByteBuffer bytes) {
      this.sizeIndex = sizeIndex;
      this.bytes = bytes;
    }

    /** Returns the buffer. Its holder may set position and limit. */
    public ByteBuffer bytes() {
      return bytes;
    }

    /** Gives the buffer back. To be called once. */
    @Override
    public void free() {
      giveBack(this);
    }
  }

  private final int[] sizes;
  @GuardedBy("this")
  private final PooledBuffer[] free;
  @GuardedBy("this")
  private long maxBytes;
  @GuardedBy("this")
  private long bytes;
  private final LongAdder exhausted = new LongAdder();

  /**
   * Creates an empty pool.
   * @param sizes    sizes of buffers in bytes, multiples of {@link DirectFile#ALIGNMENT}
   * @param maxBytes limit for all buffers together
   */
  public AlignedBufferPool(int[] sizes, long maxBytes) {
    this.sizes = sizes.clone();
    Arrays.sort(this.sizes);
    this.maxBytes = maxBytes;
    free = new PooledBuffer[sizes.length];
  }

  /**
   * Takes a buffer and clears it.
   * @param length minimum capacity in bytes
   * @return the buffer, which the caller frees; null if the pool is exhausted, or length exceeds
   *         its biggest size
   */
  public PooledBuffer take(int length) {
    int size = sizeIndex(length);
    PooledBuffer buffer = size < sizes.length ? pollOrMake(size) : null;
    if (buffer == null) {
      exhausted.increment();
    } else {
      buffer.bytes.clear();
    }
    return buffer;
  }

  /** Returns the direct memory of the pool's buffers in bytes, whether they are free or in use. */
  synchronized long getBytes() {
    return bytes;
  }

  /** Returns the limit of the direct memory of the pool's buffers, in bytes. */
  synchronized long getMaxBytes() {
    return maxBytes;
  }

  /** Returns how often {@link #take} returned null. */
  public long getExhaustedCount() {
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
    // Outside the lock, since allocating is slow: the memory is filled with zeros.
    return make(size);
  }

  @GuardedBy("this")
  private PooledBuffer poll(int size) {
    PooledBuffer buffer = free[size];
    if (buffer != null) {
      free[size] = buffer.next;
      buffer.next = null;
    }
    return buffer;
  }

  @GuardedBy("this")
  private PooledBuffer pollBigger(int size) {
    for (int bigger = size + 1; bigger < sizes.length; bigger++) {
      PooledBuffer buffer = poll(bigger);
      if (buffer != null) {
        return buffer;
      }
    }
    return null;
  }

  @GuardedBy("this")
  private boolean reserve(int size) {
    if (bytes + capacity(size) > maxBytes) {
      return false;
    }
    bytes += capacity(size);
    return true;
  }

  @GuardedBy("this")
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

  /** Returns the memory that a buffer takes in bytes, including what its alignment wastes. */
  private int capacity(int size) {
    return sizes[size] + DirectFile.ALIGNMENT;
  }

  private PooledBuffer make(int size) {
    try {
      return new PooledBuffer(size, DirectFile.allocate(sizes[size]));
    } catch (OutOfMemoryError e) {
      synchronized (this) {
        bytes -= capacity(size);
        maxBytes = bytes;
      }
      LOG.warn("The pool of aligned buffers stays at {} bytes, since there is no more direct memory"
        + ". Raise HBASE_OFFHEAPSIZE (-XX:MaxDirectMemorySize) or lower {}.", getBytes(),
        FileEngineSettings.POOL_SIZE.key(), e);
      return null;
    }
  }

  private synchronized void giveBack(PooledBuffer buffer) {
    buffer.next = free[buffer.sizeIndex];
    free[buffer.sizeIndex] = buffer;
  }
}
