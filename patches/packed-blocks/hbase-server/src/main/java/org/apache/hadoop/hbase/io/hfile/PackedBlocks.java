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
package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells blocks that were cached compressed from others, whatever the setting is by now: it may have
 * been changed since, by a restart with a cache that outlives it or by an alteration of the table.
 */
@InterfaceAudience.Private
final class PackedBlocks {
  private PackedBlocks() {
  }

  /**
   * Returns true if a block has its content as readers need it. If compression didn't change the
   * length nothing tells, and this is false.
   */
  static boolean isSurelyUnpacked(HFileBlock block) {
    return hasSizeOfContent(block) && !mayBePacked(block);
  }

  /** Returns true if a block is as in its file; false if nothing tells. */
  static boolean isSurelyPacked(HFileBlock block) {
    return !hasSizeOfContent(block) && mayBePacked(block);
  }

  private static boolean hasSizeOfContent(HFileBlock block) {
    return block.getBufferLength()
        == block.headerSize() + block.getUncompressedSizeWithoutHeader();
  }

  /**
   * A block that was read from a file tells its size there, without checksums. One that was cached
   * when it was written tells its size with them, and doesn't tell how many there are.
   */
  private static boolean mayBePacked(HFileBlock block) {
    int size = block.getOnDiskDataSizeWithHeader();
    int checksums = size - block.getBufferLength();
    boolean isWithChecksums = size == block.headerSize() + block.getOnDiskSizeWithoutHeader();
    return checksums == 0
      || isWithChecksums && checksums > 0 && checksums % HFileBlock.CHECKSUM_SIZE == 0;
  }

  /**
   * Unpacks a block that was cached compressed, and releases it. Another one is returned as it is.
   * @throws IOException if it can't be unpacked; it isn't released then
   */
  static HFileBlock unpackIfPacked(HFileBlock block, HFileContext context,
    HFileBlock.FSReader reader) throws IOException {
    if (!isSurelyPacked(block)) {
      return block;
    }
    HFileBlock unpacked = block.unpack(context, reader);
    if (unpacked != block) {
      block.release();
    }
    return unpacked;
  }
}
