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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.HMasterCommandLine;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.ServerCommandLine;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Each value that isn't allowed is reported in a line of its own, before anything is started. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestSettingsCheck {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSettingsCheck.class);

  private static final String SIZING_KEY = "hbase.server.allocator.sizing.enabled";
  private static final String PROMOTION_KEY = "hbase.bucketcache.composite.promotion";
  private static final String CHECKSUM_KEY = "hbase.bucketcache.checksum";
  private static final String L2_CHECKSUM_KEY = "hbase.bucketcache.l2.checksum";

  private static boolean made;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();

  /** A region server that must not be created. */
  public static final class NeverMade extends HRegionServer {
    public NeverMade(Configuration conf) throws IOException {
      super(noteThatItIsMade(conf));
    }

    private static Configuration noteThatItIsMade(Configuration conf) throws IOException {
      made = true;
      throw new IOException("Its settings are checked before");
    }
  }

  private int start(ServerCommandLine commandLine) throws Exception {
    commandLine.setConf(conf);
    return commandLine.run(new String[] { "start" });
  }

  private List<String> refusals() {
    return SettingsCheck.refusals(conf, Long.MAX_VALUE);
  }

  private void assertRefused(String... beginnings) {
    assertEquals(beginnings.length == 0, SettingsCheck.passes(conf));
    List<String> refusals = refusals();
    String all = String.join("\n", refusals);
    assertEquals(all, Arrays.stream(beginnings).sorted().collect(Collectors.toList()),
      refusals.stream().map(refusal -> refusal.split("\\. ")[0]).sorted()
        .collect(Collectors.toList()));
  }

  @Test
  public void whatIsNoBlockCachesFileIsRefusedAndNotWritten() throws Exception {
    Path image = folder.newFile("image").toPath();
    byte[] content = new byte[1 << 20];
    content[1080] = 1;
    Files.write(image, content);
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "128");
    for (String engine : new String[] { "direct:", "segments:" }) {
      conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine + image);
      assertRefused(HConstants.BUCKET_CACHE_IOENGINE_KEY + " is " + engine + image);
      assertTrue(refusals().get(0),
        refusals().get(0).contains(image + " isn't known to be a block cache's file"));
      conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine + "/dev/null");
      assertRefused(HConstants.BUCKET_CACHE_IOENGINE_KEY + " is " + engine + "/dev/null");
      assertTrue(refusals().get(0), refusals().get(0).contains("/dev/null is a device"));
    }
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "direct:" + image + "2");
    conf.set(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, image.toString());
    assertRefused(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY + " is " + image);
    assertArrayEquals(content, Files.readAllBytes(image));
    assertEquals(1, folder.getRoot().list().length);
  }

  @Test
  public void whatAnEngineWithoutChecksWouldWriteOverIsWarnedOf() throws Exception {
    Path image = folder.newFile("image").toPath();
    byte[] content = new byte[1 << 20];
    content[1080] = 1;
    Files.write(image, content);
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "128");
    for (String engine : new String[] { "file:", "files:/tmp/none,", "mmap:", "pmem:" }) {
      for (Object path : new Object[] { image, folder.getRoot(), "/dev/null" }) {
        conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine + path);
        assertEquals(1, SettingsCheck.warnings(conf).size());
        String warning = SettingsCheck.warnings(conf).get(0);
        assertTrue(warning, warning.startsWith(HConstants.BUCKET_CACHE_IOENGINE_KEY + " is "
          + engine + path + ". " + path + " is"));
        assertEquals(Collections.emptyList(), refusals());
      }
      conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine + image + "2");
      assertEquals(Collections.emptyList(), SettingsCheck.warnings(conf));
    }
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "direct:" + image);
    assertEquals(Collections.emptyList(), SettingsCheck.warnings(conf));
    assertArrayEquals(content, Files.readAllBytes(image));
  }

  @Test
  public void aDeviceThatIsNotThereIsRefused() {
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "128");
    for (String engine : new String[] { "direct:", "segments:" }) {
      conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, engine + "/dev/none-of-these");
      assertEquals(1, refusals().size());
      assertTrue(refusals().get(0),
        refusals().get(0).contains("/dev/none-of-these isn't there, and in /dev"));
    }
  }

  @Test
  public void theEventLoopWithoutTheRowPathIsWarnedOf() {
    conf.set("hbase.regionserver.get.event.loop.enabled", "true");
    assertEquals(Collections.singletonList("hbase.regionserver.get.event.loop.enabled"),
      warnedKeys());
    conf.set("hbase.regionserver.get.row.path.enabled", "true");
    assertEquals(Collections.emptyList(), warnedKeys());
  }

  @Test
  public void allFeaturesAreAsked() {
    assertTrue(SettingsCheck.passes(conf));
    conf.set(SIZING_KEY, "big");
    conf.set("hbase.regionserver.multiget.parallel.threads", "0");
    conf.set("hbase.rs.cachewarmup.enabled", "yes");
    conf.set(CHECKSUM_KEY, "perhaps");
    conf.set("hbase.bucketcache.direct.pool.size", "0");
    conf.set("hbase.bucketcache.ioengine.retry.interval", "soon");
    assertRefused(SIZING_KEY + " is big", "hbase.regionserver.multiget.parallel.threads is 0",
      "hbase.rs.cachewarmup.enabled is yes", CHECKSUM_KEY + " is perhaps",
      "hbase.bucketcache.direct.pool.size is 0",
      "hbase.bucketcache.ioengine.retry.interval is soon");
  }

  @Test
  public void tiersAreAskedIfTheyAreOn() {
    conf.set(PROMOTION_KEY, "sometimes");
    assertTrue(SettingsCheck.passes(conf));
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + folder.getRoot() + "/cache");
    conf.set("hbase.bucketcache.l2.size", "64m");
    assertRefused(PROMOTION_KEY + " is sometimes");
    conf.set(L2_CHECKSUM_KEY, "perhaps");
    assertRefused(PROMOTION_KEY + " is sometimes", L2_CHECKSUM_KEY + " is perhaps");
  }

  @Test
  public void eachKeyOfAFeatureIsTold() {
    conf.set("hbase.bucketcache.l1.ioengine", "heap");
    conf.set("hbase.bucketcache.l1.size", "much");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + folder.getRoot() + "/cache");
    conf.set("hbase.bucketcache.minfactor", "2");
    conf.set(L2_CHECKSUM_KEY, "perhaps");
    conf.set("hbase.regionserver.multiget.parallel.threads", "0");
    conf.set("hbase.regionserver.multiget.parallel.enabled", "yes");
    assertRefused("hbase.bucketcache.l1.ioengine is heap", "hbase.bucketcache.l1.size is much",
      "hbase.bucketcache.l2.size is missing", "hbase.bucketcache.minfactor is 2",
      L2_CHECKSUM_KEY + " is perhaps", "hbase.regionserver.multiget.parallel.threads is 0",
      "hbase.regionserver.multiget.parallel.enabled is yes");
  }

  @Test
  public void pathsAreChecked() {
    String engine = HConstants.BUCKET_CACHE_IOENGINE_KEY;
    conf.set(engine, "direct:cache");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "64");
    conf.set(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, folder.getRoot() + "/list");
    assertRefused(engine + " is direct:cache");
    conf.set("hbase.bucketcache.l1.ioengine", "mmap:/nowhere/cache");
    conf.set("hbase.bucketcache.l1.size", "32m");
    assertRefused(engine + " is direct:cache",
      "hbase.bucketcache.l1.ioengine is mmap:/nowhere/cache");
    conf.set(engine, "direct:" + folder.getRoot() + "/cache");
    assertRefused("hbase.bucketcache.l1.ioengine is mmap:/nowhere/cache");
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    String list = "hbase.bucketcache.l2.persistent.path";
    conf.set(list, "/nowhere/list");
    assertRefused(list + " is /nowhere/list");
    conf.unset(list);
    assertTrue(SettingsCheck.passes(conf));
  }

  @Test
  public void filesOfAnotherCacheAreRefusedWhenAServerStarts() {
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "direct:" + folder.getRoot() + "/cache");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "64");
    BlockCache cache = BlockCacheFactory.createBlockCache(conf);
    try {
      assertFalse(SettingsCheck.passes(conf));
      assertEquals("that isn't asked for others", Collections.emptyList(), refusals());
    } finally {
      cache.shutdown();
    }
    assertTrue(SettingsCheck.passes(conf));
  }

  @Test
  public void whatIsSetForTheWholeHeapIsRefused() {
    conf.set("hfile.block.cache.size", "0.5");
    assertRefused("hfile.block.cache.size is 0.5");
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + folder.getRoot() + "/cache");
    conf.set("hbase.bucketcache.l2.size", "64m");
    assertTrue(SettingsCheck.passes(conf));
  }

  @Test
  public void aCacheOfSegmentsIsAsked() {
    String engine = HConstants.BUCKET_CACHE_IOENGINE_KEY;
    conf.set(engine, "segments");
    conf.set("hbase.bucketcache.bucket.sizes", "they aren't read");
    assertRefused("hbase.bucketcache.size is missing");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "0.5");
    assertRefused("hbase.bucketcache.size is 0.5");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "1g");
    assertRefused("hbase.bucketcache.size is 1g");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "32");
    assertTrue(SettingsCheck.passes(conf));
    assertEquals("HBASE_OFFHEAPSIZE", 1, SettingsCheck.refusals(conf, 32 << 20).size());
    String list = HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY;
    conf.set(list, "/cache/list");
    assertRefused(list + " is /cache/list");
    conf.unset(list);
    conf.set(engine, "segments:" + folder.getRoot() + "/cache");
    assertRefused("hbase.bucketcache.size is 32");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "64");
    assertTrue(SettingsCheck.passes(conf));
    for (String number : new String[] { "hbase.bucketcache.queue.addition.waittime",
      "hbase.bucketcache.ioengine.errors.tolerated.duration", "hbase.blockcache.stats.periods" }) {
      conf.set(number, "some");
      assertRefused(number + " is some");
      conf.unset(number);
    }
    conf.set(engine, "segments:cache");
    assertRefused(engine + " is segments:cache");
    conf.set(engine, "segments:");
    assertRefused(engine + " is segments:");
    conf.set(engine, "segments:/nowhere/cache");
    assertRefused(engine + " is segments:/nowhere/cache");
    conf.unset("hbase.bucketcache.bucket.sizes");
    conf.set(engine, "segment");
    assertRefused(engine + " is segment");
  }

  @Test
  public void tiersOfSegmentsAreAsked() {
    conf.set("hbase.bucketcache.l1.ioengine", "segments");
    conf.set("hbase.bucketcache.l1.size", "16m");
    conf.set("hbase.bucketcache.l2.ioengine", "segments:" + folder.getRoot() + "/l2");
    conf.set("hbase.bucketcache.l2.size", "32m");
    assertRefused("hbase.bucketcache.l2.size is 32m");
    conf.set("hbase.bucketcache.l2.size", "64m");
    assertTrue(SettingsCheck.passes(conf));
    assertEquals("HBASE_OFFHEAPSIZE", 1, SettingsCheck.refusals(conf, 16 << 20).size());
    conf.set("hbase.bucketcache.l2.persistent.path", folder.getRoot() + "/list");
    assertRefused("hbase.bucketcache.l2.persistent.path is " + folder.getRoot() + "/list");
    conf.unset("hbase.bucketcache.l2.persistent.path");
    conf.set("hbase.bucketcache.l1.ioengine", "segments:" + folder.getRoot() + "/l1");
    assertRefused("hbase.bucketcache.l1.ioengine is segments:" + folder.getRoot() + "/l1");
    conf.set("hbase.bucketcache.l1.ioengine", "segments");
    conf.set("hbase.bucketcache.l2.ioengine", "segments:cache");
    assertRefused("hbase.bucketcache.l2.ioengine is segments:cache");
    conf.set("hbase.bucketcache.l2.ioengine", "segments:/nowhere/cache");
    assertRefused("hbase.bucketcache.l2.ioengine is segments:/nowhere/cache");
    conf.unset("hbase.bucketcache.l2.ioengine");
    conf.unset("hbase.bucketcache.l2.size");
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "segments");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "32");
    assertTrue("the plain keys are those of L2", SettingsCheck.passes(conf));
  }

  @Test
  public void tiersOfSegmentsHaveNoBadValuesOfKeysThatTheyDoNotUse() {
    conf.set("hbase.bucketcache.l1.ioengine", "segments");
    conf.set("hbase.bucketcache.l1.size", "16m");
    conf.set("hbase.bucketcache.l2.ioengine", "segments");
    conf.set("hbase.bucketcache.l2.size", "16m");
    assertTrue(SettingsCheck.passes(conf));
    for (String name : new String[] { "acceptfactor", "minfactor", "extrafreefactor",
      "single.factor", "multi.factor", "memory.factor", "bucket.sizes", "writer.threads",
      "writer.queuelength" }) {
      String key = "hbase.bucketcache." + name;
      conf.set(key, "soon");
      assertRefused(key + " is soon");
      conf.unset(key);
    }
    conf.set("hbase.bucketcache.l2.checksum", "soon");
    assertRefused("hbase.bucketcache.l2.checksum is soon");
  }

  @Test
  public void aBucketCacheIsAsked() {
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "1g");
    conf.set("hbase.bucketcache.writer.threads", "some");
    assertTrue("they aren't read without an engine", SettingsCheck.passes(conf));
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    assertRefused("hbase.bucketcache.size is 1g", "hbase.bucketcache.writer.threads is some");
    conf.set("hbase.bucketcache.writer.threads", "3");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "20");
    assertRefused("hbase.bucketcache.size is 20");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "32");
    assertTrue(SettingsCheck.passes(conf));
    assertEquals("HBASE_OFFHEAPSIZE", 1, SettingsCheck.refusals(conf, 31 << 20).size());
    conf.set("hbase.bucketcache.bucket.sizes", "1000");
    conf.set("hbase.bucketcache.minfactor", "0.99");
    conf.set("hbase.bucketcache.single.factor", "0.5");
    assertRefused("hbase.bucketcache.bucket.sizes is 1000", "hbase.bucketcache.minfactor is 0.99",
      "hbase.bucketcache.single.factor is 0.5");
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "heap");
    assertEquals(4, refusals().size());
  }

  @Test
  public void whatIsOutOfRangeIsRefused() {
    conf.set(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, "0");
    conf.set(HConstants.REGIONSERVER_PORT, "99999");
    conf.set(HConstants.REGIONSERVER_INFO_PORT, "-1");
    conf.set("hbase.hregion.compacting.memstore.type", "fast");
    conf.set("hfile.block.cache.policy", "FIFO");
    assertRefused(HConstants.HREGION_MEMSTORE_FLUSH_SIZE + " is 0",
      HConstants.REGIONSERVER_PORT + " is 99999", "hbase.hregion.compacting.memstore.type is fast",
      "hfile.block.cache.policy is FIFO");
  }

  @Test
  public void aFileSystemOrWalThatThereIsNotIsRefused() {
    conf.set(HConstants.HBASE_DIR, "hdsf://namenode:8020/hbase");
    conf.set("hbase.wal.provider", "fast");
    assertRefused(HConstants.HBASE_DIR + " is hdsf://namenode:8020/hbase",
      "hbase.wal.provider is fast");
    assertEquals(2, SettingsCheck.refusalsOfMaster(conf).size());
    conf.set(HConstants.HBASE_DIR, "/hbase");
    conf.set("hbase.wal.provider", "org.apache.hadoop.hbase.wal.AsyncFSWALProvider");
    assertTrue(SettingsCheck.passes(conf));
    conf.set("hbase.wal.provider", HMaster.class.getName());
    assertRefused("hbase.wal.provider is " + HMaster.class.getName());
    assertEquals(1, SettingsCheck.refusalsOfMaster(conf).size());
  }

  @Test
  public void aFileSystemWhoseClassIsMissingIsRefused() {
    conf.set(HConstants.HBASE_DIR, "gone://bucket/hbase");
    conf.set("fs.gone.impl", "org.example.NoFileSystem");
    assertRefused(HConstants.HBASE_DIR + " is gone://bucket/hbase");
    assertEquals(1, SettingsCheck.refusalsOfMaster(conf).size());
    conf.set(HConstants.HBASE_DIR, "hdfs://namenode:8020/hbase");
    assertTrue(SettingsCheck.passes(conf));
    conf.set("fs.hdfs.impl", "org.example.NoFileSystem");
    assertRefused(HConstants.HBASE_DIR + " is hdfs://namenode:8020/hbase");
  }

  @Test
  public void withoutAWalItsKeysAreNotRead() {
    conf.set("hbase.wal.provider", "fast");
    conf.set("hbase.regionserver.hlog.blocksize", "0");
    conf.set("hbase.regionserver.logroll.period", "soon");
    conf.set("hbase.regionserver.maxlogs", "many");
    assertEquals(4, refusals().size());
    conf.setBoolean("hbase.regionserver.hlog.enabled", false);
    assertTrue(SettingsCheck.passes(conf));
    assertEquals("its own region has one", 1, SettingsCheck.refusalsOfMaster(conf).size());
    conf.set("hbase.wal.async.use-own-event-loop", "sometimes");
    assertEquals("likewise", 2, SettingsCheck.refusalsOfMaster(conf).size());
  }

  /** BlockCacheFactory fails with the values that are refused here. */
  @Test
  public void keysOfACacheThatIsNotMadeAreNotRead() {
    conf.set("hfile.block.cache.policy", "FIFO");
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "heap");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "1g");
    conf.set("hbase.blockcache.minblocksize", "small");
    conf.set("hfile.block.cache.size.max.range", "wide");
    assertEquals(5, refusals().size());
    conf.set("hfile.block.cache.size", "0");
    assertTrue(SettingsCheck.passes(conf));
    assertNull(BlockCacheFactory.createBlockCache(conf));
    assertFalse(SettingsCheck.hasBucketCache(conf));
    conf.unset("hfile.block.cache.size");
    conf.unset("hfile.block.cache.policy");
    conf.unset("hbase.blockcache.minblocksize");
    conf.unset("hfile.block.cache.size.max.range");
    assertTrue(SettingsCheck.hasBucketCache(conf));
    assertEquals(2, refusals().size());
    conf.setBoolean("hbase.blockcache.use.external", true);
    assertTrue(SettingsCheck.passes(conf));
    BlockCacheFactory.createBlockCache(conf).shutdown();
  }

  @Test
  public void keysOfAnLruCacheAreReadByThatAlone() {
    conf.set("hbase.lru.blockcache.min.factor", "soon");
    conf.set("hbase.blockcache.stats.periods", "some");
    for (String policy : Arrays.asList("LRU", "indexonlylru", "AdaptiveLRU")) {
      conf.set("hfile.block.cache.policy", policy);
      assertRefused("hbase.lru.blockcache.min.factor is soon");
    }
    conf.set("hfile.block.cache.policy", "TinyLFU");
    assertTrue(SettingsCheck.passes(conf));
    BlockCacheFactory.createBlockCache(conf).shutdown();
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, "32");
    assertRefused("hbase.blockcache.stats.periods is some");
  }

  @Test
  public void whatNoServerIsMadeWithIsRefused() {
    conf.set("hfile.format.version", "2");
    conf.set("hbase.regionserver.codecs", "gz,nonesuch");
    assertRefused("hfile.format.version is 2", "hbase.regionserver.codecs is gz,nonesuch");
    conf.set("hfile.format.version", "3");
    conf.set("hbase.regionserver.codecs", "GZ,snappy");
    assertTrue(SettingsCheck.passes(conf));
  }

  /** The defaults are 0.4 each. */
  @Test
  public void rangesThatAreMoreThanTheHeapAreRefused() {
    conf.set(HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY, "0.5");
    assertRefused(HeapMemoryManager.MEMSTORE_SIZE_MAX_RANGE_KEY + " is 0.5");
    conf.set(HeapMemoryManager.BLOCK_CACHE_SIZE_MIN_RANGE_KEY, "0.3");
    assertTrue(SettingsCheck.passes(conf));
    conf.set(HeapMemoryManager.BLOCK_CACHE_SIZE_MAX_RANGE_KEY, "0.6");
    conf.set(HeapMemoryManager.MEMSTORE_SIZE_MIN_RANGE_KEY, "0.3");
    assertRefused(HeapMemoryManager.BLOCK_CACHE_SIZE_MAX_RANGE_KEY + " is 0.6");
    conf.set("hfile.block.cache.size", "0");
    assertTrue(SettingsCheck.passes(conf));
    conf.unset("hfile.block.cache.size");
    conf.set("hbase.regionserver.free.heap.min.memory.size", "1k");
    assertEquals("only the server knows its heap", Collections.emptyList(), refusals());
  }

  @Test
  public void whatAServerCanNotReadAsANumberIsRefused() {
    conf.set(HConstants.REGION_SERVER_HANDLER_COUNT, "some");
    conf.set("hbase.hstore.blockingStoreFiles", "1g");
    assertRefused(HConstants.REGION_SERVER_HANDLER_COUNT + " is some",
      "hbase.hstore.blockingStoreFiles is 1g");
  }

  @Test
  public void portsAreChecked() {
    conf.set(HConstants.CLUSTER_DISTRIBUTED, "true");
    conf.set(HConstants.MASTER_PORT, "99999");
    conf.set(HConstants.MASTER_INFO_PORT, "65536");
    conf.set(HConstants.ZOOKEEPER_CLIENT_PORT, "70000");
    assertRefused(HConstants.ZOOKEEPER_CLIENT_PORT + " is 70000");
    assertEquals(3, SettingsCheck.refusalsOfMaster(conf).size());
    conf.set(HConstants.MASTER_INFO_PORT, "-1");
    conf.set(HConstants.ZOOKEEPER_QUORUM, "one:2181,two:2182");
    assertRefused();
    assertEquals(1, SettingsCheck.refusalsOfMaster(conf).size());
    conf.set(HConstants.CLUSTER_DISTRIBUTED, "false");
    assertRefused(HConstants.MASTER_PORT + " is 99999",
      HConstants.ZOOKEEPER_CLIENT_PORT + " is 70000");
  }

  @Test
  public void trueAndFalseMayBeCapital() {
    conf.set(CHECKSUM_KEY, "TRUE");
    conf.set("hbase.rs.cachewarmup.enabled", " False");
    assertTrue(SettingsCheck.passes(conf));
  }

  @Test
  public void whatAServerDoesNotReadIsAllowed() {
    conf.set("hbase.rest.port", "some");
    conf.set("hbase.regionserver.global.memstore.size", "0.9");
    conf.set("hbase.cluster.distributed", "maybe");
    assertEquals(Collections.emptyList(), refusals());
    assertEquals(Arrays.asList("hbase.cluster.distributed is maybe", "hbase.rest.port is some"),
      SettingsCheck.warnings(conf).stream().map(line -> line.split("\\. ")[0])
        .collect(Collectors.toList()));
  }

  @Test
  public void keysThatAreMisspeltAreWarnedOf() {
    assertEquals(Collections.emptyList(), SettingsCheck.warnings(conf));
    conf.set("hbase.bucketcache.l1.ioengin", "offheap");
    conf.set("hbase.bucketcache.minfactor", "0.8");
    conf.set("hbase.rs.prefetchblocksonopen.treshold", "1g");
    conf.set("hbase.something.else", "1");
    assertEquals(
      Arrays.asList("Is hbase.bucketcache.l1.ioengine meant?",
        "Is hbase.rs.prefetchblocksonopen.threshold meant?"),
      SettingsCheck.warnings(conf).stream().map(line -> line.split("\\. ")[1])
        .collect(Collectors.toList()));
  }

  @Test
  public void keysThatAreNotReadAnyMoreAreNamed() {
    List<String> removed = RemovedKeys.names();
    removed.forEach(key -> conf.set(key, "nonsense"));
    assertEquals(removed, warnedKeys());
    assertEquals("hbase.regionserver.multiget.parallel.queue is nonsense. It isn't read any more: "
      + "remove it; as many tasks wait as there are threads.", SettingsCheck.warnings(conf).get(
        removed.indexOf("hbase.regionserver.multiget.parallel.queue")));
    assertTrue("they are no reason not to start", SettingsCheck.passes(conf));
  }

  private List<String> warnedKeys() {
    return SettingsCheck.warnings(conf).stream().map(line -> line.split(" ")[0])
      .collect(Collectors.toList());
  }

  /** As when a cluster's configuration is made of a single server's, and part of it is left. */
  @Test
  public void whatAClusterHasLeftOfASingleServerIsWarnedOf() {
    List<String> hosts = Arrays.asList("hbase.master.hostname",
      "hbase.unsafe.regionserver.hostname", "hbase.regionserver.ipc.address",
      "hbase.master.info.bindAddress");
    hosts.forEach(key -> conf.set(key, key.contains("hostname") ? "localhost" : "127.0.0.1"));
    conf.set("hbase.rootdir", "file:///data/hbase");
    conf.set("hbase.unsafe.stream.capability.enforce", "false");
    assertEquals(Collections.emptyList(), warnedKeys());

    conf.set("hbase.cluster.distributed", "true");
    conf.set("hbase.zookeeper.quorum", "zk1.example.org,zk2.example.org");
    List<String> expected = new ArrayList<>(hosts);
    expected.add("hbase.rootdir");
    assertEquals(expected, warnedKeys());
    assertEquals("they are no reason not to start", Collections.emptyList(), refusals());

    conf.set("hbase.rootdir", "hdfs://namenode.example.org:8020/hbase");
    expected.set(expected.size() - 1, "hbase.unsafe.stream.capability.enforce");
    assertEquals(expected, warnedKeys());
    conf.unset("hbase.zookeeper.quorum");
    expected.add(expected.size() - 1, "hbase.zookeeper.quorum");
    assertEquals(expected, warnedKeys());

    conf.set("hbase.zookeeper.quorum", "localhost:2181");
    conf.set("hbase.rootdir", "hdfs://localhost:8020/hbase");
    assertEquals("a cluster on one machine",
      Collections.singletonList("hbase.unsafe.stream.capability.enforce"), warnedKeys());
    conf.unset("hbase.unsafe.stream.capability.enforce");
    hosts.forEach(key -> conf.set(key, "host1.example.org"));
    conf.set("hbase.zookeeper.quorum", "zk1.example.org");
    conf.set("hbase.rootdir", "hdfs://namenode.example.org:8020/hbase");
    assertEquals(Collections.emptyList(), warnedKeys());
  }

  /** HBase's defaults are allowed, so each key is checked for the right kind of number. */
  @Test
  public void numbersAreOfTheKindThatTheDefaultsAre() {
    for (boolean master : new boolean[] { false, true }) {
      for (String key : NumericKeys.names(master)) {
        String byDefault = conf.get(key);
        conf.set(key, "soon");
        List<String> refusals = master ? SettingsCheck.refusalsOfMaster(conf) : refusals();
        assertTrue(key, refusals.stream().anyMatch(line -> line.startsWith(key + " is soon. ")));
        conf.unset(key);
        if (byDefault != null) {
          conf.set(key, byDefault);
        }
      }
    }
    assertEquals(Collections.emptyList(), refusals());
    assertEquals(Collections.emptyList(), SettingsCheck.refusalsOfMaster(conf));
  }

  @Test
  public void aRegionServerIsNotMade() throws Exception {
    conf.setBoolean(HConstants.CLUSTER_DISTRIBUTED, true);
    conf.set(SIZING_KEY, "big");
    made = false;
    assertEquals(1, start(new HRegionServerCommandLine(NeverMade.class)));
    assertFalse(made);
    conf.unset(SIZING_KEY);
    assertEquals(1, start(new HRegionServerCommandLine(NeverMade.class)));
    assertTrue(made);
  }

  @Test
  public void aServerOfOneProcessDoesNotStartItsZooKeeper() throws Exception {
    File zooKeeper = new File(folder.getRoot(), "zookeeper");
    conf.setBoolean(HConstants.CLUSTER_DISTRIBUTED, false);
    conf.set(HConstants.ZOOKEEPER_DATA_DIR, zooKeeper.toString());
    conf.set(SIZING_KEY, "big");
    assertEquals(1, start(new HMasterCommandLine(HMaster.class)));
    assertFalse(zooKeeper.exists());
  }
}
