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

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFile;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads and writes the footers of a file's segments, with one buffer. Used by one thread. */
@InterfaceAudience.Private
final class SegmentFooters {
  private final SegmentFile file;
  private final ByteBuffer buffer;

  /** @throws IllegalStateException if there is no direct memory for the buffer */
  SegmentFooters(SegmentFile file) {
    this.file = file;
    buffer = file.newFooterBuffer();
  }

  /** Returns the sequence in a segment's tail; 0 if there is none. */
  long readSequence(DeviceSegment segment) throws IOException {
    return readEnd(segment, SegmentFile.PAGE) ? SegmentFooter.sequence(buffer) : 0;
  }

  /** Returns the bytes of the footer whose tail was read last. */
  int getLength() {
    return SegmentFooter.length(buffer);
  }

  /**
   * Reads a segment's footer.
   * @return false if there is none of this sequence that is valid
   */
  boolean read(DeviceSegment segment, long sequence) throws IOException {
    return readSequence(segment) == sequence && read(segment, sequence, getLength());
  }

  /**
   * Reads a footer whose tail was read before.
   * @param length bytes by the tail
   * @return false if it isn't valid
   */
  boolean read(DeviceSegment segment, long sequence, int length) throws IOException {
    return length >= SegmentFooter.TAIL && length <= buffer.capacity()
      && readEnd(segment, (int) DirectFile.align(length))
      && SegmentFooter.isValid(buffer, sequence);
  }

  /** Visits the blocks of the footer that was read last. */
  void visit(SegmentFooter.Visitor visitor) {
    SegmentFooter.visit(buffer, visitor);
  }

  private boolean readEnd(DeviceSegment segment, int bytes) throws IOException {
    buffer.clear().limit(bytes);
    try {
      file.read(buffer, end(segment) - bytes);
      return true;
    } catch (EOFException e) {
      return false;
    }
  }

  private long end(DeviceSegment segment) {
    return segment.getFileOffset() + file.getSegmentSize();
  }

  void write(DeviceSegment segment, SegmentFooter footer) throws IOException {
    int bytes = (int) DirectFile.align(footer.length());
    buffer.clear().limit(bytes);
    footer.write(buffer, segment.getSequence());
    buffer.position(0);
    file.write(buffer, end(segment) - bytes);
  }

  /** Overwrites a segment's tail, so that a start doesn't take what is written next for it. */
  void invalidate(DeviceSegment segment) throws IOException {
    buffer.clear().limit(SegmentFile.PAGE);
    while (buffer.hasRemaining()) {
      buffer.putLong(0);
    }
    buffer.flip();
    file.write(buffer, end(segment) - SegmentFile.PAGE);
  }
}
