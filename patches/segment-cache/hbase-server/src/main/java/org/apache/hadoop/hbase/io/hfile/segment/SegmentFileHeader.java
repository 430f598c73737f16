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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFileContent;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a file of segments begins with: that it is one, and their size and number. Immutable. */
@InterfaceAudience.Private
final class SegmentFileHeader {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentFileHeader.class);
  /** The last byte is the version. */
  private static final long MAGIC = CacheFileContent.HEADER | '2';
  private static final int LENGTH = 16;

  private final long magic;
  private final int segmentSize;
  private final int segments;

  /**
   * Creates the header of a file of this version.
   * @param segmentSize bytes
   */
  SegmentFileHeader(int segmentSize, int segments) {
    this(MAGIC, segmentSize, segments);
  }

  private SegmentFileHeader(long magic, int segmentSize, int segments) {
    this.magic = magic;
    this.segmentSize = segmentSize;
    this.segments = segments;
  }

  /** Returns what a page says from its start. */
  static SegmentFileHeader read(ByteBuffer page) {
    return new SegmentFileHeader(page.getLong(0), page.getInt(8), page.getInt(12));
  }

  void write(ByteBuffer page) {
    page.putLong(0, magic).putInt(8, segmentSize).putInt(12, segments);
  }

  /** Returns true if a file begins with one, of whichever version. */
  boolean isThere() {
    return magic >>> Byte.SIZE == MAGIC >>> Byte.SIZE;
  }

  /** Returns true if segments of the other file are where those of this one are. */
  boolean hasSegmentsOf(SegmentFileHeader other) {
    return magic == other.magic && segmentSize == other.segmentSize;
  }

  int getSegments() {
    return segments;
  }

  @Override
  public String toString() {
    return segments + " segments of " + segmentSize + " bytes in version " + (char) (byte) magic
      + " of the format";
  }

  /**
   * Returns the bytes of a segment that most segments of some files have; 0 if there are none. Who
   * uses the files later sees what they have then.
   * @param usable which sizes count
   */
  static int findSegmentSize(List<Path> files, IntPredicate usable) {
    Map<Integer, Long> counts = new HashMap<>();
    for (Path file : files) {
      SegmentFileHeader header = read(file);
      if (header.magic == MAGIC && header.segments > 0 && usable.test(header.segmentSize)) {
        counts.merge(header.segmentSize, (long) header.segments, Long::sum);
      }
    }
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey)
      .orElse(0);
  }

  /** Returns what a file begins with; of one that isn't there, or can't be read, zeros. */
  private static SegmentFileHeader read(Path file) {
    ByteBuffer start = ByteBuffer.allocate(LENGTH);
    // Another kind of file may have its readers wait.
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
        channel.read(start, 0);
      } catch (IOException e) {
        LOG.debug("What segments {} has can't be read", file, e);
      }
    }
    return read(start);
  }
}
