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

import java.util.Objects;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A block as pages list it. The cache knows whether a block is data, of an index or of a bloom
 * filter, and when the block's segment was begun. Immutable.
 */
@InterfaceAudience.Private
final class SegmentCachedBlock implements CachedBlock {
  private final String file;
  private final long offset;
  private final long word;
  private final long cachedNanos;

  SegmentCachedBlock(String file, long offset, long word, long cachedNanos) {
    this.file = file;
    this.offset = offset;
    this.word = word;
    this.cachedNanos = cachedNanos;
  }

  /** Returns MULTI for a block that was read again. */
  @Override
  public BlockPriority getBlockPriority() {
    if (BlockClass.isInMemory(EntryWord.blockClass(word))) {
      return BlockPriority.MEMORY;
    }
    return EntryWord.frequency(word) > 0 ? BlockPriority.MULTI : BlockPriority.SINGLE;
  }

  /** Returns one of the types that its class has. */
  @Override
  public BlockType getBlockType() {
    return BlockClass.type(EntryWord.blockClass(word));
  }

  @Override
  public long getOffset() {
    return offset;
  }

  /** Returns the bytes of the record. */
  @Override
  public long getSize() {
    return EntryWord.length(word);
  }

  /** Returns when the segment was begun that has the block, or was found at a start. */
  @Override
  public long getCachedTime() {
    return cachedNanos;
  }

  @Override
  public String getFilename() {
    return file;
  }

  @Override
  public int compareTo(CachedBlock other) {
    int byFile = file.compareTo(other.getFilename());
    return byFile != 0 ? byFile : Long.compare(offset, other.getOffset());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CachedBlock && compareTo((CachedBlock) other) == 0;
  }

  @Override
  public int hashCode() {
    return Objects.hash(file, offset);
  }

  @Override
  public String toString() {
    return file + "_" + offset;
  }
}
