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
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.FileReads;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.Progressable;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** When lists of hot blocks are written; counted where HDFS creates their files. */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestHotBlockListsOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHotBlockListsOnCluster.class);

  @ClassRule
  public static final ServersOfTests SERVERS = new ServersOfTests("fs.hdfs.impl",
    CountedLists.class.getName(), HotBlocksSettings.ENABLED.key(), "true",
    "hbase.bucketcache.ioengine", "offheap",
    "hbase.bucketcache.size", "32", "hbase.bucketcache.bucket.sizes", "5120,66560,132096");

  private static final TableName TABLE = TableName.valueOf("lists");
  private static final MetricsHotBlocks METRICS = MetricsHotBlocks.getInstance();
  private static final FileReads READS = FileReads.CountedHdfs.READS;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int REGIONS = 12;
  private static final int TIMEOUT_MS = 180_000;

  private long periodNanos;

  /** HDFS with the lists of user tables' regions that are created counted, or held up. */
  public static final class CountedLists extends FileReads.CountedHdfs {
    private static final AtomicInteger CREATED = new AtomicInteger();
    private static final AtomicInteger CLOSED = new AtomicInteger();
    private static volatile CountDownLatch gate = new CountDownLatch(0);
    private static volatile CountDownLatch closeGate = new CountDownLatch(0);

    private static void await(CountDownLatch gate) throws IOException {
      try {
        gate.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }

    @Override
    public FSDataOutputStream createNonRecursive(Path path, FsPermission permission,
      EnumSet<CreateFlag> flags, int bufferSize, short replication, long blockSize,
      Progressable progress) throws IOException {
      if (
        path.getName().startsWith(HotBlockFile.NAME) && path.toString().contains("/data/default/")
      ) {
        CREATED.incrementAndGet();
        await(gate);
        return new FSDataOutputStream(super.createNonRecursive(path, permission, flags, bufferSize,
          replication, blockSize, progress), null) {
          @Override
          public void close() throws IOException {
            await(closeGate);
            super.close();
            CLOSED.incrementAndGet();
          }
        };
      }
      return super.createNonRecursive(path, permission, flags, bufferSize, replication, blockSize,
        progress);
    }
  }

  /** What is done to the table. */
  private interface Operation {
    void run(Admin admin) throws Exception;
  }

  @Before
  public void start() throws Exception {
    CountedLists.gate = new CountDownLatch(0);
    CountedLists.closeGate = new CountDownLatch(0);
    periodNanos = HotBlockLists.defaultPeriodNanos;
    HotBlockLists.defaultPeriodNanos = TimeUnit.DAYS.toNanos(1);
    SERVERS.start(2);
    for (HRegionServer server : SERVERS.servers()) {
      server.hotBlockHandover.closeWaits =
        new CloseWaits(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS), System.nanoTime());
    }
  }

  @After
  public void letGo() {
    CountedLists.gate.countDown();
    CountedLists.closeGate.countDown();
    HotBlockLists.defaultPeriodNanos = periodNanos;
  }

  private void create(int regions, boolean cacheOnWrite) throws Exception {
    TableDescriptor table = TableDescriptorBuilder.newBuilder(TABLE)
      .setCompactionEnabled(false).setColumnFamily(ColumnFamilyDescriptorBuilder
        .newBuilder(FAMILY).setCacheDataOnWrite(cacheOnWrite).build())
      .build();
    byte[][] splits = new byte[regions - 1][];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = row(i + 1);
    }
    SERVERS.util().createTable(table, splits.length == 0 ? null : splits);
    put(regions);
  }

  /** A table with a row in each region, which is in the block cache. */
  private void load(int regions) throws Exception {
    create(regions, false);
    SERVERS.util().getAdmin().flush(TABLE);
    get(regions);
    for (HRegion region : regions()) {
      HotBlockHandover handover = HotBlockHandover.of(region);
      SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> !handover.isReading(region));
    }
    CountedLists.CREATED.set(0);
    CountedLists.CLOSED.set(0);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("%03d", number));
  }

  private static void put(int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(new Put(row(i)).addColumn(FAMILY, FAMILY, row(i)));
      puts.add(new Put(Bytes.toBytes(String.format("%03d-", i))).addColumn(FAMILY, FAMILY, row(i)));
    }
    try (Table table = SERVERS.util().getConnection().getTable(TABLE)) {
      table.put(puts);
    }
  }

  private static void get(int rows) throws IOException {
    try (Table table = SERVERS.util().getConnection().getTable(TABLE)) {
      for (int i = 0; i < rows; i++) {
        assertEquals(Bytes.toString(row(i)),
          Bytes.toString(table.get(new Get(row(i))).getValue(FAMILY, FAMILY)));
      }
    }
  }

  private static List<HRegion> regions() {
    return SERVERS.servers().stream().flatMap(server -> server.getRegions(TABLE).stream())
      .collect(Collectors.toList());
  }

  private static HRegionServer serverOf(HRegion region) {
    return (HRegionServer) region.getRegionServerServices();
  }

  private static HRegionServer other(HRegionServer server) {
    return SERVERS.servers().stream().filter(one -> one != server).findFirst().get();
  }

  private static void move(RegionInfo region, HRegionServer to) throws Exception {
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> {
      // A master opens it where it was if the other server has only just registered.
      SERVERS.util().getAdmin().move(region.getEncodedNameAsBytes(), to.getServerName());
      return to.getOnlineRegion(region.getRegionName()) != null;
    });
  }

  private static void noListIsWritten(Operation operation) throws Exception {
    operation.run(SERVERS.util().getAdmin());

    assertEquals(0, CountedLists.CREATED.get());
  }

  @Test
  public void oneListIsWrittenForARegionThatMoves() throws Exception {
    load(1);
    HRegion region = regions().get(0);
    HRegionServer server = serverOf(region);
    // The master has had regions opened on both servers then.
    move(region.getRegionInfo(), other(server));
    move(region.getRegionInfo(), server);
    HRegion back = regions().get(0);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> !HotBlockHandover.of(back).isReading(back));
    get(1);
    CountedLists.CREATED.set(0);

    move(region.getRegionInfo(), other(server));

    assertEquals(1, CountedLists.CREATED.get());
  }

  @Test
  public void aListThatIsBeingWrittenWhenTheServerStopsIsWrittenAndItsFileClosed()
    throws Exception {
    load(1);
    HRegion region = regions().get(0);
    HotBlockHandover handover = HotBlockHandover.of(region);
    CountedLists.gate = new CountDownLatch(1);
    Thread writer = new Thread(
      () -> handover.lists().writeBeforeClose(region, false, handover.closeWaits));
    writer.start();
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> CountedLists.CREATED.get() == 1);

    handover.lists().stop();
    CountedLists.gate.countDown();
    writer.join();

    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> CountedLists.CLOSED.get() == 1);
  }

  /** HDFS's client asks whether a file is complete, and if not, again after 0.4 s. */
  @Test
  public void aListIsReadByTheNextServerBeforeHdfsHasClosedItsFile() throws Exception {
    load(1);
    HRegion region = regions().get(0);
    long failed = METRICS.listsFailed.value();
    long read = METRICS.blocksReadAhead.value();
    CountedLists.closeGate = new CountDownLatch(1);

    move(region.getRegionInfo(), other(serverOf(region)));

    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> METRICS.blocksReadAhead.value() > read);
    assertEquals(1, CountedLists.closeGate.getCount());
    assertEquals(failed, METRICS.listsFailed.value());
  }

  @Test
  public void noListIsWrittenForATableThatIsDisabledOrDropped() throws Exception {
    load(REGIONS);
    noListIsWritten(admin -> admin.disableTable(TABLE));
    noListIsWritten(admin -> admin.deleteTable(TABLE));
  }

  @Test
  public void noListIsWrittenForATableThatIsAltered() throws Exception {
    load(REGIONS);
    noListIsWritten(admin -> admin.modifyTable(TableDescriptorBuilder
      .newBuilder(admin.getDescriptor(TABLE)).setMaxFileSize(1L << 40).build()));
  }

  @Test
  public void noListIsWrittenForParentsOfASplitOrMerge() throws Exception {
    load(3);
    List<RegionInfo> regions = SERVERS.util().getAdmin().getRegions(TABLE);
    noListIsWritten(admin -> admin.mergeRegionsAsync(new byte[][] {
      regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes() }, false)
      .get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    noListIsWritten(admin -> admin.splitRegionAsync(regions.get(2).getRegionName(),
      Bytes.toBytes("002-")).get(TIMEOUT_MS, TimeUnit.MILLISECONDS));
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> regions().size() == 3);
  }

  @Test
  public void aServerThatStopsWritesTheListsThatHaveChanged() throws Exception {
    load(REGIONS);
    HRegion region = regions().get(0);
    HRegionServer stopped = serverOf(region);
    int lists = stopped.getRegions(TABLE).size();
    move(region.getRegionInfo(), other(stopped));
    move(region.getRegionInfo(), stopped);
    HRegion moved = stopped.getRegion(region.getRegionInfo().getEncodedName());
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> !stopped.hotBlockHandover.isReading(moved));
    get(REGIONS);
    CountedLists.CREATED.set(0);

    SERVERS.stop(stopped);

    assertEquals(lists - 1, CountedLists.CREATED.get());
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> regions().size() == REGIONS && regions().stream()
      .noneMatch(open -> HotBlockHandover.of(open).isReading(open)));
    READS.clear();
    get(REGIONS);
    for (HRegion open : regions()) {
      String file = open.getStore(FAMILY).getStorefiles().iterator().next().getPath().getName();
      assertEquals(0, READS.of(file).size());
    }
  }

  @Test
  public void noListIsWrittenByAServerThatAborts() throws Exception {
    load(REGIONS);
    HRegionServer server = serverOf(regions().get(0));

    SERVERS.cluster().abortRegionServer(
      SERVERS.cluster().getServerWith(regions().get(0).getRegionInfo().getRegionName()));
    SERVERS.cluster().waitForRegionServerToStop(server.getServerName(), TIMEOUT_MS);

    assertEquals(0, CountedLists.CREATED.get());
  }

  @Test
  public void whileListsHangRegionsMoveAndAServerStops() throws Exception {
    load(REGIONS);
    HRegionServer from = serverOf(regions().get(0));
    int moved = from.getRegions(TABLE).size();
    assertTrue(moved + " regions", moved > 2);
    CountedLists.gate = new CountDownLatch(1);
    long failed = METRICS.listsFailed.value();
    from.hotBlockHandover.closeWaits = new CloseWaits(1, System.nanoTime());

    for (HRegion region : from.getRegions(TABLE)) {
      move(region.getRegionInfo(), other(from));
    }
    assertEquals(moved, METRICS.listsFailed.value() - failed);
    for (HRegion region : new ArrayList<>(other(from).getRegions(TABLE))) {
      other(from).hotBlockHandover.closeWaits = new CloseWaits(1, System.nanoTime());
      move(region.getRegionInfo(), from);
    }
    SERVERS.stop(from);

    int threads = 2 * 2;
    assertTrue(CountedLists.CREATED + " lists", CountedLists.CREATED.get() <= threads);
    get(REGIONS);
  }

  @Test
  public void fewListsOfOpenRegionsAreWrittenAtATimeAndThoseOfAllInTurn() throws Exception {
    load(3 * HotBlockLists.MOST_A_PERIOD);
    HRegionServer server = serverOf(regions().get(0));
    int open = server.getRegions(TABLE).size();

    for (int round = 1; CountedLists.CREATED.get() < open; round++) {
      int before = CountedLists.CREATED.get();
      server.hotBlockHandover.lists().writeOpenRegions();
      int now = CountedLists.CREATED.get() - before;
      assertTrue(now + " lists", now <= HotBlockLists.MOST_A_PERIOD);
      assertTrue(round + " rounds for " + open, round <= 1 + open);
    }
    for (int round = 0; round < open; round++) {
      server.hotBlockHandover.lists().writeOpenRegions();
    }

    assertEquals(open, CountedLists.CREATED.get());
  }

  @Test
  public void whatIsInMemoryWhenARegionMovesIsInItsListIfItIsCachedWhenItIsWritten()
    throws Exception {
    create(1, true);
    HRegion region = regions().get(0);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> !HotBlockHandover.of(region).isReading(region));
    move(region.getRegionInfo(), other(serverOf(region)));
    HRegion moved = regions().get(0);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> !HotBlockHandover.of(moved).isReading(moved));
    assertEquals(1, moved.getStore(FAMILY).getStorefilesCount());
    READS.clear();

    get(1);

    String file = moved.getStore(FAMILY).getStorefiles().iterator().next().getPath().getName();
    assertEquals(0, READS.of(file).size());
  }
}
