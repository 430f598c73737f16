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

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockSeekIndex;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.MetricsSuspectDataNodes;
import org.apache.hadoop.hbase.io.hfile.mrc.CacheSizing;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** The names that alerts and dashboards use. None disappears or changes unnoticed. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestMetricNames {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMetricNames.class);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static Set<String> names(String bean) throws Exception {
    String name = "RegionServer,sub=" + bean;
    assertTrue(name, ManagementFactory.getPlatformMBeanServer()
      .isRegistered(new ObjectName("Hadoop:service=HBase,name=" + name)));
    MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    Set<String> names = new TreeSet<>();
    for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
      names.add(metric.name());
    }
    return names;
  }

  private static void assertNames(String bean, String... expected) throws Exception {
    assertEquals(new TreeSet<>(Arrays.asList(expected)), names(bean));
  }

  @Test
  public void ofTheTiersAndTheirDevice() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "direct:" + folder.getRoot() + "/cache");
    conf.set("hbase.bucketcache.l2.size", "32m");
    conf.set("hbase.bucketcache.ioengine.retry.interval", "10000");
    BlockCache cache = BlockCacheFactory.createBlockCache(conf);
    try {
      assertNames("BlockCacheTiers", "promotionCount", "demotionCount", "rejectedAdmissionCount",
        "failedDemotionCount", "l1MetadataHitCount", "l1MetadataMissCount", "l1FailedInsertCount",
        "l2FailedInsertCount", "l1Enabled", "l1Capacity", "l1UsedSize", "l1DataBlockCount",
        "l1DataSize", "l1IndexBlockCount", "l1IndexSize", "l1BloomBlockCount", "l1BloomSize",
        "l1MetaBlockCount", "l1MetaSize", "l2Enabled", "l2Capacity", "l2UsedSize",
        "l2DataBlockCount", "l2DataSize", "l2IndexBlockCount", "l2IndexSize", "l2BloomBlockCount",
        "l2BloomSize", "l2MetaBlockCount", "l2MetaSize");
      assertNames("BlockCacheDirectFiles", "directFileCount", "bufferedFileCount", "poolSize",
        "poolCapacity", "poolExhaustedCount");
      assertNames("BlockCacheDevice", "off", "turnedOffCount", "turnedOnCount", "readErrorCount",
        "writeErrorCount");
      assertNames("BlockCacheChecksums", "verifiedCount", "failedCount");
    } finally {
      cache.shutdown();
    }
  }

  @Test
  public void ofACacheOfSegments() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.bucketcache.ioengine", "segments");
    conf.set("hbase.bucketcache.size", "4");
    BlockCache cache = BlockCacheFactory.createBlockCache(conf);
    try {
      assertNames("SegmentCache", "blockCount", "fileCount", "usedBytes", "indexBytes",
        "evictedSegmentCount", "evictedBlockCount", "failedInsertCount", "missedOnceCount",
        "overLimitCount", "admittedBytes", "writtenBytes", "poolExhaustedCount",
        "corruptBlockCount", "partsOff", "partsBuffered", "partsRecovering");
    } finally {
      cache.shutdown();
    }
  }

  @Test
  public void ofGets() throws Exception {
    MetricsRowPath.getInstance();
    assertNames("Gets", "rowPathGetCount", "rowPathWriteCount", "scannerUncommittedGetCount",
      "scannerCoprocessorGetCount", "scannerMetaGetCount", "scannerFamilyGetCount",
      "scannerTracedGetCount", "scannerFailedGetCount", "scannerOtherGetCount");
  }

  @Test
  public void ofCompactions() throws Exception {
    MetricsCursorCompactions.getInstance();
    assertNames("Compactions", "cursorCompactionCount", "cursorFailureCount",
      "cursorWrittenCellCount", "cursorDroppedCellCount", "scannerCompactorCompactionCount",
      "scannerCoprocessorCompactionCount", "scannerRulesCompactionCount",
      "scannerFileCompactionCount", "scannerWriterCompactionCount", "cursorFlushCount",
      "scannerCoprocessorFlushCount", "scannerRulesFlushCount", "scannerMemstoreFlushCount",
      "scannerWriterFlushCount", "cursorFlushFailureCount");
  }

  @Test
  public void ofIndexesOfMemStores() throws Exception {
    MetricsMemStoreIndex.getInstance();
    assertNames("MemStoreIndex", "treeCount");
  }

  @Test
  public void ofScans() throws Exception {
    MetricsScanRuns.getInstance();
    assertNames("Scans", "plainScanCount", "runCount", "runCellCount", "rowsAtOnceCount",
      "rowsPassedAtOnceCount", "otherLimitsScanCount", "otherKindScanCount");
  }

  @Test
  public void ofGetsOfEventLoops() throws Exception {
    MetricsEventLoopGets.getInstance();
    assertNames("EventLoopGets", "eventLoopReadCount", "eventLoopNotInMemoryCount");
  }

  @Test
  public void ofHotBlocks() throws Exception {
    MetricsHotBlocks.getInstance();
    assertNames("HotBlocks", "writtenListCount", "failedListCount", "handedOverBlockCount",
      "readListCount", "refusedListCount", "readAheadBlockCount", "readAheadBytes",
      "cachedBeforeBlockCount", "droppedListedBlockCount");
  }

  @Test
  public void ofStartupWarmup() throws Exception {
    MetricsStartupWarmup.getInstance();
    assertNames("StartupWarmup", "startupWarmupReadCount", "failedStartupWarmupCount",
      "startupWarmupMillis", "startupReadyMillis");
  }

  @Test
  public void ofSuspectDataNodes() throws Exception {
    MetricsSuspectDataNodes.getInstance();
    assertNames("SuspectDataNodes", "suspectingReadCount", "suspectDataNodeCount",
      "deadDataNodes");
  }

  @Test
  public void ofOrphanBlocks() throws Exception {
    MetricsOrphanBlocks.getInstance();
    assertNames("OrphanBlocks", "orphanFileCount", "returnedFileCount", "givenUpFileCount",
      "givenUpBlockCount");
  }

  @Test
  public void ofRegionMoveWaits() throws Exception {
    MetricsRegionMoveWaits.getInstance();
    assertNames("RegionMoveWaits", "endedRegionMoveWaitCount", "vainRegionMoveWaitCount",
      "refusedRegionMoveWaitCount");
  }

  @Test
  public void ofCoprocessorsCells() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setBoolean(CoprocessorCellsSettings.HELD.key(), true);
    CoprocessorCellsSettings.of(conf);
    assertNames("CoprocessorCells", "heldBytes", "mostHeldBytes", "mostHeldBytesOfCall",
      "copiedBlockCount", "copiedBytes");
  }

  @Test
  public void ofMultiget() throws Exception {
    MetricsParallelMultiGet.getInstance();
    Set<String> names = names("MultiGet");
    names.removeIf(name -> name.startsWith("HandOverMicros_"));
    Set<String> expected = new TreeSet<>(Arrays.asList("parallelRequestCount",
      "parallelHelperGetCount", "parallelHandlerGetCount", "droppedGetCount", "stoppedByLimitCount",
      "stoppedByDeadlineCount", "stoppedByDisconnectCount", "poolThreads", "poolActive",
      "poolQueued"));
    for (String reason : new String[] { "FewGets", "Mixed", "SystemTable", "Cheap", "NoIdleCpu",
      "QueueFull", "Late" }) {
      expected.add("serial" + reason + "RequestCount");
      expected.add("serial" + reason + "GetCount");
    }
    assertEquals(expected, names);
  }

  @Test
  public void ofCacheSizing() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.bucketcache.ioengine", "offheap");
    conf.set("hbase.bucketcache.size", "32");
    conf.setBoolean("hbase.regionserver.block.cache.mrc.enabled", true);
    BlockCache cache = BlockCacheFactory.createBlockCache(conf);
    CacheSizing.prepare(cache, conf, Collections::emptyList);
    CacheSizing.start(cache);
    try {
      assertNames("CacheSizing", "adviceKnown", "sampledBlockCount", "sampledReferenceCount",
        "droppedReferenceCount", "sampleBytes", "l1HitPercent", "l1HalfHitPercent",
        "l1SameHitPercent", "l1DoubleHitPercent", "l2HitPercent", "l2HalfHitPercent",
        "l2SameHitPercent", "l2DoubleHitPercent");
    } finally {
      CacheSizing.stop(cache);
      cache.shutdown();
    }
  }

  @Test
  public void ofSeekIndexes() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setBoolean("hbase.regionserver.block.seek.index.enabled", true);
    BlockSeekIndex.start(conf);
    try {
      assertNames("BlockSeekIndex", "indexBytes", "indexCount", "builtCount", "reclaimedCount",
        "jumpCount", "skippedCellCount", "rowJumpCount");
    } finally {
      BlockSeekIndex.start(new Configuration(false));
    }
  }
}
