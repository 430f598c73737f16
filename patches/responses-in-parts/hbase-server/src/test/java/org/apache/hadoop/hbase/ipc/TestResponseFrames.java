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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;
import org.apache.hbase.thirdparty.io.netty.handler.codec.LengthFieldBasedFrameDecoder;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/** Calls get from responses in parts what they get from whole ones. */
@Category({ ClientTests.class, SmallTests.class })
public class TestResponseFrames {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestResponseFrames.class);

  private static final int RUNS = 50;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final CellBlockBuilder cellBlocks = new CellBlockBuilder(HBaseConfiguration.create());
  private final Codec codec = new KeyValueCodec();
  private final Map<Integer, Call> calls = new HashMap<>();
  private final ResponseReader reader = new ResponseReader(cellBlocks, codec, null);
  /** Responses that came as a whole. */
  private int whole;
  /** Whole ones that the reader of calls that succeeded leaves to others. */
  private int others;
  private final EmbeddedChannel channel =
    new EmbeddedChannel(new ResponseFrames(calls), new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object frame) throws Exception {
        whole++;
        try {
          if (!reader.read((ByteBuf) frame, calls)) {
            others++;
          }
        } catch (IOException e) {
          // The call has it.
        } finally {
          ((ByteBuf) frame).release();
        }
      }
    });

  @After
  public void close() {
    channel.finishAndReleaseAll();
  }

  private static byte[] bytes(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  /** With cells of up to several shared arrays. */
  private static byte[] cellBlock(Random random, int cells) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Codec.Encoder encoder = new KeyValueCodec().getEncoder(out);
    for (int i = 0; i < cells; i++) {
      int length = random.nextInt(
        random.nextInt(50) == 0 ? 3 * RowCellScanner.MAX_SHARED_BYTES : 1 + random.nextInt(3000));
      encoder.write(new KeyValue(bytes(random, 5), bytes(random, 1), bytes(random, 3), i,
        bytes(random, length)));
    }
    encoder.flush();
    return out.toByteArray();
  }

  private static ClientProtos.Result result(int cells) {
    return ClientProtos.Result.newBuilder().setAssociatedCellCount(cells).build();
  }

  private static Message message(Random random, int[] cellsOfRows) {
    switch (cellsOfRows.length == 1 ? random.nextInt(3) : random.nextInt(2)) {
      case 0:
        ScanResponse.Builder scan = ScanResponse.newBuilder();
        for (int cells : cellsOfRows) {
          scan.addCellsPerResult(cells);
        }
        return scan.build();
      case 1:
        MultiResponse.Builder multi = MultiResponse.newBuilder();
        int row = 0;
        while (row < cellsOfRows.length) {
          RegionActionResult.Builder region = RegionActionResult.newBuilder();
          for (int i = random.nextInt(9); i >= 0 && row < cellsOfRows.length; i--) {
            region.addResultOrException(
              ResultOrException.newBuilder().setResult(result(cellsOfRows[row++])));
          }
          multi.addRegionActionResult(region);
        }
        return multi.build();
      default:
        return GetResponse.newBuilder().setResult(result(cellsOfRows[0])).build();
    }
  }

  private static byte[] response(ResponseHeader.Builder header, Message message, byte[] cellBlock)
    throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (cellBlock != null) {
      header.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cellBlock.length));
    }
    header.build().writeDelimitedTo(out);
    message.writeDelimitedTo(out);
    if (cellBlock != null) {
      out.write(cellBlock);
    }
    return Bytes.add(Bytes.toBytes(out.size()), out.toByteArray());
  }

  private Call addCall(int id, Message message) {
    Call call = newCall(id, message);
    calls.put(id, call);
    return call;
  }

  private static Call newCall(int id, Message message) {
    return new Call(id, null, null, null, message.getDefaultInstanceForType(), 0, 0,
      Collections.emptyMap(), done -> {
      }, MetricsConnection.newCallStats());
  }

  private void receive(byte[] bytes, int from, int to) {
    channel.writeInbound(
      PooledByteBufAllocator.DEFAULT.directBuffer(to - from).writeBytes(bytes, from, to - from));
  }

  private void receiveInParts(Random random, byte[] bytes) {
    int most = 1 + random.nextInt(random.nextInt(3) == 0 ? 9 : 70_000);
    for (int from = 0; from < bytes.length;) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(most));
      receive(bytes, from, to);
      from = to;
    }
  }

  /** What a client reads of the rows, up to an exception. */
  private static List<String> read(CellScanner scanner, int[] cellsOfRows) {
    List<String> rows = new ArrayList<>();
    try {
      for (int cells : cellsOfRows) {
        Result row = ProtobufUtil.toResult(result(cells), scanner);
        rows.add(row.size() + " of " + row);
        for (Cell cell : row.rawCells()) {
          rows.add(Bytes.toStringBinary(cell.getValueArray(), cell.getValueOffset(),
            cell.getValueLength()) + cell.heapSize());
          int kept = cell.getRowArray().length;
          assertTrue("kept are " + kept, kept <= RowCellScanner.MAX_SHARED_BYTES
            || kept == Integer.BYTES + ((KeyValue) cell).getLength());
        }
      }
      while (scanner.advance()) {
        rows.add(scanner.current().toString());
      }
    } catch (IOException | IllegalArgumentException e) {
      rows.add(e.toString());
    }
    return rows;
  }

  private static int[] cellsOfRows(Random random) {
    int[] cellsOfRows = new int[1 + random.nextInt(40)];
    for (int i = 0; i < cellsOfRows.length; i++) {
      cellsOfRows[i] = random.nextInt(4) == 0 ? 0 : random.nextInt(12);
    }
    return cellsOfRows;
  }

  private static int sum(int[] values) {
    int sum = 0;
    for (int value : values) {
      sum += value;
    }
    return sum;
  }

  private void check(Random random, int[] cellsOfRows, byte[] block) throws IOException {
    Message message = message(random, cellsOfRows);
    int id = random.nextInt(1000);
    byte[] bytes = response(ResponseHeader.newBuilder().setCallId(id), message, block);
    Call call = addCall(id, message);
    receiveInParts(random, bytes);
    assertTrue(call.isDone());
    assertNull(call.error);
    assertEquals(message, call.response);
    assertEquals(bytes.length - Integer.BYTES, call.callStats.getResponseSizeBytes());
    assertTrue(calls.isEmpty());
    CellScanner expected = cellBlocks.createCellScanner(codec, null, block);
    assertEquals(read(expected, cellsOfRows), read(call.cells, cellsOfRows));
  }

  @Test
  public void rowsAreThoseOfAWholeResponse() throws IOException {
    Random random = seed.newRandom();
    for (int run = 0; run < RUNS; run++) {
      int[] cellsOfRows = cellsOfRows(random);
      check(random, cellsOfRows, cellBlock(random, sum(cellsOfRows)));
    }
    assertEquals(0, others);
    assertTrue(whole + " came as a whole", whole < RUNS / 2);
  }

  /** More cells than the message says, fewer, a block that is cut, and any bytes in it. */
  @Test
  public void damagedBlocksAreRefusedWhereWholeOnesAre() throws IOException {
    Random random = seed.newRandom();
    for (int run = 0; run < RUNS; run++) {
      int[] cellsOfRows = cellsOfRows(random);
      byte[] block =
        cellBlock(random, Math.max(0, sum(cellsOfRows) + random.nextInt(7) - 3));
      if (random.nextInt(3) == 0) {
        block = Bytes.head(block, random.nextInt(block.length + 1));
      } else if (block.length > 0 && random.nextInt(2) == 0) {
        block[random.nextInt(block.length)] ^= (byte) (1 << random.nextInt(8));
      }
      check(random, cellsOfRows, block);
    }
  }

  @Test
  public void responsesFollowEachOther() throws IOException {
    Random random = seed.newRandom();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<Call> expected = new ArrayList<>();
    List<int[]> rows = new ArrayList<>();
    List<byte[]> blocks = new ArrayList<>();
    for (int id = 0; id < 60; id++) {
      int[] cellsOfRows = cellsOfRows(random);
      byte[] block = cellBlock(random, sum(cellsOfRows));
      Message message = message(random, cellsOfRows);
      expected.add(addCall(id, message));
      rows.add(cellsOfRows);
      blocks.add(block);
      all.write(response(ResponseHeader.newBuilder().setCallId(id), message, block));
    }
    receiveInParts(random, all.toByteArray());
    for (int id = 0; id < rows.size(); id++) {
      assertEquals(read(cellBlocks.createCellScanner(codec, null, blocks.get(id)), rows.get(id)),
        read(expected.get(id).cells, rows.get(id)));
    }
  }

  @Test
  public void otherResponsesComeAsAWhole() throws IOException {
    Random random = seed.newRandom();
    Message message = message(random, new int[] { 90 });
    byte[] block = cellBlock(random, 90);
    byte[][] responses = { response(ResponseHeader.newBuilder().setCallId(2), message, block),
      response(ResponseHeader.newBuilder().setCallId(-1), message, block),
      response(ResponseHeader.newBuilder().setCallId(1)
        .setException(ExceptionResponse.newBuilder().setExceptionClassName("E")), message, block) };
    Call call = addCall(1, message);
    for (byte[] response : responses) {
      receiveInParts(random, response);
    }
    assertEquals(responses.length, others);
    assertFalse(call.isDone());
    assertSame(call, calls.get(1));
    Message other = MutateResponse.newBuilder().setProcessed(true).build();
    call = addCall(3, other);
    receiveInParts(random, response(ResponseHeader.newBuilder().setCallId(3), other, block));
    assertEquals("its cells aren't rows'", responses.length + 1, whole);
    assertEquals(other, call.response);
  }

  @Test
  public void aCallThatIsGivenUpGetsNothing() throws IOException {
    Random random = seed.newRandom();
    int[] cellsOfRows = { 3, 90 };
    Message message = message(random, cellsOfRows);
    byte[] block = cellBlock(random, 93);
    byte[] response = response(ResponseHeader.newBuilder().setCallId(1), message, block);
    Call call = addCall(1, message);
    receive(response, 0, response.length / 2);
    calls.remove(1);
    receive(response, response.length / 2, response.length);
    assertFalse(call.isDone());
    assertEquals(0, whole);
    check(random, cellsOfRows, block);
  }

  @Test
  public void aConnectionThatEndsLeavesTheCall() throws IOException {
    Random random = seed.newRandom();
    Message message = message(random, new int[] { 90, 1 });
    byte[] response = response(ResponseHeader.newBuilder().setCallId(1), message,
      cellBlock(random, 91));
    Call call = addCall(1, message);
    receive(response, 0, response.length - 1);
    channel.close();
    assertFalse("who ends the connection fails it", call.isDone());
    assertSame(call, calls.get(1));
  }

  /** As with SASL, where one is in front of those that unwrap. */
  @Test
  public void otherDecodersOfThePipelineStay() throws IOException {
    LengthFieldBasedFrameDecoder first = new LengthFieldBasedFrameDecoder(100, 0, 4);
    NettyRpcDuplexHandler handler = new NettyRpcDuplexHandler(null, cellBlocks, codec, null);
    EmbeddedChannel other =
      new EmbeddedChannel(first, new LengthFieldBasedFrameDecoder(100, 0, 4), handler);
    ResponseFrames.install(other.pipeline(), handler);
    List<Class<?>> classes = new ArrayList<>();
    other.pipeline().forEach(entry -> classes.add(entry.getValue().getClass()));
    assertSame(first, other.pipeline().first());
    assertSame(ResponseFrames.class, classes.get(1));
    assertSame(handler, other.pipeline().get(NettyRpcDuplexHandler.class));
    assertNull("not of any codec",
      new NettyRpcDuplexHandler(null, cellBlocks, null, null).newResponseFrames());
    ResponseFrames.install(other.pipeline(), null);
    assertSame(first, other.pipeline().first());
  }
}
