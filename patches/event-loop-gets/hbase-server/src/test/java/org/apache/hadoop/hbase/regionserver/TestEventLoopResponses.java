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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.codec.KeyValueCodecWithTags;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.ipc.RawRpcConnection;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/** The bytes of responses to gets, which are the same whoever answers. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestEventLoopResponses extends EventLoopGetsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEventLoopResponses.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] NO_FAMILY = Bytes.toBytes("h");
  /** Has columns 0 to 2 of three versions each, of files and the memstore, and another family. */
  private static final byte[] VERSIONS = Bytes.toBytes("a-versions");
  private static final byte[] DELETED = Bytes.toBytes("b-deleted");
  private static final byte[] TAGGED = Bytes.toBytes("c-tagged");
  /** Has as many cells as an event loop reads. */
  private static final byte[] WIDE = Bytes.toBytes("d-wide");
  private static final byte[] TOO_WIDE = Bytes.toBytes("e-too-wide");
  private static final byte[] LONG = Bytes.toBytes("f-long");
  private static final byte[] TOO_LONG = Bytes.toBytes("g-too-long");
  private static final byte[] MISSING = Bytes.toBytes("h-missing");
  /** The second region begins with it. */
  private static final byte[] SPLIT = Bytes.toBytes("m");
  /** So long that a cell with a timestamp of 1 lives. */
  private static final long TTL_MS = 1L << 60;
  private static final int HANDLERS = 3;
  private static final int MAX_QUEUED = 4;
  private static final int ENOUGH_QUEUED = 100;

  private static volatile CountDownLatch blocked = new CountDownLatch(0);

  /** Gets that an event loop answers. */
  private final Map<String, GetRequest> plain = new LinkedHashMap<>();
  /** Those that it leaves to handlers. */
  private final Map<String, GetRequest> others = new LinkedHashMap<>();

  /** Has gets wait, and with them their handlers. */
  public static class Blocker implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) throws IOException {
      try {
        blocked.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = newConfiguration();
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, HANDLERS);
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, ENOUGH_QUEUED);
    startServer();
  }

  @AfterClass
  public static void tearDown() throws Exception {
    blocked.countDown();
    stopCluster();
  }

  private static Table create(TableDescriptorBuilder table, byte[]... splits) throws IOException {
    return util.createTable(table.setColumnFamily(
      ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).setBlocksize(4096).build())
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G)).build(), splits);
  }

  private static TableDescriptorBuilder named(String name) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name));
  }

  private static Put wide(byte[] row, int cells, int bytes) {
    Put put = new Put(row, 1);
    for (int i = 0; i < cells; i++) {
      put.addColumn(F, Bytes.toBytes(i), new byte[bytes]);
    }
    return put;
  }

  private static void fill(Table table) throws IOException {
    for (int version = 1; version <= 3; version++) {
      Put put = new Put(VERSIONS, version);
      for (int i = 0; i < 3; i++) {
        put.addColumn(F, Bytes.toBytes(i), Bytes.toBytes(version * i));
      }
      table.put(put.addColumn(G, G, G));
      table.put(new Put(DELETED, version).addColumn(F, F, G).addColumn(F, G, G));
      if (version == 1) {
        table.put(new Put(TAGGED, 1).addColumn(F, F, G).setTTL(TTL_MS));
        table.put(wide(WIDE, 511, 8));
        table.put(wide(TOO_WIDE, 600, 8));
        table.put(wide(LONG, 1, 40_000));
        table.put(wide(TOO_LONG, 2, 40_000));
      }
      if (version == 2) {
        table.delete(new Delete(DELETED).addColumns(F, F, version));
      }
      if (version < 3) {
        util.flush(table.getName());
      }
    }
  }

  /** Adds one of the first region. */
  private static void add(Map<String, GetRequest> to, String name, RegionInfo region, Get get)
    throws IOException {
    to.put(name, RequestConverter.buildGetRequest(region.getRegionName(), get));
  }

  private static Get familyOf(byte[] row, byte[] family) {
    return new Get(row).addFamily(family);
  }

  private void makeRequests(RegionInfo region) throws IOException {
    add(plain, "row", region, new Get(VERSIONS));
    add(plain, "family", region, familyOf(VERSIONS, G));
    add(plain, "column", region, new Get(VERSIONS).addColumn(F, Bytes.toBytes(1)));
    add(plain, "columns", region, new Get(VERSIONS).addColumn(F, Bytes.toBytes(0))
      .addColumn(F, Bytes.toBytes(2)).addColumn(F, MISSING).addColumn(G, G));
    add(plain, "no such column", region, new Get(VERSIONS).addColumn(F, MISSING));
    add(plain, "versions", region, new Get(VERSIONS).readVersions(2));
    add(plain, "all versions", region, new Get(VERSIONS).readAllVersions());
    add(plain, "time range", region, new Get(VERSIONS).setTimeRange(1, 3));
    add(plain, "timestamp", region, new Get(VERSIONS).setTimestamp(1));
    add(plain, "time before all", region, new Get(VERSIONS).setTimeRange(0, 1));
    add(plain, "time range of a family", region,
      new Get(VERSIONS).setColumnFamilyTimeRange(F, 2, 3));
    add(plain, "exists", region, new Get(VERSIONS).setCheckExistenceOnly(true));
    add(plain, "missing", region, new Get(MISSING));
    add(plain, "doesn't exist", region, new Get(MISSING).setCheckExistenceOnly(true));
    add(plain, "missing column", region, new Get(MISSING).addColumn(F, F));
    add(plain, "deleted column", region, new Get(DELETED));
    add(plain, "all versions of a deleted column", region, new Get(DELETED).readAllVersions());
    add(plain, "tagged", region, new Get(TAGGED));
    add(plain, "wide", region, new Get(WIDE));
    add(plain, "long", region, new Get(LONG));
    add(plain, "not cached", region, new Get(VERSIONS).setCacheBlocks(false));
    add(plain, "attribute", region, new Get(VERSIONS).setAttribute("name", F));
    add(plain, "identified", region, new Get(VERSIONS).setId("name"));
    add(plain, "families on demand", region,
      new Get(VERSIONS).setLoadColumnFamiliesOnDemand(true));
    add(plain, "limit of a family", region,
      new Get(VERSIONS).setMaxResultsPerColumnFamily(1));
    add(plain, "offset in a family", region, new Get(VERSIONS).setRowOffsetPerColumnFamily(1));
    add(plain, "a range of columns", region,
      new Get(VERSIONS).setFilter(new ColumnRangeFilter(F, true, null, false)));
    add(plain, "a page of keys", region, new Get(VERSIONS).setFilter(
      new FilterList(new ColumnPaginationFilter(2, 1), new KeyOnlyFilter(true))));
    add(plain, "of any replica", region, new Get(VERSIONS).setConsistency(Consistency.TIMELINE));

    add(others, "too wide", region, new Get(TOO_WIDE));
    add(others, "too long", region, new Get(TOO_LONG));
    add(others, "exists, too wide", region, new Get(TOO_WIDE).setCheckExistenceOnly(true));
    add(others, "no such family", region, familyOf(VERSIONS, NO_FAMILY));
    add(others, "one family is none", region, familyOf(VERSIONS, F).addFamily(NO_FAMILY));
    add(others, "filter", region, new Get(VERSIONS).setFilter(new PageFilter(1)));
    add(others, "uncommitted", region,
      new Get(VERSIONS).setIsolationLevel(IsolationLevel.READ_UNCOMMITTED));
    add(others, "other region's row", region, new Get(Bytes.toBytes("z")));
    GetRequest row = plain.get("row");
    ClientProtos.Get get = row.getGet();
    others.put("no row",
      row.toBuilder().setGet(get.toBuilder().setRow(ByteString.EMPTY)).build());
    others.put("closest row before",
      row.toBuilder().setGet(get.toBuilder().setClosestRowBefore(true)).build());
    others.put("unknown filter", row.toBuilder().setGet(get.toBuilder()
      .setFilter(
        org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter.newBuilder()
          .setName("no.such.Filter")))
      .build());
    others.put("region by its encoded name",
      row.toBuilder().setRegion(RequestConverter.buildRegionSpecifier(
        HBaseProtos.RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME,
        Bytes.toBytes(region.getEncodedName()))).build());
    others.put("no such region", row.toBuilder()
      .setRegion(RequestConverter.buildRegionSpecifier(
        HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME, Bytes.toBytes("none")))
      .build());
  }

  private static InetSocketAddress address() {
    return server.getRSRpcServices().getSocketAddress();
  }

  private static ConnectionHeader.Builder header() {
    return RawRpcConnection.header()
      .setVersionInfo(HBaseProtos.VersionInfo.newBuilder().setVersion(VersionInfo.getVersion())
        .setUrl("").setRevision("").setUser("").setDate("").setSrcChecksum(""));
  }

  private static byte[] request(int call, int priority, GetRequest get) throws IOException {
    RequestHeader.Builder header = RequestHeader.newBuilder().setCallId(call).setMethodName("Get")
      .setTimeout(PATIENCE_MS);
    if (priority > 0) {
      header.setPriority(priority);
    }
    return RawRpcConnection.request(header, get);
  }

  /** Sends each on a connection of its own, since one that isn't in memory has others skipped. */
  private static Map<String, byte[]> answers(ConnectionHeader header, int priority,
    Map<String, GetRequest> gets) throws IOException {
    Map<String, byte[]> answers = new LinkedHashMap<>();
    for (Map.Entry<String, GetRequest> get : gets.entrySet()) {
      try (RawRpcConnection connection = new RawRpcConnection(address(), header)) {
        connection.send(request(7, priority, get.getValue()));
        answers.put(get.getKey(), connection.receive());
      }
    }
    return answers;
  }

  private static void assertSame(Map<String, byte[]> expected, Map<String, byte[]> actual,
    UnaryOperator<byte[]> form) {
    assertEquals(expected.keySet(), actual.keySet());
    expected.forEach((name, answer) -> assertArrayEquals(name, form.apply(answer),
      form.apply(actual.get(name))));
  }

  /** Without all but the first line of an exception's stack, which tells the way of the call. */
  private static byte[] withoutStack(byte[] response) {
    try {
      ResponseHeader header = RawRpcConnection.headerOf(response);
      if (!header.hasException()) {
        return response;
      }
      ExceptionResponse exception = header.getException();
      return header.toBuilder().setException(exception.toBuilder()
        .setStackTrace(exception.getStackTrace().split("\n", 2)[0])).build().toByteArray();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void setRowPath(boolean enabled) {
    Configuration conf = server.getConfiguration();
    conf.setBoolean(RowPathSettings.ENABLED.key(), enabled);
    server.getRSRpcServices().onConfigurationChange(conf);
  }

  private void assertAnswersAreTheSame(ConnectionHeader header, int priority, boolean eventLoop)
    throws IOException {
    Map<String, GetRequest> all = new LinkedHashMap<>(plain);
    all.putAll(others);
    set(false);
    setRowPath(false);
    Map<String, byte[]> byScanners = answers(header, priority, all);
    setRowPath(true);
    long read = count("eventLoopReadCount");
    Map<String, byte[]> byHandlers = answers(header, priority, all);
    assertEquals(read, count("eventLoopReadCount"));
    set(true);
    Map<String, byte[]> byEventLoops = new LinkedHashMap<>();
    for (Map.Entry<String, GetRequest> get : all.entrySet()) {
      read = count("eventLoopReadCount");
      byEventLoops.putAll(answers(header, priority,
        Collections.singletonMap(get.getKey(), get.getValue())));
      assertEquals(get.getKey(), eventLoop && plain.containsKey(get.getKey()) ? 1 : 0,
        count("eventLoopReadCount") - read);
    }
    assertSame(byHandlers, byEventLoops, UnaryOperator.identity());
    assertSame(byScanners, byEventLoops, TestEventLoopResponses::withoutStack);
  }

  private static void assertAnswered(Map<String, byte[]> answers) throws IOException {
    for (Map.Entry<String, byte[]> answer : answers.entrySet()) {
      assertFalse(answer.getKey(), RawRpcConnection.headerOf(answer.getValue()).hasException());
    }
  }

  @Test
  public void responsesAreTheSameBytes() throws Exception {
    try (Table table = create(named("bytes"), SPLIT)) {
      fill(table);
      List<HRegion> regions = server.getRegions(table.getName());
      RegionInfo first = regions.get(0).getRegionInfo().getStartKey().length == 0
        ? regions.get(0).getRegionInfo()
        : regions.get(1).getRegionInfo();
      makeRequests(first);
      List<Get> gets = new ArrayList<>();
      for (GetRequest request : plain.values()) {
        gets.add(ProtobufUtil.toGet(request.getGet()));
      }
      set(false);
      awaitCached(table, gets);
      assertEquals(1, table.get(new Get(TAGGED)).size());
      assertEquals(511, table.get(new Get(WIDE)).size());
      assertEquals(1, table.get(new Get(LONG)).size());

      ConnectionHeader cells =
        header().setCellBlockCodecClass(KeyValueCodec.class.getName()).build();
      assertAnswersAreTheSame(cells, 0, true);
      assertAnswersAreTheSame(
        header().setCellBlockCodecClass(KeyValueCodecWithTags.class.getName()).build(), 0, true);
      // Cells in the message; a client that doesn't tell its version.
      assertAnswersAreTheSame(header().build(), 0, true);
      assertAnswersAreTheSame(RawRpcConnection.header()
        .setCellBlockCodecClass(KeyValueCodec.class.getName()).build(), 0, true);
      assertAnswersAreTheSame(cells.toBuilder()
        .setCellBlockCompressorClass(DefaultCodec.class.getName()).build(), 0, false);
      assertAnswersAreTheSame(cells, HConstants.HIGH_QOS, false);
      set(true);
      assertAnswered(answers(cells, 0, plain));
      assertArePipelined(cells);
    }
  }

  /** Many are sent at once, and answered in whatever order. */
  private void assertArePipelined(ConnectionHeader header) throws IOException {
    List<Map<Integer, byte[]>> answers = new ArrayList<>();
    for (boolean enabled : new boolean[] { false, true }) {
      set(enabled);
      ByteArrayOutputStream requests = new ByteArrayOutputStream();
      int calls = 0;
      for (GetRequest get : plain.values()) {
        requests.write(request(calls++, 0, get));
      }
      Map<Integer, byte[]> answersOfCalls = new LinkedHashMap<>();
      try (RawRpcConnection connection = new RawRpcConnection(address(), header)) {
        connection.send(requests.toByteArray());
        for (int i = 0; i < calls; i++) {
          byte[] answer = connection.receive();
          answersOfCalls.put(RawRpcConnection.headerOf(answer).getCallId(), answer);
        }
      }
      assertEquals(calls, answersOfCalls.size());
      answers.add(answersOfCalls);
    }
    answers.get(0).forEach(
      (call, answer) -> assertArrayEquals("call " + call, answer, answers.get(1).get(call)));
  }

  private static void setMaxQueued(int calls) {
    Configuration conf = server.getConfiguration();
    conf.setInt(RpcScheduler.IPC_SERVER_MAX_CALLQUEUE_LENGTH, calls);
    ((RpcServer) server.getRpcServer()).onConfigurationChange(conf);
  }

  private static RegionInfo onlyRegion(Table table) {
    // The server tells the master first that it has it.
    util.waitFor(PATIENCE_MS, 10, () -> !server.getRegions(table.getName()).isEmpty());
    return server.getRegions(table.getName()).get(0).getRegionInfo();
  }

  /** Handlers and their queue are full: an event loop reads nothing past them. */
  @Test
  public void aFullQueueRefusesAlike() throws Exception {
    try (Table slow = create(named("slow").setCoprocessor(Blocker.class.getName()));
      Table table = create(named("fast"))) {
      table.put(new Put(VERSIONS, 1).addColumn(F, F, F));
      GetRequest blocks =
        RequestConverter.buildGetRequest(onlyRegion(slow).getRegionName(), new Get(VERSIONS));
      GetRequest get =
        RequestConverter.buildGetRequest(onlyRegion(table).getRegionName(), new Get(VERSIONS));
      List<byte[]> answers = new ArrayList<>();
      for (boolean enabled : new boolean[] { false, true }) {
        set(enabled);
        answers.addAll(answersOfFullQueue(blocks, get));
      }
      int half = answers.size() / 2;
      for (int i = 0; i < half; i++) {
        assertArrayEquals(answers.get(i), answers.get(half + i));
      }
    }
  }

  /** Has gets of the blocked table under way; those that there is no handler for are queued. */
  private static void block(RawRpcConnection connection, GetRequest blocks, int calls)
    throws Exception {
    RpcScheduler scheduler = server.getRpcServer().getScheduler();
    for (int i = 0; i < calls; i++) {
      int running = Math.min(i + 1, HANDLERS);
      int queued = i + 1 - running;
      connection.send(request(i, 0, blocks));
      util.waitFor(PATIENCE_MS, 1, () -> scheduler.getActiveGeneralRpcHandlerCount() == running
        && scheduler.getGeneralQueueLength() == queued);
    }
  }

  private static void assertAnswered(RawRpcConnection connection, int calls) throws IOException {
    for (int i = 0; i < calls; i++) {
      assertFalse(RawRpcConnection.headerOf(connection.receive()).hasException());
    }
  }

  /** Slow requests have all handlers; what is in memory needs none, but overtakes nobody. */
  @Test
  public void getsAreReadUnlessOthersWait() throws Exception {
    ConnectionHeader header = header().build();
    RpcScheduler scheduler = server.getRpcServer().getScheduler();
    blocked = new CountDownLatch(1);
    try (Table blockedTable = create(named("blocked").setCoprocessor(Blocker.class.getName()));
      Table table = create(named("free"));
      RawRpcConnection slow = new RawRpcConnection(address(), header);
      RawRpcConnection waiting = new RawRpcConnection(address(), header);
      RawRpcConnection connection = new RawRpcConnection(address(), header);
      RawRpcConnection urgent = new RawRpcConnection(address(), header)) {
      GetRequest blocks = RequestConverter
        .buildGetRequest(onlyRegion(blockedTable).getRegionName(), new Get(VERSIONS));
      GetRequest get =
        RequestConverter.buildGetRequest(onlyRegion(table).getRegionName(), new Get(VERSIONS));
      set(true);
      long read = count("eventLoopReadCount");
      block(slow, blocks, HANDLERS);
      connection.send(request(1, 0, get));
      assertAnswered(connection, 1);
      assertEquals(read + 1, count("eventLoopReadCount"));

      waiting.send(request(1, 0, blocks));
      util.waitFor(PATIENCE_MS, 1, () -> scheduler.getGeneralQueueLength() == 1);
      connection.send(request(2, 0, get));
      util.waitFor(PATIENCE_MS, 1, () -> scheduler.getGeneralQueueLength() == 2);
      // Handlers of their own have calls of a higher priority.
      urgent.send(request(1, HConstants.HIGH_QOS, get));
      assertAnswered(urgent, 1);
      assertEquals(2, scheduler.getGeneralQueueLength());

      blocked.countDown();
      assertAnswered(connection, 1);
      assertAnswered(waiting, 1);
      assertAnswered(slow, HANDLERS);
      assertEquals(read + 1, count("eventLoopReadCount"));
    } finally {
      blocked.countDown();
    }
  }

  private static List<byte[]> answersOfFullQueue(GetRequest blocks, GetRequest get)
    throws Exception {
    ConnectionHeader header = header().build();
    List<byte[]> answers = new ArrayList<>();
    blocked = new CountDownLatch(1);
    setMaxQueued(MAX_QUEUED);
    try (RawRpcConnection slow = new RawRpcConnection(address(), header);
      RawRpcConnection connection = new RawRpcConnection(address(), header)) {
      block(slow, blocks, HANDLERS + MAX_QUEUED);
      for (int i = 0; i < HANDLERS; i++) {
        connection.send(request(i, 0, get));
        answers.add(connection.receive());
        assertEquals(CallQueueTooBigException.class.getName(), RawRpcConnection
          .headerOf(answers.get(i)).getException().getExceptionClassName());
      }
      blocked.countDown();
      assertAnswered(slow, HANDLERS + MAX_QUEUED);
      connection.send(request(HANDLERS, 0, get));
      answers.add(connection.receive());
      assertFalse(RawRpcConnection.headerOf(answers.get(HANDLERS)).hasException());
    } finally {
      blocked.countDown();
      setMaxQueued(ENOUGH_QUEUED);
    }
    return answers;
  }
}
