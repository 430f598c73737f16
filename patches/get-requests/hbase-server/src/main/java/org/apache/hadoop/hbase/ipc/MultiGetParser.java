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
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteInput;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/**
 * Parses a multi request of gets, most of which are alike but for their rows. The message is the
 * same that the generated parser makes; what it has of bytes refers to the request's buffer, as
 * there. Used by one thread.
 */
/*
 * A client writes a get's row first. If all bytes behind it are those of the get before, then so is
 * all that they say, and both gets have the same messages of it. A get takes its own message, row
 * and action then, where the generated parser makes a builder for each of its parts, too. Of a get
 * that is unlike the one before, what is behind its row is parsed by the generated parser.
 *
 * Whatever isn't like that is left to the generated parser: other actions than gets, fields
 * in another order, those that this class doesn't know, and bytes that can't be parsed.
 */
@InterfaceAudience.Private
final class MultiGetParser {
  // A tag is number of the field, and its wire type.
  private static final int LENGTH_DELIMITED = 2;
  private static final int REGION_ACTION =
    MultiRequest.REGIONACTION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int REGION = RegionAction.REGION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int ACTION = RegionAction.ACTION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int INDEX = Action.INDEX_FIELD_NUMBER << 3;
  private static final int GET = Action.GET_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int ROW = Get.ROW_FIELD_NUMBER << 3 | LENGTH_DELIMITED;

  /** Of a byte of a number; its sign tells whether more follow. */
  private static final int VALUE = 0x7f;
  private static final int BITS = 7;
  /** No number of 32 bits takes more bytes. */
  private static final int MAX_SHIFT = 4 * BITS;
  private static final int NONE = -1;

  private final ByteBuff request;
  private final ByteInput input;
  private int at;
  /** Has all but the row of the last get. */
  private Get.Builder get;
  /** Where in the request the last get is described, behind its row; {@link #NONE} before it. */
  private int restOfLast = NONE;
  private int restLength;
  private Action.Builder action;

  /** The request isn't such as this class parses. */
  private static final class OtherRequest extends IOException {
    private static final long serialVersionUID = 1;
    private static final OtherRequest INSTANCE = new OtherRequest();

    private OtherRequest() {
      super("Not a request of gets only");
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  /** The bytes of a request, as they are. */
  private static final class RequestInput extends ByteInput {
    private final ByteBuff buffer;

    RequestInput(ByteBuff buffer) {
      this.buffer = buffer;
    }

    @Override
    public byte read(int offset) {
      return buffer.get(offset);
    }

    @Override
    public int read(int offset, byte[] out, int outOffset, int length) {
      buffer.get(offset, out, outOffset, length);
      return length;
    }

    @Override
    public int read(int offset, ByteBuffer out) {
      int length = out.remaining();
      buffer.get(out, offset, length);
      return length;
    }

    @Override
    public int size() {
      return buffer.limit();
    }
  }

  private MultiGetParser(ByteBuff request) {
    this.request = request;
    input = request.hasArray() ? null : new RequestInput(request);
  }

  /**
   * Parses the parameter of a call, if it is a multi request of gets only.
   * @param builder of the parameter's type, without any field
   * @param request what came of the call, from position 0 on
   * @param offset  of the parameter in it
   * @param length  bytes of the parameter
   * @return true if the builder has all of the parameter; false if it has nothing still, and the
   *         caller has to parse it
   */
  static boolean merge(Message.Builder builder, ByteBuff request, int offset, int length) {
    if (
      !(builder instanceof MultiRequest.Builder) || request.position() != 0 || length < 0
        || length > request.limit() - offset
    ) {
      return false;
    }
    MultiRequest.Builder multi = (MultiRequest.Builder) builder;
    try {
      new MultiGetParser(request).mergeRequest(multi, offset, offset + length);
      return true;
    } catch (IOException e) {
      multi.clear();
      return false;
    }
  }

  private void mergeRequest(MultiRequest.Builder multi, int from, int end) throws IOException {
    at = from;
    skipToFirstGet(end);
    at = from;
    get = Get.newBuilder();
    action = Action.newBuilder();
    while (at < end) {
      expect(REGION_ACTION, end);
      multi.addRegionAction(readRegionAction(readLength(end)));
    }
  }

  /** Finds out before anything is made for it whether the request has gets. */
  private void skipToFirstGet(int end) throws IOException {
    expect(REGION_ACTION, end);
    readLength(end);
    expect(REGION, end);
    at = readLength(end);
    expect(ACTION, end);
    readLength(end);
    expect(INDEX, end);
    readNumber(end);
    expect(GET, end);
  }

  private RegionAction readRegionAction(int end) throws IOException {
    RegionAction.Builder regionAction = RegionAction.newBuilder();
    expect(REGION, end);
    int endOfRegion = readLength(end);
    RegionSpecifier.Builder region = RegionSpecifier.newBuilder();
    merge(region, at, endOfRegion);
    regionAction.setRegion(region.buildPartial());
    at = endOfRegion;
    while (at < end) {
      expect(ACTION, end);
      regionAction.addAction(readAction(readLength(end)));
    }
    return regionAction.buildPartial();
  }

  private Action readAction(int end) throws IOException {
    expect(INDEX, end);
    action.setIndex(readNumber(end));
    expect(GET, end);
    int endOfGet = readLength(end);
    if (endOfGet != end) {
      throw OtherRequest.INSTANCE;
    }
    action.setGet(readGet(end));
    return action.buildPartial();
  }

  private Get readGet(int end) throws IOException {
    expect(ROW, end);
    int endOfRow = readLength(end);
    ByteString row = bytes(at, endOfRow);
    at = end;
    if (!isLikeLast(endOfRow, end - endOfRow)) {
      merge(get.clear(), endOfRow, end);
      if (get.hasRow()) {
        throw OtherRequest.INSTANCE;
      }
    }
    restOfLast = endOfRow;
    restLength = end - endOfRow;
    return get.setRow(row).buildPartial();
  }

  private boolean isLikeLast(int from, int length) {
    return restOfLast != NONE && restLength == length
      && ByteBuff.compareTo(request, restOfLast, length, request, from, length) == 0;
  }

  private void expect(int tag, int end) throws OtherRequest {
    // The tags of these fields take a byte.
    if (at >= end || request.get(at) != tag) {
      throw OtherRequest.INSTANCE;
    }
    at++;
  }

  /** Reads the length of a field; returns where the field ends. */
  private int readLength(int end) throws OtherRequest {
    int length = readNumber(end);
    if (length < 0 || length > end - at) {
      throw OtherRequest.INSTANCE;
    }
    return at + length;
  }

  private int readNumber(int end) throws OtherRequest {
    int number = 0;
    for (int shift = 0; at < end && shift <= MAX_SHIFT; shift += BITS) {
      byte next = request.get(at++);
      number |= (next & VALUE) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw OtherRequest.INSTANCE;
  }

  private ByteString bytes(int from, int end) {
    return input == null
      ? UnsafeByteOperations.unsafeWrap(request.array(), request.arrayOffset() + from, end - from)
      : UnsafeByteOperations.unsafeWrap(input, from, end - from);
  }

  private void merge(Message.Builder message, int from, int end) throws IOException {
    CodedInputStream stream = bytes(from, end).newCodedInput();
    stream.enableAliasing(true);
    // Without a limit, a part that claims to be longer than the message would be taken as it is.
    stream.pushLimit(end - from);
    message.mergeFrom(stream);
    stream.checkLastTagWas(0);
  }
}
