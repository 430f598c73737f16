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
package org.apache.hadoop.hbase.snapshot;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableSnapshotScanner;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.master.region.MasterRegionFactory;
import org.apache.hadoop.hbase.mob.MobConstants;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.replication.DummyReplicationEndpoint;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.testclassification.LargeTests;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What is opened is closed: after snapshots, bulk loads, splits, merges and replication no file is
 * read but those of open regions, once each; no buffer of a server's pool is in use, no scanner is
 * open, and no file is referred to. There is no block cache, so blocks are read to the pool.
 * Without the change a scan of a snapshot that fails to begin leaves four files open.
 */
@Category({ MasterTests.class, LargeTests.class })
public class TestOpenedIsClosed {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestOpenedIsClosed.class);

  /** Another one for each class, since it can be started once. */
  static HBaseTestingUtility util;
  private static final TableName TABLE = TableName.valueOf("t");
  private static final TableName CLONE = TableName.valueOf("c");
  private static final String SNAPSHOT = "s";
  private static final String PEER = "p";
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] MOB = Bytes.toBytes("m");
  private static final int ROWS = 200;
  private static final byte[] MIDDLE = Bytes.toBytes(ROWS / 2);
  private static final int VALUE_BYTES = 300;
  private static final int TIMES = 3;
  private static final int TIMEOUT_S = 120;

  private Admin admin;

  /** Knows which files are being read, and who opened them. */
  public static final class CountedFiles extends LocalFileSystem {
    private static final List<Opened> OPEN = new ArrayList<>();

    @Override
    public FSDataInputStream open(Path path, int bufferBytes) throws IOException {
      FSDataInputStream stream = super.open(path, bufferBytes);
      Opened opened = new Opened(path);
      synchronized (OPEN) {
        OPEN.add(opened);
      }
      return new FSDataInputStream(stream) {
        @Override
        public void close() throws IOException {
          synchronized (OPEN) {
            OPEN.remove(opened);
          }
          super.close();
        }
      };
    }

    /** The next test is not about what one before has left. */
    static void forget() {
      synchronized (OPEN) {
        OPEN.removeIf(opened -> opened.path.toString().contains("/" + TABLE + "/"));
      }
    }

    /** Another class may have had a cluster in this JVM. */
    static void forgetAll() {
      synchronized (OPEN) {
        OPEN.clear();
      }
    }

    static List<Opened> getOpen() {
      synchronized (OPEN) {
        return new ArrayList<>(OPEN);
      }
    }
  }

  /** Where a file was opened. */
  private static final class Opened extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Path path;

    Opened(Path path) {
      super(path + " is open");
      this.path = path;
    }
  }

  /** Takes all edits. */
  public static final class CountedEdits extends DummyReplicationEndpoint {
    private static final AtomicInteger EDITS = new AtomicInteger();

    @Override
    public boolean replicate(ReplicateContext context) {
      EDITS.addAndGet(context.getEntries().size());
      return true;
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    util = new HBaseTestingUtility();
    util.getConfiguration().setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0);
    startServers();
  }

  static void startServers() throws Exception {
    CountedFiles.forgetAll();
    Configuration conf = util.getConfiguration();
    conf.setClass("fs.file.impl", CountedFiles.class, FileSystem.class);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 5);
    conf.setInt(MobConstants.MOB_FILE_CACHE_SIZE_KEY, 0);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 16 * 1024);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 1024);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    util.startMiniZKCluster();
    util.startMiniHBaseCluster();
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    util.shutdownMiniCluster();
  }

  @Before
  public void createTable() throws Exception {
    admin = util.getAdmin();
    admin.createTable(TableDescriptorBuilder.newBuilder(TABLE)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(1024)
        .setScope(HConstants.REPLICATION_SCOPE_GLOBAL).build())
      .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(MOB).setMobEnabled(true)
        .setMobThreshold(0).setBlocksize(1024).build())
      .build());
    put(0, ROWS / 2);
    put(ROWS / 4, ROWS);
    assertHasRows(TABLE);
    assertAllIsClosed("at first");
  }

  @After
  public void deleteTables() throws Exception {
    admin.deleteSnapshots(Pattern.compile(".*"));
    delete(CLONE);
    delete(TABLE);
    CountedFiles.forget();
  }

  private void delete(TableName name) throws IOException {
    if (admin.tableExists(name)) {
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
  }

  private static byte[] value(int row) {
    byte[] value = new byte[VALUE_BYTES];
    Bytes.putInt(value, 0, row);
    return value;
  }

  private void put(int first, int end) throws IOException {
    try (Table table = util.getConnection().getTable(TABLE)) {
      for (int i = first; i < end; i++) {
        table.put(new Put(Bytes.toBytes(i)).addColumn(FAMILY, FAMILY, value(i)).addColumn(MOB,
          FAMILY, value(i)));
      }
    }
    admin.flush(TABLE);
  }

  private static void compact(TableName name) throws IOException {
    for (HRegion region : util.getMiniHBaseCluster().getRegions(name)) {
      region.compact(true);
      archive(region);
    }
  }

  /** Closes files that were compacted, which is done every two minutes else. */
  private static void archive(HRegion region) throws IOException {
    for (HStore store : region.getStores()) {
      store.closeAndArchiveCompactedFiles();
    }
  }

  private static void assertHasRows(TableName name) throws IOException {
    try (Table table = util.getConnection().getTable(name);
      ResultScanner scanner = table.getScanner(new Scan())) {
      assertRows(scanner);
    }
  }

  private static void assertRows(Iterable<Result> scanner) {
    int found = 0;
    for (Result row : scanner) {
      assertEquals(found, Bytes.toInt(row.getRow()));
      assertEquals(found, Bytes.toInt(row.getValue(FAMILY, FAMILY)));
      found++;
    }
    assertEquals(ROWS, found);
  }

  static List<HRegionServer> servers() {
    List<HRegionServer> servers = new ArrayList<>();
    for (JVMClusterUtil.RegionServerThread thread : util.getMiniHBaseCluster()
      .getRegionServerThreads()) {
      servers.add(thread.getRegionServer());
    }
    return servers;
  }

  /** Returns what is in use beside the files of open regions; nothing if all is closed. */
  private static String describeOpen() {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    Map<String, Integer> readers = new HashMap<>();
    for (HRegionServer server : servers()) {
      ByteBuffAllocator pool = server.getRpcServer().getByteBuffAllocator();
      int used = pool.getUsedBufferCount() - pool.getFreeBufferCount();
      if (used != 0) {
        writer.println(used + " buffers");
      }
      if (server.getRSRpcServices().getScannersCount() != 0) {
        writer.println(server.getRSRpcServices().getScannersCount() + " scanners");
      }
      BlockCache cache = server.getBlockCache().orElse(null);
      if (cache instanceof CombinedBlockCache) {
        try {
          BucketCacheValidator
            .validate((BucketCache) ((CombinedBlockCache) cache).getSecondLevelCache());
        } catch (AssertionError e) {
          writer.println(e.getMessage());
        }
      }
      for (HRegion region : server.getRegions()) {
        for (HStore store : region.getStores()) {
          if (store.getStoreRefCount() != 0) {
            writer.println(store + ": " + store.getStoreRefCount() + " references");
          }
          for (HStoreFile file : store.getStorefiles()) {
            readers.merge(storedAs(file), 1, Integer::sum);
          }
        }
      }
    }
    for (Opened opened : CountedFiles.getOpen()) {
      if (
        readers.merge(opened.path.getName(), -1, Integer::sum) < 0
          && !isOfMaster(opened.path)
      ) {
        opened.printStackTrace(writer);
      }
    }
    return text.toString();
  }

  /** The master has a region of its own. */
  private static boolean isOfMaster(Path path) {
    return path.toString().contains("/" + MasterRegionFactory.MASTER_STORE_DIR + "/");
  }

  /** Returns the name of the file that a link or reference leads to. */
  private static String storedAs(HStoreFile file) {
    String name = file.getPath().getName();
    if (file.isReference()) {
      name = name.substring(0, name.indexOf('.'));
    }
    return name.substring(name.lastIndexOf('-') + 1);
  }

  private static void assertAllIsClosed(String when) throws Exception {
    util.waitFor(TIMEOUT_S * 1000L, new Waiter.ExplainingPredicate<Exception>() {
      @Override
      public boolean evaluate() throws IOException {
        for (HRegionServer server : servers()) {
          for (HRegion region : server.getRegions()) {
            archive(region);
          }
        }
        return describeOpen().isEmpty();
      }

      @Override
      public String explainFailure() {
        return when + ": " + describeOpen();
      }
    });
  }

  @Test
  public void snapshotsThatClientsRead() throws Exception {
    admin.snapshot(SNAPSHOT, TABLE);
    compact(TABLE);
    Path folder = util.getDataTestDir("restored");
    for (int i = 0; i < TIMES; i++) {
      Configuration conf = new Configuration(util.getConfiguration());
      try (TableSnapshotScanner scanner =
        new TableSnapshotScanner(conf, folder, SNAPSHOT, new Scan())) {
        assertRows(scanner);
      }
      assertAllIsClosed("a snapshot that was read");
      try (TableSnapshotScanner scanner =
        new TableSnapshotScanner(conf, folder, SNAPSHOT, new Scan())) {
        assertEquals(0, Bytes.toInt(scanner.next().getRow()));
      }
      assertAllIsClosed("a snapshot of which a row was read");
      try (TableSnapshotScanner scanner = new TableSnapshotScanner(conf, folder, SNAPSHOT,
        new Scan().addFamily(Bytes.toBytes("none")))) {
        assertThrows(IOException.class, scanner::next);
      }
      assertAllIsClosed("a snapshot that hasn't the family which is asked for");
    }
  }

  @Test
  public void snapshotsThatAreRestoredAndCloned() throws Exception {
    admin.snapshot(SNAPSHOT, TABLE);
    for (int i = 0; i < TIMES; i++) {
      compact(TABLE);
      admin.disableTable(TABLE);
      admin.restoreSnapshot(SNAPSHOT);
      admin.enableTable(TABLE);
      assertHasRows(TABLE);
      assertAllIsClosed("a table that was restored");
      admin.cloneSnapshot(SNAPSHOT, CLONE);
      assertHasRows(CLONE);
      assertAllIsClosed("a clone");
      compact(CLONE);
      assertHasRows(CLONE);
      assertAllIsClosed("a clone that was compacted");
      delete(CLONE);
      assertAllIsClosed("a clone that was deleted");
    }
  }

  @Test
  public void filesThatAreLoaded() throws Exception {
    split();
    Configuration conf = util.getConfiguration();
    FileSystem fs = FileSystem.getLocal(conf);
    for (int i = 0; i < TIMES; i++) {
      Path folder = util.getDataTestDir("load-" + i);
      for (byte[] family : new byte[][] { FAMILY, MOB }) {
        // For both regions.
        try (HFile.Writer writer = HFile.getWriterFactory(conf, new CacheConfig(conf))
          .withPath(fs, new Path(folder, Bytes.toString(family) + "/file"))
          .withFileContext(new HFileContextBuilder().withBlockSize(1024).build()).create()) {
          for (int row = 0; row < ROWS; row++) {
            writer.append(new KeyValue(Bytes.toBytes(row), family, FAMILY,
              System.currentTimeMillis(), value(row)));
          }
        }
      }
      BulkLoadHFiles.create(conf).bulkLoad(TABLE, folder);
      assertHasRows(TABLE);
      assertAllIsClosed("files that were loaded");
      compact(TABLE);
      assertHasRows(TABLE);
      assertAllIsClosed("files that were loaded and compacted");
    }
  }

  private void split() throws Exception {
    admin.splitRegionAsync(admin.getRegions(TABLE).get(0).getRegionName(), MIDDLE).get(TIMEOUT_S,
      TimeUnit.SECONDS);
  }

  @Test
  public void regionsThatAreSplitAndMerged() throws Exception {
    for (int i = 0; i < TIMES; i++) {
      split();
      assertHasRows(TABLE);
      assertAllIsClosed("halves");
      compact(TABLE);
      assertHasRows(TABLE);
      assertAllIsClosed("halves that were compacted");
      List<RegionInfo> halves = admin.getRegions(TABLE);
      admin.mergeRegionsAsync(
        new byte[][] { halves.get(0).getRegionName(), halves.get(1).getRegionName() }, true)
        .get(TIMEOUT_S, TimeUnit.SECONDS);
      assertHasRows(TABLE);
      assertAllIsClosed("a merged region");
      compact(TABLE);
      assertHasRows(TABLE);
      assertAllIsClosed("a merged region that was compacted");
    }
  }

  @Test
  public void logsThatAreReplicated() throws Exception {
    for (int i = 0; i < TIMES; i++) {
      admin.addReplicationPeer(PEER,
        ReplicationPeerConfig.newBuilder().setClusterKey("localhost:1:/peer")
          .setReplicationEndpointImpl(CountedEdits.class.getName()).build());
      int before = CountedEdits.EDITS.get();
      put(0, ROWS);
      roll();
      admin.disableReplicationPeer(PEER);
      put(0, ROWS);
      roll();
      put(0, ROWS);
      admin.enableReplicationPeer(PEER);
      util.waitFor(TIMEOUT_S * 1000L, 10, () -> CountedEdits.EDITS.get() >= before + 3 * ROWS);
      roll();
      put(0, 1);
      admin.removeReplicationPeer(PEER);
      assertAllIsClosed("logs of a peer that was removed");
    }
  }

  private void roll() throws IOException {
    for (HRegionServer server : servers()) {
      admin.rollWALWriter(server.getServerName());
    }
  }
}
