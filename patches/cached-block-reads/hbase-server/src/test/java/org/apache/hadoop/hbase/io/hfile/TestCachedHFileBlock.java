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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A block that comes out of a cache is what was cached, whatever its type and checksum. */
@Category({ IOTests.class, SmallTests.class })
public class TestCachedHFileBlock {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCachedHFileBlock.class);

  private static final int DATA_BYTES = 100;

  private static HFileBlock block(BlockType type, ChecksumType checksum, int bytesPerChecksum,
    boolean direct) {
    boolean checksums = bytesPerChecksum > 0;
    HFileContext context = new HFileContextBuilder().withHBaseCheckSum(checksums)
      .withChecksumType(checksum).withBytesPerCheckSum(bytesPerChecksum).build();
    int header = HFileBlock.headerSize(checksums);
    int size = header + DATA_BYTES;
    ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    return new HFileBlockBuilder().withBlockType(type)
      .withOnDiskSizeWithoutHeader(DATA_BYTES).withUncompressedSizeWithoutHeader(DATA_BYTES)
      .withPrevBlockOffset(7).withByteBuff(ByteBuff.wrap(buffer)).withFillHeader(true)
      .withOffset(4711).withNextBlockOnDiskSize(815).withOnDiskDataSizeWithHeader(size)
      .withHFileContext(context).withByteBuffAllocator(ByteBuffAllocator.HEAP)
      .withShared(direct).build();
  }

  /** As a cache does it. */
  private static HFileBlock throughCache(HFileBlock block, boolean direct) throws IOException {
    int length = block.getSerializedLength();
    ByteBuffer heap = ByteBuffer.allocate(length);
    block.serialize(heap, true);
    heap.rewind();
    ByteBuffer cached = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    cached.put(heap).rewind();
    return (HFileBlock) HFileBlock.BLOCK_DESERIALIZER.deserialize(ByteBuff.wrap(cached),
      ByteBuffAllocator.HEAP);
  }

  private static HFileBlock assertSurvives(HFileBlock block, boolean direct) throws IOException {
    HFileBlock found = throughCache(block, direct);
    assertEquals(block, found);
    assertEquals(block.getHFileContext().isUseHBaseChecksum(),
      found.getHFileContext().isUseHBaseChecksum());
    assertEquals(block.getHFileContext().getChecksumType(),
      found.getHFileContext().getChecksumType());
    assertEquals(block.getHFileContext().getBytesPerChecksum(),
      found.getHFileContext().getBytesPerChecksum());
    assertEquals(block.getOnDiskDataSizeWithHeader(), found.getOnDiskDataSizeWithHeader());
    assertEquals(block.getPrevBlockOffset(), found.getPrevBlockOffset());
    assertEquals(block.getNextBlockOnDiskSize(), found.getNextBlockOnDiskSize());
    assertEquals(direct, found.isSharedMem());
    return found;
  }

  @Test
  public void eachTypeAndChecksumComesBack() throws Exception {
    for (BlockType type : BlockType.values()) {
      for (boolean direct : new boolean[] { false, true }) {
        assertSurvives(block(type, ChecksumType.NULL, 0, direct), direct);
        assertSurvives(block(type, ChecksumType.CRC32C, 16384, direct), direct);
        assertSurvives(block(type, ChecksumType.CRC32, 512, direct), direct);
        assertSurvives(block(type, ChecksumType.NULL, 16384, direct), direct);
      }
    }
  }

  @Test
  public void alikeBlocksShareTheirContext() throws Exception {
    HFileBlock plain = block(BlockType.DATA, ChecksumType.NULL, 0, true);
    assertSame(assertSurvives(plain, true).getHFileContext(),
      assertSurvives(plain, true).getHFileContext());
    HFileBlock checked = block(BlockType.DATA, ChecksumType.CRC32C, 16384, true);
    assertSame(assertSurvives(checked, true).getHFileContext(),
      assertSurvives(checked, true).getHFileContext());
  }

  @Test
  public void eachReaderHasABufferOfItsOwn() throws Exception {
    for (boolean direct : new boolean[] { false, true }) {
      HFileBlock block = throughCache(block(BlockType.DATA, ChecksumType.NULL, 0, direct), direct);
      ByteBuff one = block.getBufferWithoutHeader();
      ByteBuff other = block.getBufferWithoutHeader();
      assertEquals(DATA_BYTES, one.limit());
      one.position(10);
      assertEquals(0, other.position());
      assertEquals(DATA_BYTES, other.remaining());
      assertEquals(0, block.getBufferReadOnly().position());
      assertEquals(HFileBlock.headerSize(false) + DATA_BYTES, block.getBufferReadOnly().limit());
    }
  }

  @Test
  public void whatIsNoBlockIsRefused() throws Exception {
    HFileBlock block = block(BlockType.DATA, ChecksumType.NULL, 0, false);
    ByteBuffer bytes = ByteBuffer.allocate(block.getSerializedLength());
    block.serialize(bytes, true);
    bytes.put(3, (byte) '?').rewind();
    IOException e = assertThrows(IOException.class, () -> HFileBlock.BLOCK_DESERIALIZER
      .deserialize(ByteBuff.wrap(bytes), ByteBuffAllocator.HEAP));
    assertTrue(e.getMessage(), e.getMessage().contains("magic"));
  }
}
