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
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Each new key, with values that nobody should give it: it is refused in one line that names
 * the key and the value, or allowed; nothing else happens.
 */
@RunWith(Parameterized.class)
@Category({ RegionServerTests.class, SmallTests.class })
public class TestBadValues {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBadValues.class);

  private static final String[] STRANGE = { "", " ", "0", "-1", "-0", "1.5", "2147483648",
    "99999999999999999999", "1e400", "-1e400", "NaN", "Infinity", "0x10", "1k", "9999999999g",
    "-1g", "soon", "true", "TRUE", "yes", "1,2", ",", "\u0000", "\u0661", "<script>", "${x}",
    "${env.HOME}", "file:", "offheap:", "../../etc/passwd", "%s%n" };
  private static final String NONSENSE = "soon";

  @Parameter
  public String key;

  private final Configuration conf = HBaseConfiguration.create();

  @Parameters(name = "{0}")
  public static List<String> keys() {
    List<String> keys = new ArrayList<>(Arrays.asList("hbase.bucketcache.composite.promotion",
      "hbase.bucketcache.checksum", "hbase.bucketcache.l2.checksum", "hbase.rs.cachewarmup.enabled",
      "hbase.server.allocator.sizing.enabled", "hbase.server.allocator.sizing.block.size",
      "hbase.server.allocator.sizing.batch.gets", "hbase.rs.prefetchblocksonopen.threshold",
      "hbase.hfile.prefetch.max.bytes.per.second", "hbase.bucketcache.direct.pool.size",
      "hbase.bucketcache.ioengine.retry.interval"));
    for (String name : new String[] { "enabled", "threads", "queue", "min.gets", "max.per.request",
      "hand.over.micros" }) {
      keys.add("hbase.regionserver.multiget.parallel." + name);
    }
    for (String name : new String[] { "ioengine", "size", "bucket.sizes", "writer.threads",
      "writer.queuelength", "acceptfactor", "minfactor", "extrafreefactor", "single.factor",
      "multi.factor", "memory.factor" }) {
      keys.add("hbase.bucketcache.l1." + name);
      keys.add("hbase.bucketcache.l2." + name);
    }
    return keys;
  }

  @Before
  public void setUp() {
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "direct:/nowhere/cache");
    conf.set("hbase.bucketcache.l2.size", "64m");
    readAll();
  }

  /** As a server does when it starts. */
  private void readAll() {
    SettingsCheck.READERS.forEach(reader -> reader.accept(conf));
  }

  private void readOrRefuse(String value) {
    conf.set(key, value);
    try {
      readAll();
    } catch (IllegalArgumentException e) {
      String told = "'" + value + "': " + e.getMessage();
      assertEquals(told, IllegalArgumentException.class, e.getClass());
      assertTrue(told, e.getMessage().contains(key));
      assertEquals(told, -1, e.getMessage().replace(value, "").indexOf('\n'));
    }
  }

  @Test
  public void strangeValuesAreRefusedOrAllowed() {
    for (String value : STRANGE) {
      readOrRefuse(value);
    }
  }

  @Test
  public void nonsenseIsRefused() {
    conf.set(key, NONSENSE);
    Exception refused = assertThrows(IllegalArgumentException.class, this::readAll);
    assertTrue(refused.getMessage(), refused.getMessage().startsWith(key + " is " + NONSENSE));
  }

  @Test
  public void aHugeValueIsRefused() {
    char[] digits = new char[100_000];
    Arrays.fill(digits, '7');
    conf.set(key, new String(digits));
    Exception refused = assertThrows(IllegalArgumentException.class, this::readAll);
    assertTrue(refused.getMessage().startsWith(key + " is 777"));
  }
}
