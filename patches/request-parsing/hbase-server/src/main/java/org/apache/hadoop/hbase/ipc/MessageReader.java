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

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/**
 * Reads a message's fields from the buffer of a request. What it gives of bytes refers to the
 * buffer, as with the generated parser. Used by one thread.
 */
@InterfaceAudience.Private
abstract class MessageReader {
  // A tag is the number of a field and its wire type.
  static final int VARINT = 0;
  static final int LENGTH_DELIMITED = 2;

  private static final int REGION_TYPE = RegionSpecifier.TYPE_FIELD_NUMBER << 3 | VARINT;
  private static final int REGION_NAME = RegionSpecifier.VALUE_FIELD_NUMBER << 3 | LENGTH_DELIMITED;

  /** Of a byte of a number; its sign tells whether more follow. */
  private static final int VALUE = 0x7f;
  private static final int BITS = 7;
  /** No number of 32 bits that isn't negative takes more bytes. */
  private static final int MAX_SHIFT = 4 * BITS;
  /** Nor one of 64 bits. */
  private static final int MAX_LONG_SHIFT = 8 * BITS;

  final ByteBuff request;
  private final ByteInput input;
  /** Of the next byte in the request. */
  int at;

  /** The request isn't such as the reader knows. */
  static final class OtherRequest extends IOException {
    private static final long serialVersionUID = 1;
    static final OtherRequest INSTANCE = new OtherRequest();

    private OtherRequest() {
      super("A request for the generated parser");
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

  MessageReader(ByteBuff request) {
    this.request = request;
    input = request.hasArray() ? null : new RequestInput(request);
  }

  /** Whether a request's position is 0, and it has so many bytes from the offset. */
  static boolean has(ByteBuff request, int offset, int length) {
    return request.position() == 0 && length >= 0 && length <= request.limit() - offset;
  }

  /** Whether the next field has a tag, which takes a byte. */
  final boolean isNext(int tag, int end) {
    return at < end && request.get(at) == tag;
  }

  final void expect(int tag, int end) throws OtherRequest {
    if (!isNext(tag, end)) {
      throw OtherRequest.INSTANCE;
    }
    at++;
  }

  /** Reads the length of a field; returns where the field ends. */
  final int readLength(int end) throws OtherRequest {
    int length = readNumber(end);
    if (length < 0 || length > end - at) {
      throw OtherRequest.INSTANCE;
    }
    return at + length;
  }

  /** Reads a field of bytes. */
  final ByteString readBytes(int tag, int end) throws OtherRequest {
    expect(tag, end);
    int endOfBytes = readLength(end);
    ByteString bytes = bytes(at, endOfBytes);
    at = endOfBytes;
    return bytes;
  }

  /** Reads which region is meant, which is all up to an end. */
  final RegionSpecifier readRegion(int end) throws OtherRequest {
    expect(REGION_TYPE, end);
    RegionSpecifierType type = RegionSpecifierType.forNumber(readNumber(end));
    ByteString name = readBytes(REGION_NAME, end);
    if (type == null || at < end) {
      throw OtherRequest.INSTANCE;
    }
    return RegionSpecifier.newBuilder().setType(type).setValue(name).buildPartial();
  }

  final int readNumber(int end) throws OtherRequest {
    return (int) readNumber(end, MAX_SHIFT);
  }

  /** Reads a number of 64 bits that isn't negative. */
  final long readLong(int end) throws OtherRequest {
    return readNumber(end, MAX_LONG_SHIFT);
  }

  private long readNumber(int end, int maxShift) throws OtherRequest {
    long number = 0;
    for (int shift = 0; at < end && shift <= maxShift; shift += BITS) {
      byte next = request.get(at++);
      number |= (long) (next & VALUE) << shift;
      if (next >= 0) {
        return number;
      }
    }
    throw OtherRequest.INSTANCE;
  }

  final ByteString bytes(int from, int end) {
    return input == null
      ? UnsafeByteOperations.unsafeWrap(request.array(), request.arrayOffset() + from, end - from)
      : UnsafeByteOperations.unsafeWrap(input, from, end - from);
  }

  /** Has the generated parser read a part of the request. */
  final void merge(Message.Builder message, int from, int end) throws IOException {
    CodedInputStream stream = bytes(from, end).newCodedInput();
    stream.enableAliasing(true);
    // Without a limit, a part that claims to be longer than the message would be taken as it is.
    stream.pushLimit(end - from);
    message.mergeFrom(stream);
    stream.checkLastTagWas(0);
  }
}
