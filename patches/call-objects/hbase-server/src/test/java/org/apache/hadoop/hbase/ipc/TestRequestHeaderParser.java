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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TracingProtos.RPCTInfo;

/** The header of a request is read as the generated parser reads it. */
@Category({ RPCTests.class, SmallTests.class })
public class TestRequestHeaderParser {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRequestHeaderParser.class);

  private static final MethodDescriptor GET =
    ClientService.getDescriptor().findMethodByName("Get");

  @Rule
  public final RandomSeed seed = new RandomSeed();

  /** As a client writes it. */
  private static RequestHeader.Builder header() {
    return RequestHeader.newBuilder().setCallId(7).setTraceInfo(RPCTInfo.getDefaultInstance())
      .setMethodName("Mutate").setRequestParam(true);
  }

  /** Returns null if the header is left to the generated parser. */
  private static RequestHeader parse(ByteBuff buffer, byte[] bytes, MethodDescriptor last)
    throws IOException {
    RequestHeader.Builder builder = RequestHeader.newBuilder();
    CodedInputStream stream = CodedInputStream.newInstance(bytes);
    boolean parsed = RequestHeaderParser.merge(builder, buffer, ParameterBuffers.OFFSET,
      bytes.length, stream, last);
    assertEquals(parsed ? bytes.length : 0, stream.getTotalBytesRead());
    if (!parsed) {
      assertEquals("nothing is left in the builder", RequestHeader.getDefaultInstance(),
        builder.buildPartial());
    }
    return parsed ? builder.buildPartial() : null;
  }

  private static void assertParsed(RequestHeader header) throws IOException {
    byte[] bytes = header.toByteArray();
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      for (MethodDescriptor last : Arrays.asList(GET, null)) {
        RequestHeader parsed = parse(buffer, bytes, last);
        assertEquals(header, parsed);
        assertEquals(ByteString.copyFrom(bytes), parsed.toByteString());
      }
    }
  }

  private static void assertLeft(byte[] bytes) throws IOException {
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      assertNull(parse(buffer, bytes, GET));
    }
  }

  @Test
  public void aHeaderIsTheSame() throws Exception {
    assertParsed(header().build());
    assertParsed(header().clearTraceInfo().setRequestParam(false).build());
    assertParsed(header().setMethodName("Get").setCallId(Integer.MAX_VALUE).build());
    assertParsed(header().setMethodName("Got").setPriority(200).setTimeout(60_000).build());
    assertParsed(header().setMethodName("").setCallId(-1).setPriority(Integer.MAX_VALUE).build());
    assertParsed(header().setCellBlockMeta(CellBlockMeta.newBuilder().setLength(1 << 30)).build());
    assertParsed(header().setTimeout(1).setTraceInfo(RPCTInfo.newBuilder()
      .putHeaders("traceparent", "00-1-2-01")).build());
    assertParsed(header().addAttribute(NameBytesPair.newBuilder().setName("a")
      .setValue(ByteString.copyFromUtf8("b"))).build());
  }

  @Test
  public void headersOfAllKindsAreTheSame() throws Exception {
    Random random = seed.newRandom();
    List<String> methods = Arrays.asList("Get", "Mutate", "Multi", "Scan", "ExecService");
    for (int i = 0; i < 5_000; i++) {
      RequestHeader.Builder header = header().setCallId(random.nextInt() >>> random.nextInt(32))
        .setMethodName(methods.get(random.nextInt(methods.size())));
      if (random.nextBoolean()) {
        header.setCellBlockMeta(
          CellBlockMeta.newBuilder().setLength(random.nextInt() >>> 1 + random.nextInt(31)));
      }
      if (random.nextBoolean()) {
        header.setPriority(random.nextInt(300));
      }
      if (random.nextBoolean()) {
        header.setTimeout(random.nextInt(1 << 20));
      }
      for (int attributes = random.nextInt(5) - 2; attributes > 0; attributes--) {
        header.addAttribute(NameBytesPair.newBuilder().setName("n" + attributes)
          .setValue(ByteString.copyFrom(new byte[random.nextInt(200)])));
      }
      assertParsed(header.build());
    }
  }

  @Test
  public void whatIsThereTwiceOrUnknownIsAsTheGeneratedParserHasIt() throws Exception {
    byte[] header = header().setCellBlockMeta(CellBlockMeta.newBuilder().setLength(3)).build()
      .toByteArray();
    byte[] other = header().setMethodName("Get").setCallId(8).setTraceInfo(RPCTInfo.newBuilder()
      .putHeaders("a", "b")).setCellBlockMeta(CellBlockMeta.newBuilder().setLength(4)).build()
      .toByteArray();
    byte[] unknown = { (byte) 0xa0, 0x06, 0x05 };
    byte[] longCallId = Bytes.add(new byte[] { 0x08, -1, -1, -1, -1, 0x7f },
      header().clearCallId().build().toByteArray());
    byte[] unknownOfTrace = Bytes.add(header().clearTraceInfo().clearMethodName()
      .clearRequestParam().build().toByteArray(), new byte[] { 0x12, 0x03, (byte) 0xa0, 0x06, 5 },
      header().clearCallId().clearTraceInfo().build().toByteArray());
    for (byte[] bytes : Arrays.asList(Bytes.add(header, other), Bytes.add(header, unknown),
      longCallId, unknownOfTrace)) {
      RequestHeader expected = RequestHeader.parseFrom(bytes);
      for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
        assertEquals(expected, parse(buffer, bytes, GET));
      }
    }
    // A number of ten bytes, and what isn't known of the cells.
    assertLeft(Bytes.add(new byte[] { 0x08, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0x01 },
      header().clearCallId().build().toByteArray()));
    assertLeft(Bytes.add(header().build().toByteArray(),
      new byte[] { 0x2a, 0x05, 0x08, 0x03, (byte) 0xa0, 0x06, 0x05 }));
  }

  /** As the stream of a request off the heap does. */
  @Test
  public void theStreamIsBehindTheHeader() throws Exception {
    byte[] bytes = header().build().toByteArray();
    byte[] parameter = { 0x2a };
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 1);
    direct.put(bytes).put(parameter).rewind();
    for (ByteString request : Arrays.asList(UnsafeByteOperations.unsafeWrap(direct),
      ByteString.copyFrom(Bytes.add(bytes, parameter)))) {
      CodedInputStream stream = request.newCodedInput();
      assertTrue(RequestHeaderParser.merge(RequestHeader.newBuilder(),
        new SingleByteBuff(direct.duplicate()), 0, bytes.length, stream, null));
      stream.resetSizeCounter();
      assertEquals(0x2a, stream.readRawVarint32());
      assertEquals(1, stream.getTotalBytesRead());
    }
  }

  @Test
  public void theLastMethodNeedsNoTextOfItsOwn() throws Exception {
    byte[] bytes = header().setMethodName("Get").build().toByteArray();
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      assertSame(GET.getName(), parse(buffer, bytes, GET).getMethodName());
    }
  }

  @Test
  public void otherHeadersAreLeftToTheGeneratedParser() throws Exception {
    RequestHeader.Builder empty = RequestHeader.newBuilder();
    assertLeft(new byte[0]);
    assertLeft(header().clearCallId().build().toByteArray());
    assertLeft(header().clearMethodName().build().toByteArray());
    assertLeft(header().clearRequestParam().build().toByteArray());
    assertLeft(header().setMethodName("").clearRequestParam().build().toByteArray());
    assertLeft(header().setMethodName("G\u00e4t").build().toByteArray());
    assertLeft(header().setCellBlockMeta(CellBlockMeta.getDefaultInstance()).build().toByteArray());
    byte[] timeout = empty.setTimeout(5).build().toByteArray();
    assertLeft(Bytes.add(timeout, header().build().toByteArray()));
  }

  /** What is parsed at all is what the generated parser makes of it, whatever the bytes are. */
  @Test
  public void bytesThatAreNoHeaderAreLeftToTheGeneratedParser() throws Exception {
    Random random = seed.newRandom();
    byte[] good = header().setCellBlockMeta(CellBlockMeta.newBuilder().setLength(300))
      .setPriority(5).setTimeout(60_000).addAttribute(NameBytesPair.newBuilder().setName("a"))
      .setTraceInfo(RPCTInfo.newBuilder().putHeaders("b", "c")).build().toByteArray();
    int parsed = 0;
    for (int i = 0; i < 30_000; i++) {
      byte[] bytes = Arrays.copyOf(good, i % 3 == 0 ? random.nextInt(good.length) : good.length);
      for (int changes = random.nextInt(3); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      RequestHeader header = parse(ParameterBuffers.of(bytes).get(i % 5), bytes, GET);
      if (header != null) {
        RequestHeader expected = RequestHeader.parser().parsePartialFrom(bytes);
        assertEquals(expected, header);
        assertEquals(expected.isInitialized(), header.isInitialized());
        parsed++;
      }
    }
    assertTrue("only " + parsed, parsed > 5_000);
    ByteBuff buffer = ParameterBuffers.of(good).get(1);
    CodedInputStream stream = CodedInputStream.newInstance(good);
    for (int length : new int[] { Integer.MAX_VALUE, -1 }) {
      assertFalse(RequestHeaderParser.merge(RequestHeader.newBuilder(), buffer,
        ParameterBuffers.OFFSET, length, stream, null));
    }
  }
}
