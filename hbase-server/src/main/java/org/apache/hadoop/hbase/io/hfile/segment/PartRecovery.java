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
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the blocks in a file that an earlier process wrote, by the footers of its full segments,
 * the newest first. The cache serves meanwhile. Used by the part's thread.
 */
@InterfaceAudience.Private
final class PartRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(PartRecovery.class);
  /** More fillings than may have begun behind the last footer. */
  private static final int SEQUENCES_APART = 1 << 16;

  private final DevicePart part;
  private final PartWriter writer;
  private final SegmentFooters footers;
  private final SegmentFile file;
  private final SegmentIndex index;
  private final SavedReads reads;
  private long blocks;

  PartRecovery(DevicePart part, PartWriter writer, SegmentFooters footers) {
    this.footers = footers;
    this.part = part;
    this.writer = writer;
    file = part.getFile();
    index = part.getIndex();
    reads = SavedReads.open(file);
  }

  /**
   * Reads the footers.
   * @param sealed gets the segments that have one, the oldest first
   */
  void run(Deque<DeviceSegment> sealed) throws IOException, InterruptedException {
    long start = System.nanoTime();
    Map<DeviceSegment, Long> sequences = new HashMap<>();
    List<DeviceSegment> empty = new ArrayList<>();
    for (DeviceSegment segment : part.getSegments()) {
      long sequence = readSequence(segment);
      if (sequence > 0) {
        sequences.put(segment, sequence);
      } else {
        empty.add(segment);
      }
    }
    List<DeviceSegment> full = new ArrayList<>(sequences.keySet());
    full.sort(Comparator.comparing(sequences::get));
    part.setLastSequence(
      full.isEmpty() ? 0 : sequences.get(full.get(full.size() - 1)) + SEQUENCES_APART);
    while (empty.size() < PartWriter.FREE && !full.isEmpty()) {
      DeviceSegment oldest = full.remove(0);
      footers.invalidate(oldest);
      empty.add(oldest);
    }
    empty.forEach(part::addFree);
    for (int i = full.size() - 1; i >= 0 && !writer.isClosed(); i--) {
      DeviceSegment segment = full.get(i);
      if (recover(segment, sequences.get(segment))) {
        sealed.addFirst(segment);
      } else {
        part.addFree(segment);
      }
      writer.runTask(0);
    }
    forgetReads();
    LOG.info("Found {} blocks in {} of {} segments of {} in {} ms", blocks, sealed.size(),
      part.getSegments().length, file.getPath(), (System.nanoTime() - start) / 1_000_000);
  }

  private void forgetReads() {
    try {
      reads.close();
      SavedReads.delete(file);
    } catch (IOException e) {
      LOG.warn("What was saved of the reads of blocks in {} can't be removed", file.getPath(), e);
    }
  }

  /** Returns the sequence in a segment's tail; 0 if there is none, or it can't be read. */
  private long readSequence(DeviceSegment segment) {
    try {
      return footers.readSequence(segment);
    } catch (IOException e) {
      failed(segment, e);
      return 0;
    }
  }

  private void failed(DeviceSegment segment, Exception reason) {
    LOG.warn("A segment at {} of {} starts empty: its footer can't be read",
      segment.getFileOffset(), file.getPath(), reason);
  }

  private boolean recover(DeviceSegment segment, long sequence) {
    segment.setSequence(sequence);
    index.getOccupancy().countReads(segment.getNumber(), true);
    reads.load(segment.getNumber() - part.getSegments()[0].getNumber(), sequence);
    boolean valid = false;
    try {
      valid = footers.read(segment, sequence,
        (name, offset, size, position, length, blockClass) -> {
          long word = EntryWord.of(segment.getNumber(), position, length, blockClass,
            (int) sequence);
          add(name, offset, size, EntryWord.withFrequency(word, reads.frequency(position)));
        });
    } catch (IOException | RuntimeException e) {
      failed(segment, e);
      index.removeSegments(segment.getNumber(), 1);
    }
    if (!valid) {
      segment.setSequence(0);
    }
    return valid;
  }

  /** Adds a block, unless a newer one is there. */
  private void add(String name, long offset, int size, long word) {
    FileTable table = index.getOrCreate(name);
    long there = table.putIfAbsent(offset, size, word);
    while (there == EntryWord.REFUSED && table.isDropped()) {
      table = index.getOrCreate(name);
      there = table.putIfAbsent(offset, size, word);
    }
    blocks += there == EntryWord.NONE ? 1 : 0;
    if (there == EntryWord.REFUSED) {
      index.removeIfEmpty(table);
    }
  }
}
