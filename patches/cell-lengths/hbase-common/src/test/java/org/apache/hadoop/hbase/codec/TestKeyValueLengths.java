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
package org.apache.hadoop.hbase.codec;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.MultiByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** A damaged cell block yields no cell with parts outside its own bytes. */
@Category({ MiscTests.class, SmallTests.class })
public class TestKeyValueLengths {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestKeyValueLengths.class);

  private static final int[] EXTREMES = { 0, 1, -1, 2, 127, 128, 255, 256, 32767, 32768, 65535,
    1 << 20, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE };
  private static final int LEAST_CELL = 20;

  private final List<Cell> cells = Arrays.asList(cell("row", "f", "q", "value"),
    cell("", "", "", ""), cell("other", "family", "qualifier", ""),
    cell("tagged", "f", "q", "v", new ArrayBackedTag((byte) 1, "tag"),
      new ArrayBackedTag((byte) 2, "")));

  private static Cell cell(String row, String family, String qualifier, String value,
    Tag... tags) {
    return new KeyValue(Bytes.toBytes(row), Bytes.toBytes(family), Bytes.toBytes(qualifier), 1L,
      KeyValue.Type.Put, Bytes.toBytes(value), Arrays.asList(tags));
  }

  private byte[] encoded(Codec codec) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Codec.Encoder encoder = codec.getEncoder(bytes);
    for (Cell cell : cells) {
      encoder.write(cell);
    }
    encoder.flush();
    return bytes.toByteArray();
  }

  /**
   * Returns the bytes in a buffer on the heap, in one off the heap, and in several, across cells.
   */
  private static List<ByteBuff> buffers(byte[] bytes) {
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length);
    direct.put(bytes).flip();
    List<ByteBuffer> parts = new ArrayList<>();
    for (int i = 0; i < bytes.length; i += 16) {
      parts.add(ByteBuffer.wrap(Arrays.copyOfRange(bytes, i, Math.min(i + 16, bytes.length))));
    }
    return Arrays.asList(new SingleByteBuff(ByteBuffer.wrap(bytes)), new SingleByteBuff(direct),
      new MultiByteBuff(parts.toArray(new ByteBuffer[0])));
  }

  private static void assertWithin(Cell cell, int room) {
    assertTrue(cell.getRowLength() >= 0);
    assertTrue(cell.getFamilyLength() >= 0);
    assertTrue(cell.getQualifierLength() >= 0);
    assertTrue(cell.getValueLength() >= 0);
    int tags = ((ExtendedCell) cell).getTagsLength();
    assertTrue(tags >= 0);
    long parts = (long) LEAST_CELL + cell.getRowLength() + cell.getFamilyLength()
      + cell.getQualifierLength() + cell.getValueLength() + tags;
    assertTrue(parts + " of " + room + " bytes", parts <= room);
  }

  private static void decode(Codec codec, ByteBuff block, List<Cell> into) throws IOException {
    Codec.Decoder decoder = codec.getDecoder(block);
    int before = block.remaining();
    while (decoder.advance()) {
      assertTrue("it goes on", block.remaining() < before);
      assertWithin(decoder.current(), before - block.remaining() - Bytes.SIZEOF_INT);
      into.add(decoder.current());
      before = block.remaining();
    }
  }

  @Test
  public void whatIsWholeIsDecoded() throws IOException {
    for (Codec codec : Arrays.asList(new KeyValueCodec(), new KeyValueCodecWithTags())) {
      for (ByteBuff block : buffers(encoded(codec))) {
        List<Cell> decoded = new ArrayList<>();
        decode(codec, block, decoded);
        assertEquals(cells.size(), decoded.size());
        for (int i = 0; i < cells.size(); i++) {
          assertTrue(CellUtil.equals(cells.get(i), decoded.get(i)));
        }
      }
    }
  }

  @Test
  public void noPartOfADamagedCellIsOutsideOfIt() throws IOException {
    for (Codec codec : Arrays.asList(new KeyValueCodec(), new KeyValueCodecWithTags())) {
      byte[] whole = encoded(codec);
      int refused = 0;
      for (int at = 0; at + Bytes.SIZEOF_INT <= whole.length; at++) {
        for (int extreme : EXTREMES) {
          byte[] damaged = whole.clone();
          Bytes.putInt(damaged, at, extreme);
          for (ByteBuff block : buffers(damaged)) {
            try {
              decode(codec, block, new ArrayList<>());
            } catch (CodecException | BufferUnderflowException | IllegalArgumentException e) {
              // The last two: too few bytes for a length; on the heap more is checked.
              refused++;
            }
          }
        }
      }
      assertTrue("damage is found", refused > 100);
    }
  }

  @Test
  public void tagsMustFitToo() throws IOException {
    byte[] whole = encoded(new KeyValueCodecWithTags());
    // The length of the last tag, which has only its type.
    whole[whole.length - 2] = 2;
    for (ByteBuff block : buffers(whole)) {
      assertThrows(CodecException.class,
        () -> decode(new KeyValueCodecWithTags(), block, new ArrayList<>()));
    }
  }

  /** A log with such tags can't be read, whether its codec knows tags or not. */
  @Test
  public void tagsAreThoseThatALogMayHave() throws IOException {
    byte[] whole = encoded(new KeyValueCodecWithTags());
    // The length of the last tag.
    whole[whole.length - 2] = 0;
    ByteArrayOutputStream large = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodecWithTags().getEncoder(large);
    encoder.write(cell("r", "f", "q", "v", new ArrayBackedTag((byte) 1, new byte[33_000])));
    encoder.flush();
    for (byte[] bytes : Arrays.asList(whole, large.toByteArray())) {
      for (Codec codec : Arrays.asList(new KeyValueCodec(), new KeyValueCodecWithTags())) {
        for (ByteBuff block : buffers(bytes)) {
          assertThrows(CodecException.class, () -> decode(codec, block, new ArrayList<>()));
        }
      }
    }
  }

  @Test
  public void theMessageTellsTheLengths() {
    byte[] cell = new byte[LEAST_CELL];
    Bytes.putInt(cell, 0, 12);
    Bytes.putInt(cell, 4, 1 << 20);
    CodecException refusal = assertThrows(CodecException.class,
      () -> KeyValueLengths.check(ByteBuffer.wrap(cell), cell.length));
    assertEquals("The parts of a cell of 20 bytes don't fit in it: its key's length is 12, its"
      + " value's 1048576, its row's 0", refusal.getMessage());
  }
}
