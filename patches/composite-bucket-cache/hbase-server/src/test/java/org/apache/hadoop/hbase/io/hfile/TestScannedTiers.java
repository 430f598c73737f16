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
package org.apache.hadoop.hbase.io.hfile;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** What is read often stays in tiers while scans go through them. */
@Category({ IOTests.class, MediumTests.class })
public class TestScannedTiers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestScannedTiers.class);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private interface Scans {
    void run(ScanResistance scans) throws Exception;
  }

  @Test
  public void whatIsReadOftenStays() throws Exception {
    run(scans -> scans.assertHotBlocksStay());
  }

  @Test
  public void whatIsReadOftenStaysWhileScansAreRepeated() throws Exception {
    run(scans -> scans.assertHotBlocksStayWhileScansAreRepeated(60, 150));
  }

  /** Of the cache's size the first tier has a part, so that blocks move. */
  private void run(Scans scans) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "8m");
    conf.set("hbase.bucketcache.l2.ioengine", "file:" + new File(folder.getRoot(), "cache"));
    conf.set("hbase.bucketcache.l2.size", ScanResistance.CACHE_MB - 8 + "m");
    conf.set("hbase.bucketcache.bucket.sizes", "17408,66560");
    CompositeBucketCache cache = CompositeBucketCache.create(conf);
    try {
      scans.run(new ScanResistance(cache, () -> {
        for (BlockCache tier : cache.getBlockCaches()) {
          BucketCacheValidator.awaitWritten((BucketCache) tier);
        }
      }));
    } finally {
      cache.shutdown();
    }
  }
}
