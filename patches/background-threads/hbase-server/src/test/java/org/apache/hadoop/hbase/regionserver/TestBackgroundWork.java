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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.io.hfile.PrefetchExecutor;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.BackgroundThreads;
import org.apache.hadoop.hbase.util.Bytes;
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
 * Priorities of a region server's threads while they compact, prefetch and scan. Off, and without
 * the change, all are the usual one.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestBackgroundWork {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBackgroundWork.class);

  @Rule
  public final TestName name = new TestName();

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final int LOW = Thread.MIN_PRIORITY;
  private static final int USUAL = Thread.NORM_PRIORITY;
  private static final byte[] F = Bytes.toBytes("f");
  private static final int ROWS = 12;
  private static final int BLOCKING_FILES = 4;

  private static final BlockingQueue<Integer> OF_COMPACTIONS = new LinkedBlockingQueue<>();
  private static final List<Integer> OF_READS = Collections.synchronizedList(new ArrayList<>());

  private TableName tableName;

  /** Notes the priority of compactions. */
  public static final class Observer implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(ObserverContext<RegionCoprocessorEnvironment> context,
      Store store, InternalScanner scanner, ScanType type, CompactionLifeCycleTracker tracker,
      CompactionRequest request) {
      OF_COMPACTIONS.add(Thread.currentThread().getPriority());
      return scanner;
    }
  }

  /** Notes the priority of reads, once for each row. */
  public static final class Noting extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      OF_READS.add(Thread.currentThread().getPriority());
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** As filters have it. */
    public static Noting parseFrom(byte[] bytes) {
      return new Noting();
    }
  }

  @BeforeClass
  public static void start() throws Exception {
    UTIL.getConfiguration().setInt("hbase.hstore.blockingStoreFiles", BLOCKING_FILES);
    UTIL.getConfiguration().setInt("hbase.hstore.compaction.min", 100);
    UTIL.startMiniCluster(StartMiniClusterOption.builder().build());
  }

  @AfterClass
  public static void stop() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  /** The threads of pools are the same in all tests. */
  @Before
  public void raiseThreads() {
    threads("Compactions-").forEach(thread -> thread.setPriority(USUAL));
    threads("hfile-prefetch").forEach(thread -> thread.setPriority(USUAL));
  }

  private static List<Thread> threads(String part) {
    return Thread.getAllStackTraces().keySet().stream()
      .filter(thread -> thread.getName().contains(part)).collect(Collectors.toList());
  }

  @Before
  public void createTable() throws Exception {
    tableName = TableName.valueOf(name.getMethodName());
    UTIL.getAdmin()
      .createTable(TableDescriptorBuilder.newBuilder(tableName)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setCoprocessor(Observer.class.getName()).build());
    OF_COMPACTIONS.clear();
    OF_READS.clear();
  }

  @After
  public void dropTable() throws Exception {
    BackgroundThreads.set(false, false);
    UTIL.deleteTable(tableName);
  }

  private HRegion region() throws Exception {
    return UTIL.getRSForFirstRegionInTable(tableName).getRegions(tableName).get(0);
  }

  private void write(int files) throws Exception {
    try (Table table = UTIL.getConnection().getTable(tableName)) {
      for (int file = 0; file < files; file++) {
        for (int row = 0; row < ROWS; row++) {
          table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
        }
        region().flush(true);
      }
    }
  }

  private int compact(int files) throws Exception {
    write(files);
    UTIL.getAdmin().majorCompact(tableName);
    Integer priority = OF_COMPACTIONS.poll(60, TimeUnit.SECONDS);
    assertNotNull("a compaction begins", priority);
    HStore store = region().getStore(F);
    UTIL.waitFor(60_000, 10, () -> store.getStorefilesCount() == 1);
    return priority;
  }

  /** Scans a row a call, and reads the first row before and after. */
  private List<Integer> read() throws Exception {
    write(1);
    try (Table table = UTIL.getConnection().getTable(tableName)) {
      table.get(new Get(Bytes.toBytes(0)).setFilter(new Noting()));
      int rows = 0;
      try (ResultScanner scanner =
        table.getScanner(new Scan().setCaching(1).setFilter(new Noting()))) {
        for (Result result : scanner) {
          assertFalse(result.isEmpty());
          rows++;
        }
      }
      assertEquals(ROWS, rows);
      List<Thread> handlers = threads("RpcServer.default");
      assertFalse(handlers.isEmpty());
      for (Thread handler : handlers) {
        assertEquals(handler.getName(), USUAL, handler.getPriority());
      }
    }
    return OF_READS;
  }

  private int prefetch() throws Exception {
    BlockingQueue<Integer> priorities = new LinkedBlockingQueue<>();
    Path file = new Path("/" + name.getMethodName());
    try {
      PrefetchExecutor.request(file,
        () -> priorities.add(Thread.currentThread().getPriority()));
      Integer priority = priorities.poll(60, TimeUnit.SECONDS);
      assertNotNull("a prefetch begins", priority);
      return priority;
    } finally {
      PrefetchExecutor.complete(file);
    }
  }

  @Test
  public void compactionIsLow() throws Exception {
    BackgroundThreads.set(true, false);
    assertEquals(LOW, compact(2));
  }

  @Test
  public void compactionThatFlushesWaitForIsRaised() throws Exception {
    BackgroundThreads.set(true, true);
    for (int i = 0; i < 3; i++) {
      assertEquals(LOW, compact(2));
      assertEquals(USUAL, compact(BLOCKING_FILES));
    }
  }

  @Test
  public void prefetchIsLow() throws Exception {
    BackgroundThreads.set(true, false);
    assertEquals(LOW, prefetch());
  }

  @Test
  public void longScanIsLowFromSomeCallOn() throws Exception {
    BackgroundThreads.set(true, true);
    List<Integer> priorities = read();
    assertEquals(ROWS + 1, priorities.size());
    int low = priorities.indexOf(LOW);
    // The first is that of the get, the second that of the call that opens the scan.
    assertEquals(priorities.toString(), BackgroundWork.SHORT_SCAN_CALLS + 2, low);
    assertFalse(priorities.toString(), priorities.subList(0, low).contains(LOW));
    assertFalse(priorities.toString(), priorities.subList(low, ROWS + 1).contains(USUAL));
  }

  @Test
  public void scanIsLeftAloneIfItsHandlerCannotBeRaised() throws Exception {
    BackgroundThreads.set(true, false);
    assertEquals(Collections.nCopies(ROWS + 1, USUAL), read());
  }

  @Test
  public void offChangesNothing() throws Exception {
    BackgroundWork.configure(UTIL.getConfiguration(),
      UTIL.getRSForFirstRegionInTable(tableName).getEventLoopGroupConfig().group());
    assertEquals(Arrays.asList(USUAL, USUAL), Arrays.asList(compact(2), prefetch()));
    assertEquals(Collections.nCopies(ROWS + 1, USUAL), read());
  }
}
