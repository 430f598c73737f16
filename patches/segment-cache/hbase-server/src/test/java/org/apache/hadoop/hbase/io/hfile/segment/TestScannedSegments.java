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
package org.apache.hadoop.hbase.io.hfile.segment;

import static org.junit.Assert.assertTrue;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.CompositeBucketCache;
import org.apache.hadoop.hbase.io.hfile.ScanResistance;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** What is read often stays in segments while scans go through them. */
@Category({ IOTests.class, MediumTests.class })
public class TestScannedSegments {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScannedSegments.class);

  /** A thread of a device takes part of the time that reads do. */
  private static final long DEVICE_MS = 5;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration(false);
  private BlockCache cache;

  @After
  public void tearDown() {
    cache.shutdown();
  }

  private String onDevice() {
    return "segments:" + new File(folder.getRoot(), "cache");
  }

  private void startSingle(String engine, int megabytes) throws Exception {
    conf.set("hbase.bucketcache.ioengine", engine);
    conf.setInt("hbase.bucketcache.size", megabytes);
    cache = new SegmentCache(new SegmentCacheSettings(conf), new CacheStats("test"));
  }

  @Test
  public void inMemory() throws Exception {
    startSingle("segments", ScanResistance.CACHE_MB);
    new ScanResistance(cache, () -> {
    }).assertHotBlocksStay();
    assertTrue(cache.getStats().getEvictedCount() > 0);
  }

  @Test
  public void inMemoryWhileScansAreRepeated() throws Exception {
    for (int smallestBlock : new int[] { ScanResistance.BLOCK_SIZE / 4, 64 * 1024 }) {
      conf.setInt("hbase.blockcache.minblocksize", smallestBlock);
      startSingle("segments", ScanResistance.CACHE_MB);
      new ScanResistance(cache, () -> {
      }).assertHotBlocksStayWhileScansAreRepeated(60, 75, 150);
      cache.shutdown();
    }
  }

  @Test
  public void onADeviceWhileScansAreRepeated() throws Exception {
    startSingle(onDevice(), 64);
    new ScanResistance(cache, () -> Thread.sleep(DEVICE_MS))
      .assertHotBlocksStayWhileScansAreRepeated(80, 150);
  }

  @Test
  public void onADevice() throws Exception {
    startSingle(onDevice(), 64);
    new ScanResistance(cache, () -> Thread.sleep(DEVICE_MS)).assertHotBlocksStay();
  }

  @Test
  public void inTiers() throws Exception {
    SegmentCacheFactory.registerEngine();
    conf.set("hbase.bucketcache.l1.ioengine", "segments");
    conf.set("hbase.bucketcache.l1.size", "16m");
    conf.set("hbase.bucketcache.l2.ioengine", onDevice());
    conf.set("hbase.bucketcache.l2.size", "64m");
    cache = CompositeBucketCache.create(conf);
    new ScanResistance(cache, () -> Thread.sleep(DEVICE_MS)).assertHotBlocksStay();
  }
}
