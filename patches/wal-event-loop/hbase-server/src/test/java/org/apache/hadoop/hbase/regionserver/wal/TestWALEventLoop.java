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
package org.apache.hadoop.hbase.regionserver.wal;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.NettyEventLoopGroupConfig;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hbase.wal.WALStreamReader;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Write-ahead logs on HDFS, with an event loop of their own and without. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestWALEventLoop {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWALEventLoop.class);

  private static final Logger LOG = LoggerFactory.getLogger(TestWALEventLoop.class);
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int WRITERS = 4;
  private static final int WRITES = 60;
  private static final int ROLLS = 4;
  private static final long TIMEOUT_MS = 60_000;
  private static final int PAUSE_MS = 500;
  private static final ExecutorService ROLLER = Executors.newSingleThreadExecutor();

  private final MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
  private final NavigableMap<byte[], Integer> scopes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final Configuration conf = new Configuration(UTIL.getConfiguration());
  private final Set<Thread> threadsBefore = threads();

  @BeforeClass
  public static void setUpCluster() throws Exception {
    // What closes a file that broke reads these of its file system. If the log is closed first, the
    // file is in the archive by then, and is looked for until the pause has ended.
    UTIL.getConfiguration().setInt("hbase.lease.recovery.first.pause", PAUSE_MS);
    UTIL.getConfiguration().setInt("hbase.lease.recovery.dfs.timeout", PAUSE_MS);
    UTIL.startMiniDFSCluster(3);
    CommonFSUtils.setRootDir(UTIL.getConfiguration(), UTIL.createRootDir());
  }

  @AfterClass
  public static void tearDownCluster() throws Exception {
    ROLLER.shutdownNow();
    UTIL.shutdownMiniDFSCluster();
    // It took the hook that closes cached file systems, which servers of later tests look for.
    FileSystem.closeAll();
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet();
  }

  /** Returns the names of the threads that logs of this test have or have had. */
  private List<String> threadsOfLogs() {
    return threads().stream().filter(thread -> !threadsBefore.contains(thread))
      .map(Thread::getName).filter(name -> name.startsWith("AsyncFSWAL"))
      .collect(Collectors.toList());
  }

  /** Several threads write to a log, which is rolled meanwhile; then it is read. */
  private List<String> writeAndClose(String name) throws Exception {
    WALFactory factory = new WALFactory(conf, name);
    List<String> threads;
    try {
      threads = write(factory.getWAL(REGION));
    } finally {
      factory.close();
    }
    assertEquals(WRITERS * WRITES, rowsIn(factory, name).size());
    return threads;
  }

  /** Returns the threads that have worked for the log. */
  private List<String> write(WAL wal) throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        ends.add(writers.submit(() -> write(wal, writer)));
      }
      for (int i = 0; i < ROLLS; i++) {
        wal.rollWriter(true);
      }
      for (Future<?> end : ends) {
        end.get();
      }
      return threadsOfLogs();
    } finally {
      writers.shutdownNow();
    }
  }

  private Void write(WAL wal, int writer) throws Exception {
    for (int i = 0; i < WRITES; i++) {
      WALKeyImpl key = new WALKeyImpl(REGION.getEncodedNameAsBytes(), TABLE, 1, mvcc, scopes);
      byte[] row = Bytes.toBytes(writer + "-" + i);
      KeyValue cell = new KeyValue(row, FAMILY, FAMILY, 1, new byte[100]);
      wal.sync(wal.appendData(REGION, key, new WALEdit(1, false).add(cell)));
      mvcc.complete(key.getWriteEntry());
    }
    return null;
  }

  private Set<String> rowsIn(WALFactory factory, String name) throws Exception {
    FileSystem fs = UTIL.getTestFileSystem();
    Set<String> rows = new TreeSet<>();
    Path archive = new Path(CommonFSUtils.getWALRootDir(conf), "oldWALs");
    for (FileStatus file : fs.listStatus(archive, path -> path.getName().startsWith(name))) {
      try (WALStreamReader reader = factory.createStreamReader(fs, file.getPath())) {
        for (WAL.Entry entry = reader.next(); entry != null; entry = reader.next()) {
          entry.getEdit().getCells()
            .forEach(cell -> rows.add(Bytes.toString(cell.getRowArray(), cell.getRowOffset(),
              cell.getRowLength())));
        }
      } catch (EOFException e) {
        // Of a file that broke. What follows wasn't synced there, and is in the next one.
        LOG.info("{} ends within an entry", file.getPath(), e);
      }
    }
    return rows;
  }

  private void assertOneThread(String name) throws Exception {
    conf.setBoolean(WALEventLoop.OWN.key(), true);
    List<String> threads = writeAndClose(name);
    assertEquals(threads.toString(), 1, threads.size());
    assertTrue(threads.toString(), threads.get(0).startsWith("AsyncFSWAL-" + name));
    UTIL.waitFor(TIMEOUT_MS, () -> threadsOfLogs().isEmpty());
  }

  @Test
  public void oneThreadEncodesAndSends() throws Exception {
    assertOneThread("own");
  }

  @Test
  public void withoutEpoll() throws Exception {
    conf.setBoolean(NettyEventLoopGroupConfig.NETTY_NATIVETRANSPORT_KEY, false);
    assertOneThread("selector");
  }

  @Test
  public void encodesAndSendsInTwoThreadsUnlessSet() throws Exception {
    conf.unset(WALEventLoop.OWN.key());
    List<String> threads = writeAndClose("shared");
    assertTrue(threads.toString(), threads.size() > 1);
  }

  @Test
  public void eachLogHasItsThread() throws Exception {
    conf.setBoolean(WALEventLoop.OWN.key(), true);
    conf.set(WALFactory.WAL_PROVIDER, "multiwal");
    conf.setInt("hbase.wal.regiongrouping.numgroups", 2);
    WALFactory factory = new WALFactory(conf, "many");
    try {
      for (int i = 0; i < 20; i++) {
        factory.getWAL(RegionInfoBuilder.newBuilder(TABLE).setRegionId(i).build());
      }
      assertEquals(2, threadsOfLogs().size());
    } finally {
      factory.close();
    }
    UTIL.waitFor(TIMEOUT_MS, () -> threadsOfLogs().isEmpty());
  }

  @Test
  public void anEventLoopEndsWhenItsLogIsClosedLate() throws Exception {
    conf.setBoolean(WALEventLoop.OWN.key(), true);
    NettyEventLoopGroupConfig loop = WALEventLoop.create(conf, "late");
    ExecutorService closer = Executors.newSingleThreadExecutor();
    CountDownLatch closed = new CountDownLatch(1);
    closer.submit(() -> closed.await(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    closer.shutdown();
    WALEventLoop.shutdown(loop, closer);
    assertFalse(loop.group().awaitTermination(2, TimeUnit.SECONDS));
    closed.countDown();
    assertTrue(loop.group().awaitTermination(TIMEOUT_MS, TimeUnit.MILLISECONDS));
  }

  @Test
  public void goesOnInAnotherFileWhenADataNodeDies() throws Exception {
    conf.setBoolean(WALEventLoop.OWN.key(), true);
    WALFactory factory = new WALFactory(conf, "dies");
    try {
      AsyncFSWAL wal = (AsyncFSWAL) factory.getWAL(REGION);
      wal.registerWALActionsListener(new WALActionsListener() {
        @Override
        public void logRollRequested(RollRequestReason reason) {
          ROLLER.submit(() -> roll(wal));
        }
      });
      write(wal, 0);
      MiniDFSCluster.DataNodeProperties stopped =
        UTIL.getDFSCluster().stopDataNode(wal.getPipeline()[0].getXferAddr());
      write(wal, 1);
      assertEquals(1, threadsOfLogs().size());
      assertTrue(UTIL.getDFSCluster().restartDataNode(stopped, false));
    } finally {
      factory.close();
    }
    assertEquals(2 * WRITES, rowsIn(factory, "dies").size());
    UTIL.waitFor(TIMEOUT_MS, () -> threadsOfLogs().isEmpty());
  }

  private static Void roll(WAL wal) throws Exception {
    while (true) {
      try {
        wal.rollWriter(true);
        return null;
      } catch (IOException e) {
        LOG.info("The next try may find other DataNodes", e);
        Thread.sleep(PAUSE_MS);
      }
    }
  }
}
