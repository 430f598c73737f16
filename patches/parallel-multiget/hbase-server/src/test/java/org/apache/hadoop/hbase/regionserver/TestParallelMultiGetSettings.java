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
    assertEquals(CPUS, read().getQueue());
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
    assertEquals(7, read().getQueue());
    assertEquals(3, read().getMaxPerRequest());
    conf.set(PREFIX + "queue", "9");
    conf.set(PREFIX + "min.gets", "20");
    conf.set(PREFIX + "max.per.request", " 5 ");
    conf.set(PREFIX + "hand.over.micros", "0");
    ParallelMultiGetSettings settings = read();
    assertEquals(7, settings.getThreads());
    assertEquals(9, settings.getQueue());
    assertEquals(20, settings.getMinGets());
    assertEquals(5, settings.getMaxPerRequest());
    assertEquals(0, settings.getHandOverNanos());
  }

  @Test
  public void equalsIfAllValuesAre() {
    conf.set(PREFIX + "threads", "7");
    ParallelMultiGetSettings before = read();
    assertEquals(before, read());
    assertEquals(before.hashCode(), read().hashCode());
    for (String key : new String[] { "threads", "queue", "min.gets", "max.per.request",
      "hand.over.micros" }) {
      String value = conf.get(PREFIX + key);
      conf.set(PREFIX + key, "6");
      assertNotEquals(key, before, read());
      if (value == null) {
        conf.unset(PREFIX + key);
      } else {
        conf.set(PREFIX + key, value);
      }
    }
    conf.set(PREFIX + "enabled", "true");
    assertNotEquals(before, read());
  }

  @Test
  public void refusesWhatIsNotAllowed() {
    assertRefused("enabled", "yes", "Give true or false.");
    assertRefused("threads", "0", "Give a whole number from 1 to 1024.");
    assertRefused("threads", "1025", "Give a whole number from 1 to 1024.");
    assertRefused("queue", "many", "Give a whole number from 1 to 65536.");
    assertRefused("queue", "2147483647", "Give a whole number from 1 to 65536.");
    assertRefused("min.gets", "1", "Give a whole number of at least 2.");
    assertRefused("max.per.request", "-1", "Give a whole number of at least 1.");
    assertRefused("hand.over.micros", "1.5", "Give a whole number of at least 0.");
    conf.set(PREFIX + "threads", "4");
    assertRefused("max.per.request", "5",
      "It can't be above " + PREFIX + "threads, 4. Lower it, or raise that.");
  }

  @Test
  public void aServersPoolOfBuffersIsToldWhatTheThreadsTake() throws Exception {
    Class.forName(HRegionServer.class.getName());
    conf.setInt(ParallelMultiGetSettings.THREADS_KEY, 32);
    conf.setBoolean(ParallelMultiGetSettings.ENABLED_KEY, false);
    assertEquals(0, DirectMemoryDemand.of(conf).get("parallel multiget").getBuffers());
    conf.setBoolean(ParallelMultiGetSettings.ENABLED_KEY, true);
    assertEquals(3 * 32, DirectMemoryDemand.of(conf).get("parallel multiget").getBuffers());
  }
}
