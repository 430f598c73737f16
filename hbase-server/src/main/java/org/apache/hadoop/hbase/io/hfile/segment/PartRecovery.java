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
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the blocks in a file that an earlier process wrote, by the footers of its full segments,
 * the newest first. The cache serves meanwhile. Used by the part's thread, which does what waits to
 * be done while threads of its own read.
 */
@InterfaceAudience.Private
final class PartRecovery {
  /*
   * A footer is small and far from the next, so that reading is waiting: several threads do it.
   * Each takes some segments that lie together in time, and so have blocks of the same files, whose
   * tables the others then don't need.
   */
  static final int READERS = 4;

  private static final Logger LOG = LoggerFactory.getLogger(PartRecovery.class);
  private static final int SEGMENTS_AT_ONCE = 16;
  private static final int POLL_MS = 5;
  /** More fillings than may have begun behind the last footer. */
  private static final int SEQUENCES_APART = 1 << 16;

  private final DevicePart part;
  private final PartWriter writer;
  private final SegmentFile file;
  private final SegmentIndex index;
  private final SavedReads reads;
  private final List<SegmentFooters> footers = new ArrayList<>(READERS);
  private final int firstNumber;
  /** By segment: what its tail says, and whether its blocks are in the index. */
  private final long[] sequences;
  private final int[] lengths;
  private final boolean[] found;
  private final LongAdder blocks = new LongAdder();

  PartRecovery(DevicePart part, PartWriter writer) {
    this.part = part;
    this.writer = writer;
    file = part.getFile();
    index = part.getIndex();
    openFooters();
    reads = SavedReads.open(file);
    int count = part.getSegments().length;
    firstNumber = part.getSegments()[0].getNumber();
    sequences = new long[count];
    lengths = new int[count];
    found = new boolean[count];
  }

  /** As many readers as there is direct memory for, one at least. */
  private void openFooters() {
    footers.add(new SegmentFooters(file));
    try {
      while (footers.size() < READERS) {
        footers.add(new SegmentFooters(file));
      }
    } catch (IllegalStateException e) {
      LOG.info("{} threads read the footers of {}: {}", footers.size(), file.getPath(),
        e.getMessage());
    }
  }

  /**
   * Reads the footers.
   * @param sealed gets the segments that have one, the oldest first
   */
  void run(Deque<DeviceSegment> sealed) throws IOException, InterruptedException {
    long start = System.nanoTime();
    forEach(Arrays.asList(part.getSegments()), this::readTail);
    List<DeviceSegment> full = new ArrayList<>();
    List<DeviceSegment> empty = new ArrayList<>();
    for (DeviceSegment segment : part.getSegments()) {
      (sequence(segment) > 0 ? full : empty).add(segment);
    }
    full.sort(Comparator.comparing(this::sequence).reversed());
    part.setLastSequence(full.isEmpty() ? 0 : sequence(full.get(0)) + SEQUENCES_APART);
    while (empty.size() < PartWriter.FREE && !full.isEmpty()) {
      DeviceSegment oldest = full.remove(full.size() - 1);
      footers.get(0).invalidate(oldest);
      empty.add(oldest);
    }
    empty.forEach(part::addFree);
    forEach(full, this::recover);
    for (DeviceSegment segment : full) {
      if (found[segment.getNumber() - firstNumber]) {
        sealed.addFirst(segment);
      } else if (!writer.isClosed()) {
        segment.setSequence(0);
        part.addFree(segment);
      }
    }
    index.tables().forEach(FileTable::trim);
    forgetReads();
    LOG.info("Found {} blocks in {} of {} segments of {} in {} ms", blocks.sum(), sealed.size(),
      part.getSegments().length, file.getPath(), (System.nanoTime() - start) / 1_000_000);
  }

  private long sequence(DeviceSegment segment) {
    return sequences[segment.getNumber() - firstNumber];
  }

  private interface Step {
    void apply(SegmentFooters ofReader, DeviceSegment segment) throws IOException;
  }

  /** Applies a step to segments, in about this order, by several threads. */
  private void forEach(List<DeviceSegment> segments, Step step) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    CountDownLatch running = new CountDownLatch(footers.size());
    for (SegmentFooters ofReader : footers) {
      Thread reader = new Thread(() -> {
        try {
          int from = next.getAndAdd(SEGMENTS_AT_ONCE);
          while (from < segments.size()) {
            int to = Math.min(segments.size(), from + SEGMENTS_AT_ONCE);
            segments.subList(from, to).forEach(segment -> apply(step, ofReader, segment));
            from = next.getAndAdd(SEGMENTS_AT_ONCE);
          }
        } finally {
          running.countDown();
        }
      }, "SegmentCacheReader-" + file.getPath());
      reader.setDaemon(true);
      reader.start();
    }
    while (running.getCount() > 0) {
      writer.runTask(POLL_MS);
    }
  }

  private void apply(Step step, SegmentFooters ofReader, DeviceSegment segment) {
    if (!writer.isClosed()) {
      try {
        step.apply(ofReader, segment);
      } catch (IOException | RuntimeException | Error e) {
        LOG.warn("A segment at {} of {} starts empty: its footer can't be read",
          segment.getFileOffset(), file.getPath(), e);
        if (sequence(segment) > 0) {
          index.removeSegments(segment.getNumber(), 1);
        }
      }
    }
  }

  private void readTail(SegmentFooters ofReader, DeviceSegment segment) throws IOException {
    int number = segment.getNumber() - firstNumber;
    sequences[number] = ofReader.readSequence(segment);
    lengths[number] = ofReader.getLength();
  }

  private void recover(SegmentFooters ofReader, DeviceSegment segment) throws IOException {
    int number = segment.getNumber() - firstNumber;
    long sequence = sequences[number];
    segment.setSequence(sequence);
    index.getOccupancy().countReads(segment.getNumber(), true);
    if (ofReader.read(segment, sequence, lengths[number])) {
      FoundBlocks ofSegment = new FoundBlocks(index, segment, reads.load(number, sequence));
      ofReader.visit(ofSegment);
      ofSegment.end();
      blocks.add(ofSegment.getAdded());
      found[number] = true;
    }
  }

  private void forgetReads() {
    try {
      reads.close();
      SavedReads.delete(file);
    } catch (IOException e) {
      LOG.warn("What was saved of the reads of blocks in {} can't be removed", file.getPath(), e);
    }
  }
}
