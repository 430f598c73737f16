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

import static org.apache.hadoop.hbase.io.hfile.CacheWarmupSettings.ENABLED;
import static org.apache.hadoop.hbase.io.hfile.CacheWarmupSettings.MAX_BYTES_PER_SECOND;
import static org.apache.hadoop.hbase.io.hfile.CacheWarmupSettings.OPEN_THRESHOLD;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Mistakes are reported with the key, the value and what to do. Off unless a key is set. */
@Category({ IOTests.class, SmallTests.class })
public class TestCacheWarmupSettings {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheWarmupSettings.class);

  private final Configuration conf = new Configuration(false);
  private final LruBlockCache cache = new LruBlockCache(1 << 20, 1024);

  @After
  public void tearDown() {
    CacheWarmup.configure(new Configuration(false));
    cache.shutdown();
  }

  private CacheWarmupSettings read() {
    return new CacheWarmupSettings(conf);
  }

  private void assertRefused(String key, String value, String advice) {
    conf.set(key, value);
    String message = assertThrows(IllegalArgumentException.class, this::read).getMessage();
    assertFalse(message, message.contains("\n"));
    assertTrue(message, message.startsWith(key + " is " + value.trim() + ". "));
    assertTrue(message, message.contains(advice));
    conf.unset(key);
  }

  @Test
  public void isOffUnlessAKeyIsSet() {
    assertFalse(read().isEnabled());
    conf.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    assertFalse("by other keys", read().isEnabled());
    conf.set(OPEN_THRESHOLD.key(), " ");
    conf.set(MAX_BYTES_PER_SECOND.key(), "");
    assertFalse("by blanks", read().isEnabled());
  }

  @Test
  public void aThresholdSwitchesItOnAndARateAloneDoesNot() {
    conf.set(ENABLED.key(), " true ");
    assertTrue(read().isEnabled());
    conf.unset(ENABLED.key());
    conf.set(MAX_BYTES_PER_SECOND.key(), "100m");
    assertFalse(read().isEnabled());
    conf.set(OPEN_THRESHOLD.key(), "1g");
    assertTrue(read().isEnabled());
  }

  @Test
  public void falseSwitchesItOffWhateverElseIsSet() {
    conf.set(OPEN_THRESHOLD.key(), "1g");
    conf.set(MAX_BYTES_PER_SECOND.key(), "100m");
    conf.set(ENABLED.key(), "false");
    assertFalse(read().isEnabled());
  }

  @Test
  public void bytesMayHaveAUnit() {
    conf.set(OPEN_THRESHOLD.key(), "4096");
    conf.set(MAX_BYTES_PER_SECOND.key(), " 100m ");
    assertEquals(4096, read().getOpenThreshold());
    assertEquals(100L << 20, read().getMaxBytesPerSecond());
    conf.set(OPEN_THRESHOLD.key(), "2T");
    assertEquals(2L << 40, read().getOpenThreshold());
  }

  @Test
  public void unsetMeansNoLimit() {
    assertEquals(Long.MAX_VALUE, read().getOpenThreshold());
    assertEquals(0, read().getMaxBytesPerSecond());
    conf.set(OPEN_THRESHOLD.key(), "0");
    assertEquals("0 isn't unset", 0, read().getOpenThreshold());
  }

  @Test
  public void whatIsNotAllowedIsRefused() {
    for (String bytes : new String[] { "-1", "many", "4x", "1.5g", "1 g" }) {
      assertRefused(OPEN_THRESHOLD.key(), bytes, "0 for index and bloom blocks only");
      assertRefused(MAX_BYTES_PER_SECOND.key(), bytes, "0 for no limit");
    }
    for (String flag : new String[] { "yes", "1", "T" }) {
      assertRefused(ENABLED.key(), flag, "true or false");
    }
  }

  @Test
  public void aValueThatIsNotAllowedIsToldThoughItIsSwitchedOff() {
    conf.set(ENABLED.key(), "false");
    assertRefused(OPEN_THRESHOLD.key(), "many",
      "Give bytes, or a whole number with k, m, g or t behind it");
  }

  @Test
  public void aServerDoesNotStartWithAValueThatIsNotAllowed() {
    conf.set(MAX_BYTES_PER_SECOND.key(), "fast");
    assertThrows(IllegalArgumentException.class, () -> CacheWarmup.configure(conf));
  }

  @Test
  public void aServerThatRunsKeepsItsSettingsIfTheNewOnesAreNotAllowed() throws Exception {
    conf.set(MAX_BYTES_PER_SECOND.key(), "1");
    CacheWarmup.configure(conf);
    BlockWarmer.THROTTLE.acquire(1L << 32);
    assertFalse(isLetThrough());
    conf.set(MAX_BYTES_PER_SECOND.key(), "fast");
    CacheWarmup.onConfigurationChange(conf);
    assertFalse(isLetThrough());
    conf.unset(MAX_BYTES_PER_SECOND.key());
    CacheWarmup.onConfigurationChange(conf);
    assertTrue(isLetThrough());
  }

  /** Returns false if a warm-up would wait. */
  private static boolean isLetThrough() {
    Thread.currentThread().interrupt();
    try {
      BlockWarmer.THROTTLE.acquire(1);
      return Thread.interrupted();
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  public void aStoreHasAPolicyIfItIsOnAndNoneIfAValueIsNotAllowed() {
    ColumnFamilyDescriptor family = ColumnFamilyDescriptorBuilder.of("f");
    assertNull(config(family).getWarmupPolicy());
    conf.set(OPEN_THRESHOLD.key(), "1g");
    CacheConfig store = config(family);
    assertNotNull(store.getWarmupPolicy());
    assertEquals("a writer has its store's", store.getWarmupPolicy(),
      new CacheConfig(store).getWarmupPolicy());
    assertNotNull("without a family", config(null).getWarmupPolicy());
    conf.set(OPEN_THRESHOLD.key(), "big");
    assertNull(config(family).getWarmupPolicy());
    assertNull(config(null).getWarmupPolicy());
    assertNull(CacheConfig.DISABLED.getWarmupPolicy());
  }

  @Test
  public void aStoreWithoutACacheOfDataHasNoPolicy() {
    conf.set(OPEN_THRESHOLD.key(), "1g");
    assertNotNull(new CacheConfig(conf, cache).getWarmupPolicy());
    assertNull(new CacheConfig(conf, null).getWarmupPolicy());
    IndexOnlyLruBlockCache withoutData =
      new IndexOnlyLruBlockCache(1 << 20, 1024, true, new Configuration(false));
    assertNull(new CacheConfig(conf, withoutData).getWarmupPolicy());
    withoutData.shutdown();
  }

  private CacheConfig config(ColumnFamilyDescriptor family) {
    return new CacheConfig(conf, family, cache, ByteBuffAllocator.HEAP);
  }
}
