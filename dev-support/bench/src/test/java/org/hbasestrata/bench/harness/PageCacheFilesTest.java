/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.Test;

public class PageCacheFilesTest {
  @Test
  public void filesOfACacheAndOfItsTiersAreFound() {
    assertThat(PageCacheFiles.ofBlockCache(Map.of("hbase.bucketcache.ioengine", "file:/a b/c")))
      .containsExactly(Path.of("/a b/c"));
    assertThat(PageCacheFiles.ofBlockCache(Map.of("hbase.bucketcache.ioengine", "file:/a",
      "hbase.bucketcache.l1.ioengine", "mmap:/b", "hbase.bucketcache.l2.ioengine", "files:/c,/d")))
      .containsExactly(Path.of("/a"), Path.of("/b"), Path.of("/c"), Path.of("/d"));
  }

  /** What finds no buffer, or can't be read directly, goes through the page cache. */
  @Test
  public void filesThatAreReadDirectlyAreFound() {
    assertThat(PageCacheFiles.ofBlockCache(Map.of("hbase.bucketcache.ioengine", "direct:/a,/b")))
      .containsExactly(Path.of("/a"), Path.of("/b"));
  }

  @Test
  public void aCacheInMemoryHasNone() {
    assertThat(PageCacheFiles.ofBlockCache(Map.of())).isEmpty();
    assertThat(PageCacheFiles.ofBlockCache(Map.of("hbase.bucketcache.ioengine", "offheap")))
      .isEmpty();
  }
}
