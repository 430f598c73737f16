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
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** Regions whose memstores have a tree answer as those with a skip list do. */
@RunWith(Parameterized.class)
@Category({ RegionServerTests.class, MediumTests.class })
public class TestMemStoreIndex {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMemStoreIndex.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final int STEPS = 1_500;
  private static final int CHUNK_BYTES = 64 * 1024;
  private static ChunkCreator chunksBefore;
  private static int regions;

  @Parameters(name = "{0}, MSLAB {1}")
  public static Collection<Object[]> data() {
    List<Object[]> data = new ArrayList<>();
    for (MemoryCompactionPolicy policy : MemoryCompactionPolicy.values()) {
      data.add(new Object[] { policy, true });
    }
    data.add(new Object[] { MemoryCompactionPolicy.NONE, false });
    data.add(new Object[] { MemoryCompactionPolicy.BASIC, false });
    return data;
  }

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final MemoryCompactionPolicy policy;
  private final boolean mslab;
  private final List<HRegion> opened = new ArrayList<>();

  public TestMemStoreIndex(MemoryCompactionPolicy policy, boolean mslab) {
    this.policy = policy;
    this.mslab = mslab;
  }

  @After
  public void closeRegions() throws IOException {
    for (HRegion region : opened) {
      HBaseTestingUtility.closeRegionAndWAL(region);
    }
  }

  @BeforeClass
  public static void putChunksOffTheHeap() {
    chunksBefore = ChunkCreator.instance;
    ChunkCreator.instance = null;
    ChunkCreator.initialize(CHUNK_BYTES, true, 1024 * CHUNK_BYTES, 1, 0, null, 0.5F);
  }

  @AfterClass
  public static void cleanUp() throws IOException {
    ChunkCreator.instance = chunksBefore;
    UTIL.cleanupTestDir();
  }

  private HRegion open(String treeEnabled) throws IOException {
    // Flushes in memory are the test's: a scanner that is opened meanwhile may fail, with a skip
    // list as well.
    return open(treeEnabled, 1);
  }

  private HRegion open(String treeEnabled, double flushedInMemory) throws IOException {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.setBoolean(MemStoreLAB.USEMSLAB_KEY, mslab);
    conf.setInt(MemStoreLAB.CHUNK_SIZE_KEY, CHUNK_BYTES);
    conf.setInt(MemStoreLAB.MAX_ALLOC_KEY, CHUNK_BYTES / 4);
    conf.setDouble(CompactingMemStore.IN_MEMORY_FLUSH_THRESHOLD_FACTOR_KEY, flushedInMemory);
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(F)
      .setMaxVersions(3).setKeepDeletedCells(KeepDeletedCells.FALSE)
      .setInMemoryCompaction(policy);
    if (treeEnabled != null) {
      family.setConfiguration(MemStoreIndexSettings.TREE_ENABLED.key(), treeEnabled);
    }
    TableName table = TableName.valueOf("t" + regions++);
    RegionInfo info = RegionInfoBuilder.newBuilder(table).build();
    Path root = UTIL.getDataTestDir("regions");
    HRegion region = HBaseTestingUtility.createRegionAndWAL(info, root, conf,
      TableDescriptorBuilder.newBuilder(table).setColumnFamily(family.build()).build());
    opened.add(region);
    return region;
  }

  private static CellSet activeCells(HRegion region) {
    return ((AbstractMemStore) region.getStore(F).memstore).getActive().getCellSet();
  }

  @Test
  public void isASkipListUnlessToldOtherwise() throws IOException {
    long before = MetricsMemStoreIndex.getInstance().getTrees();
    assertEquals(ConcurrentSkipListMap.class,
      activeCells(open(null)).getDelegatee().getClass());
    assertEquals(ConcurrentSkipListMap.class,
      activeCells(open("false")).getDelegatee().getClass());
    assertEquals(before, MetricsMemStoreIndex.getInstance().getTrees());
    assertEquals(CellTreeMap.class, activeCells(open("true")).getDelegatee().getClass());
    assertTrue(MetricsMemStoreIndex.getInstance().getTrees() > before);
  }

  @Test
  public void aValueThatIsNeitherIsRefused() {
    Configuration conf = new Configuration(false);
    conf.set(MemStoreIndexSettings.TREE_ENABLED.key(), "yes");
    String message = assertThrows(IllegalArgumentException.class,
      () -> MemStoreIndexSettings.TREE_ENABLED.read(conf)).getMessage();
    assertTrue(message, message.contains(MemStoreIndexSettings.TREE_ENABLED.key()));
    assertFalse(MemStoreIndexSettings.TREE_ENABLED.read(new Configuration(false)));
  }

  @Test
  public void sizesAreWhatTheyWere() throws IOException {
    Random random = seed.newRandom();
    HRegion list = open("false");
    HRegion tree = open("true");
    for (int i = 0; i < 300; i++) {
      Put put = put(random);
      list.put(put);
      tree.put(new Put(put));
      assertEquals(list.getMemStoreDataSize(), tree.getMemStoreDataSize());
      assertEquals(list.getMemStoreHeapSize(), tree.getMemStoreHeapSize());
    }
  }

  /** What comes of such a segment would be written to files without tags. */
  @Test
  public void tagsOfARowThatHasItsSegmentFlushedInMemoryAreKnown() throws IOException {
    HRegion region = open("true", 1e-4);
    for (int row = 0; row < 20; row++) {
      Put put = new Put(Bytes.toBytes(row)).setTTL(1_000_000);
      for (int column = 0; column < 10; column++) {
        put.addColumn(F, Bytes.toBytes(column), new byte[1_500]);
      }
      region.put(put);
      for (Segment segment : ((AbstractMemStore) region.getStore(F).memstore).getSegments()) {
        assertEquals(segment.getCellsCount() > 0, segment.isTagsPresent());
      }
    }
  }

  @Test
  public void answersAreTheSame() throws IOException {
    Random random = seed.newRandom();
    HRegion list = open("false");
    HRegion tree = open("true");
    for (int i = 0; i < STEPS; i++) {
      switch (random.nextInt(40)) {
        case 0:
          if (random.nextInt(5) == 0) {
            list.flush(true);
            tree.flush(true);
          } else {
            flushInMemory(list);
            flushInMemory(tree);
          }
          break;
        case 1:
          compare(list, tree, scan(random));
          break;
        case 2:
          compare(list, tree, scan(random).setReversed(true));
          break;
        case 3:
        case 4:
        case 5:
          Delete delete = new Delete(row(random));
          if (random.nextBoolean()) {
            delete.addColumns(F, qualifier(random), i + 1);
          } else {
            delete.addFamily(F, i + 1);
          }
          list.delete(delete);
          tree.delete(new Delete(delete));
          break;
        case 6:
        case 7:
        case 8:
          Increment increment = new Increment(Bytes.toBytes(random.nextInt(20)));
          increment.addColumn(F, COUNT, 1 + random.nextInt(3));
          assertEquals(value(list.increment(increment)), value(tree.increment(increment)));
          break;
        case 9:
          Get get = new Get(row(random)).readAllVersions();
          assertEquals(cells(list.get(get).listCells()), cells(tree.get(get).listCells()));
          break;
        default:
          Put put = put(random);
          list.put(put);
          tree.put(new Put(put));
      }
    }
    compare(list, tree, new Scan().readAllVersions());
    list.flush(true);
    tree.flush(true);
    compare(list, tree, new Scan().readAllVersions());
    assertTrue(activeCells(tree).getDelegatee() instanceof CellTreeMap);
  }

  private static void flushInMemory(HRegion region) {
    MemStore memStore = region.getStore(F).memstore;
    if (memStore instanceof CompactingMemStore) {
      ((CompactingMemStore) memStore).flushInMemory();
    }
  }

  private static long value(Result result) {
    return Bytes.toLong(result.getValue(F, COUNT));
  }

  private static byte[] row(Random random) {
    return Bytes.toBytes("user" + random.nextInt(60) * 7_919);
  }

  private static byte[] qualifier(Random random) {
    return Bytes.toBytes("column" + random.nextInt(12));
  }

  /** Returns a put of some cells; few are equal to another one, or too big for a chunk. */
  private static Put put(Random random) {
    Put put = new Put(row(random)).setDurability(Durability.SKIP_WAL);
    for (int i = 1 + random.nextInt(12); i > 0; i--) {
      int time = 1 + random.nextInt(random.nextInt(4) == 0 ? 2 : 2_000);
      int length = random.nextInt(50) == 0 ? CHUNK_BYTES / 4 + 1 : random.nextInt(100);
      put.addColumn(F, qualifier(random), time, new byte[length]);
    }
    return put;
  }

  private static Scan scan(Random random) {
    Scan scan = new Scan().readVersions(1 + random.nextInt(4));
    if (random.nextBoolean()) {
      scan.withStartRow(row(random), random.nextBoolean());
    }
    return scan.setLimit(1 + random.nextInt(30));
  }

  private static void compare(HRegion list, HRegion tree, Scan scan) throws IOException {
    assertEquals(scan(list, scan), scan(tree, scan));
  }

  private static List<String> scan(HRegion region, Scan scan) throws IOException {
    List<String> found = new ArrayList<>();
    int rows = scan.getLimit() < 0 ? Integer.MAX_VALUE : scan.getLimit();
    try (RegionScanner scanner = region.getScanner(new Scan(scan))) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(cells);
        found.addAll(cells(cells));
        cells.clear();
      } while (more && --rows > 0);
    }
    return found;
  }

  /** Returns what the cells are, but the timestamps that increments choose. */
  private static List<String> cells(List<Cell> cells) {
    List<String> found = new ArrayList<>();
    if (cells != null) {
      for (Cell cell : cells) {
        boolean counts = CellUtil.matchingQualifier(cell, COUNT);
        found.add(counts
          ? Bytes.toStringBinary(CellUtil.cloneValue(cell))
          : cell + "/" + cell.getValueLength());
      }
    }
    return found;
  }
}
