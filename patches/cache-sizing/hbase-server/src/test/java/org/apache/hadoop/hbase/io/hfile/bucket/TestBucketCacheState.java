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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestBucketCacheState {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBucketCacheState.class);

  private static final int[] SIZES = { 2048, 4096 };
  private static final int BUCKET = BucketAllocator.FEWEST_ITEMS_IN_BUCKET * SIZES[1];

  /** As after a restart, if the blocks that were kept are all of the other size. */
  @Test
  public void sizesWithoutABucketAreSlotSizes() throws Exception {
    Map<BlockCacheKey, BucketEntry> blocks = new HashMap<>();
    blocks.put(new BlockCacheKey("file", 0), new BucketEntry(0, SIZES[1], SIZES[1], 0, false,
      ignored -> ByteBuffAllocator.NONE, ByteBuffAllocator.HEAP));
    BucketAllocator allocator = new BucketAllocator(4 * BUCKET, SIZES, blocks, new LongAdder());
    assertTrue(Arrays.stream(allocator.getBuckets())
      .allMatch(bucket -> bucket.getItemAllocationSize() == SIZES[1]));
    assertArrayEquals(SIZES, BucketCacheState.slotSizes(allocator));
  }
}
