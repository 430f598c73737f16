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
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** When files that no region has are given up, by a clock of the test's. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestOrphanFiles {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestOrphanFiles.class);

  private static final long TTL = 100;
  /** A clock may begin anywhere. */
  private static final long START = Long.MAX_VALUE - TTL / 2;

  private final OrphanFiles files = new OrphanFiles(TTL);

  private static Set<String> set(String... names) {
    return new HashSet<>(Arrays.asList(names));
  }

  private List<String> look(long time, Set<String> cached, String... owned) {
    return files.update(cached, set(owned), START + time);
  }

  @Test
  public void fileThatStaysAwayExpires() {
    assertEquals(Collections.emptyList(), look(0, set("away", "here"), "here"));
    assertEquals(Collections.emptyList(), look(TTL - 1, set("away", "here"), "here"));
    assertEquals(Arrays.asList("away"), look(TTL, set("away", "here"), "here"));
    assertEquals("until it is removed", Arrays.asList("away"), look(TTL + 1, set("away")));
    assertEquals(1, files.size());

    files.remove("away");

    assertEquals(0, files.size());
    assertEquals(Collections.emptyList(), look(TTL + 2, set("away")));
  }

  @Test
  public void fileThatComesBackWaitsAnewWhenItLeavesAgain() {
    look(0, set("moved"));
    assertEquals(0, files.getReturned());

    assertEquals(Collections.emptyList(), look(TTL, set("moved"), "moved"));
    assertEquals(1, files.getReturned());
    assertEquals(0, files.size());
    look(TTL + 1, set("moved"), "moved");
    assertEquals(0, files.getReturned());

    assertEquals(Collections.emptyList(), look(TTL + 2, set("moved")));
    assertEquals(Collections.emptyList(), look(2 * TTL + 1, set("moved")));
    assertEquals(Arrays.asList("moved"), look(2 * TTL + 2, set("moved")));
  }

  @Test
  public void fileWithoutBlocksIsForgotten() {
    look(0, set("evicted"));
    look(1, set());
    assertEquals(0, files.size());
    look(2, set(), "evicted");
    assertEquals("has nothing to come back to", 0, files.getReturned());
  }

  @Test
  public void referencesAndLinksKeepTheFileThatTheyAreOf() {
    String file = "0123456789abcdef0123456789abcdef";
    String region = "fedcba9876543210fedcba9876543210";
    String link = "table=" + region + "-" + file;
    String linkOfNamespace = "space=table=" + region + "-" + file;

    assertEquals(set(file), names(file));
    assertEquals(set(file + "." + region, file), names(file + "." + region));
    assertEquals(set(link, file), names(link));
    assertEquals(set(linkOfNamespace, file), names(linkOfNamespace));
    assertEquals(set(link + "." + region, link, file), names(link + "." + region));
  }

  private static Set<String> names(String file) {
    Set<String> names = new HashSet<>();
    OrphanBlocks.addName(file, names);
    return names;
  }

  /** Looks at the store when a file was written that the store doesn't have yet. */
  public static class WatchedFlusher extends DefaultStoreFlusher {
    private static Set<String> written;
    private static Set<String> names;

    public WatchedFlusher(Configuration conf, HStore store) {
      super(conf, store);
    }

    @Override
    protected void performFlush(InternalScanner scanner, CellSink sink,
      ThroughputController throughputController) throws IOException {
      super.performFlush(scanner, sink, throughputController);
      written = Collections.singleton(((StoreFileWriter) sink).getPath().getName());
      names = OrphanBlocks.namesBeingWritten();
    }
  }

  private static Set<String> namesOf(HStore store) {
    Set<String> names = new HashSet<>();
    OrphanBlocks.addFiles(store, names);
    return names;
  }

  @Test
  public void whatIsWrittenAndWhatIsCompactedAndStillThereIsKept() throws IOException {
    new OrphanBlocks(null, null, 1);
    HBaseTestingUtility util = new HBaseTestingUtility();
    Configuration conf = util.getConfiguration();
    conf.set(DefaultStoreEngine.DEFAULT_STORE_FLUSHER_CLASS_KEY, WatchedFlusher.class.getName());
    byte[] name = Bytes.toBytes("f");
    TableName table = TableName.valueOf("t");
    HRegion region = HBaseTestingUtility.createRegionAndWAL(
      RegionInfoBuilder.newBuilder(table).build(), util.getDataTestDir(), conf,
      TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(name)).build());
    try {
      region.put(new Put(name).addColumn(name, name, name));
      region.flush(true);
      HStore store = region.getStore(name);
      assertFalse(OrphanBlocks.namesBeingWritten().containsAll(WatchedFlusher.written));
      assertTrue(WatchedFlusher.names.containsAll(WatchedFlusher.written));
      assertEquals(WatchedFlusher.written, namesOf(store));

      region.compact(true);

      assertEquals(1, store.getCompactedFiles().size());
      Set<String> names = namesOf(store);
      assertEquals(2, names.size());
      assertTrue(names.containsAll(WatchedFlusher.written));
      store.closeAndArchiveCompactedFiles();
      names.removeAll(WatchedFlusher.written);
      assertEquals(names, namesOf(store));
    } finally {
      HBaseTestingUtility.closeRegionAndWAL(region);
      util.cleanupTestDir();
    }
  }

  @Test
  public void badTimeIsRefusedByItsKey() {
    Configuration conf = new Configuration(false);
    assertEquals(0, (int) OrphanBlocksSettings.TTL_SECONDS.read(conf));
    for (String bad : new String[] { "-1", "2592001", "soon" }) {
      conf.set(OrphanBlocksSettings.TTL_SECONDS.key(), bad);
      String message = assertThrows(IllegalArgumentException.class,
        () -> OrphanBlocksSettings.TTL_SECONDS.read(conf)).getMessage();
      assertTrue(message, message.contains(OrphanBlocksSettings.TTL_SECONDS.key()));
      assertTrue(message, message.contains(bad));
    }
  }
}
