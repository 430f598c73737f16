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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.io.util.IOEngineType;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** An engine is of the type that its name has, and is what its type says. */
@Category({ IOTests.class, SmallTests.class })
public class TestIOEngineType extends BucketCacheTestBase {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestIOEngineType.class);

  @Test
  public void theBeginningOfANameIsItsType() {
    assertEquals(IOEngineType.FILE, IOEngineType.of("file:/a"));
    assertEquals(IOEngineType.FILES, IOEngineType.of("files:/a,/b"));
    assertEquals(IOEngineType.DIRECT, IOEngineType.of("direct:"));
    assertEquals(IOEngineType.OFFHEAP, IOEngineType.of("offheap "));
    assertEquals(IOEngineType.SEGMENTS, IOEngineType.of("segments"));
    assertEquals(IOEngineType.SEGMENTS, IOEngineType.of("segments:/a"));
    for (String unknown : new String[] { "", ":", " offheap", "file", "direct", "segments2",
      "hdfs:/a" }) {
      assertEquals(unknown, IOEngineType.NONE, IOEngineType.of(unknown));
    }
  }

  @Test
  public void onlyFilesOnDevicesAreWaitedFor() {
    for (String engine : new String[] { "file:/a", "files:/a,/b", "direct:/a", "mmap:/a",
      "segments:/a" }) {
      assertTrue(engine, IOEngineType.isOnDevice(engine));
    }
    for (String engine : new String[] { "offheap", "pmem:/a", "segments", "" }) {
      assertFalse(engine, IOEngineType.isOnDevice(engine));
    }
  }

  @Test
  public void listsNameEachEngineOnce() {
    assertEquals(Arrays.asList("file:", "files:", "direct:", "mmap:", "pmem:", "offheap"),
      IOEngineType.prefixes());
    assertEquals(Arrays.asList("offheap", "mmap:", "pmem:"), IOEngineType.prefixesOfFirstTier());
    assertEquals(Arrays.asList("file:", "files:", "direct:"), IOEngineType.prefixesOfListed());
  }

  @Test
  public void whatATypeSaysHoldsForItsEngine() throws IOException {
    for (String prefix : IOEngineType.prefixes()) {
      File file = new File(folder.getRoot(), prefix.replace(":", ""));
      start(prefix.endsWith(":") ? prefix + file : prefix, false);
      IOEngineType type = IOEngineType.of(prefix);
      IOEngine engine = cache.ioEngine;
      assertEquals(prefix, engine instanceof ByteBufferIOEngine, type.isInDirectMemory());
      assertEquals(prefix, engine instanceof FileIOEngine, type.isListed());
      assertEquals(prefix, engine instanceof DirectFileIOEngine, type.isDirectIO());
      assertEquals(prefix, engine instanceof PersistentIOEngine && !engine.usesSharedMemory(),
        type.hasChecksums());
      cache.shutdown();
    }
  }
}
