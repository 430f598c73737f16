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
package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.TestBlocks.key;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Collections;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What a BucketCache has of a region. On 2.6.4 each of these tests failed. */
@Category({ IOTests.class, SmallTests.class })
public class TestRegionBytes extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRegionBytes.class);

  private static final String REGION = "region";
  private static final Path PATH = new Path("/table/" + REGION + "/family/" + FILE);
  private static final Path OTHER = new Path("/table/" + REGION + "/family/other");

  @Before
  public void setUp() throws IOException {
    start("file:" + file(), true);
  }

  private static BlockCacheKey ofFile(Path path, int i) {
    return new BlockCacheKey(path, i * 10_000L, true, BlockType.DATA);
  }

  private void cacheBlocks(Path path, int blocks) throws InterruptedException {
    for (int i = 0; i < blocks; i++) {
      cacheBlock(ofFile(path, i));
    }
  }

  /** The region has what the map has, if all of that is the region's. */
  private void assertIsSumOfBlocks(int blocks) {
    assertEquals(blocks, cache.backingMap.size());
    long bytes = cache.backingMap.values().stream().mapToLong(BucketEntry::getLength).sum();
    assertEquals(
      blocks == 0 ? Collections.emptyMap() : Collections.singletonMap(REGION, bytes),
      cache.getRegionCachedInfo().get());
  }

  @Test
  public void evictedBlocksOfAFileInPartAreTakenOff() throws Exception {
    cacheBlocks(PATH, 3);
    assertIsSumOfBlocks(3);
    cache.evictBlock(ofFile(PATH, 0));
    assertIsSumOfBlocks(2);
    cache.evictBlocksByHfileName(FILE);
    assertIsSumOfBlocks(0);
  }

  @Test
  public void otherBlocksOfAWholeFileStay() throws Exception {
    cacheBlocks(PATH, 3);
    cache.fileCacheCompleted(PATH, 3 * SIZE);
    cache.evictBlock(ofFile(PATH, 0));
    assertIsSumOfBlocks(2);
    cacheBlock(ofFile(PATH, 0));
    assertIsSumOfBlocks(3);
  }

  @Test
  public void blocksThatWereCachedAsTheyWereWrittenCount() throws Exception {
    for (int i = 0; i < 3; i++) {
      cacheBlock(key(FILE, i * 10_000L, BlockType.DATA));
    }
    cache.fileCacheCompleted(PATH, 3 * SIZE);
    assertIsSumOfBlocks(3);
    cache.evictBlock(key(FILE, 0, BlockType.DATA));
    assertIsSumOfBlocks(2);
  }

  @Test
  public void aRegionThatIsLargerThanTheCacheHasWhatTheCacheHas() throws Exception {
    for (int i = 0; i < 4 * CAPACITY / SLOT_SIZE; i++) {
      cacheBlock(ofFile(PATH, i));
    }
    assertFalse(cache.backingMap.isEmpty());
    assertIsSumOfBlocks(cache.backingMap.size());
  }

  @Test
  public void aBlockThatIsNotWhatWasCachedIsTakenOffWhenItIsRead() throws Exception {
    cacheBlocks(PATH, 3);
    cache.fileCacheCompleted(PATH, 3 * SIZE);
    BucketEntry damaged = cache.backingMap.get(ofFile(PATH, 1));
    try (RandomAccessFile bytes = new RandomAccessFile(file(), "rw")) {
      bytes.seek(damaged.offset());
      bytes.write(new byte[damaged.getLength()]);
    }
    assertFalse(read(ofFile(PATH, 1)));
    assertIsSumOfBlocks(2);
    assertTrue(read(ofFile(PATH, 2)));
    assertIsSumOfBlocks(2);
  }

  @Test
  public void aCacheThatIsStartedAgainKnowsRegionsOfWholeFiles() throws Exception {
    cacheBlocks(PATH, 3);
    cache.fileCacheCompleted(PATH, 2 * SIZE);
    cacheBlocks(OTHER, 2);
    cache.shutdown();
    start("file:" + file(), true);
    assertEquals(5, cache.backingMap.size());
    long ofBlock = cache.backingMap.get(ofFile(PATH, 0)).getLength();
    assertEquals(Collections.singletonMap(REGION, 3 * ofBlock), cache.getRegionCachedInfo().get());
    cacheBlock(ofFile(OTHER, 2));
    assertIsSumOfBlocks(6);
  }
}
