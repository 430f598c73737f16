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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** A put's request that has its cells is read as if they had been beside it. */
@Category({ RPCTests.class, SmallTests.class })
public class TestPutRequestParser {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestPutRequestParser.class);

  private static final byte[] REGION = Bytes.toBytes("table,,1.0123456789abcdef0123456789abcdef.");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] F = Bytes.toBytes("f");

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static MutateRequest request(Put put) throws IOException {
    return RequestConverter.buildMutateRequest(REGION, put);
  }

  /** Returns null if the parser leaves the request to the generated one. */
  private static Put parse(ByteBuff buffer, int length) throws IOException {
    MutateRequest.Builder builder = MutateRequest.newBuilder();
    CellScanner cells = PutRequestParser.merge(builder, buffer, ParameterBuffers.OFFSET, length);
    if (cells == null) {
      assertEquals("nothing is left in the builder", MutateRequest.getDefaultInstance(),
        builder.buildPartial());
      return null;
    }
    MutateRequest request = builder.build();
    assertEquals(0, request.getMutation().getColumnValueCount());
    Put put = ProtobufUtil.toPut(request.getMutation(), cells);
    assertFalse("a cell that isn't of the put", cells.advance());
    return put;
  }

  private static void assertSame(Put expected, Put actual) {
    assertEquals(Bytes.toStringBinary(expected.getRow()), Bytes.toStringBinary(actual.getRow()));
    assertEquals(expected.getTimestamp(), actual.getTimestamp());
    assertEquals(expected.getDurability(), actual.getDurability());
    assertEquals(expected.getAttributesMap().keySet(), actual.getAttributesMap().keySet());
    expected.getAttributesMap()
      .forEach((name, value) -> assertTrue(name, Bytes.equals(value, actual.getAttribute(name))));
    assertEquals(expected.getFamilyCellMap().size(), actual.getFamilyCellMap().size());
    Iterator<List<Cell>> families = actual.getFamilyCellMap().values().iterator();
    for (Map.Entry<byte[], List<Cell>> family : expected.getFamilyCellMap().entrySet()) {
      List<Cell> cells = families.next();
      assertEquals(family.getValue().size(), cells.size());
      for (int i = 0; i < cells.size(); i++) {
        Cell cell = family.getValue().get(i);
        assertEquals(cell + ", " + cells.get(i), 0,
          CellComparator.getInstance().compare(cell, cells.get(i)));
        assertEquals(Bytes.toStringBinary(cell.getValueArray(), cell.getValueOffset(),
          cell.getValueLength()), Bytes.toStringBinary(cells.get(i).getValueArray(),
            cells.get(i).getValueOffset(), cells.get(i).getValueLength()));
        assertEquals(PrivateCellUtil.estimatedSerializedSizeOf(cell),
          PrivateCellUtil.estimatedSerializedSizeOf(cells.get(i)));
      }
    }
  }

  private static void assertParsed(Put put) throws IOException {
    byte[] bytes = request(put).toByteArray();
    Put expected = ProtobufUtil.toPut(MutateRequest.parseFrom(bytes).getMutation(), null);
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      Put parsed = parse(buffer, bytes.length);
      assertTrue("left to the generated parser: " + put, parsed != null);
      assertSame(expected, parsed);
    }
  }

  private static void assertLeft(MutateRequest request) throws IOException {
    byte[] bytes = request.toByteArray();
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      assertNull(parse(buffer, bytes.length));
    }
  }

  @Test
  public void aPutIsTheSame() throws Exception {
    byte[] g = Bytes.toBytes("g");
    byte[] empty = HConstants.EMPTY_BYTE_ARRAY;
    assertParsed(new Put(ROW).addColumn(F, F, F));
    assertParsed(new Put(ROW, 5).addColumn(F, F, F).addColumn(F, g, 7, g));
    assertParsed(new Put(ROW).addColumn(F, empty, empty).addColumn(g, null, null));
    assertParsed(new Put(ROW).addColumn(g, g, Long.MAX_VALUE, F).addColumn(F, F, 0, F)
      .setDurability(Durability.ASYNC_WAL).setAttribute("a", F).setAttribute("b", g).setTTL(1000)
      .setPriority(3));
    assertParsed(new Put(new byte[HConstants.MAX_ROW_LENGTH]).addColumn(F, F, F));
    assertParsed(new Put(ROW).addColumn(new byte[Byte.MAX_VALUE], new byte[20_000],
      new byte[40_000]));
  }

  @Test
  public void putsOfAllKindsAreTheSame() throws Exception {
    Random random = seed.newRandom();
    for (int i = 0; i < 2_000; i++) {
      byte[] row = new byte[1 + random.nextInt(i % 10 == 0 ? 300 : 20)];
      random.nextBytes(row);
      Put put = random.nextBoolean() ? new Put(row) : new Put(row, random.nextInt(1 << 20));
      for (int cells = 1 + random.nextInt(12); cells > 0; cells--) {
        byte[] family = Bytes.toBytes("f" + random.nextInt(3));
        byte[] qualifier = new byte[random.nextInt(i % 7 == 0 ? 300 : 5)];
        byte[] value = new byte[random.nextInt(i % 9 == 0 ? 3_000 : 150)];
        random.nextBytes(qualifier);
        random.nextBytes(value);
        if (random.nextBoolean()) {
          put.addColumn(family, qualifier, value);
        } else {
          put.addColumn(family, qualifier, random.nextLong() & Long.MAX_VALUE, value);
        }
      }
      assertParsed(put);
    }
  }

  @Test
  public void otherRequestsAreLeftToTheGeneratedParser() throws Exception {
    Put put = new Put(ROW).addColumn(F, F, F);
    MutateRequest request = request(put);
    MutationProto mutation = request.getMutation();
    assertLeft(MutateRequest.getDefaultInstance().toBuilder().setRegion(request.getRegion())
      .setMutation(MutationProto.getDefaultInstance()).build());
    assertLeft(request.toBuilder().setNonceGroup(1).build());
    assertLeft(request(new Put(ROW)));
    assertLeft(RequestConverter.buildMutateRequest(REGION, ROW, F, F, CompareOperator.EQUAL, F,
      null, TimeRange.allTime(), put, 1, 1, false));
    assertLeft(RequestConverter.buildMutateRequest(REGION, new Delete(ROW).addColumns(F, F)));
    assertLeft(RequestConverter.buildMutateRequest(REGION, new Increment(ROW).addColumn(F, F, 1), 1,
      1));
    assertLeft(request(new Put(ROW).addColumn(F, F, new byte[64 << 10])));
    Put longRow = new Put(new byte[HConstants.MAX_ROW_LENGTH]);
    longRow.addColumn(F, Bytes.toBytes("a"), F).addColumn(F, Bytes.toBytes("b"), F);
    assertLeft(request(longRow));
    List<MutationProto.Builder> others = Arrays.asList(mutation.toBuilder().clearRow(),
      mutation.toBuilder().setRow(ByteString.EMPTY),
      mutation.toBuilder().setRow(ByteString.copyFrom(new byte[HConstants.MAX_ROW_LENGTH + 1])),
      mutation.toBuilder().clearMutateType(), mutation.toBuilder().setAssociatedCellCount(1),
      mutation.toBuilder().setColumnValue(0, ColumnValue.newBuilder().setFamily(ByteString.EMPTY)
        .addQualifierValue(mutation.getColumnValue(0).getQualifierValue(0))),
      mutation.toBuilder().setColumnValue(0, ColumnValue.newBuilder()
        .setFamily(ByteString.copyFrom(new byte[Byte.MAX_VALUE + 1]))
        .addQualifierValue(mutation.getColumnValue(0).getQualifierValue(0))),
      cell(mutation, mutation.getColumnValue(0).getQualifierValue(0).toBuilder().clearValue()),
      cell(mutation, mutation.getColumnValue(0).getQualifierValue(0).toBuilder().setTimestamp(-1)),
      cell(mutation, mutation.getColumnValue(0).getQualifierValue(0).toBuilder()
        .setTags(ByteString.copyFrom(F))),
      cell(mutation, mutation.getColumnValue(0).getQualifierValue(0).toBuilder()
        .setDeleteType(MutationProto.DeleteType.DELETE_FAMILY)));
    for (MutationProto.Builder other : others) {
      assertLeft(request.toBuilder().setMutation(other.buildPartial()).buildPartial());
    }
    byte[] bytes = request.toByteArray();
    assertNull(PutRequestParser.merge(ClientProtos.GetRequest.newBuilder(),
      ParameterBuffers.of(bytes).get(0), ParameterBuffers.OFFSET, bytes.length));
  }

  @Test
  public void whatFollowsTheColumnsIsAsTheGeneratedParserHasIt() throws Exception {
    MutateRequest request = request(new Put(ROW).addColumn(F, F, F));
    MutationProto put = request.getMutation();
    byte[] again = { 0x20, 0x05, 0x30, 0x02 };
    byte[] unknownDurability = { 0x30, 0x63 };
    byte[] withAttribute = put.toBuilder().addAttribute(
      HBaseProtos.NameBytesPair.newBuilder().setName("a")).build().toByteArray();
    assertSameOrLeft(request, Bytes.add(put.toByteArray(), again), true);
    assertSameOrLeft(request, Bytes.add(withAttribute, again), true);
    assertSameOrLeft(request, Bytes.add(put.toBuilder().clearDurability().clearTimestamp().build()
      .toByteArray(), unknownDurability), false);
    assertSameOrLeft(request,
      put.toBuilder().clearTimestamp().clearDurability().build().toByteArray(), true);
    assertLeft(request.toBuilder().setMutation(put.toBuilder().setTimestamp(-1)).build());
  }

  /** The bytes of a put, in a request for the same region. */
  private static void assertSameOrLeft(MutateRequest request, byte[] put, boolean same)
    throws IOException {
    byte[] region = request.toBuilder().clearMutation().buildPartial().toByteArray();
    byte[] bytes = Bytes.add(region, new byte[] { 0x12, (byte) put.length }, put);
    Put expected = ProtobufUtil.toPut(MutateRequest.parseFrom(bytes).getMutation(), null);
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      Put parsed = parse(buffer, bytes.length);
      assertEquals(same, parsed != null);
      if (same) {
        assertSame(expected, parsed);
      }
    }
  }

  @Test
  public void regionsInAnotherWayAreLeftToTheGeneratedParser() throws Exception {
    MutateRequest request = request(new Put(ROW).addColumn(F, F, F));
    byte[] put = request.toBuilder().clearRegion().buildPartial().toByteArray();
    byte[] type = { 0x08, 0x01 };
    byte[] otherType = { 0x08, 0x63 };
    byte[] name = Bytes.add(new byte[] { 0x12, (byte) REGION.length }, REGION);
    byte[] unknown = { (byte) 0xa0, 0x06, 0x05 };
    for (byte[] region : Arrays.asList(Bytes.add(name, type), Bytes.add(otherType, name),
      Bytes.add(type, name, unknown))) {
      byte[] bytes = Bytes.add(new byte[] { 0x0a, (byte) region.length }, region, put);
      for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
        assertNull(parse(buffer, bytes.length));
      }
    }
  }

  private static MutationProto.Builder cell(MutationProto put, QualifierValue.Builder cell) {
    return put.toBuilder().setColumnValue(0,
      put.getColumnValue(0).toBuilder().setQualifierValue(0, cell.buildPartial()));
  }

  /** What is parsed at all is what the generated parser makes of it, whatever the bytes are. */
  @Test
  public void bytesThatAreNoPutAreLeftToTheGeneratedParser() throws Exception {
    Random random = seed.newRandom();
    byte[] good = request(new Put(ROW, 9).addColumn(F, F, F).addColumn(F, ROW, 300, ROW)
      .addColumn(ROW, F, F).setAttribute("a", F)).toByteArray();
    int parsed = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = Arrays.copyOf(good, i % 3 == 0 ? random.nextInt(good.length) : good.length);
      for (int changes = random.nextInt(3); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      MutateRequest.Builder builder = MutateRequest.newBuilder();
      ByteBuff buffer = ParameterBuffers.of(bytes).get(i % 5);
      CellScanner cells =
        PutRequestParser.merge(builder, buffer, ParameterBuffers.OFFSET, bytes.length);
      if (cells != null) {
        MutateRequest expected = MutateRequest.parser().parsePartialFrom(bytes);
        MutateRequest actual = builder.buildPartial();
        assertEquals(expected.isInitialized(), actual.isInitialized());
        assertEquals(expected.getRegion(), actual.getRegion());
        assertEquals(expected.getMutation().toBuilder().clearColumnValue().buildPartial(),
          actual.getMutation().toBuilder().clearAssociatedCellCount().buildPartial());
        assertSamePut(expected.getMutation(), actual.getMutation(), cells);
        parsed++;
      }
    }
    assertTrue("only " + parsed, parsed > 2_000);
    ByteBuff buffer = ParameterBuffers.of(good).get(1);
    assertNull(parse(buffer, Integer.MAX_VALUE));
    assertNull(parse(buffer, -1));
  }

  /** Either is the same put, or there is none of it, for the same reason. */
  private static void assertSamePut(MutationProto expected, MutationProto actual,
    CellScanner cells) throws IOException {
    Put put;
    try {
      put = ProtobufUtil.toPut(expected, null);
    } catch (IllegalArgumentException e) {
      try {
        ProtobufUtil.toPut(actual, cells);
      } catch (IllegalArgumentException other) {
        assertEquals(e.getMessage(), other.getMessage());
        return;
      }
      throw e;
    }
    assertSame(put, ProtobufUtil.toPut(actual, cells));
  }

  @Test
  public void aServerReadsPutsThisWay() throws Exception {
    Put put = new Put(ROW).addColumn(F, F, F).addColumn(F, ROW, 3, ROW);
    AtomicReference<MutateRequest> parameter = new AtomicReference<>();
    try (ClientServiceServer server = new ClientServiceServer((controller, request) -> {
      parameter.set((MutateRequest) request);
      // Its cells may be in the request's buffer, which others use after the call.
      assertSame(put,
        ProtobufUtil.toPut(parameter.get().getMutation(), controller.cellScanner()));
      return MutateResponse.getDefaultInstance();
    })) {
      ClientService.BlockingInterface stub = server.connect();
      stub.mutate(new HBaseRpcControllerImpl(), request(put));
      assertEquals(2, parameter.get().getMutation().getAssociatedCellCount());
      assertEquals(0, parameter.get().getMutation().getColumnValueCount());
      // Cells that the client sent beside it are those of the put.
      MutateRequest without = request(put).toBuilder().setMutation(ProtobufUtil
        .toMutationNoData(MutationProto.MutationType.PUT, put, MutationProto.newBuilder())).build();
      stub.mutate(new HBaseRpcControllerImpl(put.cellScanner()), without);
      // Beside a put that has cells itself they are nothing.
      Put other = new Put(ROW).addColumn(F, ROW, F);
      stub.mutate(new HBaseRpcControllerImpl(other.cellScanner()), request(put));
      assertEquals(1, parameter.get().getMutation().getColumnValueCount());
    }
  }
}
