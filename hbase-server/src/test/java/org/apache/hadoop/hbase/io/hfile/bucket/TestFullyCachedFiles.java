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

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** A file is fully cached until a block of it is evicted, whatever the engine. */
@RunWith(Parameterized.class)
@Category({ IOTests.class, SmallTests.class })
public class TestFullyCachedFiles extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFullyCachedFiles.class);

  @Parameter
  public String engine;

  @Parameters(name = "{0}")
  public static List<String> engines() {
    return Arrays.asList("offheap", "file:", "mmap:");
  }

  private Set<String> fullyCached() {
    return cache.getFullyCachedFiles().get().keySet();
  }

  @Test
  public void aFileOfWhichABlockWasEvictedIsNotFullyCached() throws Exception {
    start(engine.endsWith(":") ? engine + file() : engine, false);
    BlockCacheKey key = key(FILE, 0, BlockType.DATA);
    cacheBlock(key);
    cache.fileCacheCompleted(new Path("/table/region/family/" + FILE), SIZE);
    assertEquals(Collections.singleton(FILE), fullyCached());
    cache.evictBlock(key);
    assertEquals(Collections.emptySet(), fullyCached());
  }
}
