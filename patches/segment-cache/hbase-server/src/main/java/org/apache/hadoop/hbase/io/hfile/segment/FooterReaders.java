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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what segments of a part have at their ends, by threads of its own. Used by the part's
 * thread, which meanwhile does what waits to be done.
 */
@InterfaceAudience.Private
final class FooterReaders {
  /*
   * A footer is small and far from the next, so that reading is waiting: several threads do it.
   * Each takes some segments that lie together in time, and so have blocks of the same files, whose
   * tables the others then don't need.
   */
  static final int READERS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(FooterReaders.class);
  private static final int SEGMENTS_AT_ONCE = 16;
  private static final int POLL_MS = 5;

  /** What is done with each segment, by any of the threads. */
  interface Step {
    /** @param footers of the thread */
    void apply(SegmentFooters footers, DeviceSegment segment) throws IOException;

    /** Called if that failed. */
    void failed(DeviceSegment segment, Throwable reason);
  }

  private final SegmentFile file;
  private final PartOutput output;
  private final BooleanSupplier closed;
  private final ThreadFactory factory;
  /** Of each thread. */
  private final List<SegmentFooters> footers = new ArrayList<>(READERS);
  private volatile boolean ended;

  /**
   * Opens what reads.
   * @param output of the thread that this is used by
   * @param closed whether the cache is closed
   */
  FooterReaders(SegmentFile file, PartOutput output, BooleanSupplier closed,
    ThreadFactory factory) {
    this.file = file;
    this.output = output;
    this.closed = closed;
    this.factory = factory;
    openFooters();
  }

  /** As many readers as there is direct memory for; without any the part's thread reads. */
  private void openFooters() {
    try {
      while (footers.size() < READERS) {
        footers.add(new SegmentFooters(file));
      }
    } catch (IllegalStateException e) {
      LOG.info("{} threads read the footers of {}: {}", footers.size(), file.getPath(),
        e.getMessage());
    }
  }

  /** Returns true if steps end before they were applied to all segments, as the cache is closed. */
  boolean isEnded() {
    return ended || closed.getAsBoolean();
  }

  /** Applies a step to segments, in about this order. */
  void forEach(List<DeviceSegment> segments, Step step) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Thread> readers = new ArrayList<>();
    for (SegmentFooters ofReader : footers) {
      Thread reader = start(() -> applyToAll(segments, next, step, ofReader));
      if (reader != null) {
        readers.add(reader);
      }
    }
    try {
      if (readers.isEmpty()) {
        applyToAll(segments, next, step, output.getFooters());
      }
      while (readers.stream().anyMatch(Thread::isAlive)) {
        output.runTask(POLL_MS);
      }
    } catch (RuntimeException | Error e) {
      // A task failed. What is done about that must not meet a reader.
      ended = true;
      for (Thread reader : readers) {
        reader.join();
      }
      throw e;
    }
  }

  /** Returns null if there can't be a thread. */
  private Thread start(Runnable task) {
    try {
      Thread reader = factory.newThread(task);
      reader.setName("SegmentCacheReader-" + file.getPath());
      reader.setDaemon(true);
      reader.start();
      return reader;
    } catch (RuntimeException | Error e) {
      LOG.warn("Fewer threads than {} read the footers of {}", READERS, file.getPath(), e);
      return null;
    }
  }

  private void applyToAll(List<DeviceSegment> segments, AtomicInteger next, Step step,
    SegmentFooters ofReader) {
    int from = next.getAndAdd(SEGMENTS_AT_ONCE);
    while (from < segments.size()) {
      int to = Math.min(segments.size(), from + SEGMENTS_AT_ONCE);
      segments.subList(from, to).forEach(segment -> apply(step, ofReader, segment));
      from = next.getAndAdd(SEGMENTS_AT_ONCE);
    }
  }

  private void apply(Step step, SegmentFooters ofReader, DeviceSegment segment) {
    if (isEnded()) {
      return;
    }
    try {
      step.apply(ofReader, segment);
    } catch (IOException | RuntimeException | Error e) {
      try {
        step.failed(segment, e);
      } catch (RuntimeException | Error another) {
        // Such as a lack of memory. The next segments are tried nevertheless.
        LOG.error("The index has blocks of a segment of {} that isn't used", file.getPath(),
          another);
      }
    }
  }
}
