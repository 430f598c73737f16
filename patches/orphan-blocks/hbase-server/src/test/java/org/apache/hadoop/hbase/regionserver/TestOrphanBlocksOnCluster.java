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
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.FileReads;
import org.apache.hadoop.hbase.io.hfile.NumberedRows;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.io.hfile.bucket.FilesWithBlocks;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Blocks wait for regions that leave a server; what is read is counted at HDFS's streams. */
@Category({ RegionServerTests.class, LargeTests.class })
public class TestOrphanBlocksOnCluster {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestOrphanBlocksOnCluster.class);

  @ClassRule
  public static final ServersOfTests SERVERS = new ServersOfTests("hbase.bucketcache.ioengine",
    "offheap", "hbase.bucketcache.size", "64", "hbase.bucketcache.bucket.sizes",
    "5120,66560,132096", "hfile.onheap.block.cache.fixed.size", Integer.toString(8 << 20),
    CacheConfig.EVICT_BLOCKS_ON_CLOSE_KEY, "true");

  private static final TableName TABLE = TableName.valueOf("orphans");
  private static final TableName OTHER_TABLE = TableName.valueOf("others");
  private static final FileReads READS = FileReads.CountedHdfs.READS;
  private static final MetricsOrphanBlocks METRICS = MetricsOrphanBlocks.getInstance();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 200;
  private static final int VALUE_BYTES = 1000;
  private static final int BLOCK_SIZE = 4096;
  private static final int TIMEOUT_MS = 180_000;
  private static final String LONG_SECONDS = "3600";
  private static final String SHORT_SECONDS = "1";

  /** Blocks that were given up until a server was restarted. */
  private long givenUpBefore;

  private void start(int servers, String... keysAndValues) throws Exception {
    SERVERS.start(servers, keysAndValues);
    load(TABLE);
  }

  private void load(TableName name) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(FAMILY, QUALIFIER, value(i)));
    }
    // Bloom blocks are on the heap, which a restart loses.
    try (Table table = SERVERS.util().createTable(TableDescriptorBuilder.newBuilder(name)
      .setCompactionEnabled(false).setColumnFamily(ColumnFamilyDescriptorBuilder
        .newBuilder(FAMILY).setBlocksize(BLOCK_SIZE).setBloomFilterType(BloomType.NONE).build())
      .build(), null)) {
      table.put(puts);
    }
    SERVERS.util().flush(name);
  }

  private static byte[] row(int number) {
    return NumberedRows.key(number);
  }

  private static byte[] value(int row) {
    return NumberedRows.value(row, VALUE_BYTES);
  }

  private void read(TableName name) throws IOException {
    try (Table table = SERVERS.util().getConnection().getTable(name)) {
      for (int i = 0; i < ROWS; i++) {
        assertArrayEquals(value(i), table.get(new Get(row(i))).getValue(FAMILY, QUALIFIER));
      }
    }
  }

  private HRegion region(TableName name) {
    return SERVERS.servers().stream().flatMap(server -> server.getRegions(name).stream())
      .findFirst().get();
  }

  private HRegionServer server(TableName name) {
    return (HRegionServer) region(name).getRegionServerServices();
  }

  private String file(TableName name) {
    return region(name).getStore(FAMILY).getStorefiles().iterator().next().getPath().getName();
  }

  private static boolean hasBlocks(HRegionServer server, String file) {
    return FilesWithBlocks.of(server.getBlockCache().get()).contains(file);
  }

  /** Reads until no block has to be read from HDFS any more; writers may be behind. */
  private void awaitCached(TableName name) throws Exception {
    String file = file(name);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> {
      READS.clear();
      read(name);
      return READS.of(file).isEmpty() && hasBlocks(server(name), file);
    });
    for (BlockCache tier : server(name).getBlockCache().get().getBlockCaches()) {
      if (tier instanceof BucketCache) {
        // A block that waits to be written isn't evicted when its region closes.
        BucketCacheValidator.awaitWritten((BucketCache) tier);
      }
    }
  }

  private void assertReadFromCache(TableName name) throws IOException {
    READS.clear();
    read(name);
    assertEquals(0, READS.of(file(name)).size());
  }

  private void move(TableName name, HRegionServer to) throws Exception {
    RegionInfo region = region(name).getRegionInfo();
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> {
      // A master opens it where it was if the other server has only just registered.
      SERVERS.util().getAdmin().move(region.getEncodedNameAsBytes(), to.getServerName());
      return to.getOnlineRegion(region.getRegionName()) != null;
    });
  }

  /** Not the server's own, which is another thread's. */
  private static OrphanBlocks looks(HRegionServer server, String ttlSeconds) {
    return new OrphanBlocks(server, server.getBlockCache().get(), Integer.parseInt(ttlSeconds));
  }

  private HRegionServer otherThan(HRegionServer server) {
    return SERVERS.servers().stream().filter(other -> other != server).findFirst().get();
  }

  private void regionThatComesBackHasItsBlocks(String... keysAndValues) throws Exception {
    start(2, keysAndValues);
    SERVERS.servers().forEach(server -> assertNotNull(server.orphanBlocks));
    HRegionServer home = server(TABLE);
    awaitCached(TABLE);
    long returned = METRICS.returned.value();
    OrphanBlocks looks = looks(home, LONG_SECONDS);

    move(TABLE, otherThan(home));
    looks.chore();
    assertEquals(returned, METRICS.returned.value());
    move(TABLE, home);
    looks.chore();

    assertTrue(METRICS.returned.value() > returned);
    assertReadFromCache(TABLE);
  }

  @Test
  public void regionThatComesBackHasItsBlocksInABucketCache() throws Exception {
    regionThatComesBackHasItsBlocks(OrphanBlocksSettings.TTL_SECONDS.key(), LONG_SECONDS);
  }

  @Test
  public void regionThatComesBackHasItsBlocksInSegments() throws Exception {
    regionThatComesBackHasItsBlocks(OrphanBlocksSettings.TTL_SECONDS.key(), LONG_SECONDS,
      "hbase.bucketcache.ioengine", "segments");
  }

  @Test
  public void whatNoRegionHasIsEvictedButWhatDaughtersOfASplitReadIsNot() throws Exception {
    start(2, OrphanBlocksSettings.TTL_SECONDS.key(), LONG_SECONDS, "hbase.bucketcache.l1.ioengine",
      "offheap", "hbase.bucketcache.l1.size", "8", "hbase.bucketcache.bucket.sizes",
      "5120,66560,132096");
    load(OTHER_TABLE);
    HRegionServer home = server(TABLE);
    if (server(OTHER_TABLE) != home) {
      move(OTHER_TABLE, home);
    }
    awaitCached(TABLE);
    awaitCached(OTHER_TABLE);
    String parentsFile = file(TABLE);
    String movedFile = file(OTHER_TABLE);
    long files = METRICS.filesGivenUp.value();
    long blocks = METRICS.blocksGivenUp.value();

    SERVERS.util().getAdmin()
      .splitRegionAsync(region(TABLE).getRegionInfo().getRegionName(), row(ROWS / 2))
      .get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> home.getRegions(TABLE).size() == 2);
    // The server's own looks give up nothing, however long a split takes.
    OrphanBlocks looks = looks(home, SHORT_SECONDS);
    looks.chore();
    move(OTHER_TABLE, otherThan(home));
    awaitCached(OTHER_TABLE);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> {
      looks.chore();
      return !hasBlocks(home, movedFile);
    });

    assertTrue(METRICS.filesGivenUp.value() > files);
    assertTrue(METRICS.blocksGivenUp.value() > blocks + ROWS * VALUE_BYTES / BLOCK_SIZE / 2);
    assertTrue("the file that both daughters refer to", hasBlocks(home, parentsFile));
    assertTrue("the new server's own", hasBlocks(otherThan(home), movedFile));
    read(TABLE);
    assertReadFromCache(OTHER_TABLE);
  }

  /**
   * Moves the region to another server, and restarts its own, whose cache is in a file.
   * @param ttlSeconds of the server after its restart
   * @return the server with this cache
   */
  private HRegionServer restartWithoutTheRegion(String engine, String ttlSeconds)
    throws Exception {
    File folder = SERVERS.newFolder();
    String[] inFile = { OrphanBlocksSettings.TTL_SECONDS.key(), LONG_SECONDS,
      "hbase.bucketcache.ioengine", engine + new File(folder, "cache"),
      "hbase.bucketcache.persistent.path",
      engine.equals("file:") ? new File(folder, "list").toString() : null };
    start(1, inFile);
    HRegionServer home = server(TABLE);
    awaitCached(TABLE);
    String file = file(TABLE);
    SERVERS.set("hbase.bucketcache.ioengine", "offheap", "hbase.bucketcache.persistent.path", null);
    HRegionServer other = SERVERS.startOne();
    move(TABLE, other);
    assertTrue(hasBlocks(home, file));
    SERVERS.stop(home);
    givenUpBefore = METRICS.blocksGivenUp.value();
    SERVERS.set(inFile);
    SERVERS.set(OrphanBlocksSettings.TTL_SECONDS.key(), ttlSeconds);
    return SERVERS.startOne();
  }

  @Test
  public void regionComesHomeToAServerThatWasRestarted() throws Exception {
    HRegionServer home = restartWithoutTheRegion("segments:", LONG_SECONDS);
    String file = file(TABLE);
    SERVERS.util().waitFor(TIMEOUT_MS, 10, () -> hasBlocks(home, file));
    OrphanBlocks looks = looks(home, LONG_SECONDS);
    looks.chore();
    long returned = METRICS.returned.value();

    move(TABLE, home);
    looks.chore();

    assertTrue(METRICS.returned.value() > returned);
    assertReadFromCache(TABLE);
  }

  @Test
  public void serverThatWasRestartedGivesUpWhatStaysAway() throws Exception {
    HRegionServer home = restartWithoutTheRegion("file:", SHORT_SECONDS);
    String file = file(TABLE);

    SERVERS.util().waitFor(TIMEOUT_MS, 10,
      () -> METRICS.blocksGivenUp.value() > givenUpBefore && !hasBlocks(home, file));

    read(TABLE);
  }

  @Test
  public void offEvictsWhenARegionCloses() throws Exception {
    start(2);
    HRegionServer home = server(TABLE);
    awaitCached(TABLE);
    String file = file(TABLE);
    assertNull(home.orphanBlocks);

    move(TABLE, otherThan(home));

    assertFalse(hasBlocks(home, file));
    read(TABLE);
  }
}
