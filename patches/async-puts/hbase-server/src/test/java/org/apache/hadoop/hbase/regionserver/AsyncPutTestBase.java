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

import static org.junit.Assert.assertFalse;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.namequeues.NamedQueueRecorder;
import org.apache.hadoop.hbase.regionserver.wal.HeldLogWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.lib.MutableFastCounter;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;

/**
 * A server whose write-ahead log tests let stand, on the local file system, and a table of two
 * regions for each test.
 */
public abstract class AsyncPutTestBase {
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] Q = Bytes.toBytes("q");
  static final byte[] ROW = Bytes.toBytes("row");
  static final int PATIENCE_MS = 60_000;
  /** For what is to wait, and would have ended by then. */
  static final int MOMENT_MS = 300;
  static final int HANDLERS = 4;
  /** Of a call that the slow log tells of. */
  static final int SLOW_MS = 1000;
  /** The most that a lock of a row is waited for. */
  static final int LOCK_MS = 4000;

  static HBaseTestingUtility util;
  private static ExecutorService threads;
  static HRegionServer server;
  static AsyncConnection connection;
  private static int tables;

  AsyncTable<?> table;
  HRegion region;

  @BeforeClass
  public static void start() throws Exception {
    forgetSlowLog();
    util = new HBaseTestingUtility();
    Configuration conf = util.getConfiguration();
    HeldLogWriter.use(conf);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, HANDLERS);
    conf.setBoolean(HConstants.SLOW_LOG_BUFFER_ENABLED_KEY, true);
    conf.setInt("hbase.ipc.warn.response.time", SLOW_MS);
    conf.setInt("hbase.rowlock.wait.duration", LOCK_MS);
    conf.setBoolean(RowPathSettings.ENABLED.key(), true);
    threads = Executors.newCachedThreadPool();
    // On the local file system: no test here is about HDFS.
    util.startMiniZKCluster();
    util.startMiniHBaseCluster();
    server = util.getMiniHBaseCluster().getRegionServer(0);
    connection = ConnectionFactory.createAsyncConnection(conf).get();
  }

  /** A process has one, which may be that of a server of another test, and off. */
  private static void forgetSlowLog() throws ReflectiveOperationException {
    for (String name : new String[] { "namedQueueRecorder", "isInit" }) {
      Field field = NamedQueueRecorder.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(null, name.equals("isInit") ? false : null);
    }
  }

  @AfterClass
  public static void stop() throws Exception {
    HeldLogWriter.release();
    threads.shutdownNow();
    connection.close();
    util.shutdownMiniCluster();
  }

  @Before
  public void create() throws Exception {
    set(true);
    create(newTable().setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)), Bytes.toBytes("s"));
  }

  static TableDescriptorBuilder newTable() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t" + tables++));
  }

  void create(TableDescriptorBuilder descriptor, byte[]... splits) throws Exception {
    TableName name = util.createTable(descriptor.build(), splits).getName();
    table = connection.getTable(name);
    table.get(new Get(ROW)).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    region = server.getRegions(name).stream()
      .filter(r -> r.getRegionInfo().containsRow(ROW)).findFirst().get();
  }

  @After
  public void release() throws Exception {
    HeldLogWriter.release();
    util.waitFor(PATIENCE_MS, () -> gauge("asyncPutWaitingCalls") == 0);
  }

  static void set(boolean enabled) {
    Configuration conf = server.getConfiguration();
    conf.setBoolean(AsyncPutSettings.ENABLED.key(), enabled);
    server.getRSRpcServices().onConfigurationChange(conf);
  }

  static long count(String metric) {
    return ((MutableFastCounter) MetricsAsyncPuts.getInstance().getMetricsRegistry().get(metric))
      .value();
  }

  static long gauge(String metric) {
    return ((MutableGaugeLong) MetricsAsyncPuts.getInstance().getMetricsRegistry().get(metric))
      .value();
  }

  static Put put(byte[] row, long value) {
    return new Put(row).addColumn(F, Q, Bytes.toBytes(value));
  }

  static <T> T end(Future<T> future) throws Exception {
    return future.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
  }

  static <T> Future<T> inThread(Callable<T> action) {
    return threads.submit(action);
  }

  static void assertWaits(Future<?> future) throws Exception {
    Thread.sleep(MOMENT_MS);
    assertFalse(future.isDone());
  }

  /** Sends writes while the log is held, until the server has all of them. */
  List<CompletableFuture<Void>> sendHeld(List<? extends Row> writes) throws Exception {
    HeldLogWriter.hold();
    long before = count("asyncPutBatchCount");
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    for (Row write : writes) {
      sent.add(write instanceof Put ? table.put((Put) write) : table.delete((Delete) write));
    }
    util.waitFor(PATIENCE_MS, () -> count("asyncPutBatchCount") == before + writes.size());
    return sent;
  }

  static List<Put> puts(int number) {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      puts.add(put(Bytes.toBytes("row" + i), i));
    }
    return puts;
  }

  long read(byte[] row) throws Exception {
    Result result = end(table.get(new Get(row)));
    return result.isEmpty() ? -1 : Bytes.toLong(result.value());
  }
}
