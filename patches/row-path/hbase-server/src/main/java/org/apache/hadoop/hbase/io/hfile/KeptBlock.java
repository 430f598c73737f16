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

import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An index or bloom block in the hands of one thread, which asks it again and again: its buffers
 * are made once. It shares bytes and references with the block that it is made of, and takes over
 * the reference of who makes it. Not thread-safe.
 */
@InterfaceAudience.Private
final class KeptBlock extends HFileBlock {
  private final HFileBlock block;
  private final ByteBuff all;
  private final ByteBuff withoutHeader;

  KeptBlock(HFileBlock block) {
    super(block.getBlockType(), block.getOnDiskSizeWithoutHeader(),
      block.getUncompressedSizeWithoutHeader(), block.getPrevBlockOffset(),
      block.getBufferReadOnly(), false, block.getOffset(), block.getNextBlockOnDiskSize(),
      block.getOnDiskDataSizeWithHeader(), block.getHFileContext(),
      block.getByteBuffAllocator());
    this.block = block;
    all = super.getBufferReadOnly();
    withoutHeader = super.getBufferWithoutHeader();
  }

  @Override
  public boolean isSharedMem() {
    return block.isSharedMem();
  }

  @Override
  public int refCnt() {
    return block.refCnt();
  }

  @Override
  public HFileBlock retain() {
    block.retain();
    return this;
  }

  @Override
  public boolean release() {
    return block.release();
  }

  /** Returns a buffer for one look-up: its position is that of all such buffers. */
  @Override
  public ByteBuff getBufferReadOnly() {
    return all.rewind();
  }

  /** Returns a buffer for one look-up: its position is that of all such buffers. */
  @Override
  public ByteBuff getBufferWithoutHeader() {
    return withoutHeader.rewind();
  }
}
