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
package org.apache.hadoop.hbase.io;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the buffers that came from the heap because a {@link ByteBuffAllocator}'s pool was empty
 * (HBASE-21879). Buffers that are too small for the pool, and those of an allocator without a pool,
 * aren't counted. Logs a warning at most once in ten minutes. Thread-safe.
 */
@InterfaceAudience.Private
public final class HeapFallbacks {
  static final long WARN_PERIOD_NANOS = TimeUnit.MINUTES.toNanos(10);

  private static final Logger LOG = LoggerFactory.getLogger(HeapFallbacks.class);

  private final LongSupplier nanoClock;
  private final Consumer<String> warner;
  private final LongAdder count = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final AtomicLong nextWarning;
  private volatile String advice = "Raise " + ByteBuffAllocator.MAX_BUFFER_COUNT_KEY + ".";

  HeapFallbacks() {
    this(System::nanoTime, LOG::warn);
  }

  HeapFallbacks(LongSupplier nanoClock, Consumer<String> warner) {
    this.nanoClock = nanoClock;
    this.warner = warner;
    nextWarning = new AtomicLong(nanoClock.getAsLong());
  }

  /** Returns the number of buffers that came from the heap. */
  public long getCount() {
    return count.sum();
  }

  /** Returns the total size of these buffers, in bytes. */
  public long getBytes() {
    return bytes.sum();
  }

  /**
   * Sets the end of the warning.
   * @param advice a sentence that names the key to change and its new value
   */
  public void setAdvice(String advice) {
    this.advice = advice;
  }

  /** Counts a buffer of this many bytes. */
  void add(int size) {
    count.increment();
    bytes.add(size);
    if (isWarningDue()) {
      warner.accept("The pool of buffers is empty: " + getCount() + " buffers, " + getBytes()
        + " bytes, were taken from the heap since the start. " + advice);
    }
  }

  private boolean isWarningDue() {
    long now = nanoClock.getAsLong();
    long next = nextWarning.get();
    return now - next >= 0 && nextWarning.compareAndSet(next, now + WARN_PERIOD_NANOS);
  }
}
