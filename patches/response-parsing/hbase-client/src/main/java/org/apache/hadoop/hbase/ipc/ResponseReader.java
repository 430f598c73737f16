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
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;

import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/**
 * Reads the response of a call that succeeded from the buffer that netty received it in. A stream
 * over that buffer would take an array of 4 KB for the header and another one for the message.
 * Belongs to one connection, and is used by the thread of its event loop only.
 */
@InterfaceAudience.Private
final class ResponseReader {
  private final CellBlockBuilder cellBlockBuilder;
  private final Codec codec;
  private final CompressionCodec compressor;

  /**
   * @param codec      of cell blocks; null if the connection has none
   * @param compressor of cell blocks; null if they aren't compressed
   */
  ResponseReader(CellBlockBuilder cellBlockBuilder, Codec codec, CompressionCodec compressor) {
    this.cellBlockBuilder = cellBlockBuilder;
    this.codec = codec;
    this.compressor = compressor;
  }

  /**
   * Completes the call that the response belongs to, with what the response has.
   * @param frame the response, with its length in front; stays the caller's, and none of its bytes
   *              is used later
   * @param calls the connection's calls by id; a call that is completed is removed
   * @return false if this is another response: to a call that failed or isn't known, of a preamble,
   *         or with a header that can't be read. Nothing has changed then, the frame's reader index
   *         included.
   * @throws IOException if the response can't be read. The call has failed with it.
   */
  boolean read(ByteBuf frame, Map<Integer, Call> calls) throws IOException {
    if (frame.nioBufferCount() != 1 || frame.readableBytes() <= Integer.BYTES) {
      return false;
    }
    ByteBuffer bytes = frame.nioBuffer();
    int size = bytes.getInt();
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    ResponseHeader header = readHeader(in);
    if (header == null || header.hasException()) {
      return false;
    }
    Call call = calls.get(header.getCallId());
    if (call == null || (call.responseDefaultType != null && in.isAtEnd())) {
      return false;
    }
    calls.remove(call.id);
    call.callStats.setResponseSizeBytes(size);
    try {
      Message value = readMessage(in, call.responseDefaultType);
      call.setResponse(value, readCells(in, header));
    } catch (IOException e) {
      call.setException(e);
      throw e;
    }
    return true;
  }

  /** Returns null if the header can't be read. */
  static ResponseHeader readHeader(CodedInputStream in) {
    try {
      int limit = in.pushLimit(in.readRawVarint32());
      ResponseHeader header = ResponseHeader.parser().parseFrom(in);
      in.popLimit(limit);
      return header;
    } catch (IOException e) {
      return null;
    }
  }

  /** @param type null if the response has no message */
  static Message readMessage(CodedInputStream in, Message type) throws IOException {
    if (type == null) {
      return null;
    }
    Message.Builder builder = type.newBuilderForType();
    in.readMessage(builder, ExtensionRegistryLite.getEmptyRegistry());
    return builder.build();
  }

  private CellScanner readCells(CodedInputStream in, ResponseHeader header) throws IOException {
    if (!header.hasCellBlockMeta()) {
      return null;
    }
    byte[] cells = in.readRawBytes(header.getCellBlockMeta().getLength());
    return cellBlockBuilder.createCellScanner(codec, compressor, cells);
  }
}
