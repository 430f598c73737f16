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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.quotas.OperationQuota;
import org.apache.hadoop.hbase.quotas.OperationQuotas;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.regionserver.MultiGetTestCall.Answer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/** A quota refuses and counts gets that are spread over threads like those of one thread. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestParallelMultiGetQuotas {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestParallelMultiGetQuotas.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 100;
  private static final int TIMEOUT_MS = 120_000;
  /** Helpers are called in for each request, but a busy machine may not run them soon. */
  private static final int HELPERS_MS = 60_000;
  private static final String POOL_THREAD = "RS-MultiGet-";

  private static HRegionServer server;
  private static RSRpcServices services;
  private static User user;

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.setBoolean(QuotaUtil.QUOTA_CONF_KEY, true);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 10);
    conf.setInt(ParallelMultiGetSettings.THREADS.key(), 8); // 4 for a request
    System.setProperty(ParallelMultiGetSettings.SPREAD_ALL_PROPERTY, "true");
    // On the local file system: no test here is about HDFS.
    UTIL.startMiniZKCluster();
    UTIL.startMiniHBaseCluster();
    UTIL.waitTableAvailable(QuotaTableUtil.QUOTA_TABLE_NAME, TIMEOUT_MS);
    server = UTIL.getMiniHBaseCluster().getRegionServer(0);
    services = server.getRSRpcServices();
    user = User.createUserForTesting(conf, "reader", new String[0]);
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    System.clearProperty(ParallelMultiGetSettings.SPREAD_ALL_PROPERTY);
    UTIL.shutdownMiniCluster();
  }

  @After
  public void reset() {
    HookFilter.hook = null;
    configure(HConstants.HBASE_SERVER_SCANNER_MAX_RESULT_SIZE_KEY,
      String.valueOf(HConstants.DEFAULT_HBASE_SERVER_SCANNER_MAX_RESULT_SIZE));
  }

  private static void configure(String key, String value) {
    server.getConfiguration().set(key, value);
    services.onConfigurationChange(server.getConfiguration());
  }

  private static void enable(boolean parallel) {
    configure(ParallelMultiGetSettings.ENABLED.key(), String.valueOf(parallel));
  }

  private static HRegion createTable(String name) throws IOException {
    TableName table = TableName.valueOf(name);
    try (Table created = UTIL.createTable(table, F)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(row(i)).addColumn(F, F, new byte[1000]));
      }
      created.put(puts);
    }
    UTIL.flush(table);
    return server.getRegions(table).get(0);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("row-%03d", number));
  }

  /** Of a quota per day little is given back while a test runs. */
  private static void throttle(HRegion region, ThrottleType type, long perDay) throws Exception {
    UTIL.getAdmin().setQuota(QuotaSettingsFactory.throttleTable(
      region.getTableDescriptor().getTableName(), type, perDay, TimeUnit.DAYS));
    UTIL.waitFor(TIMEOUT_MS, 10, () -> {
      server.getRegionServerRpcQuotaManager().reload();
      return !OperationQuotas.isUnlimited(quotaOf(region));
    });
  }

  private static OperationQuota quotaOf(HRegion region) {
    return server.getRegionServerRpcQuotaManager().getQuota(user.getUGI(),
      region.getTableDescriptor().getTableName(), 1);
  }

  private static RegionAction gets(HRegion region, int count) throws IOException {
    return gets(region, 0, count);
  }

  private static RegionAction gets(HRegion region, int from, int to) throws IOException {
    RegionAction.Builder actions = RegionAction.newBuilder()
      .setRegion(RequestConverter.buildRegionSpecifier(
        RegionSpecifier.RegionSpecifierType.REGION_NAME, region.getRegionInfo().getRegionName()));
    for (int i = from; i < to; i++) {
      actions.addAction(Action.newBuilder().setIndex(i)
        .setGet(ProtobufUtil.toGet(new Get(row(i)).setFilter(new HookFilter()))));
    }
    return actions.build();
  }

  /** Returns the number of results of each region action, or the exception that refused it. */
  private static List<String> serve(RegionAction... actions) throws Exception {
    long now = EnvironmentEdgeManager.currentTime();
    return serve(new MultiGetTestCall(user) {
      @Override
      public long getStartTime() {
        return now;
      }
    }, actions);
  }

  private static List<String> serve(MultiGetTestCall call, RegionAction... actions)
    throws Exception {
    Answer answer = call.serve(services,
      MultiRequest.newBuilder().addAllRegionAction(Arrays.asList(actions)).build());
    List<String> outcomes = new ArrayList<>();
    for (RegionActionResult result : answer.response.getRegionActionResultList()) {
      outcomes.add(result.hasException()
        ? result.getException().getName()
        : String.valueOf(result.getResultOrExceptionList().stream()
          .filter(one -> one.hasResult()).count()));
    }
    return outcomes;
  }

  private static long count(String metric) {
    return ((MutableFastCounter) MetricsParallelMultiGet.getInstance().getMetricsRegistry()
      .get(metric)).value();
  }

  private static boolean onPoolThread() {
    return Thread.currentThread().getName().startsWith(POOL_THREAD);
  }

  /** Makes the handler wait in its first get until helpers have begun gets, and begin no more. */
  private static void letHelpersGoAhead(HookFilter.Hook ahead) {
    AtomicInteger begun = new AtomicInteger();
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        begun.incrementAndGet();
        ahead.call(row);
      } else if (row == 0) {
        MultiGetPool pool = services.parallelMultiGet.getPool();
        long goOn = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(HELPERS_MS);
        UTIL.waitFor(TIMEOUT_MS, 10, () -> (begun.get() > 0 || System.nanoTime() - goOn > 0)
          && pool.getActiveCount() == 0 && pool.getQueueSize() == 0);
      }
    };
  }

  @Test
  public void refusesAndCountsAsOfOneThread() throws Exception {
    List<List<String>> outcomes = new ArrayList<>();
    for (boolean parallel : new boolean[] { false, true }) {
      enable(parallel);
      HRegion region = createTable("reads-" + parallel);
      throttle(region, ThrottleType.READ_NUMBER, 100);
      long before = region.getReadRequestsCount();
      long helped = count("parallelHelperGetCount");
      if (parallel) {
        letHelpersGoAhead(row -> {
        });
      }
      List<String> served = new ArrayList<>();
      for (int gets : new int[] { 60, 60, 40, 1 }) {
        served.addAll(serve(gets(region, gets)));
      }
      outcomes.add(served);
      assertEquals(before + 100, region.getReadRequestsCount());
      assertEquals(parallel, count("parallelHelperGetCount") > helped);
    }
    String refused = RpcThrottlingException.class.getName();
    assertEquals(Arrays.asList("60", refused, "40", refused), outcomes.get(0));
    assertEquals(outcomes.get(0), outcomes.get(1));
  }

  @Test
  public void nothingIsReadAheadOfAQuotaThatRefuses() throws Exception {
    enable(true);
    HRegion free = createTable("free");
    HRegion throttled = createTable("throttled");
    throttle(throttled, ThrottleType.READ_NUMBER, 10);
    assertEquals(Arrays.asList("10"), serve(gets(throttled, 10)));
    long before = throttled.getReadRequestsCount();
    letHelpersGoAhead(row -> {
    });
    assertEquals(Arrays.asList("20", RpcThrottlingException.class.getName(), "20"),
      serve(gets(free, 20), gets(throttled, 20), gets(free, 20)));
    assertEquals(before, throttled.getReadRequestsCount());
  }

  /**
   * A quota first charges an estimate, 10 ms per get here, and corrects it by the time used. The
   * gets take 880 ms of one thread, which leaves too little for others, and less of several.
   */
  @Test
  public void timeIsChargedAsOfOneThread() throws Exception {
    List<List<String>> outcomes = new ArrayList<>();
    for (boolean parallel : new boolean[] { false, true }) {
      enable(parallel);
      AtomicInteger byHelpers = new AtomicInteger();
      HookFilter.hook = row -> {
        if (onPoolThread()) {
          byHelpers.incrementAndGet();
        }
        for (long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(22);
          System.nanoTime() < end;) {
          Thread.yield();
        }
        if (parallel && row == 0) {
          UTIL.waitFor(HELPERS_MS, 10, () -> byHelpers.get() > 0);
        }
      };
      HRegion region = createTable("time-" + parallel);
      throttle(region, ThrottleType.REQUEST_HANDLER_USAGE_MS, 1000);
      long helped = count("parallelHelperGetCount");
      List<String> served = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        served.addAll(serve(gets(region, 40)));
      }
      outcomes.add(served);
      assertEquals(parallel, count("parallelHelperGetCount") > helped);
    }
    assertEquals(Arrays.asList("40", RpcThrottlingException.class.getName()), outcomes.get(0));
    assertEquals(outcomes.get(0), outcomes.get(1));
  }

  /** Results of gets that the handler leaves out are dropped when the next quota is closed. */
  @Test
  public void whatIsLeftOutDoesNotEndHelpOfTheRequest() throws Exception {
    enable(true);
    HRegion first = createTable("left-first");
    HRegion left = createTable("left-out");
    HRegion limited = createTable("left-limited");
    HRegion last = createTable("left-last");
    throttle(limited, ThrottleType.READ_NUMBER, 1000);
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger inLast = new AtomicInteger();
    HookFilter.hook = row -> {
      if (onPoolThread()) {
        (row < 50 ? begun : inLast).incrementAndGet();
      } else if (row == 0 && server.getOnlineRegion(left.getRegionInfo().getRegionName()) != null) {
        UTIL.waitFor(TIMEOUT_MS, 10, () -> begun.get() == 39);
        server.removeRegion(left, null);
      } else if (row == 50) {
        UTIL.waitFor(TIMEOUT_MS, 10, () -> inLast.get() > 0);
      }
    };
    try {
      assertEquals(
        Arrays.asList("20", NotServingRegionException.class.getName(), "20", "20"),
        serve(gets(first, 20), gets(left, 20), gets(limited, 20), gets(last, 50, 70)));
    } finally {
      server.addRegion(left);
    }
  }

  /** Charges a read, and returns the number of bytes that may still be read. */
  private static long takeReadAvailable(HRegion region) throws IOException {
    OperationQuota quota = quotaOf(region);
    quota.checkBatchQuota(0, 1, false);
    return quota.getReadAvailable();
  }

  @Test
  public void readsOfResultsThatNobodyIsSentAreCharged() throws Exception {
    enable(true);
    HRegion region = createTable("dropped");
    throttle(region, ThrottleType.READ_SIZE, 1 << 24);
    configure(HConstants.HBASE_SERVER_SCANNER_MAX_RESULT_SIZE_KEY, "3000");
    long dropped = count("droppedGetCount");
    long before = takeReadAvailable(region) - 1;
    AtomicInteger ahead = new AtomicInteger();
    letHelpersGoAhead(row -> ahead.incrementAndGet());
    MultiGetTestCall call = new MultiGetTestCall(user);
    assertEquals(Arrays.asList("1"), serve(call, gets(region, 50)));
    assertEquals(dropped + ahead.get(), count("droppedGetCount"));
    long read = before - takeReadAvailable(region);
    // Each second gives back some 200 bytes; a block has more than there are in a minute.
    long givenBack = 20_000;
    assertTrue(call.getBlockBytesScanned() > givenBack);
    assertTrue(read + " of " + call.getBlockBytesScanned(),
      read + givenBack >= call.getBlockBytesScanned() * (1 + ahead.get()));
  }
}
