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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Waiter.ExplainingPredicate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.ipc.CallerDisconnectedException;
import org.apache.hadoop.hbase.ipc.CleanupTestCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.nio.ResourceLeaks;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.regionserver.MultiGetTestCall.Answer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/** The response to a multi request doesn't depend on how many threads serve its gets. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestParallelMultiGet {
  static {
    ResourceLeaks.watch();
  }

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestParallelMultiGet.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("gets");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int ROWS = 200;
  private static final int VERSIONS = 3;
  private static final int WIDE_ROW_CELLS = 300;
  private static final int TIMEOUT_MS = 60_000;
  private static final String POOL_THREAD = "RS-MultiGet-";

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private static HRegionServer server;
  private static RSRpcServices services;
  private static User user;

  /** Calls the hook after a get, while its scanner is open. */
  public static class HookObserver implements RegionCoprocessor, RegionObserver {
    static volatile HookFilter.Hook hook;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
      List<Cell> result) throws IOException {
      HookFilter.call(hook, numberOf(get));
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set("hbase.bucketcache.ioengine", "file:" + UTIL.getDataTestDir("cache"));
    conf.setInt("hbase.bucketcache.size", 32);
    conf.setInt("hfile.format.version", 3);
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
    server = UTIL.getMiniHBaseCluster().getRegionServer(0);
    services = server.getRSRpcServices();
    user = User.createUserForTesting(conf, "reader", new String[0]);
    byte[][] splits = { row(30), row(60), row(90), row(120), row(150), row(180) };
    try (Table table = UTIL.createTable(TableDescriptorBuilder.newBuilder(TABLE)
      .setColumnFamily(family(F)).setColumnFamily(family(G))
      .setCoprocessor(HookObserver.class.getName()).build(), splits)) {
      for (int version = 1; version <= VERSIONS; version++) {
        for (int i = 0; i < ROWS; i += version) {
          table.put(put(i, version));
        }
        if (version < VERSIONS) { // The last one stays in the memstore.
          UTIL.flush(TABLE);
        }
      }
    }
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    try {
      assertEquals(Collections.emptyList(), ResourceLeaks.find());
    } finally {
      UTIL.shutdownMiniCluster();
    }
  }

  @Before
  public void spreadAll() {
    spreadAll(true);
    configure("threads", "4", "enabled", "true");
  }

  @After
  public void reset() throws Exception {
    HookFilter.hook = null;
    HookObserver.hook = null;
    configure("enabled", "false");
    spreadAll(false);
    UTIL.getConfiguration().unset(ParallelMultiGetSettings.THREADS.key());
    server.getConfiguration().unset(ParallelMultiGetSettings.THREADS.key());
    limitResults(HConstants.DEFAULT_HBASE_SERVER_SCANNER_MAX_RESULT_SIZE);
    assertScannersClosed();
  }

  private static void configure(String... keysAndValues) {
    Configuration conf = server.getConfiguration();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set("hbase.regionserver.multiget.parallel." + keysAndValues[i], keysAndValues[i + 1]);
    }
    services.onConfigurationChange(conf);
  }

  private static void spreadAll(boolean all) {
    System.setProperty(ParallelMultiGetSettings.SPREAD_ALL_PROPERTY, String.valueOf(all));
    services.onConfigurationChange(server.getConfiguration());
  }

  private static void limitResults(long bytes) {
    server.getConfiguration().setLong(HConstants.HBASE_SERVER_SCANNER_MAX_RESULT_SIZE_KEY, bytes);
    services.onConfigurationChange(server.getConfiguration());
  }

  private static void assertScannersClosed() {
    for (HRegion region : regions()) {
      assertTrue(region.toString(), region.scannerReadPoints.isEmpty());
    }
  }

  private static long count(String metric) {
    return ((MutableFastCounter) MetricsParallelMultiGet.getInstance().getMetricsRegistry()
      .get(metric)).value();
  }

  private static ColumnFamilyDescriptor family(byte[] name) {
    return ColumnFamilyDescriptorBuilder.newBuilder(name).setMaxVersions(VERSIONS)
      .setBlocksize(2048).build();
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%03d", number));
  }

  /** Each 50th row is wide, and each tenth doesn't exist. */
  private static Put put(int row, int version) {
    Put put = new Put(row(row), version);
    if (row % 10 == 9) {
      return put.addColumn(G, Bytes.toBytes("only-g"), Bytes.toBytes(version));
    }
    int cells = row % 50 == 0 ? WIDE_ROW_CELLS : 4;
    for (int i = 0; i < cells; i++) {
      put.addColumn(i % 2 == 0 ? F : G, Bytes.toBytes("q" + i), Bytes.toBytes(row + "/" + version));
    }
    return put.addColumn(F, Q, Bytes.toBytes(row % 7));
  }

  /** Returns the table's regions in row order. */
  private static List<HRegion> regions() {
    List<HRegion> regions = new ArrayList<>(server.getRegions(TABLE));
    regions.sort(Comparator.comparing(HRegion::getRegionInfo));
    return regions;
  }

  private static HRegion regionOf(byte[] row) {
    for (HRegion region : regions()) {
      if (region.getRegionInfo().containsRow(row)) {
        return region;
      }
    }
    throw new AssertionError(Bytes.toString(row));
  }

  private static RegionAction.Builder actionsOn(RegionInfo region) {
    return RegionAction.newBuilder().setRegion(RequestConverter
      .buildRegionSpecifier(RegionSpecifier.RegionSpecifierType.REGION_NAME,
        region.getRegionName()));
  }

  private static Action.Builder action(Get get) throws IOException {
    return Action.newBuilder().setGet(ProtobufUtil.toGet(get));
  }

  /** Returns a request for rows, sorted into regions. */
  private static MultiRequest request(int... rows) throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    for (HRegion region : regions()) {
      RegionAction.Builder actions = actionsOn(region.getRegionInfo());
      for (int i = 0; i < rows.length; i++) {
        if (region.getRegionInfo().containsRow(row(rows[i]))) {
          actions.addAction(action(new Get(row(rows[i])).setFilter(new HookFilter())).setIndex(i));
        }
      }
      if (actions.getActionCount() > 0) {
        request.addRegionAction(actions);
      }
    }
    return request.build();
  }

  private static MultiRequest requestForFirstRows(int count) throws IOException {
    int[] rows = new int[count];
    for (int i = 0; i < count; i++) {
      rows[i] = i;
    }
    return request(rows);
  }

  private static Answer serve(MultiRequest request) throws Exception {
    return new MultiGetTestCall(user).serve(services, request);
  }

  private static Answer serveSerially(MultiRequest request) throws Exception {
    configure("enabled", "false");
    try {
      return serve(request);
    } finally {
      configure("enabled", "true");
    }
  }

  private static boolean onPoolThread() {
    return Thread.currentThread().getName().startsWith(POOL_THREAD);
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertTrue(latch.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
  }

  /** Returns an exception without its stack trace, which depends on the thread. */
  private static String describe(NameBytesPair exception) {
    String text = exception.getValue().toStringUtf8();
    int end = text.indexOf("\n\tat ");
    return exception.getName() + ": " + (end < 0 ? text : text.substring(0, end));
  }

  @SuppressWarnings("deprecation") // MultiResponse.processed, which old clients read
  private static String describe(Answer answer) {
    StringBuilder text = new StringBuilder();
    for (RegionActionResult result : answer.response.getRegionActionResultList()) {
      text.append("region action, processed ").append(result.getProcessed()).append('\n');
      if (result.hasException()) {
        text.append(describe(result.getException())).append('\n');
      }
      for (ResultOrException one : result.getResultOrExceptionList()) {
        text.append(one.getIndex()).append(' ')
          .append(one.hasException() ? describe(one.getException()) : one.toString()).append('\n');
      }
    }
    text.append("processed ").append(answer.response.getProcessed()).append('\n');
    text.append(answer.response.getRegionStatistics().getRegionList()).append('\n');
    for (Cell cell : answer.cells) {
      text.append(cell).append(' ').append(Bytes.toStringBinary(cell.getValueArray(),
        cell.getValueOffset(), cell.getValueLength())).append('\n');
    }
    return text.toString();
  }

  private static String describe(Answer answer, MultiGetTestCall call) {
    return describe(answer) + "block bytes " + call.getBlockBytesScanned() + ", cells "
      + call.getResponseCellSize() + '\n';
  }

  /**
   * Returns a random get.
   * @param failing whether it may be one that fails
   */
  private static Get randomGet(Random random, boolean failing) throws IOException {
    Get get = new Get(row(random.nextInt(ROWS + 10)));
    switch (random.nextInt(failing ? 14 : 13)) {
      case 0:
        return get.setTimeRange(1, 1 + random.nextInt(VERSIONS));
      case 1:
        return get.readVersions(1 + random.nextInt(VERSIONS));
      case 2:
        return get.setFilter(new PrefixFilter(row(random.nextInt(ROWS))));
      case 3:
        return get.setFilter(new ColumnPaginationFilter(2, random.nextInt(4)));
      case 4:
        return get.setFilter(new SingleColumnValueFilter(F, Q,
          CompareOperator.EQUAL, Bytes.toBytes(random.nextInt(7))));
      case 5:
        return get.setCheckExistenceOnly(true);
      case 6:
        return get.addColumn(G, Bytes.toBytes("nosuch"));
      case 7:
        get.setQueryMetricsEnabled(true);
        return get.readAllVersions();
      case 8:
        return get.addColumn(F, Q).addFamily(G).setLoadColumnFamiliesOnDemand(true);
      case 9:
        return get.setMaxResultsPerColumnFamily(2).setRowOffsetPerColumnFamily(1);
      case 10:
        return new Get(row(50 * random.nextInt(4))).readAllVersions();
      case 11:
        return get.setFilter(new KeyOnlyFilter());
      case 13:
        return get.addFamily(Bytes.toBytes("nosuch"));
      default:
        return get;
    }
  }

  private static Action.Builder randomAction(Random random, Get get, boolean failing)
    throws IOException {
    Action.Builder action = action(get);
    if (!failing) {
      return action;
    }
    if (random.nextInt(40) == 0) {
      action.getGetBuilder().setClosestRowBefore(true);
    } else if (random.nextInt(40) == 0) {
      action.getGetBuilder().getFilterBuilder().setName("no.such.Filter");
    }
    return action;
  }

  /** Returns region actions in random order: gets, some of wrong regions, and a few puts. */
  private static MultiRequest randomRequest(Random random, boolean failing) throws IOException {
    MultiRequest.Builder request = MultiRequest.newBuilder();
    int index = 0;
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      RegionInfo region = regionOf(row(random.nextInt(ROWS))).getRegionInfo();
      RegionAction.Builder actions = random.nextInt(12) == 0
        ? actionsOn(RegionInfoBuilder.newBuilder(TABLE).setRegionId(index).build())
        : actionsOn(region);
      boolean mixed = random.nextInt(8) == 0;
      boolean stray = failing && random.nextInt(8) == 0;
      for (int j = 1 + random.nextInt(20); j > 0; j--) {
        Get get = randomGet(random, failing);
        if (mixed && random.nextInt(3) == 0) {
          // Writes the existing value, so that the order doesn't matter.
          int row = random.nextInt(ROWS / 6) * 6;
          actions.addAction(Action.newBuilder().setIndex(index++)
            .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put(row, VERSIONS))));
        } else if (stray || region.containsRow(get.getRow())) {
          actions.addAction(randomAction(random, get, failing).setIndex(index++));
        }
      }
      request.addRegionAction(actions);
    }
    return request.build();
  }

  @Test
  public void answersAreTheSameFieldByField() throws Exception {
    Random random = seed.newRandom();
    long helped = count("parallelHelperGetCount");
    for (int i = 0; i < 200; i++) {
      String message = "request " + i;
      // The texts of exceptions count for the limit, and name the thread's methods.
      boolean limited = random.nextInt(3) == 0;
      MultiRequest request = randomRequest(random, !limited);
      limitResults(limited
        ? 1 + random.nextInt(200_000)
        : HConstants.DEFAULT_HBASE_SERVER_SCANNER_MAX_RESULT_SIZE);
      configure("enabled", "false");
      MultiGetTestCall serialCall = new MultiGetTestCall(user);
      Answer serial = serialCall.serve(services, request);
      configure("enabled", "true");
      MultiGetTestCall parallelCall = new MultiGetTestCall(user);
      Answer parallel = parallelCall.serve(services, request);
      assertEquals(message, describe(serial, serialCall), describe(parallel, parallelCall));
      assertScannersClosed();
    }
    assertTrue(count("parallelHelperGetCount") > helped);
  }

  @Test
  public void offMeansOff() throws Exception {
    configure("enabled", "false");
    UTIL.waitFor(TIMEOUT_MS, 10, () -> Thread.getAllStackTraces().keySet().stream()
      .noneMatch(thread -> thread.getName().startsWith(POOL_THREAD)));
    RSRpcServices.RegionScannersCloseCallBack plain =
      new RSRpcServices.RegionScannersCloseCallBack();
    ParallelMultiGet off = new ParallelMultiGet(services, null);
    assertNull(off.getPool());
    assertSame(plain,
      off.createCallBack(plain, requestForFirstRows(50), new MultiGetTestCall(user)));
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    HookFilter.hook = row -> threads.add(Thread.currentThread());
    serve(requestForFirstRows(50));
    assertEquals(Collections.singleton(Thread.currentThread()), threads);
    assertEquals("reads aren't timed", 0, DeviceReadTime.begin());
  }

  @Test
  public void helpersSeeTheCallOfTheRequestAndItsTrace() throws Exception {
    ContextKey<String> key = ContextKey.named("trace");
    Set<String> seen = ConcurrentHashMap.newKeySet();
    CountDownLatch helped = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        seen.add(RpcServer.getRequestUserName().get() + " " + Context.current().get(key));
        helped.countDown();
      } else {
        await(helped);
      }
    };
    try (Scope scope = Context.current().with(key, "of the request").makeCurrent()) {
      assertNotNull(scope);
      serve(requestForFirstRows(20));
    }
    assertEquals(Collections.singleton("reader of the request"), seen);
    assertFalse(RpcServer.getCurrentCall().isPresent());
  }

  @Test
  public void handlerServesAllIfNobodyHelps() throws Exception {
    configure("threads", "1");
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch free = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        busy.countDown();
        await(free);
      } else if (row < 20) {
        await(busy);
      }
    };
    ExecutorService handler = Executors.newSingleThreadExecutor();
    try {
      MultiRequest request = requestForFirstRows(20);
      Future<Answer> waiting = handler.submit(() -> serve(request));
      await(busy);
      // The only thread is busy: the first of these fills the queue, the others find it full.
      for (int i = 0; i < 3; i++) {
        assertEquals(10, count(serve(request(20, 21, 22, 23, 24, 25, 26, 27, 28, 31))));
      }
      assertFalse(waiting.isDone());
      free.countDown();
      assertEquals(20, count(waiting.get(TIMEOUT_MS, TimeUnit.MILLISECONDS)));
    } finally {
      free.countDown();
      handler.shutdownNow();
    }
  }

  private static int count(Answer answer) {
    int results = 0;
    for (RegionActionResult result : answer.response.getRegionActionResultList()) {
      for (ResultOrException one : result.getResultOrExceptionList()) {
        results += one.hasResult() ? 1 : 0;
      }
    }
    return results;
  }

  private static void failEachFifth(int row) throws IOException {
    if (row % 5 == 3) {
      throw new IOException("row " + row);
    }
  }

  private static void assertEachFifthFailsAlone() throws Exception {
    MultiRequest request = requestForFirstRows(40);
    Answer parallel = serve(request);
    assertEquals(describe(serveSerially(request)), describe(parallel));
    assertEquals(32, count(parallel));
  }

  @Test
  public void exceptionOfAGetIsItsAlone() throws Exception {
    HookFilter.hook = TestParallelMultiGet::failEachFifth;
    assertEachFifthFailsAlone();
  }

  @Test
  public void exceptionOfACoprocessorIsItsGetsAlone() throws Exception {
    HookObserver.hook = TestParallelMultiGet::failEachFifth;
    assertEachFifthFailsAlone();
  }

  @Test
  public void uncheckedExceptionFailsTheRequestAndNoScannerStaysOpen() throws Exception {
    HookFilter.hook = row -> {
      if (row == 10) {
        throw new StackOverflowError("row " + row);
      }
    };
    for (int i = 0; i < 50; i++) {
      Throwable thrown =
        assertThrows(StackOverflowError.class, () -> serve(requestForFirstRows(40)));
      assertEquals("row 10", thrown.getMessage());
      assertScannersClosed();
    }
  }

  @Test
  public void callDoesNotEndWhileAHelperReadsItsRequest() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(1);
    AtomicReference<Thread> handling = new AtomicReference<>();
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        reading.countDown();
        await(read);
      } else if (row == 0) {
        await(reading);
        handling.set(Thread.currentThread());
        failed.countDown();
        throw new IllegalStateException("row 0");
      }
    };
    configure("threads", "1");
    ExecutorService handler = Executors.newSingleThreadExecutor();
    try {
      Future<Answer> ended = handler.submit(() -> serve(requestForFirstRows(10)));
      await(failed);
      // When it waits, helpers begin no more.
      UTIL.waitFor(TIMEOUT_MS, 10,
        () -> LockSupport.getBlocker(handling.get()) instanceof GetWaiter);
      assertFalse(ended.isDone());
      long dropped = count("droppedGetCount");
      read.countDown();
      assertThrows(ExecutionException.class,
        () -> ended.get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
      assertEquals(dropped + 1, count("droppedGetCount"));
    } finally {
      read.countDown();
      handler.shutdownNow();
    }
  }

  /**
   * Serves a request. The handler waits in its first get, of row 0, until helpers have begun some
   * gets and will begin no more.
   */
  private static Answer serveBehindHelpers(MultiRequest request, MultiGetTestCall call,
    HookFilter.Hook ahead)
    throws Exception {
    AtomicInteger begun = new AtomicInteger();
    MultiGetPool pool = services.parallelMultiGet.getPool();
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        begun.incrementAndGet();
        ahead.call(row);
      } else if (row == 0) {
        UTIL.waitFor(TIMEOUT_MS, 10,
          () -> begun.get() > 0 && pool.getActiveCount() == 0 && pool.getQueueSize() == 0);
      }
    };
    return call.serve(services, request);
  }

  @Test
  public void resultsBeyondTheLimitAreDroppedAndAnsweredAsTooLarge() throws Exception {
    limitResults(3000);
    MultiRequest request = requestForFirstRows(60);
    String serial = describe(serveSerially(request));
    assertTrue(serial, serial.contains("MultiActionResultTooLarge"));
    long dropped = count("droppedGetCount");
    long stopped = count("stoppedByLimitCount");
    Answer parallel = serveBehindHelpers(request, new MultiGetTestCall(user), row -> {
    });
    assertEquals(serial, describe(parallel));
    assertTrue(count("droppedGetCount") > dropped);
    // One get exceeded the limit, and each other thread may have begun one.
    assertTrue(count("droppedGetCount") - dropped <= 4);
    assertEquals(stopped + 1, count("stoppedByLimitCount"));
  }

  @Test
  public void helpersBeginNothingAfterTheDeadline() throws Exception {
    long stopped = count("stoppedByDeadlineCount");
    Set<Integer> ahead = ConcurrentHashMap.newKeySet();
    MultiGetTestCall call = new MultiGetTestCall(user);
    Answer answer = serveBehindHelpers(requestForFirstRows(60), call, row -> {
      ahead.add(row);
      call.setDeadline(0);
    });
    assertTrue(ahead.toString(), ahead.size() <= 4);
    assertEquals(stopped + 1, count("stoppedByDeadlineCount"));
    HookFilter.hook = null;
    assertEquals(describe(serveSerially(requestForFirstRows(60))), describe(answer));
  }

  @Test
  public void helpersBeginNothingForAClientThatIsGone() throws Exception {
    long stopped = count("stoppedByDisconnectCount");
    Set<Integer> ahead = ConcurrentHashMap.newKeySet();
    MultiGetTestCall call = new MultiGetTestCall(user);
    Answer answer = serveBehindHelpers(requestForFirstRows(60), call, row -> {
      ahead.add(row);
      call.disconnect();
    });
    assertTrue(ahead.toString(), ahead.size() <= 4);
    assertEquals(stopped + 1, count("stoppedByDisconnectCount"));
    assertTrue(describe(answer).contains("CallerDisconnectedException"));
  }

  @Test
  public void helpersGoOnInTheNextRegion() throws Exception {
    CountDownLatch inLastRegion = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (onPoolThread() && row == 190) {
        inLastRegion.countDown();
      } else if (row == 0) {
        await(inLastRegion);
      }
    };
    assertEquals(8, count(serve(request(0, 10, 40, 70, 100, 130, 160, 190))));
  }

  private static String reasonOf(MultiRequest request) throws Exception {
    Map<String, Long> before = serialRequests();
    serve(request);
    List<String> counted = new ArrayList<>();
    serialRequests().forEach((name, value) -> {
      if (value > before.get(name)) {
        counted.add(name);
      }
    });
    assertEquals(counted.toString(), 1, counted.size());
    return counted.get(0);
  }

  private static Map<String, Long> serialRequests() {
    Map<String, Long> counts = new HashMap<>();
    MetricsParallelMultiGet.getInstance().getMetricsRegistry().getMetricsMap().keySet().stream()
      .filter(name -> name.startsWith("serial") && name.endsWith("RequestCount"))
      .forEach(name -> counts.put(name, count(name)));
    return counts;
  }

  @Test
  public void tellsWhyARequestIsServedSerially() throws Exception {
    HookFilter.hook = row -> assertFalse(onPoolThread());
    spreadAll(false);
    assertEquals("serialFewGetsRequestCount", reasonOf(requestForFirstRows(3)));
    RegionAction.Builder mixed = actionsOn(regionOf(row(0)).getRegionInfo());
    for (int i = 0; i < 20; i++) {
      mixed.addAction(action(new Get(row(i)).setFilter(new HookFilter())).setIndex(i));
    }
    mixed.addAction(Action.newBuilder().setIndex(20)
      .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put(6, VERSIONS))));
    assertEquals("serialMixedRequestCount",
      reasonOf(MultiRequest.newBuilder().addRegionAction(mixed).build()));
    RegionAction.Builder meta = actionsOn(RegionInfoBuilder.FIRST_META_REGIONINFO);
    for (int i = 0; i < 20; i++) {
      meta.addAction(action(new Get(row(i))).setIndex(i));
    }
    assertEquals("serialSystemTableRequestCount",
      reasonOf(MultiRequest.newBuilder().addRegionAction(meta).build()));
  }

  @Test
  public void getsThatCostLittleAreServedByTheirHandler() throws Exception {
    spreadAll(false);
    FakeGet fake = row -> null;
    ParallelMultiGet parallel = parallelBy(fake);
    try {
      // Seldom the first time: a handler may be kept from going on.
      UTIL.waitFor(TIMEOUT_MS, 10, () -> {
        long cheap = count("serialCheapRequestCount");
        serveFake(fake, parallel, requestForFirstRows(20)).run();
        return count("serialCheapRequestCount") > cheap;
      });
    } finally {
      parallel.stop();
    }
  }

  @Test
  public void getsThatWaitForADeviceAreWorthAThread() throws Exception {
    spreadAll(false);
    long requests = count("parallelRequestCount");
    CountDownLatch helped = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (row == 1) {
        DeviceReadTime.add(TimeUnit.MILLISECONDS.toNanos(1));
      } else if (onPoolThread()) {
        helped.countDown();
      } else if (row == 2) {
        await(helped); // the second get showed that helpers are worth it
      }
    };
    serve(requestForFirstRows(20));
    assertEquals(requests + 1, count("parallelRequestCount"));
  }

  @Test
  public void eachGetIsCountedOnce() throws Exception {
    long readRequests = readRequests();
    long multis = services.rpcMultiRequestCount.sum();
    serve(requestForFirstRows(100));
    assertEquals(readRequests + 100, readRequests());
    assertEquals(multis + 1, services.rpcMultiRequestCount.sum());
  }

  private static long readRequests() {
    return regions().stream().mapToLong(HRegion::getReadRequestsCount).sum();
  }

  @Test
  public void settingsChangeWhileTheServerRuns() throws Exception {
    MultiGetPool pool = services.parallelMultiGet.getPool();
    assertEquals(4, pool.getSettings().getThreads());
    server.getConfiguration().set("hbase.regionserver.multiget.parallel.threads", "none");
    // A refusal is a line in the log and not an exception.
    services.onConfigurationChange(server.getConfiguration());
    assertSame(pool, services.parallelMultiGet.getPool());
    configure("threads", "2");
    assertEquals(2, services.parallelMultiGet.getPool().getSettings().getThreads());
    CountDownLatch helped = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        helped.countDown();
      } else {
        await(helped);
      }
    };
    assertEquals(20, count(serve(requestForFirstRows(20))));
  }

  @Test
  public void metricsAreInJmx() throws Exception {
    serve(requestForFirstRows(50));
    ObjectName name = new ObjectName("Hadoop:service=HBase,name=RegionServer,sub=MultiGet");
    // The metrics system reads every ten seconds.
    UTIL.waitFor(TIMEOUT_MS, new ExplainingPredicate<Exception>() {
      @Override
      public boolean evaluate() throws Exception {
        return attributes(name)
          .containsAll(Arrays.asList("poolThreads", "poolActive", "poolQueued",
            "parallelRequestCount", "parallelHelperGetCount", "parallelHandlerGetCount",
            "serialCheapRequestCount", "serialCheapGetCount", "droppedGetCount",
            "HandOverMicros_mean", "HandOverMicros_99th_percentile"));
      }

      @Override
      public String explainFailure() throws Exception {
        return attributes(name).toString();
      }
    });
  }

  /** Returns none while beans are registered anew, as when a region opens or closes. */
  private static Set<String> attributes(ObjectName name) throws Exception {
    Set<String> attributes = new HashSet<>();
    try {
      for (MBeanAttributeInfo attribute : ManagementFactory.getPlatformMBeanServer()
        .getMBeanInfo(name).getAttributes()) {
        attributes.add(attribute.getName());
      }
    } catch (InstanceNotFoundException e) {
      attributes.clear();
    }
    return attributes;
  }

  @Test
  public void buffersOfTheRequestGoBackWhenNoHelperReadsIt() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        reading.countDown();
        await(read);
      } else if (row == 0) {
        await(reading);
        failed.countDown();
        throw new IllegalStateException("row 0");
      }
    };
    configure("threads", "1");
    CleanupTestCall call = new CleanupTestCall(user);
    MultiRequest request = requestForFirstRows(10);
    ExecutorService handler = Executors.newSingleThreadExecutor();
    try {
      Future<?> ended = handler.submit(() -> {
        RpcServer.setCurrentCall(call);
        try {
          return services.multi(null, request);
        } finally {
          RpcServer.setCurrentCall(null);
          call.cleanup();
        }
      });
      await(failed);
      assertThrows(TimeoutException.class, () -> ended.get(200, TimeUnit.MILLISECONDS));
      assertEquals(0, call.countCleanups());
      read.countDown();
      assertThrows(ExecutionException.class, () -> ended.get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
      assertEquals(1, call.countCleanups());
    } finally {
      read.countDown();
      handler.shutdownNow();
      call.getCallBack().run();
    }
  }

  /** The test's action instead of a get. */
  @FunctionalInterface
  private interface FakeGet {
    RegionScanner get(int row) throws IOException;
  }

  private static OperationQuota noQuota() {
    return server.getRegionServerRpcQuotaManager().getQuota(user.getUGI(), TABLE, 1);
  }

  /** Serves gets by the test's getter, as the handler's loop does. The caller ends the request. */
  private static ParallelGets serveFake(FakeGet fake, ParallelMultiGet parallel,
    MultiRequest request) throws IOException {
    ParallelGets gets = (ParallelGets) parallel.createCallBack(
      new RSRpcServices.RegionScannersCloseCallBack(), request, new MultiGetTestCall(user));
    for (RegionAction actions : request.getRegionActionList()) {
      HRegion region = services.getRegion(actions.getRegion());
      ParallelGets.startRegionAction(gets, region, actions, noQuota(), Long.MAX_VALUE);
      for (Action action : actions.getActionList()) {
        PlannedGet planned = ParallelGets.takePlanned(gets, action);
        if (planned != null) {
          ParallelGets.getResult(gets, planned);
        } else {
          fake.get(numberOf(ProtobufUtil.toGet(action.getGet())));
        }
      }
    }
    return gets;
  }

  private static int numberOf(Get get) {
    return Integer.parseInt(Bytes.toString(get.getRow()).substring(4));
  }

  private static ParallelMultiGet parallelBy(FakeGet fake) {
    return parallelBy(fake, () -> 0);
  }

  private static ParallelMultiGet parallelBy(FakeGet fake, DoubleSupplier load) {
    return new ParallelMultiGet(services, (get, region, closeCallBack, context) -> {
      RegionScanner scanner = fake.get(numberOf(get));
      if (scanner != null) {
        closeCallBack.addScanner(scanner);
      }
      return Result.EMPTY_RESULT;
    }, load);
  }

  private static RegionScanner scanner(Runnable close) {
    return (RegionScanner) Proxy.newProxyInstance(RegionScanner.class.getClassLoader(),
      new Class<?>[] { RegionScanner.class }, (proxy, method, args) -> {
        if (method.getName().equals("close")) {
          close.run();
        }
        return method.getName().equals("toString") ? "scanner" : null;
      });
  }

  @Test
  public void scannersOfDroppedGetsAreClosedThoughOthersFailToClose() throws Exception {
    CountDownLatch ahead = new CountDownLatch(1);
    AtomicInteger opened = new AtomicInteger();
    AtomicInteger closed = new AtomicInteger();
    FakeGet fake = row -> {
      if (row == 0) {
        try {
          await(ahead);
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
        throw new IOException("row 0");
      }
      if (row == 9) {
        ahead.countDown();
      }
      opened.incrementAndGet();
      return scanner(() -> {
        closed.incrementAndGet();
        throw new IllegalStateException("can't close");
      });
    };
    ParallelMultiGet parallel = parallelBy(fake);
    try {
      MultiRequest request = requestForFirstRows(10);
      ParallelGets gets = (ParallelGets) parallel.createCallBack(
        new RSRpcServices.RegionScannersCloseCallBack(), request, new MultiGetTestCall(user));
      RegionAction actions = request.getRegionAction(0);
      ParallelGets.startRegionAction(gets, regions().get(0), actions, noQuota(), Long.MAX_VALUE);
      PlannedGet planned = ParallelGets.takePlanned(gets, actions.getAction(0));
      assertNotNull(planned);
      assertThrows(IOException.class, () -> ParallelGets.getResult(gets, planned));
      gets.beforeCleanup();
      assertEquals(9, opened.get());
      assertEquals("the response may still need them", 0, closed.get());
      gets.run();
      assertEquals(9, closed.get());
      gets.run();
      assertEquals(9, closed.get());
    } finally {
      parallel.stop();
    }
  }

  private static MultiRequest requestWithGetsBeforeAndBehindOthers() throws IOException {
    MultiRequest first = request(0, 1, 2, 3, 4, 5);
    MultiRequest second = request(120, 121, 122, 123, 124, 125);
    RegionAction.Builder mixed = actionsOn(regionOf(row(60)).getRegionInfo());
    mixed.addAction(action(new Get(row(60))).setIndex(100));
    mixed.addAction(Action.newBuilder().setIndex(101)
      .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put(66, VERSIONS))));
    return MultiRequest.newBuilder()
      .addAllRegionAction(first.getRegionActionList()).addRegionAction(mixed)
      .addAllRegionAction(second.getRegionActionList()).build();
  }

  @Test
  public void getsBehindOthersAreSpreadToo() throws Exception {
    CountDownLatch helped = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (row >= 120 && onPoolThread()) {
        helped.countDown();
      } else if (row == 120) {
        await(helped);
      }
    };
    MultiRequest request = requestWithGetsBeforeAndBehindOthers();
    assertEquals(14, count(serve(request)));
    HookFilter.hook = null;
    assertEquals(describe(serveSerially(request)), describe(serve(request)));
  }

  @Test
  public void failuresCountAsWhatTheyAddToTheAnswer() throws Exception {
    limitResults(20_000);
    long stopped = count("stoppedByLimitCount");
    AtomicInteger ahead = new AtomicInteger();
    serveBehindHelpers(requestForFirstRows(60), new MultiGetTestCall(user), row -> {
      ahead.incrementAndGet();
      throw new IOException("row " + row);
    });
    assertTrue(ahead.toString(), ahead.get() < 25);
    assertEquals(stopped + 1, count("stoppedByLimitCount"));
  }

  @Test
  public void helpersHaveTheCallOnlyWhileTheyServeAGet() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Set<Boolean> present = ConcurrentHashMap.newKeySet();
    CountDownLatch helped = new CountDownLatch(2);
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        helped.countDown();
      } else if (row == 0) {
        await(helped);
      }
    };
    configure("threads", "1");
    new MultiGetTestCall(user) {
      @Override
      public long disconnectSince() {
        if (onPoolThread() && !isServing()) {
          asked.incrementAndGet();
          present.add(RpcServer.getCurrentCall().isPresent());
        }
        return super.disconnectSince();
      }
    }.serve(services, requestForFirstRows(20));
    assertTrue(asked.get() > 1);
    assertEquals(Collections.singleton(false), present);
  }

  private static boolean isServing() {
    return Arrays.stream(Thread.currentThread().getStackTrace())
      .anyMatch(frame -> frame.getClassName().equals(RSRpcServices.class.getName()));
  }

  @Test
  public void handlerServesAllIfHelpersBreak() throws Exception {
    CountDownLatch broken = new CountDownLatch(2);
    HookFilter.hook = row -> {
      if (row == 0) {
        await(broken);
      }
    };
    assertEquals(2, services.parallelMultiGet.getPool().getSettings().getMaxPerRequest());
    Answer answer = new MultiGetTestCall(user) {
      @Override
      public long disconnectSince() {
        if (onPoolThread()) {
          broken.countDown();
          throw new OutOfMemoryError("injected");
        }
        return super.disconnectSince();
      }
    }.serve(services, requestForFirstRows(20));
    assertEquals(20, count(answer));
    helpersSeeTheCallOfTheRequestAndItsTrace();
  }

  @Test
  public void getsCanNotEndTheirCall() {
    GetCall call = new GetCall(new MultiGetTestCall(user));
    assertThrows(UnsupportedOperationException.class, call::cleanup);
    assertThrows(UnsupportedOperationException.class, call::sendResponseIfReady);
    assertThrows(UnsupportedOperationException.class, () -> call.setCallBack(null));
    assertThrows(UnsupportedOperationException.class,
      () -> call.setResponse(null, null, null, null));
    assertThrows(UnsupportedOperationException.class, () -> call.setStartTime(0));
  }

  private static long countPoolThreads() {
    return Thread.getAllStackTraces().keySet().stream()
      .filter(thread -> thread.getName().startsWith(POOL_THREAD)).count();
  }

  @Test
  public void threadsAreStartedWithThePoolAndStayIfNothingChanges() throws Exception {
    configure("threads", "3");
    UTIL.waitFor(TIMEOUT_MS, 10, () -> countPoolThreads() == 3);
    MultiGetPool pool = services.parallelMultiGet.getPool();
    configure("threads", "3");
    assertSame(pool, services.parallelMultiGet.getPool());
  }

  @Test
  public void noPoolStartsAfterTheEnd() {
    ParallelMultiGet parallel = parallelBy(row -> null);
    assertNotNull(parallel.getPool());
    parallel.stop();
    assertNull(parallel.getPool());
    parallel.onConfigurationChange(server.getConfiguration());
    assertNull(parallel.getPool());
  }

  @Test
  public void whatWaitsForAThreadKeepsNoRequestThatIsOver() throws Exception {
    PlannedGet get = new PlannedGet(0, null, null);
    WeakReference<PlannedGet> kept = new WeakReference<>(get);
    GetPlan plan = new GetPlan(null, new PlannedGet[] { get }, 0, 0);
    get = null;
    plan.close();
    awaitCollected(kept);
    plan.runOnHelper();
  }

  /** A response, and its call with it, may wait for a slow client. */
  @Test
  public void callThatIsOverKeepsNoRequest() throws Exception {
    MultiRequest request = requestForFirstRows(20);
    WeakReference<MultiRequest> kept = new WeakReference<>(request);
    CleanupTestCall call = new CleanupTestCall(user);
    RpcServer.setCurrentCall(call);
    try {
      services.multi(null, request);
    } finally {
      RpcServer.setCurrentCall(null);
      call.cleanup();
    }
    call.getCallBack().run();
    request = null;
    awaitCollected(kept);
    assertNotNull(call.getCallBack());
  }

  private static void awaitCollected(WeakReference<?> kept) throws Exception {
    UTIL.waitFor(TIMEOUT_MS, 10, () -> {
      System.gc();
      return kept.get() == null;
    });
  }

  @Test
  public void helpersThatWaitKeepNoRequestThatIsOver() throws Exception {
    configure("threads", "2");
    CountDownLatch busy = new CountDownLatch(2);
    CountDownLatch free = new CountDownLatch(1);
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        busy.countDown();
        await(free);
      } else if (row == 30) {
        await(busy);
      }
    };
    ExecutorService handler = Executors.newFixedThreadPool(2);
    try {
      handler.submit(() -> serve(request(30, 31, 32, 33, 34)));
      handler.submit(() -> serve(request(30, 31, 32, 33, 34)));
      await(busy);
      MultiRequest request = requestWithGetsBeforeAndBehindOthers();
      WeakReference<MultiRequest> kept = new WeakReference<>(request);
      assertEquals(14, count(serve(request)));
      assertEquals(2, services.parallelMultiGet.getPool().getQueueSize());
      request = null;
      awaitCollected(kept);
    } finally {
      free.countDown();
      handler.shutdown();
      assertTrue(handler.awaitTermination(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    }
  }

  @Test
  public void waitingIsFilledAsFarAsProcessorsHaveTime() {
    ParallelMultiGetSettings settings =
      new ParallelMultiGetSettings(server.getConfiguration());
    int cpus = settings.getCpus();
    MultiGetPool pool =
      new MultiGetPool(settings, () -> 4 * cpus, new IdleCpus(cpus, () -> 0),
        MetricsParallelMultiGet.getInstance());
    try {
      assertEquals(0, pool.getSpareWaitingThreads(1));
      assertEquals(0, pool.getSpareWaitingThreads(0.5));
      assertEquals(4 * cpus, pool.getSpareWaitingThreads(0.25));
    } finally {
      pool.shutdown();
    }
  }

  @Test
  public void getsServedFromMemoryHaveNoHelpWhileTheMachineIsBusy() throws Exception {
    spreadAll(false);
    AtomicReference<Double> load = new AtomicReference<>(1.0);
    FakeGet fake = row -> {
      for (long end = System.nanoTime() + 20_000; System.nanoTime() < end;) {
        continue;
      }
      return null;
    };
    ParallelMultiGet parallel = parallelBy(fake, load::get);
    try {
      long alone = count("serialNoIdleCpuRequestCount");
      serveFake(fake, parallel, requestForFirstRows(50)).run();
      assertEquals(alone + 1, count("serialNoIdleCpuRequestCount"));
      load.set(0.0);
      long parallels = count("parallelRequestCount");
      UTIL.waitFor(TIMEOUT_MS, 10, () -> {
        serveFake(fake, parallel, requestForFirstRows(50)).run();
        return count("parallelRequestCount") > parallels;
      });
      load.set(1.0);
      UTIL.waitFor(TIMEOUT_MS, 10, () -> parallel.getPool().getIdleCpus() == 0);
    } finally {
      parallel.stop();
    }
  }

  /** Regions close and open, gets fail, and calls end early: each answer is right or a refusal. */
  @Test
  public void everyAnswerIsRightWhateverHappens() throws Exception {
    MultiRequest request = requestForFirstRows(ROWS);
    List<String> expected = resultsByIndex(serve(request));
    int handlers = 4;
    ExecutorService executor = Executors.newFixedThreadPool(handlers);
    AtomicBoolean closing = new AtomicBoolean(true);
    try {
      List<Future<Integer>> served = new ArrayList<>();
      for (int i = 0; i < handlers; i++) {
        SplittableRandom random = seed.newRandom(i);
        served.add(executor.submit(() -> serveWhile(closing, random, request, expected)));
      }
      int count = regions().size();
      for (int i = 0; i < 3; i++) {
        RegionInfo region = regions().get(i).getRegionInfo();
        UTIL.getAdmin().unassign(region.getRegionName());
        UTIL.getAdmin().assign(region.getRegionName());
        UTIL.waitUntilNoRegionsInTransition(TIMEOUT_MS);
        // The server tells the master first that it has it.
        UTIL.waitFor(TIMEOUT_MS, 10, () -> regions().size() == count);
      }
      closing.set(false);
      for (Future<Integer> requests : served) {
        assertTrue(requests.get(TIMEOUT_MS, TimeUnit.MILLISECONDS) > 0);
      }
    } finally {
      closing.set(false);
      executor.shutdownNow();
    }
  }

  private static int serveWhile(AtomicBoolean goOn, SplittableRandom random,
    MultiRequest request, List<String> expected) throws Exception {
    int requests = 0;
    for (; requests == 0 || goOn.get(); requests++) {
      MultiGetTestCall call = new MultiGetTestCall(user);
      if (random.nextInt(4) == 0) {
        call.setDeadline(System.currentTimeMillis() + random.nextInt(3));
      }
      int disconnectAt = random.nextInt(4) == 0 ? random.nextInt(ROWS) : -1;
      int failAt = random.nextInt(4) == 0 ? random.nextInt(ROWS) : -1;
      HookFilter.hook = row -> {
        if (row == disconnectAt) {
          call.disconnect();
        }
        if (row == failAt) {
          throw new IllegalStateException("injected");
        }
      };
      try {
        List<String> results = resultsByIndex(call.serve(services, request));
        for (int i = 0; i < results.size(); i++) {
          if (results.get(i) != null) {
            assertEquals(expected.get(i), results.get(i));
          }
        }
      } catch (IllegalStateException e) {
        assertEquals("injected", e.getMessage());
      }
    }
    return requests;
  }

  /** Returns the cells of each get in row order; null for a get that failed. */
  private static List<String> resultsByIndex(Answer answer) {
    Iterator<Cell> cells = answer.cells.iterator();
    List<String> results = new ArrayList<>(Collections.nCopies(ROWS, null));
    for (RegionActionResult region : answer.response.getRegionActionResultList()) {
      if (region.hasException()) {
        assertRefusal(region.getException());
      }
      for (ResultOrException one : region.getResultOrExceptionList()) {
        if (one.hasException()) {
          assertRefusal(one.getException());
          continue;
        }
        StringBuilder text = new StringBuilder();
        for (int i = one.getResult().getAssociatedCellCount(); i > 0; i--) {
          Cell cell = cells.next();
          assertEquals(one.getIndex(), HookFilter.numberOf(cell));
          text.append(cell).append(Bytes.toStringBinary(cell.getValueArray(),
            cell.getValueOffset(), cell.getValueLength()));
        }
        results.set(one.getIndex(), text.toString());
      }
    }
    assertFalse(cells.hasNext());
    return results;
  }

  private static void assertRefusal(NameBytesPair exception) {
    assertTrue(describe(exception),
      exception.getName().equals(NotServingRegionException.class.getName())
        || exception.getName().equals(CallerDisconnectedException.class.getName())
        || exception.getName().equals(InterruptedIOException.class.getName())
        || exception.getName().startsWith("org.apache.hadoop.hbase.exceptions.Region"));
  }

  /** Prometheus rejects all metrics of a server if one has a label twice. */
  @Test
  public void testMetricsHaveEachTagOnce() {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    MetricsParallelMultiGet.getInstance().getMetrics(collector, true);
    for (MetricsRecord record : collector.getRecords()) {
      Set<String> names = new HashSet<>();
      for (MetricsTag tag : record.tags()) {
        assertTrue(tag.name() + " is there twice", names.add(tag.name()));
      }
      assertTrue(names.contains("Context"));
    }
  }
}
