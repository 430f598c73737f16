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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.OnlineLogRecord;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.io.hfile.bucket.UnreliableEngine;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.QuotaUtil;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.HFileTestUtil;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TestName;

/**
 * Gets that event loops read while regions and servers change. Each get is answered as it should
 * be, and when all is over nothing is held.
 */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestEventLoopGetsDuringChanges extends EventLoopGetsTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestEventLoopGetsDuringChanges.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final int READERS = 3;
  private static final int ROWS = 200;
  /** Of each step: so many gets are begun and ended by event loops when it is over. */
  private static final int GETS = 20;

  /** Has quotas, as the master does; the others have none. */
  private static HRegionServer withQuotas;
  private static List<HRegionServer> servers;
  /** Of the first of these. */
  private static UnreliableEngine engine;
  private static Admin admin;

  @Rule
  public final TestName name = new TestName();

  private final Set<HRegion> regions = ConcurrentHashMap.newKeySet();
  private final Set<HStoreFile> files = ConcurrentHashMap.newKeySet();
  private final AtomicLong gets = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<Thread> readers = new ArrayList<>();
  private volatile boolean stopped;
  private volatile List<byte[]> rows;
  /** Of clients that go on trying while a region is nowhere. */
  private Configuration patient;
  private TableName tableName;
  private Table table;

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = newConfiguration();
    conf.setBoolean(EventLoopGetSettings.ENABLED.key(), true);
    conf.setBoolean(HConstants.SLOW_LOG_BUFFER_ENABLED_KEY, true);
    conf.setBoolean(QuotaUtil.QUOTA_CONF_KEY, true);
    conf.setInt("hbase.quota.refresh.period", 100);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 5);
    startServer();
    withQuotas = server;
    util.getMiniHBaseCluster().getConfiguration().setBoolean(QuotaUtil.QUOTA_CONF_KEY, false);
    servers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      servers.add(util.getMiniHBaseCluster().startRegionServerAndWait(PATIENCE_MS)
        .getRegionServer());
    }
    server = servers.get(0);
    engine = UnreliableEngine.under(bucketCacheOf(server));
    admin = util.getAdmin();
    admin.balancerSwitch(false, true);
  }

  @AfterClass
  public static void tearDown() throws Exception {
    stopCluster();
  }

  @Before
  public void createTable() throws Exception {
    tableName = TableName.valueOf(name.getMethodName());
    patient = new Configuration(util.getConfiguration());
    patient.setInt(HConstants.HBASE_CLIENT_PAUSE, 10);
    patient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 100);
    table = util.createTable(TableDescriptorBuilder.newBuilder(tableName)
      .setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(1024).build())
      .build(), (byte[][]) null);
    move(server);
    List<byte[]> written = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      written.add(Bytes.toBytes(String.format("row-%05d", i)));
    }
    rows = written;
    put();
    admin.flush(tableName);
  }

  @After
  public void stopReaders() throws Exception {
    stopped = true;
    for (Thread reader : readers) {
      reader.join(PATIENCE_MS);
    }
    table.close();
  }

  /** The value of a row is the row. */
  private void put() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (byte[] row : rows) {
      puts.add(new Put(row).addColumn(F, Q, row));
    }
    table.put(puts);
  }

  private void startReaders() {
    for (int i = 0; i < READERS; i++) {
      Thread reader = new Thread(this::read, "reader-" + i);
      readers.add(reader);
      reader.start();
    }
  }

  private void read() {
    try (Connection connection = ConnectionFactory.createConnection(patient);
      Table read = connection.getTable(tableName)) {
      while (!stopped && failure.get() == null) {
        List<byte[]> all = rows;
        byte[] row = all.get(ThreadLocalRandom.current().nextInt(all.size()));
        Result result = read.get(new Get(row));
        assertArrayEquals(Bytes.toStringBinary(row), row, result.getValue(F, Q));
        assertTrue(read.get(new Get(Bytes.add(row, Q))).isEmpty());
        gets.incrementAndGet();
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Waits for right answers of event loops. */
  private void awaitEventLoops() throws Exception {
    long gotten = gets.get() + GETS;
    long read = count("eventLoopReadCount") + GETS;
    await(() -> gets.get() >= gotten && count("eventLoopReadCount") >= read);
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(Condition condition) throws Exception {
    util.waitFor(PATIENCE_MS, 10, () -> failure.get() != null || condition.holds());
    if (failure.get() != null) {
      throw new AssertionError("a get failed", failure.get());
    }
  }

  /** The table's regions, wherever they are; remembers them and their files. */
  private List<HRegion> openRegions() {
    List<HRegion> open = util.getMiniHBaseCluster().getRegions(tableName);
    for (HRegion region : open) {
      regions.add(region);
      files.addAll(region.getStore(F).getStorefiles());
    }
    return open;
  }

  private RegionInfo onlyRegion() {
    List<HRegion> open = openRegions();
    assertEquals(1, open.size());
    return open.get(0).getRegionInfo();
  }

  private void move(HRegionServer to) throws Exception {
    // The servers tell the master first that they have them.
    int count = admin.getRegions(tableName).size();
    await(() -> openRegions().size() == count);
    await(() -> {
      // A master opens a region where it was if the other server has only just registered.
      for (HRegion region : openRegions()) {
        admin.move(region.getRegionInfo().getEncodedNameAsBytes(), to.getServerName());
      }
      return to.getRegions(tableName).size() == count;
    });
  }

  /** Compacts, and waits until nobody has the files of before. */
  private void compact() throws Exception {
    for (HRegion region : openRegions()) {
      region.compact(true);
      HStore store = region.getStore(F);
      await(() -> {
        store.closeAndArchiveCompactedFiles();
        return store.getStorefilesCount() == 1
          && store.getStoreEngine().getStoreFileManager().getCompactedfiles().isEmpty();
      });
    }
    openRegions();
  }

  /** Loads rows of a file, which are read from then on. */
  private void bulkLoad() throws Exception {
    Path folder = util.getDataTestDir(name.getMethodName());
    HFileTestUtil.createHFile(util.getConfiguration(), FileSystem.get(util.getConfiguration()),
      new Path(new Path(folder, "f"), "loaded"), F, Q, Bytes.toBytes("loaded-0"),
      Bytes.toBytes("loaded-9"), ROWS);
    BulkLoadHFiles.create(util.getConfiguration()).bulkLoad(tableName, folder);
    List<byte[]> all = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(F)) {
      for (Result result : scanner) {
        all.add(result.getRow());
      }
    }
    assertEquals(2 * ROWS, all.size());
    rows = all;
    openRegions();
  }

  /** When no get runs: files, read points and blocks are the cache's and the regions' alone. */
  private void assertNothingHeld(HRegionServer... alive) throws Exception {
    for (HRegion region : openRegions()) {
      region.getStore(F).getStorefiles()
        .forEach(TestEventLoopGetsDuringChanges::assertBloomFilterWorks);
    }
    stopReaders();
    if (failure.get() != null) {
      throw new AssertionError("a get failed", failure.get());
    }
    util.waitFor(PATIENCE_MS, 10, () -> regions.stream()
      .allMatch(region -> region.scannerReadPoints.isEmpty())
      && files.stream().allMatch(file -> file.getRefCount() == 0));
    for (HRegionServer each : alive) {
      BucketCacheValidator.awaitWritten(bucketCacheOf(each));
      BucketCacheValidator.validate(bucketCacheOf(each));
    }
  }

  /** One that couldn't be read once is off for good. */
  private static void assertBloomFilterWorks(HStoreFile file) {
    assertTrue(file.toString(), IntStream.range(0, 100)
      .anyMatch(row -> !file.getReader().passesGetBloomFilter(Bytes.toBytes(row), null)));
  }

  @Test
  public void flushBulkLoadAndCompaction() throws Exception {
    startReaders();
    awaitEventLoops();
    put();
    awaitEventLoops();
    admin.flush(tableName);
    assertEquals(2, openRegions().get(0).getStore(F).getStorefilesCount());
    awaitEventLoops();
    bulkLoad();
    awaitEventLoops();
    compact();
    awaitEventLoops();
    assertNothingHeld(server);
  }

  @Test
  public void moveCloseAndSplit() throws Exception {
    startReaders();
    awaitEventLoops();
    move(servers.get(1));
    awaitEventLoops();
    move(server);
    awaitEventLoops();
    RegionInfo region = onlyRegion();
    admin.unassign(region.getRegionName());
    await(() -> openRegions().isEmpty());
    admin.assign(region.getRegionName());
    await(() -> openRegions().size() == 1);
    move(server);
    awaitEventLoops();
    admin.splitRegionAsync(region.getRegionName(), rows.get(ROWS / 2)).get(PATIENCE_MS,
      TimeUnit.MILLISECONDS);
    await(() -> openRegions().size() == 2);
    awaitEventLoops();
    move(server);
    compact();
    awaitEventLoops();
    assertNothingHeld(server, servers.get(1));
  }

  /** Its store files and their blocks are free, too, though it closes in a hurry. */
  @Test
  public void abortOfTheServer() throws Exception {
    HRegionServer aborted = servers.get(1);
    move(aborted);
    startReaders();
    awaitEventLoops();
    aborted.abort("by a test");
    await(() -> server.getRegions(tableName).size() + withQuotas.getRegions(tableName).size() > 0);
    move(server);
    awaitEventLoops();
    assertNothingHeld(server);
    servers.set(1, util.getMiniHBaseCluster().startRegionServerAndWait(PATIENCE_MS)
      .getRegionServer());
  }

  private boolean isThrottled(Table impatient) throws IOException {
    try {
      impatient.get(new Get(rows.get(0)));
      return false;
    } catch (IOException e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof RpcThrottlingException) {
          return true;
        }
      }
      throw e;
    }
  }

  /** A server that knows quotas has handlers read all gets. */
  @Test
  public void throttle() throws Exception {
    startReaders();
    awaitEventLoops();
    move(withQuotas);
    long gotten = gets.get() + GETS;
    await(() -> gets.get() >= gotten);
    assertNothingHeld(withQuotas);
    long read = count("eventLoopReadCount");
    Configuration conf = new Configuration(util.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Table impatient = connection.getTable(tableName)) {
      assertFalse(isThrottled(impatient));
      admin.setQuota(QuotaSettingsFactory.throttleTable(tableName, ThrottleType.READ_NUMBER, 1,
        TimeUnit.DAYS));
      await(() -> isThrottled(impatient));
      admin.setQuota(QuotaSettingsFactory.unthrottleTable(tableName));
      await(() -> !isThrottled(impatient));
      assertEquals(read, count("eventLoopReadCount"));
    }
    move(server);
    await(() -> !table.get(new Get(rows.get(0))).isEmpty() && count("eventLoopReadCount") > read);
    assertNothingHeld(server, withQuotas);
  }

  private static void setWarnings(int milliseconds, int bytes) {
    Configuration conf = server.getConfiguration();
    conf.setInt("hbase.ipc.warn.response.time", milliseconds);
    conf.setInt("hbase.ipc.warn.response.size", bytes);
    ((RpcServer) server.getRpcServer()).onConfigurationChange(conf);
  }

  /** The table's calls in the slow log, the newest first, as far as they don't tell of times. */
  private List<String> logged(String log) throws IOException {
    List<String> logged = new ArrayList<>();
    Map<String, Object> filter =
      Collections.singletonMap("tableName", tableName.getNameAsString());
    for (LogEntry entry : admin.getLogEntries(Collections.singleton(server.getServerName()), log,
      ServerType.REGION_SERVER, ROWS, filter)) {
      OnlineLogRecord record = (OnlineLogRecord) entry;
      logged.add(String.join(" ", record.getMethodName(), record.getCallDetails(),
        record.getParam(), record.getRegionName(), record.getServerClass(),
        record.getUserName(), record.getClientAddress(),
        Long.toString(record.getResponseSize()), Long.toString(record.getBlockBytesScanned()),
        Integer.toString(record.getMultiGetsCount())));
    }
    return logged;
  }

  private void assertLoggedAlike(String log, int milliseconds, int bytes) throws Exception {
    Get get = new Get(rows.get(1));
    for (int i = 0; i < 2; i++) {
      set(i == 1);
      long read = count("eventLoopReadCount");
      setWarnings(Integer.MAX_VALUE, Integer.MAX_VALUE);
      table.get(get);
      setWarnings(milliseconds, bytes);
      table.get(get);
      assertEquals(read + 2 * i, count("eventLoopReadCount"));
      int entries = i + 1;
      // In the order of the calls: the first, if it were there, would be by now.
      await(() -> logged(log).size() >= entries);
      assertEquals(entries, logged(log).size());
    }
    List<String> logged = logged(log);
    assertEquals(logged.get(0), logged.get(1));
    assertTrue(logged.get(0), logged.get(0).startsWith("Get "));
  }

  @Test
  public void slowLog() throws Exception {
    set(false);
    awaitCached(table, Collections.singletonList(new Get(rows.get(1))));
    set(true);
    // A connection whose gets weren't in memory has some skipped.
    for (int i = 0; i < ROWS; i++) {
      table.get(new Get(rows.get(1)));
    }
    try {
      assertLoggedAlike("LARGE_LOG", Integer.MAX_VALUE, 10);
      engine.beforeReads(TestEventLoopGetsDuringChanges::waitThreeMilliseconds);
      assertLoggedAlike("SLOW_LOG", 1, Integer.MAX_VALUE);
    } finally {
      engine.beforeReads(() -> {
      });
      set(true);
      setWarnings(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }
    assertNothingHeld(server);
  }

  private static void waitThreeMilliseconds() {
    long end = EnvironmentEdgeManager.currentTime() + 3;
    while (EnvironmentEdgeManager.currentTime() < end) {
      Thread.yield();
    }
  }
}
