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
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ RegionServerTests.class, SmallTests.class })
public class TestParallelMultiGetSettings {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestParallelMultiGetSettings.class);

  private static final String PREFIX = "hbase.regionserver.multiget.parallel.";
  private static final int CPUS = Runtime.getRuntime().availableProcessors();

  private final Configuration conf = new Configuration(false);

  private ParallelMultiGetSettings read() {
    return new ParallelMultiGetSettings(conf);
  }

  private void assertRefused(String key, String value, String fix) {
    conf.set(PREFIX + key, value);
    Exception refused = assertThrows(IllegalArgumentException.class, this::read);
    assertEquals(PREFIX + key + " is " + value + ". " + fix, refused.getMessage());
    conf.unset(PREFIX + key);
  }

  @Test
  public void isOffByDefault() {
    assertFalse(read().isEnabled());
    conf.set(PREFIX + "enabled", "true");
    assertTrue(read().isEnabled());
  }

  @Test
  public void hasAThreadForEachCpuIfTheCacheIsInMemory() {
    assertEquals(CPUS, read().getThreads());
    conf.set("hbase.bucketcache.ioengine", "offheap");
    assertEquals(CPUS, read().getThreads());
    assertEquals(Math.max(1, Math.min(16, CPUS / 2)), read().getMaxPerRequest());
  }

  @Test
  public void hasMoreThreadsIfATierIsOnADevice() {
    int onDevice = Math.max(32, 4 * CPUS);
    conf.set("hbase.bucketcache.ioengine", "file:/tmp/cache");
    assertEquals(onDevice, read().getThreads());
    conf.set("hbase.bucketcache.ioengine", "pmem:/tmp/cache");
    assertEquals(CPUS, read().getThreads());
    conf.set("hbase.bucketcache.upper.ioengine", "offheap");
    assertEquals(CPUS, read().getThreads());
    conf.set("hbase.bucketcache.lower.ioengine", " mmap:/tmp/cache");
    assertEquals(onDevice, read().getThreads());
    conf.set("hbase.bucketcache.lower.ioengine", "direct:/tmp/cache");
    assertEquals(onDevice, read().getThreads());
    assertEquals(16, read().getMaxPerRequest());
  }

  @Test
  public void takesWhatIsSet() {
    conf.set(PREFIX + "threads", "7");
    assertEquals(7, read().getThreads());
    assertEquals(3, read().getMaxPerRequest());
    conf.set(PREFIX + "threads", "1");
    assertEquals(1, read().getMaxPerRequest());
  }

  @Test
  public void testsHaveEachRequestSpread() {
    ParallelMultiGetSettings settings = read();
    assertEquals(4, settings.getMinGets());
    assertEquals(50_000, settings.getHandOverNanos());
    System.setProperty(ParallelMultiGetSettings.SPREAD_ALL_PROPERTY, "true");
    try {
      assertEquals(2, read().getMinGets());
      assertEquals(0, read().getHandOverNanos());
      assertNotEquals(settings, read());
    } finally {
      System.clearProperty(ParallelMultiGetSettings.SPREAD_ALL_PROPERTY);
    }
  }

  @Test
  public void equalsIfAllValuesAre() {
    conf.set(PREFIX + "threads", "7");
    ParallelMultiGetSettings before = read();
    assertEquals(before, read());
    assertEquals(before.hashCode(), read().hashCode());
    conf.set(PREFIX + "threads", "6");
    assertNotEquals(before, read());
    conf.set(PREFIX + "threads", "7");
    conf.set(PREFIX + "enabled", "true");
    assertNotEquals(before, read());
  }

  @Test
  public void refusesWhatIsNotAllowed() {
    assertRefused("enabled", "yes", "Give true or false.");
    assertRefused("threads", "0", "Give a whole number from 1 to 1024.");
    assertRefused("threads", "1025", "Give a whole number from 1 to 1024.");
  }

  @Test
  public void aServersPoolOfBuffersIsToldWhatTheThreadsTake() throws Exception {
    Class.forName(HRegionServer.class.getName());
    conf.setInt(ParallelMultiGetSettings.THREADS.key(), 32);
    conf.setBoolean(ParallelMultiGetSettings.ENABLED.key(), false);
    assertEquals(0, DirectMemoryDemand.of(conf).get("parallel multiget").getBuffers());
    conf.setBoolean(ParallelMultiGetSettings.ENABLED.key(), true);
    assertEquals(3 * 32, DirectMemoryDemand.of(conf).get("parallel multiget").getBuffers());
  }
}
