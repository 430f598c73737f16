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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.DirectMemoryUtils;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/**
 * Each new key, and each other that tiers read, with values that nobody should give it: a value is
 * allowed, or refused with one line that names the key and the value. Nothing else happens.
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

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static final Configuration DEFAULTS = HBaseConfiguration.create();

  @Parameter
  public String key;

  private final Configuration conf = new Configuration(DEFAULTS);

  @Parameters(name = "{0}")
  public static List<String> keys() {
    List<String> keys = new ArrayList<>(SettingsCheck.keys());
    for (String ofBothTiers : new String[] { "bucket.sizes", "writer.threads",
      "writer.queuelength", "acceptfactor", "minfactor", "extrafreefactor", "single.factor",
      "multi.factor", "memory.factor" }) {
      keys.add("hbase.bucketcache." + ofBothTiers);
    }
    return keys;
  }

  @Before
  public void setUp() {
    conf.set("hbase.bucketcache.l1.ioengine", "offheap");
    conf.set("hbase.bucketcache.l1.size", "32m");
    conf.set("hbase.bucketcache.l2.ioengine", "direct:" + folder.getRoot() + "/cache");
    conf.set("hbase.bucketcache.l2.size", "64m");
    assertEquals(Collections.emptyList(), refusals());
  }

  /** Checks as a server does when it starts, and as {@code config check} does without one. */
  private List<String> refusals() {
    return SettingsCheck.refusals(conf, DirectMemoryUtils.getDirectMemorySize());
  }

  private void readOrRefuse(String value) {
    conf.set(key, value);
    for (String refusal : refusals()) {
      String told = "'" + value + "': " + refusal;
      assertTrue(told, refusal.contains(key));
      assertEquals(told, -1, refusal.replace(value, "").indexOf('\n'));
    }
  }

  private void assertRefused(String value) {
    conf.set(key, value);
    String refusals = String.join("\n", refusals());
    assertTrue(refusals, refusals.startsWith(key + " is " + value));
  }

  @Test
  public void strangeValuesAreRefusedOrAllowed() {
    for (String value : STRANGE) {
      readOrRefuse(value);
    }
  }

  @Test
  public void nonsenseIsRefused() {
    assertRefused(NONSENSE);
  }

  @Test
  public void aHugeValueIsRefused() {
    char[] digits = new char[100_000];
    Arrays.fill(digits, '7');
    assertRefused(new String(digits));
  }
}
