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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.io.hfile.bucket.Crc32c;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a full segment has at its end: the names of its files, 24 bytes for each block, and a tail
 * by which the rest is found and verified. Not thread-safe.
 */
@InterfaceAudience.Private
final class SegmentFooter {
  /** Bytes of the tail: magic, sequence, blocks, files, bytes of the footer, CRC32C. */
  static final int TAIL = 32;

  private static final int MAGIC = 0x53454746;
  private static final int ENTRY = 24;
  private static final int MAX_NAME = 1 << 12;

  private final Map<String, Integer> files = new LinkedHashMap<>();
  private int nameBytes;
  private int blocks;
  /** For each block its file's number and class, offset and size, position and length. */
  private long[] entries = new long[192];

  /** Called for each block, for those of a file one after another. */
  interface Visitor {
    /** Position and length are those of the record in bytes. */
    void visit(String file, long offset, int sizeOnDisk, int position, int length, int blockClass);
  }

  /** Returns the bytes of the footer after one more block. */
  int lengthWith(String file) {
    int more = files.containsKey(file) ? 0 : Short.BYTES + utf8(file).length;
    return nameBytes + more + (blocks + 1) * ENTRY + TAIL;
  }

  /** Removes the blocks whose records begin between two positions, the second excluded. */
  void removeBetween(int start, int end) {
    int left = 0;
    for (int i = 0; i < blocks; i++) {
      int position = (int) (entries[3 * i + 2] >>> Integer.SIZE);
      if (position < start || position >= end) {
        System.arraycopy(entries, 3 * i, entries, 3 * left++, 3);
      }
    }
    blocks = left;
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  void add(String file, long offset, int sizeOnDisk, int position, int length, int blockClass) {
    Integer number = files.get(file);
    if (number == null) {
      number = files.size();
      files.put(file, number);
      nameBytes += Short.BYTES + utf8(file).length;
    }
    int at = blocks * 3;
    if (at == entries.length) {
      entries = Arrays.copyOf(entries, 2 * at);
    }
    entries[at] = (long) number << Integer.SIZE | blockClass;
    entries[at + 1] = offset << 24 | sizeOnDisk;
    entries[at + 2] = (long) position << Integer.SIZE | length;
    blocks++;
  }

  /** Returns bytes. */
  int length() {
    return nameBytes + blocks * ENTRY + TAIL;
  }

  /** Writes the footer so that it ends with the buffer's limit. */
  void write(ByteBuffer target, long sequence) {
    int length = length();
    int start = target.limit() - length;
    target.position(start);
    for (String file : files.keySet()) {
      byte[] name = utf8(file);
      target.putShort((short) name.length).put(name);
    }
    target.position(start + nameBytes);
    for (int i : byFile()) {
      target.putLong(entries[3 * i]).putLong(entries[3 * i + 1]).putLong(entries[3 * i + 2]);
    }
    target.putInt(MAGIC).putLong(sequence).putInt(blocks).putInt(files.size()).putInt(length);
    Crc32c crc = new Crc32c();
    crc.update(target, start, target.position());
    target.putLong(crc.get());
  }

  /** Returns the numbers of the blocks, those of a file together, as the index takes them. */
  private int[] byFile() {
    int[] next = new int[files.size() + 1];
    for (int i = 0; i < blocks; i++) {
      next[file(i) + 1]++;
    }
    for (int i = 1; i < next.length; i++) {
      next[i] += next[i - 1];
    }
    int[] sorted = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      sorted[next[file(i)]++] = i;
    }
    return sorted;
  }

  private int file(int block) {
    return (int) (entries[3 * block] >>> Integer.SIZE);
  }

  /** Returns the sequence in the tail that ends with the limit; 0 if there is no tail. */
  static long sequence(ByteBuffer end) {
    int tail = end.limit() - TAIL;
    return end.getInt(tail) == MAGIC ? end.getLong(tail + 4) : 0;
  }

  /** Returns the bytes of the footer that ends with the limit, by its tail. */
  static int length(ByteBuffer end) {
    return end.getInt(end.limit() - TAIL + 20);
  }

  /** Returns true if the footer that ends with the buffer's limit is valid. */
  static boolean isValid(ByteBuffer buffer, long sequence) {
    int length = length(buffer);
    int start = buffer.limit() - length;
    if (sequence(buffer) != sequence || length < TAIL || start < 0) {
      return false;
    }
    Crc32c crc = new Crc32c();
    crc.update(buffer, start, buffer.limit() - Long.BYTES);
    return crc.get() == buffer.getLong(buffer.limit() - Long.BYTES);
  }

  /** Visits the blocks of the valid footer that ends with the buffer's limit. */
  static void visit(ByteBuffer buffer, Visitor visitor) {
    int tail = buffer.limit() - TAIL;
    int blocks = buffer.getInt(tail + 12);
    int fileCount = buffer.getInt(tail + 16);
    ByteBuffer in = buffer.duplicate();
    in.position(buffer.limit() - length(buffer));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < fileCount; i++) {
      byte[] name = new byte[in.getShort() & MAX_NAME - 1];
      in.get(name);
      names.add(new String(name, StandardCharsets.UTF_8));
    }
    for (int i = 0; i < blocks; i++) {
      long first = in.getLong();
      long second = in.getLong();
      long third = in.getLong();
      visitor.visit(names.get((int) (first >>> Integer.SIZE)), second >>> 24,
        (int) (second & 0xFFFFFF), (int) (third >>> Integer.SIZE), (int) third, (int) first);
    }
  }
}
