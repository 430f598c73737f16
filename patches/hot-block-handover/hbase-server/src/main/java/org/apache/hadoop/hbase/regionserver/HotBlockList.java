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
package org.apache.hadoop.hbase.regionserver;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.FileBlocks;
import org.apache.hadoop.io.WritableUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The hot blocks of a region, in groups, the hottest first: index and bloom blocks, then quarters
 * of the data blocks. In a group they are in the order of the file. Immutable.
 */
/*
 * In bytes: MAGIC, VERSION, the number of files, their names, the number of groups, in each group
 * the number of its files, for each of these its number, how many blocks it has, and for each block
 * the distance of its offset to the one before and its size; a CRC32 of all before it. Numbers but
 * the first two and the last one take one to nine bytes each, a block mostly five or six.
 */
@InterfaceAudience.Private
final class HotBlockList {
  static final int MAGIC = 0x48424C4B;
  static final int VERSION = 1;
  /** The first one. It may be empty. */
  static final int GROUP_OF_METADATA = 0;
  private static final int GROUPS_OF_DATA = 4;
  /** Groups that may evict other blocks: metadata, and the hotter half of the data. */
  static final int GROUPS_THAT_EVICT = 1 + GROUPS_OF_DATA / 2;
  private static final int MAX_FILES = 100_000;

  /** A block of a file. */
  static final class Block {
    final String file;
    final long offset;
    /** Bytes on disk, with the header; -1 if unknown. */
    final int size;
    private final boolean data;
    private final int tier;
    private final long heat;

    private Block(String file, long offset, int size, boolean data, int tier, long heat) {
      this.file = file;
      this.offset = offset;
      this.size = size;
      this.data = data;
      this.tier = tier;
      this.heat = heat;
    }
  }

  private static final Comparator<Block> HOTTEST_FIRST =
    Comparator.comparing((Block block) -> block.data).thenComparingInt(block -> block.tier)
      .thenComparing(Comparator.comparingLong((Block block) -> block.heat).reversed());
  private static final Comparator<Block> BY_PLACE =
    Comparator.comparing((Block block) -> block.file).thenComparingLong(block -> block.offset);

  private final List<List<Block>> groups;

  private HotBlockList(List<List<Block>> groups) {
    this.groups = Collections.unmodifiableList(groups);
  }

  /**
   * Lists what a cache has of some files.
   * @param files     names of HFiles
   * @param maxBlocks the most blocks that are listed
   */
  static HotBlockList of(BlockCache cache, Set<String> files, int maxBlocks) {
    PriorityQueue<Block> hottest = new PriorityQueue<>(HOTTEST_FIRST.reversed());
    FileBlocks.visit(cache, files, (file, offset, size, data, tier, heat) -> {
      hottest.add(new Block(file, offset, size, data, tier, heat));
      if (hottest.size() > maxBlocks) {
        hottest.poll();
      }
    });
    List<Block> sorted = new ArrayList<>(hottest);
    sorted.sort(HOTTEST_FIRST);
    return new HotBlockList(group(withoutDuplicates(sorted)));
  }

  /** Returns the name by which the block cache knows a file: of a link, that of its file. */
  static String nameOf(StoreFileReader reader) {
    return reader.getHFileReader().getPath().getName();
  }

  /** Of a block that both tiers have, the first stays. */
  private static List<Block> withoutDuplicates(List<Block> blocks) {
    List<Block> unique = new ArrayList<>(blocks.size());
    Map<String, Set<Long>> seen = new HashMap<>();
    for (Block block : blocks) {
      if (seen.computeIfAbsent(block.file, file -> new HashSet<>()).add(block.offset)) {
        unique.add(block);
      }
    }
    return unique;
  }

  private static List<List<Block>> group(List<Block> sorted) {
    int metadata = 0;
    while (metadata < sorted.size() && !sorted.get(metadata).data) {
      metadata++;
    }
    List<List<Block>> groups = new ArrayList<>();
    addGroup(groups, sorted.subList(0, metadata));
    int data = sorted.size() - metadata;
    for (int i = 0; i < GROUPS_OF_DATA; i++) {
      addGroup(groups, sorted.subList(metadata + data * i / GROUPS_OF_DATA,
        metadata + data * (i + 1) / GROUPS_OF_DATA));
    }
    return groups;
  }

  private static void addGroup(List<List<Block>> groups, List<Block> blocks) {
    List<Block> group = new ArrayList<>(blocks);
    group.sort(BY_PLACE);
    groups.add(group);
  }

  /** Returns the groups, the hottest first. */
  List<List<Block>> groups() {
    return groups;
  }

  int size() {
    return groups.stream().mapToInt(List::size).sum();
  }

  /** Returns a number for each block, sorted, by which {@link #lacking} knows it again. */
  int[] fingerprint() {
    return fingerprint(groups.size());
  }

  /** Returns those of the groups that may evict other blocks. */
  int[] hottest() {
    return fingerprint(Math.min(GROUPS_THAT_EVICT, groups.size()));
  }

  private int[] fingerprint(int groupCount) {
    return groups.subList(0, groupCount).stream().flatMap(List::stream)
      .mapToInt(block -> 31 * block.file.hashCode() + Long.hashCode(block.offset)).sorted()
      .toArray();
  }

  /** Returns the share of some blocks that a list lacks, both by fingerprint. */
  static double lacking(int[] listed, int[] blocks) {
    int lacking = 0;
    for (int i = 0, j = 0; j < blocks.length; j++) {
      while (i < listed.length && listed[i] < blocks[j]) {
        i++;
      }
      lacking += i < listed.length && listed[i] == blocks[j] ? 0 : 1;
    }
    return blocks.length == 0 ? 0 : (double) lacking / blocks.length;
  }

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeInt(VERSION);
      Map<String, Integer> numbers = new HashMap<>();
      List<String> names = new ArrayList<>();
      groups.forEach(group -> group.forEach(block -> numbers.computeIfAbsent(block.file, file -> {
        names.add(file);
        return names.size() - 1;
      })));
      WritableUtils.writeVInt(out, names.size());
      for (String name : names) {
        out.writeUTF(name);
      }
      WritableUtils.writeVInt(out, groups.size());
      for (List<Block> group : groups) {
        write(group, numbers, out);
      }
      out.writeLong(crc(bytes.toByteArray(), bytes.size()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(List<Block> group, Map<String, Integer> numbers, DataOutputStream out)
    throws IOException {
    List<List<Block>> byFile = new ArrayList<>();
    for (Block block : group) {
      if (
        byFile.isEmpty() || !byFile.get(byFile.size() - 1).get(0).file.equals(block.file)
      ) {
        byFile.add(new ArrayList<>());
      }
      byFile.get(byFile.size() - 1).add(block);
    }
    WritableUtils.writeVInt(out, byFile.size());
    for (List<Block> blocks : byFile) {
      WritableUtils.writeVInt(out, numbers.get(blocks.get(0).file));
      WritableUtils.writeVInt(out, blocks.size());
      long offset = 0;
      for (Block block : blocks) {
        WritableUtils.writeVLong(out, block.offset - offset);
        WritableUtils.writeVInt(out, block.size);
        offset = block.offset;
      }
    }
  }

  private static long crc(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }

  /**
   * Reads a list.
   * @throws IOException if these aren't the bytes of one, or of a version that isn't known
   */
  static HotBlockList of(byte[] bytes, int maxBlocks) throws IOException {
    int length = bytes.length - Long.BYTES;
    if (length < 2 * Integer.BYTES) {
      throw new IOException("it has only " + bytes.length + " bytes");
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int magic = in.readInt();
      int version = in.readInt();
      if (magic != MAGIC || version != VERSION) {
        throw new IOException("it isn't a list of hot blocks of version " + VERSION);
      }
      long crc = new DataInputStream(
        new ByteArrayInputStream(bytes, length, Long.BYTES)).readLong();
      if (crc != crc(bytes, length)) {
        throw new IOException("its checksum is wrong");
      }
      List<String> files = new ArrayList<>();
      int count = readCount(in, MAX_FILES);
      for (int i = 0; i < count; i++) {
        files.add(in.readUTF());
      }
      List<List<Block>> groups = new ArrayList<>();
      int left = maxBlocks;
      int groupCount = readCount(in, 1 + GROUPS_OF_DATA);
      for (int i = 0; i < groupCount; i++) {
        groups.add(readGroup(in, files, i > 0, left));
        left -= groups.get(i).size();
      }
      return new HotBlockList(groups);
    }
  }

  /** @param maxBlocks others are left out, as if they weren't listed */
  private static List<Block> readGroup(DataInputStream in, List<String> files, boolean data,
    int maxBlocks) throws IOException {
    List<Block> group = new ArrayList<>();
    int fileCount = readCount(in, files.size());
    for (int i = 0; i < fileCount; i++) {
      String file = files.get(readCount(in, files.size() - 1));
      int blocks = readCount(in, Integer.MAX_VALUE);
      long offset = 0;
      for (int j = 0; j < blocks; j++) {
        offset += WritableUtils.readVLong(in);
        int size = WritableUtils.readVInt(in);
        if (group.size() < maxBlocks) {
          group.add(new Block(file, offset, size, data, 0, 0));
        }
      }
    }
    return group;
  }

  private static int readCount(DataInputStream in, int most) throws IOException {
    int count = WritableUtils.readVInt(in);
    if (count < 0 || count > most) {
      throw new IOException("it has a count of " + count);
    }
    return count;
  }
}
