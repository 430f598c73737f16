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
package org.apache.hadoop.hbase.ipc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TracingProtos.RPCTInfo;

/**
 * Parses the header of a request as clients write it. Used by one thread.
 */
/*
 * The generated parser makes a builder and a message of two maps for what a trace says, which is
 * mostly nothing, and text of each method's name. Fields in another order, or bytes that can't be
 * parsed, are left to it.
 */
@InterfaceAudience.Private
final class RequestHeaderParser extends MessageReader {
  private static final int CALL_ID = RequestHeader.CALL_ID_FIELD_NUMBER << 3 | VARINT;
  private static final int TRACE_INFO =
    RequestHeader.TRACE_INFO_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int METHOD_NAME =
    RequestHeader.METHOD_NAME_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int REQUEST_PARAM = RequestHeader.REQUEST_PARAM_FIELD_NUMBER << 3 | VARINT;
  private static final int CELL_BLOCK_META =
    RequestHeader.CELL_BLOCK_META_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int CELLS_LENGTH = CellBlockMeta.LENGTH_FIELD_NUMBER << 3 | VARINT;
  private static final int PRIORITY = RequestHeader.PRIORITY_FIELD_NUMBER << 3 | VARINT;
  private static final int TIMEOUT = RequestHeader.TIMEOUT_FIELD_NUMBER << 3 | VARINT;

  private RequestHeaderParser(ByteBuff request) {
    super(request);
  }

  /**
   * Parses a header.
   * @param builder    of a header, without any field
   * @param request    from position 0 on
   * @param offset     of the header in it
   * @param length     bytes of the header
   * @param stream     of the request, at the header; is behind it if that was parsed
   * @param lastMethod of the connection; may be null
   * @return true if the builder has all of the header; false if it has nothing still, and the
   *         caller has to parse it
   */
  static boolean merge(Message.Builder builder, ByteBuff request, int offset, int length,
    CodedInputStream stream, MethodDescriptor lastMethod) throws IOException {
    if (!has(request, offset, length)) {
      return false;
    }
    RequestHeader.Builder header = (RequestHeader.Builder) builder;
    try {
      new RequestHeaderParser(request).mergeHeader(header, offset, offset + length, lastMethod);
    } catch (IOException e) {
      header.clear();
      return false;
    }
    stream.skipRawBytes(length);
    return true;
  }

  private void mergeHeader(RequestHeader.Builder header, int from, int end,
    MethodDescriptor lastMethod) throws IOException {
    at = from;
    expect(CALL_ID, end);
    header.setCallId(readNumber(end));
    if (isNext(TRACE_INFO, end)) {
      at++;
      int endOfTrace = readLength(end);
      header.setTraceInfo(readTrace(endOfTrace));
    }
    expect(METHOD_NAME, end);
    header.setMethodName(readName(readLength(end), lastMethod));
    expect(REQUEST_PARAM, end);
    header.setRequestParam(readLong(end) != 0);
    if (isNext(CELL_BLOCK_META, end)) {
      at++;
      header.setCellBlockMeta(readCellBlockMeta(readLength(end)));
    }
    if (isNext(PRIORITY, end)) {
      at++;
      header.setPriority(readNumber(end));
    }
    if (isNext(TIMEOUT, end)) {
      at++;
      header.setTimeout(readNumber(end));
    }
    if (at < end) {
      // Mostly attributes of the request.
      merge(header, at, end);
    }
  }

  private RPCTInfo readTrace(int end) throws IOException {
    if (at == end) {
      return RPCTInfo.getDefaultInstance();
    }
    RPCTInfo.Builder trace = RPCTInfo.newBuilder();
    merge(trace, at, end);
    at = end;
    return trace.buildPartial();
  }

  private String readName(int end, MethodDescriptor lastMethod) throws OtherRequest {
    if (lastMethod != null && isNext(lastMethod.getName(), end)) {
      at = end;
      return lastMethod.getName();
    }
    if (at == end) {
      return "";
    }
    byte[] name = new byte[end - at];
    request.get(at, name, 0, name.length);
    for (byte letter : name) {
      if (letter < 0) {
        throw OtherRequest.INSTANCE;
      }
    }
    at = end;
    return new String(name, StandardCharsets.US_ASCII);
  }

  /** Whether all up to an end is some ASCII text. */
  private boolean isNext(String text, int end) {
    if (text.length() != end - at) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) != request.get(at + i)) {
        return false;
      }
    }
    return true;
  }

  private CellBlockMeta readCellBlockMeta(int end) throws OtherRequest {
    expect(CELLS_LENGTH, end);
    CellBlockMeta meta = CellBlockMeta.newBuilder().setLength(readNumber(end)).buildPartial();
    if (at < end) {
      throw OtherRequest.INSTANCE;
    }
    return meta;
  }
}
