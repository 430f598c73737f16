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
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.PageFilter;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/** Gets and puts that are alike are parsed to what the generated parser makes of them. */
@Category({ RPCTests.class, SmallTests.class })
public class TestMultiRequestParser {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMultiRequestParser.class);

  private static final byte[] F = Bytes.toBytes("f");

  private static ClientProtos.Get get(int row, Consumer<Get> shape) throws IOException {
    Get get = new Get(Bytes.toBytes("row" + row));
    shape.accept(get);
    return ProtobufUtil.toGet(get);
  }

  private static RegionAction.Builder region(String name) {
    return RegionAction.newBuilder().setRegion(RegionSpecifier.newBuilder()
      .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
      .setValue(ByteString.copyFromUtf8(name)));
  }

  private static RegionAction.Builder gets(String region, int count, Consumer<Get> shape)
    throws IOException {
    RegionAction.Builder gets = region(region);
    for (int i = 0; i < count; i++) {
      gets.addAction(Action.newBuilder().setIndex(300 * i).setGet(get(i, shape)));
    }
    return gets;
  }

  private static MutationProto mutation(MutationType type, Mutation mutation, long nonce)
    throws IOException {
    return ProtobufUtil.toMutationNoData(type, mutation, MutationProto.newBuilder(), nonce);
  }

  private static RegionAction.Builder puts(String region, int count) throws IOException {
    RegionAction.Builder puts = region(region);
    for (int i = 0; i < count; i++) {
      puts.addAction(Action.newBuilder().setIndex(i).setMutation(mutation(MutationType.PUT,
        new Put(Bytes.toBytes("row" + i)).addColumn(F, F, F), HConstants.NO_NONCE)));
    }
    return puts;
  }

  private static MultiRequest request(RegionAction.Builder... regions) {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (RegionAction.Builder region : regions) {
      request.addRegionAction(region);
    }
    return request.build();
  }

  /** Returns null if the parser leaves the request to the generated one. */
  private static MultiRequest parse(ByteBuff buffer, int length) {
    MultiRequest.Builder builder = MultiRequest.newBuilder();
    if (MultiRequestParser.merge(builder, buffer, ParameterBuffers.OFFSET, length)) {
      return builder.buildPartial();
    }
    assertEquals("nothing is left in the builder", MultiRequest.getDefaultInstance(),
      builder.buildPartial());
    return null;
  }

  private static void assertParsed(MultiRequest request) {
    byte[] bytes = request.toByteArray();
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      MultiRequest parsed = parse(buffer, bytes.length);
      assertEquals(buffer.toString(), request, parsed);
      assertTrue(parsed.isInitialized());
      assertEquals(ByteString.copyFrom(bytes), parsed.toByteString());
    }
  }

  private static void assertLeft(MultiRequest request) {
    byte[] bytes = request.toByteArray();
    for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
      assertEquals(buffer.toString(), null, parse(buffer, bytes.length));
    }
  }

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Test
  public void getsThatAreAlikeShareWhatTheySay() throws Exception {
    MultiRequest request = request(gets("r", 50, get -> get.addFamily(F)));
    assertParsed(request);
    byte[] bytes = request.toByteArray();
    List<Action> actions =
      parse(ParameterBuffers.of(bytes).get(1), bytes.length).getRegionAction(0).getActionList();
    assertSame(actions.get(0).getGet().getColumnList(), actions.get(49).getGet().getColumnList());
    assertSame(actions.get(0).getGet().getTimeRange(), actions.get(49).getGet().getTimeRange());
    assertNotSame(actions.get(0).getGet().getRow(), actions.get(49).getGet().getRow());
  }

  @Test
  public void putsThatAreAlikeShareWhatTheySay() throws Exception {
    RegionAction.Builder puts = puts("r", 50);
    for (int i = 0; i < 3; i++) {
      puts.addAction(Action.newBuilder().setIndex(50 + i).setMutation(mutation(MutationType.PUT,
        new Put(Bytes.toBytes("s" + i), i).addColumn(F, F, F).setAttribute("shared", F),
        HConstants.NO_NONCE)));
    }
    MultiRequest request = request(puts);
    assertParsed(request);
    byte[] bytes = request.toByteArray();
    List<Action> actions =
      parse(ParameterBuffers.of(bytes).get(1), bytes.length).getRegionAction(0).getActionList();
    assertEquals("row49", actions.get(49).getMutation().getRow().toStringUtf8());
    assertEquals(1, actions.get(49).getMutation().getAssociatedCellCount());
    assertEquals(2, actions.get(52).getMutation().getTimestamp());
  }

  @Test
  public void mutationsOfAllKindsAndGetsAreParsed() throws Exception {
    byte[] row = Bytes.toBytes("row");
    RegionAction.Builder mixed = puts("r", 3);
    for (int i = 0; i < 3; i++) {
      mixed.addAction(Action.newBuilder().setIndex(i).setGet(get(i, get -> get.addFamily(F))));
      mixed.addAction(Action.newBuilder().setIndex(300 + i).setMutation(
        mutation(MutationType.DELETE, new Delete(row).addFamily(F), HConstants.NO_NONCE)));
      mixed.addAction(Action.newBuilder().setIndex(0).setMutation(mutation(MutationType.INCREMENT,
        new Increment(row).addColumn(F, F, i).setTimeRange(3, 5 + i), 7 + i)));
      mixed.addAction(Action.newBuilder().setIndex(0)
        .setMutation(mutation(MutationType.APPEND, new Append(row).addColumn(F, F, F), i)));
      mixed.addAction(Action.newBuilder().setIndex(0).setMutation(
        ProtobufUtil.toMutation(MutationType.PUT, new Put(row).addColumn(F, F, row))));
    }
    MultiRequest request = request(mixed, gets("s", 2, get -> get.addFamily(F)), puts("t", 2));
    assertParsed(request);
    assertParsed(request.toBuilder().setNonceGroup(1).build());
    assertParsed(request.toBuilder().setNonceGroup(-1).build());
  }

  @Test
  public void regionsWithOtherActionsAreBesideThem() throws Exception {
    ClientProtos.Get get = get(7, one -> one.addFamily(F));
    Action service = Action.newBuilder().setIndex(0).setServiceCall(
      CoprocessorServiceCall.newBuilder().setRow(ByteString.copyFrom(F)).setServiceName("s")
        .setMethodName("m").setRequest(ByteString.EMPTY)).build();
    List<RegionAction.Builder> others = Arrays.asList(puts("o", 3).setAtomic(true),
      puts("o", 3).setCondition(Condition.newBuilder().setRow(ByteString.copyFrom(F))),
      gets("o", 2, one -> one.addFamily(F)).addAction(service),
      puts("o", 2).addAction(Action.newBuilder().setGet(get)),
      puts("o", 2).addAction(Action.newBuilder().setIndex(0)
        .setMutation(MutationProto.newBuilder().setMutateType(MutationType.PUT))));
    for (RegionAction.Builder other : others) {
      assertParsed(request(puts("r", 3), other, puts("s", 2), gets("t", 2, one -> { })));
      assertParsed(request(gets("r", 3, one -> one.addFamily(F)), other, other, puts("s", 2)));
    }
  }

  @Test
  public void aServerParsesRequestsThisWay() throws Exception {
    AtomicReference<MultiRequest> received = new AtomicReference<>();
    try (ClientServiceServer server = new ClientServiceServer((controller, request) -> {
      received.set((MultiRequest) request);
      return MultiResponse.getDefaultInstance();
    })) {
      server.connect().multi(new HBaseRpcControllerImpl(),
        request(gets("r", 3, get -> get.addFamily(F))));
      RegionAction gets = received.get().getRegionAction(0);
      assertEquals(3, gets.getActionCount());
      assertSame(gets.getAction(0).getGet().getColumnList(),
        gets.getAction(2).getGet().getColumnList());
    }
  }

  @Test
  public void whateverGetsAskForIsParsed() throws Exception {
    List<Consumer<Get>> shapes = Arrays.asList(get -> { }, get -> get.addFamily(F),
      get -> get.addColumn(F, F).addColumn(F, Bytes.toBytes("g")).addFamily(Bytes.toBytes("g")),
      get -> get.setCheckExistenceOnly(true).setCacheBlocks(false), get -> get.readAllVersions(),
      get -> get.setMaxResultsPerColumnFamily(3).setRowOffsetPerColumnFamily(200),
      get -> get.setFilter(new PageFilter(1)).setAttribute("a", F).setQueryMetricsEnabled(true),
      get -> get.setColumnFamilyTimeRange(F, 5, 300).setLoadColumnFamiliesOnDemand(true));
    for (Consumer<Get> shape : shapes) {
      assertParsed(request(gets("r", 1, shape)));
      assertParsed(request(gets("r", 3, shape), gets("s", 200, shape)));
    }
    assertParsed(request(gets("r", 2, shapes.get(1)), gets("s", 2, shapes.get(2)),
      gets("t", 1, shapes.get(6)), gets("u", 2, shapes.get(7)), region("without any get")
        .addAction(Action.newBuilder().setIndex(1).setGet(get(1, shapes.get(0))))));
  }

  @Test
  public void aGetThatIsUnlikeTheOneBeforeIsParsedByItself() throws Exception {
    Consumer<Get> family = get -> get.addFamily(F);
    Consumer<Get> other = get -> get.addColumn(Bytes.toBytes("g"), F).readAllVersions();
    RegionAction.Builder mixed = gets("r", 20, family).addAction(Action.newBuilder().setIndex(1)
      .setGet(get(1, other)));
    gets("r", 20, family).getActionList().forEach(mixed::addAction);
    for (int i = 0; i < 5; i++) {
      mixed.addAction(Action.newBuilder().setIndex(i).setGet(get(i, i % 2 == 0 ? other : family)));
    }
    assertParsed(request(mixed, gets("s", 3, family)));
  }

  @Test
  public void otherRequestsAreLeftToTheGeneratedParser() throws Exception {
    Consumer<Get> family = get -> get.addFamily(F);
    assertLeft(MultiRequest.getDefaultInstance().toBuilder().setNonceGroup(1).build());
    assertLeft(request(gets("r", 2, family).setAtomic(true)));
    assertLeft(request(puts("r", 2).setAtomic(true)));
    assertLeft(request(region("r").addAction(Action.newBuilder().setGet(get(1, family)))));
    assertLeft(request(region("r").addAction(Action.newBuilder().setIndex(0)
      .setMutation(MutationProto.newBuilder().setMutateType(MutationType.PUT)))));
    assertLeft(request(region("r").addAction(Action.newBuilder().setIndex(0)
      .setServiceCall(CoprocessorServiceCall.newBuilder().setRow(ByteString.copyFrom(F))
        .setServiceName("s").setMethodName("m").setRequest(ByteString.EMPTY)))));
    assertFalse(MultiRequestParser.merge(ClientProtos.Get.newBuilder(),
      ParameterBuffers.of(get(1, family).toByteArray()).get(0), ParameterBuffers.OFFSET,
      get(1, family).getSerializedSize()));
  }

  @Test
  public void regionsThatAreNamedInAnotherWayAreTheSame() throws Exception {
    byte[] type = { 0x08, 0x01 };
    byte[] name = { 0x12, 0x01, 'r' };
    byte[] unknown = { (byte) 0xa0, 0x06, 0x05 };
    byte[] puts = puts("r", 1).clearRegion().buildPartial().toByteArray();
    for (byte[] region : Arrays.asList(Bytes.add(type, name), Bytes.add(name, type),
      Bytes.add(type, name, unknown), Bytes.add(type, name, name))) {
      byte[] action = Bytes.add(new byte[] { 0x0a, (byte) region.length }, region, puts);
      byte[] bytes = Bytes.add(new byte[] { 0x0a, (byte) action.length }, action);
      MultiRequest expected = MultiRequest.parseFrom(bytes);
      for (ByteBuff buffer : ParameterBuffers.of(bytes)) {
        assertEquals(expected, parse(buffer, bytes.length));
      }
    }
  }

  @Test
  public void aRowBehindOtherFieldsIsTheLastOne() throws Exception {
    ClientProtos.Get get = get(1, one -> one.addFamily(F));
    byte[] twoRows = get.toByteString().concat(get(2, one -> { }).toByteString()).toByteArray();
    ByteString action = ByteString.copyFrom(new byte[] { 8, 0, 26, (byte) twoRows.length })
      .concat(ByteString.copyFrom(twoRows));
    ByteString inRegion = region("r").build().toByteString()
      .concat(ByteString.copyFrom(new byte[] { 26, (byte) action.size() })).concat(action);
    byte[] bytes = ByteString.copyFrom(new byte[] { 10, (byte) inRegion.size() }).concat(inRegion)
      .toByteArray();
    MultiRequest expected = MultiRequest.parseFrom(bytes);
    assertEquals("row2",
      expected.getRegionAction(0).getAction(0).getGet().getRow().toStringUtf8());
    assertEquals(expected, parse(ParameterBuffers.of(bytes).get(1), bytes.length));
    // Those that follow are like it behind their first row.
    byte[] twice = ByteString.copyFrom(bytes).concat(ByteString.copyFrom(bytes)).toByteArray();
    assertEquals(MultiRequest.parseFrom(twice),
      parse(ParameterBuffers.of(twice).get(1), twice.length));
  }

  /** What is parsed at all is what the generated parser makes of it, whatever the bytes are. */
  @Test
  public void bytesThatAreNoRequestAreLeftToTheGeneratedParser() throws Exception {
    Random random = seed.newRandom();
    byte[] good = request(gets("r", 3, get -> get.addColumn(F, F)), puts("s", 2)).toByteArray();
    int parsed = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = Arrays.copyOf(good, i % 3 == 0 ? random.nextInt(good.length) : good.length);
      for (int changes = random.nextInt(3); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      MultiRequest actual = parse(ParameterBuffers.of(bytes).get(i % 5), bytes.length);
      if (actual != null) {
        assertEquals(MultiRequest.parser().parsePartialFrom(bytes), actual);
        parsed++;
      }
    }
    assertTrue("only " + parsed, parsed > 2_000);
    ByteBuff buffer = ParameterBuffers.of(good).get(1);
    assertEquals(null, parse(buffer, Integer.MAX_VALUE));
    assertEquals(null, parse(buffer, -1));
  }
}
