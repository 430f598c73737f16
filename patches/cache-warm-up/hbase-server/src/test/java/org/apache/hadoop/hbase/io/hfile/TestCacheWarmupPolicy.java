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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Reason;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheValidator;
import org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
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

import org.apache.hbase.thirdparty.com.google.common.collect.Sets;

/** What is cached of a file, for each reason, size, column family, topology and room. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, SmallTests.class })
public class TestCacheWarmupPolicy {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCacheWarmupPolicy.class);

  private static final Configuration DEFAULTS = HBaseConfiguration.create();
  private static final int TIER_MB = 4;
  private static final long MB = 1 << 20;
  private static final int BLOCK_SIZE = 8 * 1024;

  private static final Extent NOTHING = Extent.NOTHING;
  private static final Extent METADATA = Extent.METADATA;
  private static final Extent EVERYTHING = Extent.EVERYTHING;

  /** Bytes. The two thresholds are between the sizes, and all but the last are less than a tier. */
  private static final long SMALL = MB;
  private static final long COMPACTION_THRESHOLD = 3 * MB / 2;
  private static final long BETWEEN = 2 * MB;
  private static final long OPEN_THRESHOLD = 5 * MB / 2;
  private static final long BIG = 3 * MB;
  private static final long BIGGER_THAN_THE_TIER = TIER_MB * MB + 1;
  private static final long UNKNOWN = -1;

  private enum Topology {
    LRU,
    COMBINED,
    COMPOSITE
  }

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Parameter(0)
  public Topology topology;
  @Parameter(1)
  public boolean full;

  private final Configuration conf = new Configuration(DEFAULTS);
  private final ColumnFamilyDescriptorBuilder family =
    ColumnFamilyDescriptorBuilder.newBuilder(new byte[] { 'f' });
  private BlockCache cache;

  @Parameters(name = "{0}, full: {1}")
  public static List<Object[]> topologies() {
    List<Object[]> topologies = new ArrayList<>();
    for (Topology topology : Topology.values()) {
      topologies.add(new Object[] { topology, false });
      topologies.add(new Object[] { topology, true });
    }
    return topologies;
  }

  /** A cache that is full without evicting. */
  private static final class FullLruBlockCache extends LruBlockCache {
    FullLruBlockCache() {
      super(TIER_MB * MB, BLOCK_SIZE);
    }

    @Override
    public long getCurrentSize() {
      return getMaxSize();
    }
  }

  @Before
  public void setUp() throws Exception {
    conf.setLong(CacheWarmupSettings.OPEN_THRESHOLD.key(), OPEN_THRESHOLD);
    conf.setLong(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_THRESHOLD_KEY, COMPACTION_THRESHOLD);
    if (topology == Topology.LRU) {
      cache = full ? new FullLruBlockCache() : new LruBlockCache(TIER_MB * MB, BLOCK_SIZE);
    } else {
      Configuration ofCache = new Configuration(DEFAULTS);
      ofCache.setInt("hfile.onheap.block.cache.fixed.size", 1 << 20);
      ofCache.set("hbase.bucketcache.ioengine", "file:" + new File(folder.getRoot(), "data"));
      ofCache.setInt("hbase.bucketcache.size", TIER_MB);
      ofCache.set("hbase.bucketcache.bucket.sizes", "9216");
      // Blocks are of whole size, so that a tier can be full to the byte.
      ofCache.set("hbase.bucketcache.acceptfactor", "0.5");
      ofCache.set("hbase.bucketcache.minfactor", "0.4");
      if (topology == Topology.COMPOSITE) {
        ofCache.set("hbase.bucketcache.l1.ioengine", "offheap");
        ofCache.setInt("hbase.bucketcache.l1.size", 1);
      }
      cache = BlockCacheFactory.createBlockCache(ofCache);
      if (full) {
        fill();
      }
    }
  }

  /** Fills the tier to the byte from which on it evicts. */
  private void fill() throws InterruptedException {
    BlockCache tier = CacheWarmupPolicy.dataTier(cache);
    for (int i = 0; CacheWarmupPolicy.hasRoom(tier, 1); i++) {
      BlockCacheKey key = TestBlocks.key("file", i * 10_000L, BlockType.DATA);
      cache.cacheBlock(key, TestBlocks.block(key, BLOCK_SIZE));
      // A block that is being written counts twice.
      BucketCacheValidator.awaitWritten((BucketCache) tier);
    }
  }

  @After
  public void tearDown() {
    cache.shutdown();
  }

  private enum Setting {
    ON_OPEN,
    DATA_ON_WRITE,
    COMPACTED_ON_WRITE
  }

  private static final Setting ON_OPEN = Setting.ON_OPEN;
  private static final Setting DATA_ON_WRITE = Setting.DATA_ON_WRITE;
  private static final Setting COMPACTED_ON_WRITE = Setting.COMPACTED_ON_WRITE;

  private CacheConfig config(Set<Setting> settings) {
    family.setPrefetchBlocksOnOpen(settings.contains(ON_OPEN));
    family.setCacheDataOnWrite(settings.contains(DATA_ON_WRITE));
    conf.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY,
      settings.contains(COMPACTED_ON_WRITE));
    return new CacheConfig(conf, family.build(), cache, ByteBuffAllocator.HEAP);
  }

  private static Set<Setting> set(Setting... settings) {
    Set<Setting> set = EnumSet.noneOf(Setting.class);
    set.addAll(Arrays.asList(settings));
    return set;
  }

  private static Set<Set<Setting>> all() {
    return Sets.powerSet(set(Setting.values()));
  }

  private static Set<Set<Setting>> with(Setting setting) {
    return all().stream().filter(settings -> settings.contains(setting))
      .collect(Collectors.toSet());
  }

  private static Set<Set<Setting>> without(Setting... settings) {
    return all().stream().filter(set -> Collections.disjoint(set, Arrays.asList(settings)))
      .collect(Collectors.toSet());
  }

  private Extent decide(Reason reason, long size, Set<Setting> settings) {
    CacheConfig config = config(settings);
    return config.getWarmupPolicy().extent(reason, size, config);
  }

  private void assertDecides(Extent expected, Reason reason, long size,
    Set<Set<Setting>> settings) {
    for (Set<Setting> each : settings) {
      assertEquals(reason + " of " + size + " bytes with " + each, expected,
        decide(reason, size, each));
    }
  }

  /** An opened file doesn't evict the blocks of others, a written one does. */
  private Extent everythingIfRoom() {
    return full ? METADATA : EVERYTHING;
  }

  @Test
  public void aFlushIsCachedInFullIfItWouldBeReadWhenItIsOpened() {
    assertDecides(NOTHING, Reason.FLUSH, UNKNOWN, without(ON_OPEN, DATA_ON_WRITE));
    assertDecides(EVERYTHING, Reason.FLUSH, UNKNOWN, with(ON_OPEN));
    assertDecides(EVERYTHING, Reason.FLUSH, UNKNOWN, with(DATA_ON_WRITE));
    conf.setLong(CacheWarmupSettings.OPEN_THRESHOLD.key(), 0);
    assertDecides(NOTHING, Reason.FLUSH, UNKNOWN, without(ON_OPEN, DATA_ON_WRITE));
    assertDecides(METADATA, Reason.FLUSH, UNKNOWN,
      Sets.difference(with(ON_OPEN), with(DATA_ON_WRITE)));
    assertDecides(EVERYTHING, Reason.FLUSH, UNKNOWN, with(DATA_ON_WRITE));
  }

  @Test
  public void aCompactionIsCachedInFullUpToEitherThreshold() {
    for (long size : new long[] { SMALL, COMPACTION_THRESHOLD, BETWEEN, OPEN_THRESHOLD, BIG }) {
      assertDecides(NOTHING, Reason.COMPACTION, size, without(ON_OPEN, COMPACTED_ON_WRITE));
      assertDecides(size <= COMPACTION_THRESHOLD ? EVERYTHING : METADATA,
        Reason.COMPACTION, size, Sets.difference(with(COMPACTED_ON_WRITE), with(ON_OPEN)));
      assertDecides(size <= OPEN_THRESHOLD ? EVERYTHING : METADATA, Reason.COMPACTION,
        size, with(ON_OPEN));
    }
    conf.setLong(CacheWarmupSettings.OPEN_THRESHOLD.key(), 0);
    assertDecides(EVERYTHING, Reason.COMPACTION, SMALL, with(COMPACTED_ON_WRITE));
    assertDecides(METADATA, Reason.COMPACTION, BETWEEN, with(COMPACTED_ON_WRITE));
  }

  @Test
  public void aFileThatIsOpenedIsCachedInFullUpToTheThresholdIfThereIsRoom() {
    for (Reason reason : new Reason[] { Reason.REGION_OPEN, Reason.BULK_LOAD }) {
      for (long size : new long[] { 1, SMALL, BETWEEN, OPEN_THRESHOLD }) {
        assertDecides(NOTHING, reason, size, without(ON_OPEN));
        assertDecides(everythingIfRoom(), reason, size, with(ON_OPEN));
      }
      for (long size : new long[] { OPEN_THRESHOLD + 1, BIG, BIGGER_THAN_THE_TIER }) {
        assertDecides(NOTHING, reason, size, without(ON_OPEN));
        assertDecides(METADATA, reason, size, with(ON_OPEN));
      }
    }
  }

  @Test
  public void ofAReferenceIndexAndBloomAreCached() {
    for (long size : new long[] { SMALL, BETWEEN, BIG, BIGGER_THAN_THE_TIER }) {
      assertDecides(NOTHING, Reason.REFERENCE, size, without(ON_OPEN));
      assertDecides(METADATA, Reason.REFERENCE, size, with(ON_OPEN));
    }
  }

  @Test
  public void withoutThresholdsTheTierIsTheLimit() {
    conf.unset(CacheWarmupSettings.OPEN_THRESHOLD.key());
    conf.unset(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_THRESHOLD_KEY);
    conf.setBoolean(CacheWarmupSettings.ENABLED.key(), true);
    long tier = CacheWarmupPolicy.dataTier(cache).getMaxSize();
    assertDecides(everythingIfRoom(), Reason.REGION_OPEN, tier, with(ON_OPEN));
    assertDecides(everythingIfRoom(), Reason.BULK_LOAD, tier, with(ON_OPEN));
    assertDecides(EVERYTHING, Reason.COMPACTION, tier, with(ON_OPEN));
    assertDecides(EVERYTHING, Reason.COMPACTION, tier, with(COMPACTED_ON_WRITE));
    assertDecides(METADATA, Reason.REGION_OPEN, tier + 1, with(ON_OPEN));
    assertDecides(METADATA, Reason.BULK_LOAD, tier + 1, with(ON_OPEN));
    assertDecides(METADATA, Reason.COMPACTION, tier + 1, with(ON_OPEN));
    assertDecides(METADATA, Reason.COMPACTION, tier + 1, with(COMPACTED_ON_WRITE));
  }

  @Test
  public void anInMemoryFamilyTakesTheRoomOfOthers() {
    family.setInMemory(true);
    assertDecides(EVERYTHING, Reason.REGION_OPEN, SMALL, with(ON_OPEN));
    assertDecides(METADATA, Reason.REGION_OPEN, BIG, with(ON_OPEN));
    assertDecides(EVERYTHING, Reason.FLUSH, UNKNOWN, with(ON_OPEN));
    conf.unset(CacheWarmupSettings.OPEN_THRESHOLD.key());
    conf.setBoolean(CacheWarmupSettings.ENABLED.key(), true);
    assertDecides(EVERYTHING, Reason.REGION_OPEN, BIGGER_THAN_THE_TIER, with(ON_OPEN));
    assertDecides(EVERYTHING, Reason.COMPACTION, BIGGER_THAN_THE_TIER, with(ON_OPEN));
  }

  @Test
  public void ofAFamilyThatIsNotCachedNothingIs() {
    family.setBlockCacheEnabled(false);
    for (Reason reason : Reason.values()) {
      assertDecides(NOTHING, reason, SMALL, all());
    }
  }

  @Test
  public void whatTheServerAsksForIsAskedForEveryFamily() {
    conf.setBoolean(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY, true);
    assertEquals(everythingIfRoom(), decide(Reason.REGION_OPEN, SMALL, set()));
    assertEquals(METADATA, decide(Reason.REGION_OPEN, BIG, set()));
    conf.unset(CacheConfig.PREFETCH_BLOCKS_ON_OPEN_KEY);
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    assertEquals(EVERYTHING, decide(Reason.FLUSH, UNKNOWN, set()));
  }

  @Test
  public void allThatWaitForARecoveryTogetherWaitForAsLongAsOneDoes() throws Exception {
    AtomicBoolean recovering = new AtomicBoolean(true);
    BlockCache tier = new LruBlockCache(MB, BLOCK_SIZE) {
      @Override
      public boolean isRecovering() {
        return recovering.get();
      }
    };
    long timeout = TimeUnit.MILLISECONDS.toNanos(20);
    assertTrue("the first", CacheWarmupPolicy.isRecoveryAwaited(tier, TimeUnit.HOURS.toNanos(1)));
    TimeUnit.NANOSECONDS.sleep(timeout);
    assertFalse("a later one", CacheWarmupPolicy.isRecoveryAwaited(tier, timeout));
    assertTrue(CacheWarmupPolicy.isRecoveryAwaited(tier));
    recovering.set(false);
    assertFalse(CacheWarmupPolicy.isRecoveryAwaited(tier));
    tier.shutdown();
  }
}
