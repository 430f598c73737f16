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
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaTableUtil;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.replication.DummyReplicationEndpoint;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TestName;

import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/**
 * Each setting that is taken over at run time is changed while rows are put, read, flushed and
 * compacted: no operation fails or hangs, no server ends, and all rows are there afterwards.
 */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestChangedSettings {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestChangedSettings.class);

  /** One for all tests: what they change is changed back, and each has a table of its own. */
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final int WRITERS = 2;
  private static final int BATCH = 20;
  /** Keys that are changed at once. */
  private static final int TOGETHER = 6;
  private static final int ALTERATIONS = 4;
  private static final int UPDATES = 50;
  private static final int TIMEOUT_S = 180;

  /** A key with its values. */
  private static final String[][] OF_REGION_SERVERS = {
    { "hbase.hstore.compaction.max", "4", "10" },
    { "hbase.hstore.compaction.min", "2", "3" },
    { "hbase.hstore.compaction.ratio", "1.1", "1.4" },
    { "hbase.hstore.blockingStoreFiles", "30", "16" },
    { "hbase.regionserver.thread.compaction.small", "3", "1" },
    { "hbase.regionserver.thread.compaction.large", "2", "1" },
    { "hbase.regionserver.thread.split", "2", "1" },
    { "hbase.regionserver.throughput.controller",
      "org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController",
      "org.apache.hadoop.hbase.regionserver.throttle.PressureAwareCompactionThroughputController" },
    { "hbase.regionserver.flush.throughput.controller",
      "org.apache.hadoop.hbase.regionserver.throttle.PressureAwareFlushThroughputController",
      "org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController" },
    { "hbase.hstore.flusher.count", "4", "1" },
    { "hbase.regionserver.compaction.enabled", "false", "true" },
    { "hbase.ipc.server.max.callqueue.length", "50", "300" },
    { "hbase.ipc.server.callqueue.type", "codel", "fifo" },
    { "hbase.ipc.server.callqueue.codel.target.delay", "1000", "100" },
    { "hbase.ipc.server.callqueue.codel.interval", "1000", "100" },
    { "hbase.ipc.server.callqueue.codel.lifo.threshold", "0.5", "0.8" },
    { "hbase.server.netty.writable.watermark.low", "4096", "0" },
    { "hbase.server.netty.writable.watermark.high", "8192", "0" },
    { "hbase.rs.cacheblocksonwrite", "true", "false" },
    { "hbase.block.data.cacheonread", "false", "true" },
    { "hbase.rs.evictblocksonclose", "true", "false" },
    { "hbase.bucketcache.acceptfactor", "0.9", "0.95" },
    { "hbase.bucketcache.minfactor", "0.7", "0.85" },
    { "hbase.bucketcache.extrafreefactor", "0.2", "0.1" },
    { "hbase.bucketcache.single.factor", "0.3", "0.25" },
    { "hbase.hfile.prefetch.delay", "10", "1000" },
    { "hbase.region.store.parallel.put.limit", "10", "0" },
    { "hbase.region.store.parallel.put.limit.min.column.count", "0", "100" },
    { "hbase.region.store.parallel.prepare.put.multiplier", "3", "2" },
    { "hbase.rpc.rows.warning.threshold", "10", "5000" },
    { "hbase.server.scanner.max.result.size", "100000", "104857600" },
    { "hbase.ipc.warn.response.time", "1", "10000" },
    { "hbase.ipc.warn.response.size.scan", "100", "104857600" },
    { "hbase.regionserver.slowlog.buffer.enabled", "true", "false" },
    { "hbase.replication.source.nb.capacity", "10", "25000" },
    { "hbase.replication.peer.base.config", "a=1", "a=2" },
    { "hbase.coprocessor.region.classes", Nothing.class.getName(), "" },
    { "hbase.coprocessor.user.region.classes", Nothing.class.getName(), "" } };

  /** Values of a key that was declared: the first two that it may have. */
  private static final String[][] OF_DECLARED =
    { { "true", "false" }, { "2m", "4m" }, { "2", "4" } };

  private static final String[][] OF_MASTERS = {
    { "hbase.master.loadbalancer.class",
      "org.apache.hadoop.hbase.master.balancer.SimpleLoadBalancer",
      "org.apache.hadoop.hbase.master.balancer.StochasticLoadBalancer" },
    { "hbase.regions.slop", "0.3", "0.2" },
    { "hbase.oldwals.cleaner.thread.size", "3", "1" },
    { "hbase.oldwals.cleaner.thread.timeout.msec", "1000", "60000" },
    { "hbase.regionserver.hfilecleaner.large.thread.count", "2", "1" },
    { "hbase.regionserver.hfilecleaner.small.thread.count", "2", "1" },
    { "hbase.regionserver.thread.hfilecleaner.throttle", "1000", "67108864" },
    { "hbase.cleaner.scan.dir.concurrent.size", "2", "1" },
    { "hbase.log.cleaner.scan.dir.concurrent.size", "2", "1" },
    { "hbase.master.procedure.threads", "4", "16" },
    { "hbase.replication.source.sleepforretries", "100", "1000" },
    { "hbase.normalizer.throughput.max_bytes_per_sec", "2000000", "1000000" },
    { "hbase.normalizer.merge.min_region_age.days", "1", "3" },
    { "hbase.master.regions.recovery.check.interval", "1000", "1200000" },
    { "hbase.regions.recovery.store.file.ref.count", "5", "-1" },
    { "hbase.master.reject.decommissioned.hosts", "true", "false" } };

  @Rule
  public final RandomSeed seed = new RandomSeed();

  @Rule
  public final TestName test = new TestName();

  private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
  /** Rows that each writer has put. */
  private final AtomicInteger[] put = new AtomicInteger[WRITERS];
  private final List<Future<?>> writers = new ArrayList<>();
  private volatile boolean stop;
  private TableName name;
  private Admin admin;

  /** A coprocessor. */
  public static final class Nothing implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }
  }

  /** Takes what is replicated, and does nothing with it. */
  public static final class Sink extends DummyReplicationEndpoint {
    private static final AtomicInteger EDITS = new AtomicInteger();

    @Override
    public boolean replicate(ReplicateContext context) {
      EDITS.addAndGet(context.getEntries().size());
      return true;
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 32);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, TIMEOUT_S * 1000);
    conf.setBoolean(QuotaUtil.QUOTA_CONF_KEY, true);
    UTIL.startMiniCluster(2);
    UTIL.waitTableAvailable(QuotaTableUtil.QUOTA_TABLE_NAME);
    UTIL.getAdmin().addReplicationPeer("peer", ReplicationPeerConfig.newBuilder()
      .setReplicationEndpointImpl(Sink.class.getName()).setReplicateAllUserTables(true).build());
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Before
  public void startLoad() throws Exception {
    name = TableName.valueOf(test.getMethodName());
    admin = UTIL.getAdmin();
    admin.createTable(TableDescriptorBuilder.newBuilder(name)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(1024)
        .setScope(HConstants.REPLICATION_SCOPE_GLOBAL).build())
      .build(), new byte[][] { row(1, 0) });
    // More than the writers use.
    admin.setQuota(QuotaSettingsFactory.throttleTable(name, ThrottleType.REQUEST_NUMBER, 1_000_000,
      TimeUnit.SECONDS));
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      put[i] = new AtomicInteger();
      writers.add(threads.submit(() -> {
        write(writer);
        return null;
      }));
    }
  }

  @After
  public void stopLoad() throws Exception {
    stop = true;
    threads.shutdownNow();
    assertTrue("A writer hangs", threads.awaitTermination(TIMEOUT_S, TimeUnit.SECONDS));
  }

  private static byte[] row(int writer, int number) {
    return Bytes.toBytes(String.format("%d-%08d", writer, number));
  }

  private void write(int writer) throws IOException {
    SplittableRandom random = seed.newRandom(writer);
    try (Table table = UTIL.getConnection().getTable(name)) {
      for (int number = 0; !stop; number++) {
        byte[] row = row(writer, number);
        table.put(new Put(row).addColumn(F, F, row));
        put[writer].set(number + 1);
        assertIsRow(writer, number, table.get(new Get(row)));
        List<Get> gets = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          gets.add(new Get(row(writer, random.nextInt(number + 1))));
        }
        Result[] results = table.get(gets);
        for (int i = 0; i < BATCH; i++) {
          assertEquals(Bytes.toString(gets.get(i).getRow()), Bytes.toString(results[i].value()));
        }
        int first = Math.max(0, number - BATCH);
        assertRows(table, writer, first, number + 1);
      }
    }
  }

  private static void assertIsRow(int writer, int number, Result result) {
    assertEquals(Bytes.toString(row(writer, number)), Bytes.toString(result.value()));
  }

  private static void assertRows(Table table, int writer, int first, int end) throws IOException {
    try (ResultScanner scanner = table.getScanner(
      new Scan().withStartRow(row(writer, first)).withStopRow(row(writer, end)))) {
      int number = first;
      for (Result result : scanner) {
        assertIsRow(writer, number++, result);
      }
      assertEquals(end, number);
    }
  }

  /** Returns the keys of region servers, with two values for each. */
  private static List<String[]> ofRegionServers() {
    List<String[]> keys = new ArrayList<>(Arrays.asList(OF_REGION_SERVERS));
    SettingsCheck.settings().stream().filter(Setting::isLive)
      .forEach(setting -> keys.add(Arrays.stream(OF_DECLARED)
        .filter(values -> isAllowed(setting, values[0])).findFirst()
        .map(values -> new String[] { setting.key(), values[0], values[1] })
        .orElseThrow(() -> new AssertionError("Give values for " + setting))));
    return keys;
  }

  private static boolean isAllowed(Setting<?> setting, String value) {
    Configuration conf = new Configuration(false);
    conf.set(setting.key(), value);
    try {
      setting.read(conf);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Fails if a writer has, or hangs. */
  private void awaitProgress(String when) throws Exception {
    int[] before = Arrays.stream(put).mapToInt(AtomicInteger::get).toArray();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      UTIL.waitFor(TIMEOUT_S * 1000L, 20, () -> {
        if (writers.get(writer).isDone()) {
          writers.get(writer).get();
        }
        return put[writer].get() > before[writer] + 1;
      });
    }
    for (JVMClusterUtil.RegionServerThread server : UTIL.getMiniHBaseCluster()
      .getRegionServerThreads()) {
      assertTrue(when, server.isAlive() && !server.getRegionServer().isStopped());
    }
    assertTrue(when, UTIL.getMiniHBaseCluster().getMaster().isActiveMaster());
  }

  private void assertAllRowsAreThere() throws Exception {
    stop = true;
    try (Table table = UTIL.getConnection().getTable(name)) {
      for (int i = 0; i < WRITERS; i++) {
        writers.get(i).get(TIMEOUT_S, TimeUnit.SECONDS);
        assertRows(table, i, 0, put[i].get());
      }
    }
  }

  private static void set(Configuration conf, List<String[]> keys, int value) {
    keys.forEach(key -> conf.set(key[0], key[value]));
  }

  private void flushAndCompact() throws IOException {
    admin.flush(name);
    admin.compact(name);
  }

  @Test
  public void settingsOfRegionServersChangeWhileTheyServe() throws Exception {
    for (List<String[]> keys : Lists.partition(ofRegionServers(), TOGETHER)) {
      for (int value = 1; value <= 2; value++) {
        for (JVMClusterUtil.RegionServerThread thread : UTIL.getMiniHBaseCluster()
          .getRegionServerThreads()) {
          HRegionServer server = thread.getRegionServer();
          set(server.getConfiguration(), keys, value);
          admin.updateConfiguration(server.getServerName());
        }
        flushAndCompact();
        awaitProgress(keys.get(0)[0] + " to " + keys.get(keys.size() - 1)[0] + ", value " + value);
      }
    }
    assertAllRowsAreThere();
  }

  @Test
  public void allServersTakeOverTheirSettingsAgainAndAgain() throws Exception {
    int edits = Sink.EDITS.get();
    for (int i = 0; i < UPDATES; i++) {
      admin.updateConfiguration();
    }
    awaitProgress("all servers, " + UPDATES + " times");
    UTIL.waitFor(TIMEOUT_S * 1000L, 10, () -> Sink.EDITS.get() > edits);
    assertAllRowsAreThere();
  }

  @Test
  public void settingsOfTheMasterChangeWhileItWorks() throws Exception {
    ServerName master = UTIL.getMiniHBaseCluster().getMaster().getServerName();
    for (List<String[]> keys : Lists.partition(Arrays.asList(OF_MASTERS), TOGETHER)) {
      for (int value = 1; value <= 2; value++) {
        set(UTIL.getMiniHBaseCluster().getMaster().getConfiguration(), keys, value);
        admin.updateConfiguration(master);
        flushAndCompact();
        admin.balance();
        admin.normalize();
        admin.runCatalogJanitor();
        awaitProgress(keys.get(0)[0] + " to " + keys.get(keys.size() - 1)[0] + ", value " + value);
      }
    }
    admin.updateConfiguration();
    assertAllRowsAreThere();
  }

  @Test
  public void aTableChangesWithoutReopeningItsRegions() throws Exception {
    for (int round = 0; round < ALTERATIONS; round++) {
      admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
        .setMemStoreFlushSize((8L + round) << 20)
        .modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F)
          .setBlocksize(1024 * (1 + round)).setMaxVersions(1 + round)
          .setConfiguration("hbase.hstore.compaction.min", String.valueOf(2 + round)).build())
        .build(), false);
      flushAndCompact();
      awaitProgress("altered " + round + " times");
      // A region that moves takes it over.
      RegionInfo moved = admin.getRegions(name).get(round % 2);
      admin.move(moved.getEncodedNameAsBytes());
      admin.updateConfiguration();
      awaitProgress("altered and moved " + round + " times");
    }
    assertAllRowsAreThere();
  }
}
