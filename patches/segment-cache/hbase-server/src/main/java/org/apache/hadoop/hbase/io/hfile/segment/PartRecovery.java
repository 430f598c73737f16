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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
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
  private static final Logger LOG = LoggerFactory.getLogger(PartRecovery.class);
  /** More fillings than may have begun behind the last footer. */
  private static final int SEQUENCES_APART = 1 << 16;

  private final PartState part;
  private final SegmentFile file;
  private final SegmentIndex index;
  private final SavedReads reads;
  private final PartOutput output;
  private final FooterReaders readers;
  private final int firstNumber;
  /** By segment: what its tail says, and whether its blocks are in the index. */
  private final long[] sequences;
  private final int[] lengths;
  private final boolean[] found;
  /** 1 for a segment some of whose blocks may be in the index, though it isn't found. */
  private final AtomicIntegerArray failed;
  private final LongAdder blocks = new LongAdder();
  private final LongAdder withoutRoom = new LongAdder();

  /** @param closed whether the cache is closed, for which this ends */
  PartRecovery(PartState part, PartOutput output, BooleanSupplier closed) {
    this(part, output, closed, Thread::new);
  }

  /** @param threads of those that read */
  PartRecovery(PartState part, PartOutput output, BooleanSupplier closed, ThreadFactory threads) {
    this.part = part;
    this.output = output;
    file = part.getFile();
    index = part.getIndex();
    readers = new FooterReaders(file, output, closed, threads);
    reads = SavedReads.open(file);
    int count = part.getSegments().length;
    firstNumber = part.getSegments()[0].getNumber();
    sequences = new long[count];
    lengths = new int[count];
    found = new boolean[count];
    failed = new AtomicIntegerArray(count);
  }

  /**
   * Reads the footers.
   * @param sealed gets the segments that have one, the oldest first
   * @return false if it ended before all were read, as the cache is closed
   */
  boolean run(Deque<DeviceSegment> sealed) throws IOException, InterruptedException {
    long start = System.nanoTime();
    readers.forEach(Arrays.asList(part.getSegments()), step(this::readTail));
    List<DeviceSegment> full = new ArrayList<>();
    List<DeviceSegment> empty = new ArrayList<>();
    for (DeviceSegment segment : part.getSegments()) {
      (sequence(segment) > 0 ? full : empty).add(segment);
    }
    full.sort(Comparator.comparing(this::sequence).reversed());
    part.setLastSequence(full.isEmpty() ? 0 : sequence(full.get(0)) + SEQUENCES_APART);
    while (empty.size() < PartState.FREE && !full.isEmpty() && !readers.isEnded()) {
      DeviceSegment oldest = full.remove(full.size() - 1);
      output.getFooters().invalidate(oldest);
      empty.add(oldest);
    }
    empty.forEach(part::addFree);
    readers.forEach(full, step(this::recover));
    removeFailed();
    boolean isWhole = !readers.isEnded();
    for (DeviceSegment segment : full) {
      if (found[segment.getNumber() - firstNumber]) {
        sealed.addFirst(segment);
      } else if (isWhole) {
        segment.setSequence(0);
        part.addFree(segment);
      }
    }
    index.tables().forEach(FileTable::trim);
    forgetReads(isWhole);
    LOG.info("Found {} blocks in {} of {} segments of {} in {} ms", blocks.sum(), sealed.size(),
      part.getSegments().length, file.getPath(), (System.nanoTime() - start) / 1_000_000);
    if (withoutRoom.sum() > 0) {
      LOG.warn("{} blocks in {}, those that were cached longest ago, are missed from now on:"
        + " the index is full, with {} blocks in {} MB of direct memory", withoutRoom.sum(),
        file.getPath(), index.getOccupancy().getBlocks(), index.getBytes() >> 20);
    }
    return isWhole;
  }

  /** Goes through the index once, whatever failed. */
  private void removeFailed() {
    if (IntStream.range(0, failed.length()).anyMatch(i -> failed.get(i) != 0)) {
      index.removeSegments(number -> number >= firstNumber
        && number - firstNumber < failed.length() && failed.get(number - firstNumber) != 0);
    }
  }

  private long sequence(DeviceSegment segment) {
    return sequences[segment.getNumber() - firstNumber];
  }

  private interface Reading {
    void apply(SegmentFooters ofReader, DeviceSegment segment) throws IOException;
  }

  private FooterReaders.Step step(Reading reading) {
    return new FooterReaders.Step() {
      @Override
      public void apply(SegmentFooters ofReader, DeviceSegment segment) throws IOException {
        reading.apply(ofReader, segment);
      }

      @Override
      public void failed(DeviceSegment segment, Throwable reason) {
        LOG.warn("A segment at {} of {} starts empty: its footer can't be read",
          segment.getFileOffset(), file.getPath(), reason);
        if (sequence(segment) > 0) {
          failed.set(segment.getNumber() - firstNumber, 1);
        }
      }
    };
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
    index.getOccupancy().begin(segment.getNumber());
    index.getOccupancy().countReads(segment.getNumber());
    if (ofReader.read(segment, sequence, lengths[number])) {
      FoundBlocks ofSegment = new FoundBlocks(index, segment, reads.load(number, sequence));
      ofReader.visit(ofSegment);
      ofSegment.end();
      withoutRoom.add(ofSegment.getWithoutRoom());
      blocks.add(ofSegment.getAdded());
      found[number] = true;
    }
  }

  /** Removes what was saved, unless the next start has to read what this one didn't. */
  private void forgetReads(boolean isWhole) {
    try {
      reads.close();
      if (isWhole) {
        SavedReads.delete(file);
      }
    } catch (IOException e) {
      LOG.warn("What was saved of the reads of blocks in {} can't be removed", file.getPath(), e);
    }
  }
}
