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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells by what is in a file whether it is a block cache's. Reads only. Stateless. */
/*
 * A cache whose files have a header is known by it. The files of BucketCache have none, but a
 * structure: they are divided into buckets of four of the biggest slots, at whose starts a slot
 * starts as well, whatever size the bucket's slots have or had. So where a bucket starts there is a
 * block, perhaps behind the time at which it was cached, or nothing was ever written. Hundreds of
 * such places in a file of something else aren't all one or the other. The last slot of a bucket is
 * used first, so in a cache that has no full bucket yet, one of these has a block. In the second
 * file of a cache the buckets go on where they were at the end of the first.
 *
 * Zeros alone say nothing: disk images of several file systems, of LVM and of swap space begin with
 * them.
 */
@InterfaceAudience.Private
public final class CacheFileContent {
  /** What files with a header begin with; the last byte is a version. */
  public static final long HEADER = 0x5345474D454E5400L;

  /** In place of a file's length: a version locked it that doesn't write the length. */
  static final long NO_LENGTH = -1;

  private static final int UNIT = DirectFile.ALIGNMENT;
  private static final int SLOTS_IN_BUCKET = 4;
  /** Kilobytes of the slots by default; with direct I/O they are aligned. */
  private static final int[] SLOTS =
    { 5, 9, 17, 33, 41, 49, 57, 65, 97, 129, 193, 257, 385, 513 };
  private static final int FEWEST_BUCKETS = 4;
  /** Buckets that are looked at. */
  private static final int BUCKETS = 512;
  /** Bytes at the start of a slot that are looked at. */
  private static final int START = 2048;

  private CacheFileContent() {
  }

  /**
   * Returns true if a file, which exists, is a block cache's or empty.
   * @param number    the file's number among those of its cache, from 0
   * @param slotSizes bytes; null for the default sizes
   * @param length    bytes that the file is known to have as a cache's, {@link #NO_LENGTH}, or less
   *                  if nothing is known of it
   * @throws IOException if the file can't be read
   */
  static boolean isOfCache(Path file, int number, int[] slotSizes, long length)
    throws IOException {
    try (FileChannel channel =
      FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      long size = channel.size();
      boolean isKnown = size == length && size >= START
        && (number > 0 || isStartOfBucket(read(channel, 0, START), 0));
      return size == 0 || isKnown || hasHeader(channel)
        || hasBuckets(channel, number, slotSizes, length == NO_LENGTH);
    }
  }

  private static boolean hasHeader(FileChannel channel) throws IOException {
    ByteBuffer start = read(channel, 0, 2 * Long.BYTES);
    if (start.limit() < 2 * Long.BYTES) {
      return false;
    }
    int size = start.getInt(Long.BYTES);
    int count = start.getInt(Long.BYTES + Integer.BYTES);
    return start.getLong(0) >>> Byte.SIZE == HEADER >>> Byte.SIZE && size > 0 && size % UNIT == 0
      && count > 0;
  }

  /** @param empty whether no bucket needs to have been written to */
  private static boolean hasBuckets(FileChannel channel, int number, int[] slotSizes,
    boolean empty) throws IOException {
    for (long[] slots : slots(slotSizes)) {
      long bucket = SLOTS_IN_BUCKET * Arrays.stream(slots).max().orElse(0);
      long[] buckets = someBuckets(channel.size(), number, bucket);
      int blocks = countBlocks(channel, buckets);
      if (
        blocks > 0
          || blocks == 0 && (empty || isLastSlotUsed(channel, buckets, bucket, slots))
      ) {
        return true;
      }
    }
    return false;
  }

  /** Returns the bytes of slots: of these and of an earlier configuration, each also aligned. */
  private static List<long[]> slots(int[] slotSizes) {
    List<long[]> slots = new ArrayList<>();
    if (
      slotSizes != null && slotSizes.length > 0
        && Arrays.stream(slotSizes).allMatch(size -> size > 0)
    ) {
      slots.add(Arrays.stream(slotSizes).asLongStream().toArray());
    }
    slots.add(Arrays.stream(SLOTS).mapToLong(kilobytes -> kilobytes << 10).toArray());
    for (int i = slots.size() - 1; i >= 0; i--) {
      slots.add(Arrays.stream(slots.get(i)).map(DirectFile::align).toArray());
    }
    return slots;
  }

  /** Returns where some of a file's buckets begin; none if it has too few to be known by them. */
  private static long[] someBuckets(long size, int number, long bucket) {
    long first = Math.floorMod(-number * size, bucket);
    long buckets = (size - first) / bucket;
    if (buckets < FEWEST_BUCKETS) {
      return new long[0];
    }
    long step = Math.max(1, buckets / BUCKETS);
    return LongStream.range(0, (buckets + step - 1) / step).map(i -> first + i * step * bucket)
      .toArray();
  }

  /** Returns how many buckets begin with a block; -1 if one begins with something else, or none. */
  private static int countBlocks(FileChannel channel, long[] buckets) throws IOException {
    int blocks = 0;
    for (long position : buckets) {
      ByteBuffer start = read(channel, position, START);
      if (!isStartOfBucket(start, position)) {
        return -1;
      }
      blocks += isUnused(start, position) ? 0 : 1;
    }
    return buckets.length == 0 ? -1 : blocks;
  }

  private static boolean isLastSlotUsed(FileChannel channel, long[] buckets, long bucket,
    long[] slots) throws IOException {
    for (long position : buckets) {
      for (long slot : slots) {
        if (isBlock(read(channel, position + (bucket / slot - 1) * slot, START))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isStartOfBucket(ByteBuffer start, long position) {
    return isUnused(start, position) || isBlock(start);
  }

  private static boolean isBlock(ByteBuffer start) {
    return isBlock(start, 0) || isBlock(start, Long.BYTES);
  }

  private static boolean isBlock(ByteBuffer start, int offset) {
    try {
      BlockType.parse(start.array(), offset, BlockType.MAGIC_LENGTH);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns true for zeros, also behind what the trial of a device leaves. */
  private static boolean isUnused(ByteBuffer start, long position) {
    long first = start.getLong(0);
    for (int i = Long.BYTES; i < START; i += Long.BYTES) {
      if (start.getLong(i) != 0) {
        return false;
      }
    }
    return first == 0 || first == ~position;
  }

  private static ByteBuffer read(FileChannel channel, long position, int bytes)
    throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    int read = 0;
    while (read >= 0 && buffer.hasRemaining()) {
      read = channel.read(buffer, position + buffer.position());
    }
    buffer.flip();
    return buffer;
  }
}
