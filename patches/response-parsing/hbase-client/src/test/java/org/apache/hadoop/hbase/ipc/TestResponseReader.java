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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.net.Address;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufInputStream;
import org.apache.hbase.thirdparty.io.netty.buffer.CompositeByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/** A call that succeeded gets from a buffer what it would get from a stream. */
@Category({ ClientTests.class, SmallTests.class })
public class TestResponseReader {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestResponseReader.class);

  private static final int ID = 300;

  private final Configuration conf = HBaseConfiguration.create();
  private final CellBlockBuilder cellBlocks = new CellBlockBuilder(conf);
  private final KeyValueCodec codec = new KeyValueCodec();
  private final ResponseReader reader = new ResponseReader(cellBlocks, codec, null);
  private final List<Cell> cells = TestCells.onHeap(20, 100, 1);
  private final Map<Integer, Call> calls = new HashMap<>();
  private ByteBuf frame;

  @After
  public void release() {
    if (frame != null) {
      assertEquals("the frame stays its owner's", 1, frame.refCnt());
      frame.release();
    }
  }

  private static GetResponse message() {
    return GetResponse.newBuilder().setResult(
      ProtobufUtil.toResult(Result.create(TestCells.onHeap(2, 9, 1)))).build();
  }

  private Call addCall(Message type) {
    Call call = new Call(ID, null, null, null, type, 0, 0, Collections.emptyMap(), done -> {
    }, MetricsConnection.newCallStats());
    calls.put(ID, call);
    return call;
  }

  private byte[] cellBlock() throws IOException {
    ByteBuf block = cellBlocks.buildCellBlock(codec, null, TestCells.ofBatch(cells),
      PooledByteBufAllocator.DEFAULT);
    byte[] bytes = new byte[block.readableBytes()];
    block.readBytes(bytes);
    block.release();
    return bytes;
  }

  private static byte[] response(ResponseHeader header, Message message, byte[] cellBlock)
    throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    header.writeDelimitedTo(out);
    if (message != null) {
      message.writeDelimitedTo(out);
    }
    out.write(cellBlock);
    return out.toByteArray();
  }

  private byte[] wholeResponse() throws IOException {
    byte[] block = cellBlock();
    return response(ResponseHeader.newBuilder().setCallId(ID)
      .setCellBlockMeta(CellBlockMeta.newBuilder().setLength(block.length)).build(), message(),
      block);
  }

  /** The first bytes of a response, in a frame of their own, not at the start of the buffer. */
  private ByteBuf frame(byte[] response, int length) {
    frame = PooledByteBufAllocator.DEFAULT.directBuffer();
    frame.writeLong(-1).skipBytes(Long.BYTES);
    return frame.writeInt(length).writeBytes(response, 0, length);
  }

  private ByteBuf frame(byte[] response) {
    return frame(response, response.length);
  }

  private static void assertLeft(ByteBuf frame) {
    assertEquals(Long.BYTES, frame.readerIndex());
  }

  @Test
  public void callGetsMessageAndCells() throws IOException {
    Call call = addCall(GetResponse.getDefaultInstance());
    byte[] response = wholeResponse();
    assertTrue(reader.read(frame(response), calls));
    assertTrue(call.isDone());
    assertNull(call.error);
    assertEquals(message(), call.response);
    for (Cell expected : cells) {
      assertTrue(call.cells.advance());
      assertTrue(CellUtil.equals(expected, call.cells.current()));
      assertArrayEquals(CellUtil.cloneValue(expected), CellUtil.cloneValue(call.cells.current()));
    }
    assertFalse(call.cells.advance());
    assertTrue(calls.isEmpty());
    assertEquals(response.length, call.callStats.getResponseSizeBytes());
  }

  @Test
  public void callHasItsOwnBytes() throws IOException {
    Call call = addCall(GetResponse.getDefaultInstance());
    assertTrue(reader.read(frame(wholeResponse()), calls));
    for (int i = 0; i < frame.capacity(); i++) {
      frame.setByte(i, -1);
    }
    assertEquals(message(), call.response);
    assertTrue(call.cells.advance());
    assertTrue(CellUtil.equals(cells.get(0), call.cells.current()));
  }

  @Test
  public void emptyMessageAndNoCells() throws IOException {
    Call call = addCall(GetResponse.getDefaultInstance());
    ResponseHeader header = ResponseHeader.newBuilder().setCallId(ID).build();
    assertTrue(
      reader.read(frame(response(header, GetResponse.getDefaultInstance(), new byte[0])), calls));
    assertEquals(GetResponse.getDefaultInstance(), call.response);
    assertNull(call.cells);
  }

  @Test
  public void callWithoutMessage() throws IOException {
    Call call = addCall(null);
    ResponseHeader header = ResponseHeader.newBuilder().setCallId(ID).build();
    assertTrue(reader.read(frame(response(header, null, new byte[0])), calls));
    assertTrue(call.isDone());
    assertNull(call.response);
    assertNull(call.error);
  }

  @Test
  public void otherResponsesAreLeft() throws IOException {
    Call call = addCall(GetResponse.getDefaultInstance());
    ResponseHeader[] others = {
      ResponseHeader.newBuilder().setCallId(ID)
        .setException(ExceptionResponse.newBuilder().setExceptionClassName("E")).build(),
      ResponseHeader.newBuilder().setCallId(ID + 1).build(),
      ResponseHeader.newBuilder().setCallId(-1).build() };
    for (ResponseHeader header : others) {
      assertFalse(reader.read(frame(response(header, message(), new byte[0])), calls));
      assertLeft(frame);
      release();
    }
    ResponseHeader header = ResponseHeader.newBuilder().setCallId(ID).build();
    assertFalse("no message", reader.read(frame(response(header, null, new byte[0])), calls));
    assertLeft(frame);
    assertFalse(call.isDone());
    assertEquals(1, calls.size());
  }

  @Test
  public void frameOfSeveralBuffersIsLeft() throws IOException {
    addCall(GetResponse.getDefaultInstance());
    ByteBuf whole = frame(wholeResponse());
    frame = null;
    CompositeByteBuf parts = PooledByteBufAllocator.DEFAULT.compositeBuffer();
    parts.addComponent(true, whole.readRetainedSlice(20)).addComponent(true, whole);
    assertFalse(reader.read(parts, calls));
    assertEquals(0, parts.readerIndex());
    parts.release();
  }

  /** A response that is cut at any length fails its call as from a stream, or is left to it. */
  @Test
  public void cutResponseFailsAsFromAStream() throws IOException {
    NettyRpcClient client = new NettyRpcClient(conf);
    NettyRpcConnection connection = client.createConnection(
      new ConnectionId(User.getCurrent(), "ClientService", Address.fromParts("localhost", 1)));
    int cut = 0;
    try {
      byte[] response = wholeResponse();
      for (int length = 0; length < response.length; length++) {
        Call call = addCall(GetResponse.getDefaultInstance());
        frame(response, length);
        boolean fails = fails(() -> reader.read(frame, calls));
        release();
        if (!call.isDone()) {
          assertFalse("of " + length, fails);
          continue;
        }
        cut++;
        Call expected = addCall(GetResponse.getDefaultInstance());
        frame(response, length);
        assertTrue("of " + length, fails(
          () -> connection.readResponse(new ByteBufInputStream(frame), calls, null, remote -> {
          })));
        release();
        assertTrue("of " + length, fails);
        assertTrue("of " + length, expected.isDone());
        assertNotNull("of " + length, call.error);
      }
    } finally {
      frame = null;
      connection.cleanupConnection();
      client.close();
    }
    assertTrue(cut > cells.size());
  }

  private interface Reading {
    void run() throws IOException;
  }

  private static boolean fails(Reading reading) {
    try {
      reading.run();
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
