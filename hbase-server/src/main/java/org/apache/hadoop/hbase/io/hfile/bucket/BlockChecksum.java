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
import org.apache.hadoop.hbase.conf.SettingsReader;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The checksum of a block that a BucketCache keeps in a file (HBASE-22802): a CRC32C of its header,
 * content and metadata, taken when it is written and compared when it is read, before anything of
 * it is believed.
 */
@InterfaceAudience.Private
final class BlockChecksum {
  /*
   * It is kept with the block's entry in memory, where it fits into the padding, and not in the
   * file. So it also tells a block from an older one in the same place, and the file's format is as
   * ever. In the persisted list of blocks it is a field that servers without checksums don't know
   * and skip; blocks of their lists have none.
   */
  /** For a block without a checksum. One that is 0 is taken for 1. */
  static final int NONE = 0;

  /** Of BucketCacheProtos.BucketEntry, far from those that may yet be added. */
  static final int FIELD_NUMBER = 22802;

  private BlockChecksum() {
  }

  /**
   * Tells whether a cache has checksums: if its configuration says so and its engine copies blocks
   * from a file.
   * @throws IllegalArgumentException if the setting isn't allowed; names the key and what is
   */
  static boolean isWanted(Configuration conf, IOEngine engine) {
    boolean wanted = SettingsReader.readBoolean(conf, FileEngineSettings.CHECKSUM_KEY,
      engine instanceof DirectFileIOEngine);
    wanted &= engine instanceof PersistentIOEngine && !engine.usesSharedMemory();
    if (wanted) {
      MetricsBlockChecksums.register();
    }
    return wanted;
  }

  /**
   * Takes the checksum of a block that is to be written.
   * @param block    from 0 to its limit; nobody else sets its position meanwhile
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
   * Verifies what was read for an entry, if that has a checksum.
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
   * Leaves one entry for each slot, the newest. A list that was written while slots changed hands
   * may have the old and the new one, and whichever is evicted would free the other's slot.
   * @return how many were removed
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

  /** Returns The checksum of an entry of a persisted list, or {@link #NONE}. */
  static int of(UnknownFieldSet fields) {
    UnknownFieldSet.Field field = fields.getField(FIELD_NUMBER);
    return field.getFixed32List().size() == 1 ? field.getFixed32List().get(0) : NONE;
  }
}
