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

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.apache.hadoop.hbase.io.hfile.bucket.CacheFile;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How often the blocks of a part were read, in a file beside it, from a clean stop to the next
 * start. What it says of segments that were filled anew is ignored; nothing worse can come of a
 * wrong one than that a block stays or goes. Thread-safe.
 */
@InterfaceAudience.Private
final class SavedReads implements Closeable {
  /*
   * For each segment the sequence of its filling, and the place and number of its entries; then the
   * entries of the segments, ascending. An entry is an int: the record's position in the segment,
   * in units, and two bits of frequency. Blocks that weren't read again have none.
   */
  private static final Logger LOG = LoggerFactory.getLogger(SavedReads.class);
  private static final int OF_SEGMENT = 16;
  private static final int FREQUENCY_BITS = 2;
  private static final String SUFFIX = ".reads";
  private static final int[] NONE = new int[0];

  /** Null if there is none. */
  private final FileChannel channel;
  private SavedReads(FileChannel channel) {
    this.channel = channel;
  }

  private static Path path(SegmentFile file) {
    return file.getPath().resolveSibling(file.getPath().getFileName() + SUFFIX);
  }

  /** Returns what was saved of a file's part; nothing if it can't be read. */
  static SavedReads open(SegmentFile file) {
    try {
      return new SavedReads(exists(file)
        ? FileChannel.open(path(file), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)
        : null);
    } catch (IOException e) {
      LOG.warn("How often blocks were read isn't known: {}", e.toString());
      return new SavedReads(null);
    }
  }

  /** Removes what was saved: it is true of one start only. */
  static void delete(SegmentFile file) throws IOException {
    if (exists(file)) {
      Files.delete(path(file));
    }
  }

  /** Throws an exception if it is something else than a file. */
  private static boolean exists(SegmentFile file) throws IOException {
    Path path = path(file);
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(path.toString(), null,
        "isn't a regular file, and is left as it is; delete it");
    }
    return true;
  }

  /**
   * Returns what was saved of a segment, for {@link #frequency}.
   * @param segment number of the segment in the part
   */
  int[] load(int segment, long sequence) {
    if (channel == null) {
      return NONE;
    }
    try {
      ByteBuffer header = read((long) segment * OF_SEGMENT, OF_SEGMENT);
      long start = header.getInt(Long.BYTES);
      long count = header.getInt(Long.BYTES + Integer.BYTES);
      if (
        header.getLong(0) != sequence || start < 0 || count < 0
          || (start + count) * Integer.BYTES > channel.size()
      ) {
        return NONE;
      }
      int[] loaded = new int[(int) count];
      read(start * Integer.BYTES, (int) count * Integer.BYTES).asIntBuffer().get(loaded);
      return loaded;
    } catch (IOException e) {
      LOG.debug("How often blocks of a segment were read isn't known", e);
      return NONE;
    }
  }

  private ByteBuffer read(long position, int bytes) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position()) < 0) {
        throw new EOFException();
      }
    }
    buffer.flip();
    return buffer;
  }

  /** Returns how often a block of a segment was read; 0 if that isn't known. */
  static int frequency(int[] entries, int position) {
    if (entries.length == 0) {
      return 0;
    }
    int first = entry(position, 0);
    int at = Arrays.binarySearch(entries, first);
    at = at < 0 ? -at - 1 : at;
    return at < entries.length && entries[at] >>> FREQUENCY_BITS == first >>> FREQUENCY_BITS
      ? entries[at] & EntryWord.MAX_FREQUENCY
      : 0;
  }

  private static int entry(int position, int frequency) {
    return position / EntryWord.UNIT << FREQUENCY_BITS | frequency;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /**
   * Saves the reads of a part that takes no more blocks.
   * @param segments all of the part
   */
  static void save(SegmentFile file, DeviceSegment[] segments, SegmentIndex index)
    throws IOException {
    int[] counts = new int[segments.length];
    forEach(index, segments, (segment, entry) -> counts[segment]++);
    long bytes = (long) segments.length * OF_SEGMENT
      + Arrays.stream(counts).asLongStream().sum() * Integer.BYTES;
    delete(file);
    if (bytes <= Integer.MAX_VALUE) {
      CacheFile.create(path(file), bytes);
      try (FileChannel out = FileChannel.open(path(file), StandardOpenOption.WRITE)) {
        ByteBuffer content = content((int) bytes, segments, counts, index);
        while (content.hasRemaining()) {
          out.write(content);
        }
      }
    }
  }

  private static ByteBuffer content(int bytes, DeviceSegment[] segments, int[] counts,
    SegmentIndex index) {
    int[][] entries = new int[segments.length][];
    Arrays.setAll(entries, segment -> new int[counts[segment]]);
    int[] next = new int[segments.length];
    forEach(index, segments, (segment, entry) -> {
      // A reader that comes late may have counted another block.
      if (next[segment] < counts[segment]) {
        entries[segment][next[segment]++] = entry;
      }
    });
    ByteBuffer content = ByteBuffer.allocate(bytes);
    int start = segments.length * OF_SEGMENT / Integer.BYTES;
    for (int i = 0; i < segments.length; i++) {
      content.putLong(segments[i].getSequence()).putInt(start).putInt(counts[i]);
      start += counts[i];
    }
    for (int[] ofSegment : entries) {
      Arrays.sort(ofSegment);
      for (int entry : ofSegment) {
        content.putInt(entry);
      }
    }
    content.flip();
    return content;
  }

  private interface Visitor {
    void visit(int segment, int entry);
  }

  /** Visits the blocks of a part that were read again. */
  private static void forEach(SegmentIndex index, DeviceSegment[] segments, Visitor visitor) {
    int first = segments[0].getNumber();
    for (FileTable table : index.tables()) {
      table.visit((offset, size, word) -> {
        int segment = EntryWord.segment(word) - first;
        int frequency = EntryWord.frequency(word);
        if (frequency > 0 && segment >= 0 && segment < segments.length) {
          visitor.visit(segment, entry(EntryWord.position(word), frequency));
        }
      });
    }
  }
}
