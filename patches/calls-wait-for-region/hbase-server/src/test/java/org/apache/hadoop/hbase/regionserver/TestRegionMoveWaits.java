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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.exceptions.RegionOpeningException;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RWQueueRpcExecutor;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/** Calls wait for a region that is opened or closed. */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestRegionMoveWaits {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRegionMoveWaits.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final MetricsRegionMoveWaits METRICS = MetricsRegionMoveWaits.getInstance();
  private static final TableName TABLE = TableName.valueOf("moves");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] VALUE = Bytes.toBytes("value");
  private static final int TIMEOUT_MS = 120_000;
  private static final int SESSION_TIMEOUT_MS = 300_000;
  /** Of which a quarter may wait. */
  private static final int HANDLERS = 8;
  private static final int MAX_MILLIS = 10_000;
  private static final int SHORT_CALL_MS = 300;
  private static final int SHORT_WAIT_MS = 1_000;
  private static final int MOVES = 6;
  private static final int READERS = 3;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Has a region's open wait, and fail. */
  public static final class Gate implements RegionCoprocessor, RegionObserver {
    private static volatile Semaphore opens;
    private static final AtomicBoolean FAILS = new AtomicBoolean();
    /** Twice as many are still an int. */
    private static final int ALL = Integer.MAX_VALUE / 4;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) throws IOException {
      Semaphore gate = opens;
      if (gate != null) {
        gate.acquireUninterruptibly();
      }
      if (FAILS.get()) {
        throw new IOException("The test has this open fail");
      }
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.setInt(RegionMoveWaitSettings.MAX_MILLIS.key(), MAX_MILLIS);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, HANDLERS);
    // On a busy machine no server is taken for dead.
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, SESSION_TIMEOUT_MS);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", SESSION_TIMEOUT_MS);
    UTIL.startMiniCluster(
      StartMiniClusterOption.builder().numRegionServers(2).numDataNodes(1).build());
    // Longer than the setting allows: on a busy machine each step of a move may take seconds.
    UTIL.getMiniHBaseCluster().getRegionServerThreads().forEach(thread -> {
      HRegionServer server = thread.getRegionServer();
      assertNotNull(server.regionMoveWaits);
      server.regionMoveWaits = new RegionMoveWaits(server, TIMEOUT_MS, HANDLERS / 4);
    });
    UTIL.getAdmin().balancerSwitch(false, true);
    Table table = UTIL.createTable(TableDescriptorBuilder.newBuilder(TABLE)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
      .setCoprocessor(Gate.class.getName()).build(), null);
    table.put(new Put(ROW).addColumn(FAMILY, QUALIFIER, VALUE));
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Before
  public void open() throws Exception {
    UTIL.waitUntilAllRegionsAssigned(TABLE);
    // A server tells the master first.
    UTIL.waitFor(TIMEOUT_MS, 10, () -> UTIL.getMiniHBaseCluster().getRegions(TABLE).size() == 1);
  }

  @After
  public void release() throws Exception {
    Gate.FAILS.set(false);
    if (Gate.opens != null) {
      Gate.opens.release(Gate.ALL);
      Gate.opens = null;
    }
    threads.shutdown();
    assertTrue(threads.awaitTermination(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    UTIL.waitUntilNoRegionsInTransition(TIMEOUT_MS);
  }

  private static HRegion region() {
    return UTIL.getMiniHBaseCluster().getRegions(TABLE).get(0);
  }

  private static HRegionServer server() {
    return (HRegionServer) region().getRegionServerServices();
  }

  private static HRegionServer other() {
    HRegionServer server = server();
    return UTIL.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
      .map(thread -> thread.getRegionServer()).filter(one -> one != server).findFirst().get();
  }

  private static void move() throws Exception {
    HRegionServer to = other();
    byte[] name = region().getRegionInfo().getEncodedNameAsBytes();
    UTIL.waitFor(TIMEOUT_MS, 10, () -> {
      // A master opens it where it was if the other server has only just registered.
      UTIL.getAdmin().move(name, to.getServerName());
      return to.getRegion(Bytes.toString(name)) != null;
    });
  }

  private Future<Void> beginToMove() {
    return threads.submit(() -> {
      move();
      return null;
    });
  }

  /** Asks a server once. */
  private Future<byte[]> get(HRegionServer server, byte[] regionName, int timeoutMillis) {
    return get(server, regionName, timeoutMillis, HConstants.NORMAL_QOS);
  }

  private Future<byte[]> get(HRegionServer server, byte[] regionName, int timeoutMillis,
    int priority) {
    return threads.submit(() -> {
      HBaseRpcController controller = new HBaseRpcControllerImpl();
      controller.setCallTimeout(timeoutMillis);
      controller.setPriority(priority);
      try {
        GetResponse response =
          ((ClusterConnection) UTIL.getConnection()).getClient(server.getServerName())
            .get(controller, RequestConverter.buildGetRequest(regionName, new Get(ROW)));
        return ProtobufUtil.toResult(response.getResult(), controller.cellScanner())
          .getValue(FAMILY, QUALIFIER);
      } catch (ServiceException e) {
        throw ProtobufUtil.handleRemoteException(e);
      }
    });
  }

  private Future<byte[]> get(HRegionServer server) {
    return get(server, region().getRegionInfo().getRegionName(), TIMEOUT_MS);
  }

  private static void awaitWaiting(HRegionServer server, int calls) throws Exception {
    UTIL.waitFor(TIMEOUT_MS, 10, () -> server.regionMoveWaits.getWaitingCalls() == calls);
  }

  private static void awaitOpening(HRegionServer server, HRegion region) throws Exception {
    UTIL.waitFor(TIMEOUT_MS, 10, () -> Boolean.TRUE.equals(server.getRegionsInTransitionInRS()
      .get(region.getRegionInfo().getEncodedNameAsBytes())));
  }

  private static Throwable causeOf(Future<?> future) {
    return assertThrows(ExecutionException.class,
      () -> future.get(TIMEOUT_MS, TimeUnit.MILLISECONDS)).getCause();
  }

  private static byte[] valueOf(Future<byte[]> future) throws Exception {
    return future.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }

  @Test
  public void aQuarterOfTheHandlersOfOneKindOfCallWaits() {
    Configuration conf = new Configuration(false);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 90);
    assertEquals(22, RegionMoveWaits.maxCalls(conf));
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0.5f);
    assertEquals(22, RegionMoveWaits.maxCalls(conf));
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 0.67f);
    assertEquals(7, RegionMoveWaits.maxCalls(conf));
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_SCAN_SHARE_CONF_KEY, 0);
    assertEquals(7, RegionMoveWaits.maxCalls(conf));
    conf.setFloat(RWQueueRpcExecutor.CALL_QUEUE_READ_SHARE_CONF_KEY, 1);
    assertEquals(1, RegionMoveWaits.maxCalls(conf));
  }

  @Test
  public void aCallCopiesNoNameWhileNoRegionMoves() {
    HRegionServer server = server();
    RegionSpecifier called =
      RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, new byte[1 << 20]);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    server.regionMoveWaits.await(called);
    long before = threads.getThreadAllocatedBytes(thread);
    server.regionMoveWaits.await(called);
    long bytes = threads.getThreadAllocatedBytes(thread) - before;
    assertTrue(bytes + " bytes", bytes < called.getValue().size());
  }

  @Test
  public void aCallWaitsForTheCloseAndIsToldThePlace() throws Exception {
    HRegion region = region();
    HRegionServer from = server();
    HRegionServer to = other();
    region.startRegionOperation();
    Future<Void> moved;
    Future<byte[]> get;
    try {
      moved = beginToMove();
      UTIL.waitFor(TIMEOUT_MS, 10, region::isClosing);
      get = get(from, region.getRegionInfo().getRegionName(), TIMEOUT_MS);
      awaitWaiting(from, 1);
      assertFalse(get.isDone());
    } finally {
      region.closeRegionOperation();
    }
    Throwable refusal = causeOf(get);
    assertEquals(RegionMovedException.class, refusal.getClass());
    assertEquals(to.getServerName(), ((RegionMovedException) refusal).getServerName());
    moved.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }

  @Test
  public void callsWaitForTheOpenButNotTooMany() throws Exception {
    HRegion region = region();
    byte[] name = region.getRegionInfo().getRegionName();
    HRegionServer to = other();
    long refused = METRICS.refused.value();
    long ended = METRICS.ended.value();
    Gate.opens = new Semaphore(0);
    Future<Void> moved = beginToMove();
    awaitOpening(to, region);
    Future<byte[]> first = get(to, name, TIMEOUT_MS);
    Future<byte[]> second = get(to, name, TIMEOUT_MS);
    awaitWaiting(to, HANDLERS / 4);
    assertEquals(RegionOpeningException.class, causeOf(get(to, name, TIMEOUT_MS)).getClass());
    assertEquals(refused + 1, METRICS.refused.value());
    assertFalse(first.isDone() || second.isDone());
    Gate.opens.release();
    assertArrayEquals(VALUE, valueOf(first));
    assertArrayEquals(VALUE, valueOf(second));
    assertEquals(ended + 2, METRICS.ended.value());
    assertEquals(0, to.regionMoveWaits.getWaitingCalls());
    moved.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }

  @Test
  public void neitherEventLoopsNorPriorityHandlersWait() throws Exception {
    HRegion region = region();
    byte[] name = region.getRegionInfo().getRegionName();
    HRegionServer to = other();
    long refused = METRICS.refused.value();
    Gate.opens = new Semaphore(0);
    Future<Void> moved = beginToMove();
    awaitOpening(to, region);
    // As the scheduler does it on an event loop, which has no call.
    assertThrows(RegionOpeningException.class, () -> to.getRSRpcServices().getRegion(
      RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, name)));
    assertEquals(RegionOpeningException.class,
      causeOf(get(to, name, TIMEOUT_MS, HConstants.HIGH_QOS)).getClass());
    assertEquals(0, to.regionMoveWaits.getWaitingCalls());
    assertEquals(refused, METRICS.refused.value());
    Gate.opens.release();
    moved.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }

  @Test
  public void aFailedOpenWakesCalls() throws Exception {
    HRegion region = region();
    byte[] name = region.getRegionInfo().getRegionName();
    HRegionServer to = other();
    long vain = METRICS.vain.value();
    Gate.opens = new Semaphore(0);
    Gate.FAILS.set(true);
    threads.submit(() -> {
      UTIL.getAdmin().move(region.getRegionInfo().getEncodedNameAsBytes(), to.getServerName());
      return null;
    });
    awaitOpening(to, region);
    Future<byte[]> get = get(to, name, TIMEOUT_MS);
    awaitWaiting(to, 1);
    // The master may choose the same server again, before the call has noticed.
    Gate.opens.release(Gate.ALL);
    Throwable refusal = causeOf(get);
    assertTrue(refusal.toString(), refusal instanceof NotServingRegionException);
    assertEquals(vain, METRICS.vain.value());
  }

  @Test
  public void aCallWaitsNoLongerThanItsClient() throws Exception {
    HRegion region = region();
    byte[] name = region.getRegionInfo().getRegionName();
    HRegionServer to = other();
    long vain = METRICS.vain.value();
    Gate.opens = new Semaphore(0);
    Future<Void> moved = beginToMove();
    awaitOpening(to, region);
    // A call whose time is over before a handler has it doesn't wait.
    UTIL.waitFor(TIMEOUT_MS / 2, () -> {
      causeOf(get(to, name, SHORT_CALL_MS));
      return METRICS.vain.value() > vain;
    });
    awaitWaiting(to, 0);
    Gate.opens.release();
    moved.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
  }

  @Test
  public void callsWaitForARegionForATimeInAll() throws Exception {
    HRegion region = region();
    byte[] name = region.getRegionInfo().getRegionName();
    HRegionServer to = other();
    RegionMoveWaits usual = to.regionMoveWaits;
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.setInt(RegionMoveWaitSettings.MAX_MILLIS.key(), SHORT_WAIT_MS);
    to.regionMoveWaits = RegionMoveWaits.create(to, conf);
    try {
      long vain = METRICS.vain.value();
      Gate.opens = new Semaphore(0);
      Future<Void> moved = beginToMove();
      awaitOpening(to, region);
      // A call's time begins when it is received: one that a handler has late doesn't wait.
      UTIL.waitFor(TIMEOUT_MS, 10, () -> {
        assertEquals(RegionOpeningException.class, causeOf(get(to, name, TIMEOUT_MS)).getClass());
        return METRICS.vain.value() > vain;
      });
      // The region's time begins a little later.
      long refused = METRICS.refused.value();
      UTIL.waitFor(TIMEOUT_MS, 10, () -> {
        assertEquals(RegionOpeningException.class, causeOf(get(to, name, TIMEOUT_MS)).getClass());
        return METRICS.refused.value() > refused;
      });
      Gate.opens.release();
      moved.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
      assertArrayEquals(VALUE, valueOf(get(to)));
    } finally {
      to.regionMoveWaits = usual;
    }
  }

  @Test
  public void offMeansOff() {
    assertNull(RegionMoveWaits.create(server(), HBaseConfiguration.create()));
  }

  @Test
  public void allRowsAreReadWhileTheRegionMoves() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    Callable<Integer> reader = () -> {
      int reads = 0;
      try (Table table = UTIL.getConnection().getTable(TABLE)) {
        do {
          assertArrayEquals(VALUE, table.get(new Get(ROW)).getValue(FAMILY, QUALIFIER));
          reads++;
        } while (!ends.get());
      }
      return reads;
    };
    List<Future<Integer>> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(threads.submit(reader));
    }
    for (int i = 0; i < MOVES; i++) {
      move();
    }
    ends.set(true);
    for (Future<Integer> reads : readers) {
      assertTrue(reads.get(TIMEOUT_MS, TimeUnit.MILLISECONDS) > 0);
    }
  }
}
