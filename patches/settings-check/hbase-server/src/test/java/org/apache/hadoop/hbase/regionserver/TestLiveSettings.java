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

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What a running server reads again when its configuration changes is what is declared live. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestLiveSettings {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestLiveSettings.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();

  /**
   * Are read with a live one of the same feature, which keeps all its values if one of them isn't
   * allowed. They aren't taken over.
   */
  private static final String[] READ_ALONG = { "hbase.bucketcache.checksum",
    "hbase.bucketcache.l1.ioengine", "hbase.bucketcache.l1.size", "hbase.bucketcache.l2.checksum",
    "hbase.bucketcache.l2.ioengine", "hbase.bucketcache.l2.persistent.path",
    "hbase.bucketcache.l2.size", "hbase.rs.cachewarmup.enabled",
    "hbase.rs.prefetchblocksonopen.threshold" };

  /** Takes note of the keys that are read. */
  private static final class Recorder extends Configuration {
    private final Set<String> read = new ConcurrentSkipListSet<>();

    private Recorder(Configuration conf) {
      super(conf);
    }

    @Override
    public String get(String key) {
      read.add(key);
      return super.get(key);
    }

    @Override
    public String get(String key, String unset) {
      read.add(key);
      return super.get(key, unset);
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "offheap");
    conf.set("hbase.bucketcache.l2.size", "32m");
    UTIL.startMiniCluster(1);
    UTIL.createTable(TableName.valueOf("table"), Bytes.toBytes("f"));
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    UTIL.shutdownMiniCluster();
  }

  @Test
  public void whatIsDeclaredLiveIsReadAgainAndNothingElse() {
    HRegionServer server = UTIL.getMiniHBaseCluster().getRegionServer(0);
    Recorder recorder = new Recorder(server.getConfiguration());
    server.getConfigurationManager().notifyAllObservers(recorder);
    Set<String> read = new TreeSet<>(recorder.read);
    read.retainAll(SettingsCheck.keys());
    Set<String> expected = SettingsCheck.settings().stream().filter(Setting::isLive)
      .map(Setting::key).collect(Collectors.toCollection(TreeSet::new));
    expected.addAll(Arrays.asList(READ_ALONG));
    assertEquals(String.join("\n", expected), String.join("\n", read));
  }
}
