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
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The checksum of a block that a BucketCache keeps in a file (HBASE-22802): a CRC32C of its header,
 * content and metadata. It is computed when the block is written, and compared when it is read,
 * before any of its bytes are used.
 */
@InterfaceAudience.Private
final class BlockChecksum {
  /*
   * The checksum is kept in the block's entry in memory, where it fits into the padding, and not in
   * the file. So it also detects an older block in the same slot, and the file format is unchanged.
   * The persisted list of blocks has it in a field that servers without checksums skip. Blocks from
   * their lists have no checksum.
   */
  /** Marks a block without a checksum. A computed checksum of 0 is replaced by 1. */
  static final int NONE = 0;

  /** Field number in BucketCacheProtos.BucketEntry, far from those that may yet be added. */
  static final int FIELD_NUMBER = 22802;

  private BlockChecksum() {
  }

  /**
   * Returns true if the blocks of a cache have checksums: its configuration asks for them, and its
   * engine copies blocks from a file.
   * @throws IllegalArgumentException if the setting isn't allowed; the message names the key and
   *                                  what is allowed
   */
  static boolean isWanted(Configuration conf, IOEngineType engine) {
    boolean wanted = FileEngineSettings.CHECKSUM.read(conf, engine.isGuarded());
    wanted &= engine.hasChecksums();
    if (wanted) {
      MetricsBlockChecksums.register();
    }
    return wanted;
  }

  /**
   * Computes the checksum of a block that is to be written.
   * @param block    from 0 to its limit; no other thread may set its position meanwhile
   * @param metadata from its position to its limit
   */
  static int of(ByteBuff block, ByteBuffer metadata) {
    Crc32c crc = new Crc32c();
    update(crc, block);
    crc.update(metadata, metadata.position(), metadata.limit());
    return toChecksum(crc);
  }

  private static void update(Crc32c crc, ByteBuff bytes) {
    int left = bytes.limit();
    for (ByteBuffer part : bytes.nioByteBuffers()) {
      int length = Math.min(left, part.limit());
      crc.update(part, 0, length);
      left -= length;
    }
  }

  private static int toChecksum(Crc32c crc) {
    int value = crc.get();
    return value == NONE ? 1 : value;
  }

  /**
   * Verifies the bytes that were read for an entry, if the entry has a checksum.
   * @param bytes the block and its metadata, from 0 to its limit; released if they are wrong
   * @throws BlockChecksumException if they are wrong
   */
  static void verify(BucketEntry entry, ByteBuff bytes) throws IOException {
    if (entry.checksum == NONE) {
      return;
    }
    Crc32c crc = new Crc32c();
    update(crc, bytes);
    int found = toChecksum(crc);
    if (found != entry.checksum) {
      bytes.release();
      throw new BlockChecksumException(found, entry.checksum);
    }
    MetricsBlockChecksums.verified();
  }

  /**
   * Removes all but the newest entry of each slot. A list that was written while a slot changed
   * hands may have both entries, and evicting one of them would free the slot of the other.
   * @return the number of entries removed
   */
  static int leaveOneForEachSlot(Map<BlockCacheKey, BucketEntry> blocks) {
    long[] offsets = blocks.values().stream().mapToLong(BucketEntry::offset).sorted().toArray();
    Map<Long, BucketEntry> newest = new HashMap<>();
    for (int i = 1; i < offsets.length; i++) {
      if (offsets[i] == offsets[i - 1]) {
        newest.put(offsets[i], null);
      }
    }
    if (newest.isEmpty()) {
      return 0;
    }
    for (BucketEntry entry : blocks.values()) {
      if (newest.containsKey(entry.offset())) {
        newest.merge(entry.offset(), entry,
          (a, b) -> a.getCachedTime() >= b.getCachedTime() ? a : b);
      }
    }
    int before = blocks.size();
    blocks.values().removeIf(entry -> newest.getOrDefault(entry.offset(), entry) != entry);
    return before - blocks.size();
  }

  /** Returns the checksum of an entry of a persisted list, or {@link #NONE}. */
  static int of(UnknownFieldSet fields) {
    UnknownFieldSet.Field field = fields.getField(FIELD_NUMBER);
    return field.getFixed32List().size() == 1 ? field.getFixed32List().get(0) : NONE;
  }
}
