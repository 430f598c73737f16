/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.CellCodec;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/** Rows have the cells that the codec's own decoder reads. */
@Category({ ClientTests.class, SmallTests.class })
public class TestRowCellScanner {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRowCellScanner.class);

  private static final int RUNS = 300;
  private static final int PLAIN_CELLS = 40;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final CellBlockBuilder cellBlocks = new CellBlockBuilder(HBaseConfiguration.create());

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private static KeyValue cell(Random random, int valueLength) {
    Tag[] tags = new Tag[random.nextInt(3)];
    for (int i = 0; i < tags.length; i++) {
      tags[i] = new ArrayBackedTag((byte) (i + 1), bytes(random, random.nextInt(9)));
    }
    return new KeyValue(bytes(random, 1 + random.nextInt(20)), bytes(random, random.nextInt(5)),
      bytes(random, random.nextInt(20)), random.nextInt(1000), KeyValue.Type.Put,
      bytes(random, valueLength), Arrays.asList(tags));
  }

  private List<KeyValue> plainCells() {
    Random random = seed.newRandom();
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < PLAIN_CELLS; i++) {
      cells.add(cell(random, 10));
    }
    return cells;
  }

  private static byte[] block(Codec codec, List<KeyValue> cells) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec.Encoder encoder = codec.getEncoder(out);
    for (Cell cell : cells) {
      encoder.write(cell);
    }
    encoder.flush();
    return out.toByteArray();
  }

  private static List<Cell> decoded(Codec codec, byte[] block) throws IOException {
    List<Cell> cells = new ArrayList<>();
    CellScanner decoder = codec.getDecoder(new ByteArrayInputStream(block));
    while (decoder.advance()) {
      cells.add(decoder.current());
    }
    return cells;
  }

  private byte[] compressed(Codec codec, CompressionCodec compressor, List<KeyValue> cells)
    throws IOException {
    ByteBuffer block = cellBlocks.buildCellBlock(codec, compressor,
      CellUtil.createCellScanner(new ArrayList<Cell>(cells).iterator()));
    byte[] bytes = new byte[block.remaining()];
    block.get(bytes);
    return bytes;
  }

  private RowCellScanner scanner(Codec codec, byte[] block) throws IOException {
    return (RowCellScanner) cellBlocks.createCellScanner(codec, null, block);
  }

  private static ClientProtos.Result result(int cells) {
    return ClientProtos.Result.newBuilder().setAssociatedCellCount(cells).build();
  }

  private static byte[] bytesOf(Cell cell) {
    KeyValue keyValue = (KeyValue) cell;
    return Arrays.copyOfRange(keyValue.getRowArray(), keyValue.getOffset(),
      keyValue.getOffset() + keyValue.getLength());
  }

  private static void assertSameCell(Cell expected, Cell cell) {
    assertTrue(expected.getClass().isInstance(cell));
    assertArrayEquals(bytesOf(expected), bytesOf(cell));
    assertEquals(expected.heapSize(), cell.heapSize());
  }

  /** Some by get, some one by one, with values of up to several shared arrays. */
  @Test
  public void rowsHaveTheCellsOfTheCodecsDecoder() throws IOException {
    Random random = seed.newRandom();
    int longest = 3 * RowCellScanner.MAX_SHARED_BYTES;
    for (int run = 0; run < RUNS; run++) {
      List<KeyValue> cells = new ArrayList<>();
      int count = 1 + random.nextInt(60);
      for (int i = 0; i < count; i++) {
        cells.add(cell(random, random.nextInt(random.nextInt(10) == 0 ? longest : 300)));
      }
      Codec codec = new KeyValueCodec();
      CompressionCodec compressor = random.nextInt(4) == 0 ? new DefaultCodec() : null;
      byte[] plain = block(codec, cells);
      List<Cell> expected = decoded(codec, plain);
      byte[] block = compressor == null ? plain : compressed(codec, compressor, cells);
      CellScanner scanner = cellBlocks.createCellScanner(codec, compressor, block);
      int next = 0;
      while (next < count) {
        if (random.nextInt(5) == 0) {
          assertTrue(scanner.advance());
          assertSameCell(expected.get(next++), scanner.current());
        } else {
          int row = 1 + random.nextInt(Math.min(count - next, 30));
          Result result = ProtobufUtil.toResult(result(row), scanner);
          assertEquals(row, result.size());
          for (Cell cell : result.rawCells()) {
            assertSameCell(expected.get(next++), cell);
          }
        }
      }
      assertFalse(scanner.advance());
      assertNull(scanner.current());
    }
  }

  @Test
  public void cellKeepsNoMoreThanItsShareOfARow() throws IOException {
    Random random = seed.newRandom();
    int most = RowCellScanner.MAX_SHARED_BYTES;
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      cells.add(cell(random, random.nextInt(i % 100 == 0 ? 2 * most : 1000)));
    }
    Codec codec = new KeyValueCodec();
    byte[] block = block(codec, cells);
    for (Cell cell : ProtobufUtil.toResult(result(cells.size()), scanner(codec, block))
      .rawCells()) {
      int kept = cell.getRowArray().length;
      assertTrue("kept are " + kept + " bytes",
        kept <= most || kept == Integer.BYTES + ((KeyValue) cell).getLength());
    }
  }

  @Test
  public void cellsOfARowShareAnArrayThatIsTheirs() throws IOException {
    Codec codec = new KeyValueCodec();
    byte[] block = block(codec, plainCells());
    RowCellScanner scanner = scanner(codec, block);
    Cell[] row = ProtobufUtil.toResult(result(PLAIN_CELLS / 2), scanner).rawCells();
    Cell[] next = ProtobufUtil.toResult(result(PLAIN_CELLS / 2), scanner).rawCells();
    for (Cell cell : row) {
      assertSame(row[0].getRowArray(), cell.getRowArray());
    }
    assertNotSame(row[0].getRowArray(), next[0].getRowArray());
    assertEquals("the rows' arrays have all bytes, and no others", block.length,
      row[0].getRowArray().length + next[0].getRowArray().length);
  }

  @Test
  public void scansRowsHaveTheirFlags() throws IOException {
    Codec codec = new KeyValueCodec();
    byte[] block = block(codec, plainCells());
    ScanResponse response = ScanResponse.newBuilder().addCellsPerResult(3).addCellsPerResult(0)
      .addCellsPerResult(PLAIN_CELLS - 3).addPartialFlagPerResult(false)
      .addPartialFlagPerResult(false).addPartialFlagPerResult(true).setStale(true).build();
    Result[] rows = ResponseConverter.getResults(scanner(codec, block), response);
    Result[] expected = ResponseConverter
      .getResults(codec.getDecoder(new ByteArrayInputStream(block)), response);
    assertEquals(expected.length, rows.length);
    for (int i = 0; i < rows.length; i++) {
      assertEquals(expected[i].size(), rows[i].size());
      assertEquals(expected[i].mayHaveMoreCellsInRow(), rows[i].mayHaveMoreCellsInRow());
      assertEquals(expected[i].isStale(), rows[i].isStale());
      for (int j = 0; j < rows[i].size(); j++) {
        assertSameCell(expected[i].rawCells()[j], rows[i].rawCells()[j]);
      }
    }
  }

  @Test
  public void resultsWithoutCellsAreConstants() throws IOException {
    CellScanner scanner = scanner(new KeyValueCodec(), new byte[0]);
    for (ClientProtos.Result message : new ClientProtos.Result[] { result(0),
      ClientProtos.Result.newBuilder().setExists(true).build(),
      ClientProtos.Result.newBuilder().setStale(true).build() }) {
      assertSame(ProtobufUtil.toResult(message, null), ProtobufUtil.toResult(message, scanner));
    }
  }

  @Test
  public void blockThatIsCutIsRefused() throws IOException {
    Codec codec = new KeyValueCodec();
    byte[] block = block(codec, plainCells());
    ScanResponse response = ScanResponse.newBuilder().addCellsPerResult(PLAIN_CELLS).build();
    for (int length = 0; length < block.length; length++) {
      byte[] cut = Arrays.copyOf(block, length);
      assertThrows(IOException.class,
        () -> ProtobufUtil.toResult(result(PLAIN_CELLS), scanner(codec, cut)));
      assertThrows(DoNotRetryIOException.class,
        () -> ResponseConverter.getResults(scanner(codec, cut), response));
    }
  }

  @Test
  public void lengthsThatCannotBeAreRefused() throws IOException {
    Codec codec = new KeyValueCodec();
    for (int length : new int[] { -1, Integer.MIN_VALUE, Integer.MAX_VALUE }) {
      byte[] block = ByteBuffer.allocate(100).putInt(length).array();
      assertThrows(IOException.class,
        () -> ProtobufUtil.toResult(result(1), scanner(codec, block)));
    }
    // A cell too short for its own lengths.
    byte[] block = ByteBuffer.allocate(10).putInt(6).array();
    assertThrows(IllegalArgumentException.class,
      () -> codec.getDecoder(new ByteArrayInputStream(block)).advance());
    assertThrows(IllegalArgumentException.class,
      () -> ProtobufUtil.toResult(result(1), scanner(codec, block)));
  }

  @Test
  public void otherCodecsDecodeThemselves() throws IOException {
    assertFalse(RowCellScanner.reads(null));
    for (Codec codec : new Codec[] { new CellCodec(), new KeyValueCodecWithTags(),
      new KeyValueCodec() {
      } }) {
      assertFalse(
        cellBlocks.createCellScanner(codec, null, new byte[0]) instanceof RowCellScanner);
    }
  }
}
