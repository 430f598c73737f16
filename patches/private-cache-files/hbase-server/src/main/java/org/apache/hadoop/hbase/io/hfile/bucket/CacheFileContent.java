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
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells by what is in a file whether it is a block cache's. Reads only. Stateless. */
/*
 * A cache whose files have a header is known by it. The files of BucketCache have none, but a
 * structure: they are divided into buckets of four of the biggest slots, at whose starts a slot
 * starts as well, whatever size the bucket's slots have or had. So where a bucket starts there is a
 * block, perhaps behind the time at which it was cached, or nothing was ever written. Hundreds of
 * such places in a file of something else aren't all one or the other. In the second file of a
 * cache the buckets go on where they were at the end of the first.
 *
 * Zeros alone say nothing: disk images of several file systems, of LVM and of swap space begin with
 * them.
 */
@InterfaceAudience.Private
public final class CacheFileContent {
  /** What files with a header begin with; the last byte is a version. */
  public static final long HEADER = 0x5345474D454E5400L;

  private static final int UNIT = DirectFile.ALIGNMENT;
  private static final int SLOTS_IN_BUCKET = 4;
  /** The biggest slots by default, without and with direct I/O. */
  private static final int[] BIGGEST_SLOTS = { 513 << 10, 516 << 10 };
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
   * @param length    bytes that the file is known to have as a cache's, or a constant of
   *                  {@link CacheFileLock}
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
        || hasBuckets(channel, number, slotSizes, length == CacheFileLock.NO_LENGTH);
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
    for (long bucket : bucketSizes(slotSizes)) {
      int blocks = countBlocks(channel, number, bucket);
      if (blocks > 0 || blocks == 0 && empty) {
        return true;
      }
    }
    return false;
  }

  /** Returns the bytes of a bucket, with these slots and with those of an earlier configuration. */
  private static Set<Long> bucketSizes(int[] slotSizes) {
    Set<Long> sizes = new LinkedHashSet<>();
    if (slotSizes != null) {
      long biggest = Arrays.stream(slotSizes).max().orElse(BIGGEST_SLOTS[0]);
      sizes.add(SLOTS_IN_BUCKET * biggest);
      sizes.add(SLOTS_IN_BUCKET * DirectFile.align(biggest));
    }
    for (long biggest : BIGGEST_SLOTS) {
      sizes.add(SLOTS_IN_BUCKET * biggest);
    }
    return sizes;
  }

  /** Returns how many of some buckets begin with a block; -1 if one begins with something else. */
  private static int countBlocks(FileChannel channel, int number, long bucket)
    throws IOException {
    long size = channel.size();
    long first = Math.floorMod(-number * size, bucket);
    long buckets = (size - first) / bucket;
    if (buckets < FEWEST_BUCKETS) {
      return -1;
    }
    int blocks = 0;
    long step = Math.max(1, buckets / BUCKETS);
    for (long i = 0; i < buckets; i += step) {
      long position = first + i * bucket;
      ByteBuffer start = read(channel, position, START);
      if (!isStartOfBucket(start, position)) {
        return -1;
      }
      blocks += isUnused(start, position) ? 0 : 1;
    }
    return blocks;
  }

  private static boolean isStartOfBucket(ByteBuffer start, long position) {
    return isUnused(start, position) || isBlock(start, 0) || isBlock(start, Long.BYTES);
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
