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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCacheTierSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.FileEngineSettings;
import org.apache.hadoop.hbase.io.hfile.bucket.DirectFileIOEngine;
import org.apache.hadoop.hbase.io.util.DirectMemoryDemand;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Each mistake is reported with the key, the value and what to do. L2 falls back to plain keys. */
@Category({ IOTests.class, SmallTests.class })
public class TestCompositeBucketCacheSettings {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCompositeBucketCacheSettings.class);

  private static final String PREFIX = "hbase.bucketcache.";

  private final Configuration conf = new Configuration(false);

  @Before
  public void setUp() {
    conf.set(PREFIX + "l1.ioengine", "offheap");
    conf.set(PREFIX + "l1.size", "64");
    conf.set(PREFIX + "ioengine", "file:/tmp/l2");
    conf.set(PREFIX + "size", "1024");
  }

  private CompositeBucketCacheSettings read() {
    return new CompositeBucketCacheSettings(conf);
  }

  private void assertRefused(String... told) {
    String message = assertThrows(IllegalArgumentException.class, this::read).getMessage();
    assertFalse(message, message.contains("\n"));
    for (String text : told) {
      assertTrue("'" + text + "' isn't in: " + message, message.contains(text));
    }
  }

  @Test
  public void isOffWithoutAnEngineForL1() {
    assertTrue(CompositeBucketCacheSettings.isEnabled(conf));
    conf.set(PREFIX + "l1.ioengine", " ");
    assertFalse(CompositeBucketCacheSettings.isEnabled(conf));
    conf.unset(PREFIX + "l1.ioengine");
    assertFalse(CompositeBucketCacheSettings.isEnabled(conf));
  }

  @Test
  public void twoLinesMakeABucketCacheTheSecondTier() {
    conf.set(PREFIX + "persistent.path", "/tmp/list");
    conf.set(PREFIX + "writer.threads", "5");
    conf.set(PREFIX + "bucket.sizes", "5120, 66560");
    conf.set(PREFIX + "minfactor", "0.8");
    CompositeBucketCacheSettings settings = read();
    BucketCacheTierSettings l2 = (BucketCacheTierSettings) settings.getL2();
    assertEquals("file:/tmp/l2", l2.getIoEngine());
    assertEquals(1L << 30, l2.getSize());
    assertEquals("/tmp/list", l2.getPersistentPath());
    assertEquals(5, l2.getWriterThreads());
    assertEquals(64, l2.getWriterQueueLength());
    assertArrayEquals(new int[] { 5120, 66560 }, l2.getBucketSizes());
    assertEquals(0.8f, l2.toCacheConfiguration().getFloat(PREFIX + "minfactor", 0), 0);
    BucketCacheTierSettings l1 = (BucketCacheTierSettings) settings.getL1();
    assertEquals("offheap", l1.getIoEngine());
    assertEquals(64L << 20, l1.getSize());
    assertEquals(null, l1.getPersistentPath());
    assertEquals(5, l1.getWriterThreads());
    assertArrayEquals(new int[] { 5120, 66560 }, l1.getBucketSizes());
    assertEquals(0.8f, l1.toCacheConfiguration().getFloat(PREFIX + "minfactor", 0), 0);
    assertTrue(settings.isPromotion());
  }

  @Test
  public void slotsOfDirectFilesAreAligned() {
    conf.set(PREFIX + "l2.ioengine", "direct:/tmp/a,/tmp/b");
    conf.set(PREFIX + "l2.persistent.path", "/tmp/list");
    conf.set(PREFIX + "bucket.sizes", "5120,66560,8192");
    BucketCacheTierSettings l2 = (BucketCacheTierSettings) read().getL2();
    assertArrayEquals(new int[] { 8192, 69632 }, l2.getBucketSizes());
    BucketCacheTierSettings l1 = (BucketCacheTierSettings) read().getL1();
    assertArrayEquals(new int[] { 5120, 66560, 8192 }, l1.getBucketSizes());
    conf.set(PREFIX + "direct.pool.size", "none");
    assertRefused(PREFIX + "direct.pool.size is none", "Give MB");
  }

  @Test
  public void checksumsAreOnOrOff() {
    assertChecksums(true);
    conf.set(PREFIX + "checksum", "false");
    assertChecksums(false);
    conf.set(PREFIX + "l2.checksum", "true");
    assertChecksums(true);
    conf.set(PREFIX + "l2.checksum", "yes");
    assertRefused(PREFIX + "l2.checksum is yes", "Give true or false");
  }

  /** Asserts whether L2 has checksums, and that L1 has none. */
  private void assertChecksums(boolean inL2) {
    String key = FileEngineSettings.CHECKSUM.key();
    assertEquals(inL2, read().getL2().toCacheConfiguration().getBoolean(key, !inL2));
    assertFalse(read().getL1().toCacheConfiguration().getBoolean(key, true));
  }

  @Test
  public void keysOfL2ComeBeforePlainOnes() {
    conf.set(PREFIX + "l2.ioengine", "files:/tmp/a,/tmp/b");
    conf.set(PREFIX + "l2.size", "4g");
    conf.set(PREFIX + "l2.persistent.path", "/tmp/l2");
    conf.set(PREFIX + "persistent.path", "/tmp/list");
    BucketCacheTierSettings l2 = (BucketCacheTierSettings) read().getL2();
    assertEquals("files:/tmp/a,/tmp/b", l2.getIoEngine());
    assertEquals(4L << 30, l2.getSize());
    assertEquals("/tmp/l2", l2.getPersistentPath());
  }

  @Test
  public void sizesAreMegabytesOrHaveAUnit() {
    conf.set(PREFIX + "l1.size", "64.5");
    assertEquals(64L << 20 | 1L << 19, read().getL1().getSize());
    conf.set(PREFIX + "l1.size", "65536k");
    assertEquals(64L << 20, read().getL1().getSize());
    conf.set(PREFIX + "l2.size", "2T");
    assertEquals(2L << 40, read().getL2().getSize());
  }

  @Test
  public void badSizesAreRefused() {
    for (String size : new String[] { "0", "-5", "0.4", "many", "4x", "" }) {
      conf.set(PREFIX + "l1.size", size);
      assertRefused(PREFIX + "l1.size", size.isEmpty() ? "missing" : size, "4g");
    }
  }

  @Test
  public void aSizeThatTheBucketsDontFitIsRefused() {
    conf.set(PREFIX + "l1.size", "20");
    assertRefused(PREFIX + "l1.size is 20", PREFIX + "bucket.sizes", "at least 29 MB");
  }

  @Test
  public void aFirstTierThatIsTooSmallForTheSlotsOfBothIsRefused() {
    conf.set(PREFIX + "bucket.sizes", "66560,4195328");
    conf.set(PREFIX + "l1.size", "32");
    assertRefused(PREFIX + "l1.size is 32", "2 sizes of up to 4195328 bytes in " + PREFIX
      + "bucket.sizes", "at least 33 MB");
  }

  @Test
  public void aFirstTierWithoutASecondIsRefused() {
    conf.unset(PREFIX + "ioengine");
    assertRefused(PREFIX + "l1.ioengine is offheap", "Set " + PREFIX + "l2.ioengine",
      PREFIX + "ioengine for a single BucketCache");
  }

  @Test
  public void unknownEnginesAreRefused() {
    conf.set(PREFIX + "l1.ioengine", "heap");
    assertRefused(PREFIX + "l1.ioengine is heap", "offheap", "mmap:", "pmem:");
    conf.set(PREFIX + "l1.ioengine", "file:/tmp/l1");
    assertRefused(PREFIX + "l1.ioengine is file:/tmp/l1", "Allowed are [offheap, mmap:, pmem:");
    conf.set(PREFIX + "l1.ioengine", "mmap:");
    assertRefused(PREFIX + "l1.ioengine is mmap:", "a path behind a colon");
    conf.set(PREFIX + "l1.ioengine", "offheap");
    conf.set(PREFIX + "ioengine", "disk:/tmp/l2");
    assertRefused(PREFIX + "ioengine is disk:/tmp/l2", "file:", "files:");
  }

  @Test
  public void oneFileForTwoPurposesIsRefused() {
    conf.set(PREFIX + "l1.ioengine", "mmap:/tmp/same");
    conf.set(PREFIX + "l2.ioengine", "files:/tmp/other,/tmp/x/../same");
    assertRefused(PREFIX + "l2.ioengine is files:/tmp/other,/tmp/x/../same. The file /tmp/same is",
      PREFIX + "l1.ioengine is mmap:/tmp/same");
    conf.set(PREFIX + "l2.ioengine", "file:/tmp/l2");
    conf.set(PREFIX + "l2.persistent.path", "/tmp/l2");
    assertRefused(PREFIX + "l2.persistent.path is /tmp/l2. The file /tmp/l2 is used twice");
  }

  @Test
  public void onlyFilesKeepBlocksOverARestart() {
    conf.set(PREFIX + "l1.persistent.path", "/tmp/list");
    assertRefused(PREFIX + "l1.persistent.path is /tmp/list", "not offheap", "Unset it");
    conf.unset(PREFIX + "l1.persistent.path");
    conf.set(PREFIX + "l2.ioengine", "mmap:/tmp/l2");
    conf.set(PREFIX + "persistent.path", "/tmp/list");
    assertRefused(PREFIX + "persistent.path is /tmp/list", "not mmap:/tmp/l2", "Unset it");
  }

  @Test
  public void moreThanTheDirectMemoryIsRefused() {
    conf.set(PREFIX + "l1.size", "2000g");
    assertRefused(PREFIX + "l1.size is 2048000 MB", "MB of direct memory", "HBASE_OFFHEAPSIZE");
  }

  @Test
  public void badBucketSizesAreRefused() {
    for (String sizes : new String[] { "5120,1000", "5120,x", "0", "-256" }) {
      conf.set(PREFIX + "bucket.sizes", sizes);
      String bad = sizes.substring(sizes.indexOf(',') + 1);
      assertRefused(PREFIX + "bucket.sizes is " + bad, "multiple of 256");
    }
  }

  @Test
  public void badNumbersAreRefused() {
    conf.set(PREFIX + "writer.threads", "0");
    assertRefused(PREFIX + "writer.threads is 0", "at least 1");
    conf.unset(PREFIX + "writer.threads");
    conf.set(PREFIX + "writer.queuelength", "long");
    assertRefused(PREFIX + "writer.queuelength is long", "at least 1");
  }

  @Test
  public void badFactorsAreRefused() {
    conf.set(PREFIX + "acceptfactor", "1.5");
    assertRefused(PREFIX + "acceptfactor is 1.5", "from 0 to 1");
    conf.set(PREFIX + "acceptfactor", "0.5");
    assertRefused(PREFIX + "minfactor is 0.85", PREFIX + "acceptfactor, 0.5");
    conf.unset(PREFIX + "acceptfactor");
    conf.set(PREFIX + "memory.factor", "0.5");
    assertRefused("add up to 1", PREFIX + "memory.factor, 0.5");
  }

  @Test
  public void sharesThatAddUpToOneInDecimalsAreAllowed() {
    for (int single = 0; single <= 100; single += 5) {
      for (int multi = 0; multi <= 100 - single; multi++) {
        conf.set(PREFIX + "single.factor", String.valueOf(single / 100.0));
        conf.set(PREFIX + "multi.factor", String.valueOf(multi / 100.0));
        conf.set(PREFIX + "memory.factor", String.valueOf((100 - single - multi) / 100.0));
        Configuration view = read().getL1().toCacheConfiguration();
        float sum = view.getFloat(PREFIX + "single.factor", 0)
          + view.getFloat(PREFIX + "multi.factor", 0) + view.getFloat(PREFIX + "memory.factor", 0);
        assertEquals(1, sum, 0);
      }
    }
  }

  @Test
  public void aBadSwitchIsRefused() {
    conf.set(CompositeBucketCacheSettings.PROMOTION.key(), "maybe");
    assertRefused("hbase.bucketcache.composite.promotion is maybe", "true or false");
    conf.set(CompositeBucketCacheSettings.PROMOTION.key(), "false");
    assertFalse(read().isPromotion());
  }

  private void assertDemand(long buffers, long mb) throws Exception {
    Class.forName(HRegionServer.class.getName());
    DirectMemoryDemand demand = DirectMemoryDemand.of(conf).get(DirectMemoryDemand.BLOCK_CACHE);
    assertEquals(buffers, demand.getBuffers());
    assertEquals(mb << 20, demand.getBytes());
  }

  @Test
  public void aServersPoolOfBuffersIsToldWhatTheTiersTake() throws Exception {
    assertDemand(2 * 3 * 64, 64);
    conf.set(PREFIX + "ioengine", "direct:/tmp/l2");
    conf.set(PREFIX + "direct.pool.size", "8m");
    conf.set(PREFIX + "writer.queuelength", "10");
    assertDemand(2 * 3 * 10, 64 + 8);
    conf.unset(PREFIX + "l1.ioengine");
    conf.unset(PREFIX + "writer.queuelength");
    assertDemand(3 * 64, 8);
    conf.set(PREFIX + "ioengine", "file:/tmp/l2");
    assertDemand(3 * 64, 0);
    conf.unset(PREFIX + "ioengine");
    assertDemand(0, 0);
  }

  @Test
  public void itIsToldSoWhateverIsRegisteredFirst() throws Exception {
    CompositeBucketCacheSettings.registerDemand();
    DirectFileIOEngine.registerDemand();
    assertDemand(2 * 3 * 64, 64);
  }
}
