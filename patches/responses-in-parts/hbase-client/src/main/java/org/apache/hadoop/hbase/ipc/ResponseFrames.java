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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandler;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPipeline;
import org.apache.hbase.thirdparty.io.netty.handler.codec.LengthFieldBasedFrameDecoder;

import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/**
 * Splits what a connection receives into responses. A response with rows that comes in several
 * parts isn't put together: as soon as its message is there, the cells of each part are copied to
 * their rows. All other responses go on as they are.
 */
@InterfaceAudience.Private
final class ResponseFrames extends LengthFieldBasedFrameDecoder {
  private final Map<Integer, Call> calls;
  /** What is read of a response in parts; null between such. */
  private RowCopies rows;
  private Call call;
  private Message message;
  private int size;

  /** @param calls the connection's calls by id; one whose response was read is removed */
  ResponseFrames(Map<Integer, Call> calls) {
    super(Integer.MAX_VALUE, 0, Integer.BYTES);
    this.calls = calls;
  }

  /** Puts it in the place of the decoder in front of the handler that reads responses. */
  static void install(ChannelPipeline pipeline, NettyRpcDuplexHandler reader) {
    ResponseFrames frames = reader == null ? null : reader.newResponseFrames();
    if (frames == null) {
      return;
    }
    ChannelHandler before = null;
    for (Map.Entry<String, ChannelHandler> handler : pipeline) {
      if (handler.getValue() == reader) {
        break;
      }
      before = handler.getValue();
    }
    // With SASL there may be one more such decoder, further in front.
    if (before != null && before.getClass() == LengthFieldBasedFrameDecoder.class) {
      pipeline.replace(before, null, frames);
    }
  }

  @Override
  protected Object decode(ChannelHandlerContext context, ByteBuf in) throws Exception {
    if (rows == null) {
      if (in.readableBytes() < Integer.BYTES) {
        return null;
      }
      int frame = in.getInt(in.readerIndex());
      // The superclass remembers the length of a frame that it was asked for in vain.
      if (frame < 0 || in.readableBytes() - Integer.BYTES >= frame) {
        return super.decode(context, in);
      }
      if (!start(in, frame)) {
        return null;
      }
    }
    rows.add(in);
    if (rows.isComplete()) {
      complete();
    }
    return null;
  }

  /**
   * Reads header and message, if they are there and of a call that waits for rows; otherwise
   * nothing has changed.
   */
  private boolean start(ByteBuf in, int frame) {
    if (in.nioBufferCount() != 1) {
      return false;
    }
    ByteBuffer bytes =
      in.nioBuffer(in.readerIndex() + Integer.BYTES, in.readableBytes() - Integer.BYTES);
    CodedInputStream stream = CodedInputStream.newInstance(bytes);
    ResponseHeader header = ResponseReader.readHeader(stream);
    if (header == null || header.hasException() || !header.hasCellBlockMeta()) {
      return false;
    }
    Call waiting = calls.get(header.getCallId());
    if (waiting == null || !RowCopies.knows(waiting.responseDefaultType)) {
      return false;
    }
    int block = header.getCellBlockMeta().getLength();
    int head = frame - block;
    if (block < 0 || head < stream.getTotalBytesRead() || head > bytes.limit()) {
      return false;
    }
    try {
      message = ResponseReader.readMessage(stream, waiting.responseDefaultType);
    } catch (IOException e) {
      return false; // It fails again when all has come.
    }
    if (stream.getTotalBytesRead() != head) {
      return false;
    }
    call = waiting;
    size = frame;
    rows = new RowCopies(RowCopies.cellsOfRows(message), block);
    in.skipBytes(Integer.BYTES + head);
    return true;
  }

  private void complete() {
    RowCellScanner scanner = rows.scanner();
    Call completed = call;
    Message response = message;
    rows = null;
    call = null;
    message = null;
    // It may have timed out or been cancelled.
    if (calls.remove(completed.id, completed)) {
      completed.callStats.setResponseSizeBytes(size);
      completed.setResponse(response, scanner);
    }
  }
}
