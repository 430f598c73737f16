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
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.hadoop.hbase.io.hfile.segment.DeviceSegment.Chunk;
import org.apache.hadoop.hbase.io.hfile.segment.SegmentStream.Sink;
import org.apache.yetus.audience.InterfaceAudience;

/** Writes to a part's file, and knows which segments are full. Used by the part's thread. */
@InterfaceAudience.Private
final class PartOutput implements Sink {
  private final PartState part;
  private final PartErrors errors;
  private final SegmentFooters footers;
  /** Longest full first. */
  private final Deque<DeviceSegment> sealed = new ArrayDeque<>();

  PartOutput(PartState part, PartErrors errors) {
    this.part = part;
    this.errors = errors;
    footers = new SegmentFooters(part.getFile());
  }

  /** Returns the footers that the thread uses, which is the only one that may. */
  SegmentFooters getFooters() {
    return footers;
  }

  /** Returns the segments that are full, the one that has been so for longest first. */
  Deque<DeviceSegment> getSealed() {
    return sealed;
  }

  /**
   * Does what waits to be done next.
   * @param waitMs how long to wait for something, in milliseconds
   */
  void runTask(long waitMs) throws InterruptedException {
    part.runTask(this, waitMs);
  }

  /** Does one thing that waits to be done, if there is one. */
  void runWaitingTask() {
    part.runWaitingTask(this);
  }

  /** Writes a chunk. A block that can't be written is missed when it is read. */
  @Override
  public void writeChunk(Chunk chunk) {
    DeviceSegment segment = chunk.getSegment();
    ByteBuffer bytes = chunk.filled();
    bytes.limit((int) DirectFile.align(bytes.limit()));
    try {
      if (!part.isOff()) {
        part.getFile().write(bytes, segment.getFileOffset() + chunk.getStart());
        errors.writeSucceeded();
      }
    } catch (IOException e) {
      errors.writeFailed(e);
      chunk.removeFrom(part.getIndex());
      segment.addLost(chunk);
    } finally {
      segment.removeChunk(chunk);
    }
  }

  @Override
  public void writeFooter(DeviceSegment segment, SegmentFooter footer) {
    if (part.isOff()) {
      return;
    }
    segment.removeLostFrom(footer);
    try {
      // That it fits into a device says nothing of chunks.
      footers.write(segment, footer);
    } catch (IOException e) {
      errors.writeFailed(e);
    }
    part.getIndex().getOccupancy().countReads(segment.getNumber());
    sealed.add(segment);
  }
}
