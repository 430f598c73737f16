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
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.FileReads;
import org.apache.hadoop.hbase.io.hfile.NumberedRows;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Regions that move take their hot blocks along; what is read is counted at HDFS's streams. */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestHotBlockHandoverOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHotBlockHandoverOnCluster.class);

  @ClassRule
  public static final ServersOfTests SERVERS = new ServersOfTests("hbase.bucketcache.ioengine",
    "offheap", "hbase.bucketcache.size", "32", "hbase.bucketcache.bucket.sizes",
    "5120,66560,132096", "hfile.onheap.block.cache.fixed.size", Integer.toString(8 << 20));

  private static final TableName TABLE = TableName.valueOf("handover");
  private static final FileReads READS = FileReads.CountedHdfs.READS;
  private static final MetricsHotBlocks METRICS = MetricsHotBlocks.getInstance();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 600;
  /** The rows that are read, which are not in the blocks of others. */
  private static final int HOT_ROWS = 200;
  private static final int VALUE_BYTES = 1000;
  private static final int BLOCK_SIZE = 4096;
  private static final int TIMEOUT_MS = 180_000;

  private void start(String... keysAndValues) throws Exception {
    SERVERS.start(2, keysAndValues);
    load();
    READS.clear();
  }

  private void startOn(String... keysAndValues) throws Exception {
    List<String> all = new ArrayList<>(Arrays.asList(keysAndValues));
    all.addAll(Arrays.asList(HotBlocksSettings.ENABLED.key(), "true"));
    start(all.toArray(new String[0]));
    for (HRegionServer server : SERVERS.servers()) {
      server.hotBlockHandover.closeWaits =
        new CloseWaits(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS), System.nanoTime());
      // A region that closes while its list is looked for leaves none.
      SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> server.getOnlineRegionsLocalContext().stream()
        .noneMatch(server.hotBlockHandover::isReading));
    }
  }

  private void load() throws IOException {
    Table table = SERVERS.util().createTable(TableDescriptorBuilder.newBuilder(TABLE)
      .setCompactionEnabled(false).setColumnFamily(ColumnFamilyDescriptorBuilder
        .newBuilder(FAMILY).setBlocksize(BLOCK_SIZE).build())
      .build(), null);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i)));
    }
    table.put(puts);
    // The utility would also flush what a server has that was killed.
    SERVERS.util().getAdmin().flush(TABLE);
  }

  private static byte[] row(int number) {
    return NumberedRows.key(number);
  }

  private static byte[] value(int row) {
    return NumberedRows.value(row, VALUE_BYTES);
  }

  private void readHotRows() throws IOException {
    try (Table table = SERVERS.util().getConnection().getTable(TABLE)) {
      for (int i = 0; i < HOT_ROWS; i++) {
        assertArrayEquals(value(i), table.get(new Get(row(i))).getValue(FAMILY, QUALIFIER));
      }
    }
  }

  private HRegion region() {
    return regions().get(0);
  }

  /** Those of servers that run; one that was killed keeps its own. */
  private List<HRegion> regions() {
    return SERVERS.servers().stream().flatMap(server -> server.getRegions(TABLE).stream())
      .collect(Collectors.toList());
  }

  private HStoreFile file() {
    return region().getStore(FAMILY).getStorefiles().iterator().next();
  }

  private HRegionServer server() {
    return (HRegionServer) region().getRegionServerServices();
  }

  private void moveToTheOther() throws Exception {
    RegionInfo info = region().getRegionInfo();
    HRegionServer from = server();
    HRegionServer to =
      SERVERS.servers().stream().filter(server -> server != from).findFirst().get();
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> {
      // A master opens it where it was if the other server has only just registered.
      SERVERS.util().getAdmin().move(info.getEncodedNameAsBytes(), to.getServerName());
      return to.getOnlineRegion(info.getRegionName()) != null;
    });
  }

  /** Reads hot rows and waits until all their blocks are written to the cache. */
  private void awaitHot() throws Exception {
    readHotRows();
    // A block that waits to be written isn't in a list.
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> HotBlockList.of(server().getBlockCache().get(),
      Collections.singleton(file().getPath().getName()), ROWS).size() == blocksRead());
  }

  private long blocksRead() {
    return READS.of(file().getPath().getName()).stream()
      .filter(read -> read.getLength() > HConstants.HFILEBLOCK_HEADER_SIZE).count();
  }

  private static void awaitRead(long before) throws Exception {
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> METRICS.blocksReadAhead.value() > before);
  }

  private void awaitNoReads(HRegion region) throws Exception {
    HotBlockHandover handover = HotBlockHandover.of(region);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> !handover.isReading(region));
  }

  private Path list(HRegion region) {
    return new Path(region.getRegionFileSystem().getRegionDir(), HotBlockFile.NAME);
  }

  private void movedRegionHasItsBlocks() throws Exception {
    awaitHot();
    long hotBytes = READS.bytes(file().getPath().getName());
    long readBefore = METRICS.bytesReadAhead.value();
    READS.clear();

    moveToTheOther();
    awaitNoReads(region());
    long read = METRICS.bytesReadAhead.value() - readBefore;
    assertTrue(read + " of " + hotBytes, read > hotBytes / 2 && read <= hotBytes);
    READS.clear();
    readHotRows();

    assertEquals(0, READS.of(file().getPath().getName()).size());
  }

  @Test
  public void movedRegionHasItsBlocksInABucketCache() throws Exception {
    startOn();
    movedRegionHasItsBlocks();
  }

  @Test
  public void movedRegionHasItsBlocksInTiers() throws Exception {
    startOn("hbase.bucketcache.l1.ioengine", "offheap", "hbase.bucketcache.l1.size", "8",
      "hbase.bucketcache.bucket.sizes", "5120,66560,132096");
    movedRegionHasItsBlocks();
  }

  @Test
  public void movedRegionHasItsBlocksInSegments() throws Exception {
    assumeTrue("segments are another patch",
      getClass().getResource("/org/apache/hadoop/hbase/io/hfile/segment") != null);
    startOn("hbase.bucketcache.ioengine", "segments");
    movedRegionHasItsBlocks();
  }

  @Test
  public void movedRegionHasItsBlocksOnTheHeap() throws Exception {
    startOn("hbase.bucketcache.ioengine", "");
    movedRegionHasItsBlocks();
  }

  @Test
  public void regionOfAKilledServerHasItsBlocks() throws Exception {
    HotBlockLists.defaultPeriodNanos = TimeUnit.SECONDS.toNanos(1);
    try {
      startOn();
    } finally {
      HotBlockLists.defaultPeriodNanos = TimeUnit.SECONDS.toNanos(60);
    }
    awaitHot();
    HRegion region = region();
    long hot = blocksRead();
    // A list isn't written again for less than a fifth of the blocks of both.
    long listed = hot - hot / 3;
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> {
      try {
        HotBlockList written = HotBlockFile.read(region.getRegionFileSystem(), ROWS);
        return written != null && written.size() >= listed;
      } catch (IOException e) {
        return false; // One took the place of another after its length was read.
      }
    });
    HRegionServer killed = server();
    long before = METRICS.blocksReadAhead.value();

    SERVERS.cluster().killRegionServer(killed.getServerName());
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> {
      List<HRegion> open = regions();
      return !open.isEmpty() && open.get(0).getRegionServerServices() != killed;
    });
    awaitRead(before);
    awaitNoReads(region());
    READS.clear();
    readHotRows();

    long read = blocksRead();
    assertTrue(read + " of " + hot + " blocks", read <= hot - listed);
  }

  @Test
  public void damagedListIsLeftOut() throws Exception {
    startOn();
    awaitHot();
    HRegion region = region();
    long refused = METRICS.listsRefused.value();
    // As if another server had written it while this one had the region.
    HotBlockHandover.of(region).stop(true);
    try (FSDataOutputStream out = region.getFilesystem().create(list(region), true)) {
      out.write(new byte[100]);
    }

    moveToTheOther();
    awaitNoReads(region());

    assertEquals(refused + 1, METRICS.listsRefused.value());
    readHotRows();
  }

  @Test
  public void regionThatClosesWhileItIsReadKeepsItsList() throws Exception {
    startOn(HotBlocksSettings.MAX_BYTES_PER_SECOND.key(), Integer.toString(BLOCK_SIZE));
    awaitHot();
    moveToTheOther();
    HRegion region = region();
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> HotBlockHandover.of(region).isReading(region));
    int listed = HotBlockFile.read(region.getRegionFileSystem(), ROWS).size();

    long start = System.nanoTime();
    moveToTheOther();

    assertTrue("the move waited for the reads",
      System.nanoTime() - start < TIMEOUT_MS * 1_000_000L);
    assertFalse(HotBlockHandover.of(region).isReading(region));
    assertEquals(listed, HotBlockFile.read(region().getRegionFileSystem(), ROWS).size());
    readHotRows();
  }

  @Test
  public void offMeansOff() throws Exception {
    start();
    awaitHot();
    long lists = METRICS.listsWritten.value();
    READS.clear();

    HRegion region = region();
    moveToTheOther();

    assertNull(HotBlockHandover.of(region()));
    assertFalse(region.getFilesystem().exists(list(region)));
    assertEquals(lists, METRICS.listsWritten.value());
    readHotRows();
    assertTrue(READS.of(file().getPath().getName()).size() > 0);
  }
}
