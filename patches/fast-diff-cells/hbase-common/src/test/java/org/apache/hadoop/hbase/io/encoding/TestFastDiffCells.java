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
package org.apache.hadoop.hbase.io.encoding;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoder.EncodedSeeker;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.MultiByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Cells are the same whether their block is in one buffer or in several, as they were written. */
@Category({ MiscTests.class, SmallTests.class })
public class TestFastDiffCells {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFastDiffCells.class);

  private static final Type[] TYPES =
    { Type.Put, Type.Put, Type.Delete, Type.DeleteColumn, Type.DeleteFamily };

  private final Configuration conf = new Configuration(false);

  /** Rows, columns and values of many lengths, some as long or as large as those before. */
  private static List<KeyValue> anyCells(Random random, byte[] family) {
    List<KeyValue> cells = new ArrayList<>();
    byte[] value = new byte[0];
    for (int i = 0; i < 200; i++) {
      int length = random.nextInt(4) == 0 ? 1 + random.nextInt(300) : 12;
      byte[] row = Bytes.padTail(Bytes.toBytes("row" + random.nextInt(60)), length);
      byte[] qualifier =
        Bytes.toBytes("qualifier".substring(0, random.nextInt(10)) + random.nextInt(3));
      if (random.nextInt(3) > 0) {
        value = new byte[random.nextInt(3) > 0 ? value.length : random.nextInt(20_000) % 300];
        random.nextBytes(value);
      }
      long timestamp = random.nextInt(3) == 0 ? random.nextLong() >>> 1 + random.nextInt(60)
        : 1_700_000_000_000L + random.nextInt(1000);
      KeyValue cell = new KeyValue(row, family, qualifier, timestamp,
        TYPES[random.nextInt(TYPES.length)], value);
      cell.setSequenceId(random.nextLong() >>> 1 + random.nextInt(63));
      cells.add(cell);
    }
    cells.sort(CellComparator.getInstance());
    return cells;
  }

  private static HFileContext context(boolean sequenceIds) {
    return new HFileContextBuilder().withIncludesMvcc(sequenceIds)
      .withDataBlockEncoding(DataBlockEncoding.FAST_DIFF).build();
  }

  private byte[] encode(List<KeyValue> cells, HFileContext context) throws IOException {
    DataBlockEncoder encoder = DataBlockEncoding.FAST_DIFF.getEncoder();
    HFileBlockEncodingContext encoding = encoder.newDataBlockEncodingContext(conf,
      DataBlockEncoding.FAST_DIFF, HConstants.HFILEBLOCK_DUMMY_HEADER, context);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(HConstants.HFILEBLOCK_DUMMY_HEADER);
    encoder.startBlockEncoding(encoding, out);
    for (KeyValue cell : cells) {
      encoder.encode(cell, encoding, out);
    }
    byte[] block = bytes.toByteArray();
    encoder.endBlockEncoding(encoding, out, block);
    return Arrays.copyOfRange(block,
      HConstants.HFILEBLOCK_HEADER_SIZE + DataBlockEncoding.ID_SIZE, block.length);
  }

  private EncodedSeeker seeker(HFileContext context, ByteBuff block) {
    DataBlockEncoder encoder = DataBlockEncoding.FAST_DIFF.getEncoder();
    EncodedSeeker seeker = encoder.createSeeker(encoder.newDataBlockDecodingContext(conf, context));
    seeker.setCurrentBuffer(block);
    return seeker;
  }

  private static ByteBuff direct(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
    buffer.put(bytes).flip();
    return new SingleByteBuff(buffer);
  }

  private static ByteBuff several(byte[] bytes, int each) {
    List<ByteBuffer> parts = new ArrayList<>();
    for (int i = 0; i < bytes.length; i += each) {
      parts.add(ByteBuffer.wrap(Arrays.copyOfRange(bytes, i, Math.min(i + each, bytes.length))));
    }
    return new MultiByteBuff(parts.toArray(new ByteBuffer[0]));
  }

  private static void assertSame(String message, KeyValue expected, Cell actual,
    boolean sequenceIds) {
    KeyValue copy = KeyValueUtil.copyToNewKeyValue(actual);
    assertEquals(message, expected, copy);
    assertEquals(message, expected.getTypeByte(), copy.getTypeByte());
    assertTrue(message, CellUtil.matchingValue(expected, actual));
    assertEquals(message, sequenceIds ? expected.getSequenceId() : 0,
      ((ExtendedCell) actual).getSequenceId());
  }

  private void assertDecodes(long seed, boolean sequenceIds) throws IOException {
    Random random = new Random(seed);
    List<KeyValue> cells = anyCells(random, Bytes.toBytes("family".substring(random.nextInt(6))));
    HFileContext context = context(sequenceIds);
    byte[] block = encode(cells, context);
    for (ByteBuff buffers : new ByteBuff[] { direct(block),
      new SingleByteBuff(ByteBuffer.wrap(block)), several(block, 100) }) {
      String message = "seed " + seed + ", " + buffers.getClass().getSimpleName() + ", cell ";
      EncodedSeeker seeker = seeker(context, buffers);
      for (int i = 0; i < cells.size(); i++) {
        assertSame(message + i, cells.get(i), seeker.getCell(), sequenceIds);
        assertEquals(message + i, i + 1 < cells.size(), seeker.next());
      }
      // A seek goes on from cell to cell, and one back.
      for (int i = 0; i < 20; i++) {
        KeyValue sought = cells.get(random.nextInt(cells.size()));
        seeker.rewind();
        assertEquals(message + sought, 0, seeker.seekToKeyInBlock(sought, false));
        assertEquals(message + sought, 0, PrivateCellUtil
          .compareKeyIgnoresMvcc(CellComparator.getInstance(), sought, seeker.getCell()));
      }
    }
  }

  @Test
  public void cellsAreThoseThatWereWritten() throws IOException {
    for (int i = 0; i < 100; i++) {
      assertDecodes(System.nanoTime(), i % 2 == 0);
    }
  }

  @Test
  public void aBlockThatEndsTooEarlyIsNotReadBehindItsEnd() throws IOException {
    List<KeyValue> cells = anyCells(new Random(1), Bytes.toBytes("f"));
    HFileContext context = context(true);
    byte[] block = encode(cells, context);
    for (int i = 0; i < 300; i++) {
      byte[] part = Arrays.copyOf(block, block.length - 1 - i);
      EncodedSeeker seeker = seeker(context, direct(part));
      RuntimeException one = endOf(seeker);
      RuntimeException other = endOf(seeker(context, several(part, part.length / 2 + 1)));
      assertEquals(one == null, other == null);
    }
    assertThrows(BufferUnderflowException.class,
      () -> FastDiffCells.decode(null, ByteBuffer.allocate(0), true));
  }

  private static RuntimeException endOf(EncodedSeeker seeker) {
    try {
      while (seeker.next()) {
        seeker.getKey();
      }
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }
}
