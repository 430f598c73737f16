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
package org.apache.hadoop.hbase.io.hfile.mrc;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestCacheSizingPage {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheSizingPage.class);

  /** Table and family have no such names, but an upgrade may change what names are allowed. */
  @Test
  public void namesAreEscaped() {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hfile.onheap.block.cache.fixed.size", 1 << 20);
    BlockCache cache = BlockCacheFactory.createBlockCache(conf);
    try {
      CacheModel model = new CacheModel(cache);
      HeldBytes held = new HeldBytes("L1", "<script>alert(1)</script>", "\"f&", 1, 2);
      CacheSizingReport report = new CacheSizingReport(CacheAdvice.State.COLD, model,
        new SampledReferences(true), new TableNumbers(),
        new MinuteHistory(cache, model, new RepeatedMisses(false)), Collections.singletonList(held),
        new CacheMinute(0, 0, 0, 0, 0, 0, 0), 0, 0);
      String page = new CacheSizingPage("<b>host</b>", report).toString();
      assertFalse(page, page.contains("<script") || page.contains("<b>") || page.contains("\"f&"));
      assertTrue(page, page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
      assertTrue(page, page.contains("&quot;f&amp;"));
      assertTrue(page, page.contains("&lt;b&gt;host&lt;/b&gt;"));
      // It needs no other file, of this host or another.
      assertFalse(page, page.contains("src=") || page.contains("<link") || page.contains("http"));
    } finally {
      cache.shutdown();
    }
  }

  @Test
  public void tablesAreFoundByPaths() {
    assertTrue(TableNumbers.nameOf(new Path("hdfs://n/hbase/data/default/t/r/f/x")).equals("t"));
    assertTrue(TableNumbers.nameOf(new Path("/hbase/data/ns/t/r/f/x")).equals("ns:t"));
    assertTrue(
      TableNumbers.nameOf(new Path("/hbase/archive/data/default/t/r/f/x")).equals("t"));
    assertTrue(TableNumbers.nameOf(new Path("/staging/t/r/f/x")).isEmpty());
    assertTrue(TableNumbers.nameOf(new Path("/x")).isEmpty());
  }
}
