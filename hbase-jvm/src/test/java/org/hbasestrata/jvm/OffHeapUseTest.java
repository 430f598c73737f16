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
package org.hbasestrata.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.junit.Test;

public class OffHeapUseTest {
  private static OffHeapUse use(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return new OffHeapUse(conf);
  }

  @Test
  public void upstreamsDefaultsAreTheBuffersOf30Handlers() {
    // 31 buffers of 65 KB hold 2 MB; each handler has two responses.
    assertThat(use().toString())
      .isEqualTo("buffers 119 MB (hbase.server.allocator.max.buffer.count)");
    assertThat(use("hbase.regionserver.handler.count", "60").megabytes()).isEqualTo(237);
    assertThat(use("hbase.server.allocator.pool.enabled", "false")).hasToString("nothing");
  }

  @Test
  public void aCacheOnTheHeapOrInAFileTakesNone() {
    String[] off = { "hbase.server.allocator.pool.enabled", "false" };
    assertThat(use(off[0], off[1], "hbase.bucketcache.ioengine", "file:/ssd",
      "hbase.bucketcache.size", "100000").megabytes()).isZero();
    assertThat(use(off[0], off[1], "hbase.bucketcache.ioengine", "offheap",
      "hbase.bucketcache.size", "2048.5").megabytes()).isEqualTo(2049);
    for (String[] without : new String[][] { { "hfile.block.cache.size", "0" },
      { "hbase.blockcache.use.external", "true" } }) {
      assertThat(use(off[0], off[1], "hbase.bucketcache.ioengine", "offheap",
        "hbase.bucketcache.size", "2048", without[0], without[1]).megabytes()).isZero();
    }
    assertThat(use(off[0], off[1], "hbase.regionserver.offheap.global.memstore.size", "700")
      .megabytes()).isEqualTo(700);
  }

  @Test
  public void bothTiersCountIfTheyAreOffHeap() {
    assertThat(use("hbase.server.allocator.max.buffer.count", "1008", "hbase.bucketcache.l1"
      + ".ioengine", "offheap", "hbase.bucketcache.l1.size", "40g", "hbase.bucketcache.ioengine",
      "file:/ssd/cache", "hbase.bucketcache.size", "800000")).hasToString("L1 of the block cache"
        + " 40 GB (hbase.bucketcache.l1.size), buffers 64 MB"
        + " (hbase.server.allocator.max.buffer.count)");
    assertThat(use("hbase.server.allocator.pool.enabled", "false", "hbase.bucketcache.l1.ioengine",
      "offheap", "hbase.bucketcache.l1.size", "100", "hbase.bucketcache.l2.ioengine", "offheap",
      "hbase.bucketcache.l2.size", "1g", "hbase.bucketcache.ioengine", "file:/ssd/cache")
      .megabytes()).isEqualTo(1124);
  }

  @Test
  public void aPoolThatIsSizedForItsLoadIsLeftTheTwelfthPart() {
    assertThat(use("hbase.server.allocator.sizing.enabled", "true", "hbase.bucketcache.ioengine",
      "offheap", "hbase.bucketcache.size", "40960",
      "hbase.regionserver.offheap.global.memstore.size", "15360")).hasToString("block cache 40 GB"
        + " (hbase.bucketcache.size), memstore 15 GB"
        + " (hbase.regionserver.offheap.global.memstore.size), buffers 5 GB"
        + " (hbase.server.allocator.sizing.enabled)");
    assertThat(use("hbase.server.allocator.sizing.enabled", "true",
      "hbase.server.allocator.max.buffer.count", "1008").megabytes()).isEqualTo(64);
  }

  @Test
  public void aCacheOfSegmentsTakesItsIndexToo() {
    assertThat(use("hbase.server.allocator.pool.enabled", "false", "hbase.bucketcache.ioengine",
      "segments", "hbase.bucketcache.size", "40960"))
      .hasToString("block cache with its index 40.4 GB (hbase.bucketcache.size)");
    assertThat(use("hbase.server.allocator.pool.enabled", "false", "hbase.bucketcache.ioengine",
      "segments:/ssd/cache", "hbase.bucketcache.size", "750000"))
      .hasToString("buffers and index of block cache 1.1 GB (hbase.bucketcache.size)");
  }

  @Test
  public void tiersOfSegmentsTakeTheirIndexesToo() {
    assertThat(use("hbase.server.allocator.pool.enabled", "false", "hbase.bucketcache.l1.ioengine",
      "segments", "hbase.bucketcache.l1.size", "40g", "hbase.bucketcache.l2.ioengine",
      "segments:/ssd/cache", "hbase.bucketcache.l2.size", "750000"))
      .hasToString("L1 of the block cache with its index 40.4 GB (hbase.bucketcache.l1.size),"
        + " buffers and index of L2 of the block cache 1.1 GB (hbase.bucketcache.l2.size)");
  }

  @Test
  public void onlyBlocksOfBucketCachesTakeHeap() {
    assertThat(use("hbase.bucketcache.ioengine", "segments", "hbase.bucketcache.size", "40960")
      .cacheMegabytes()).isZero();
    assertThat(use("hbase.bucketcache.l1.ioengine", "offheap", "hbase.bucketcache.l1.size", "40g",
      "hbase.bucketcache.l2.ioengine", "segments:/ssd/cache", "hbase.bucketcache.l2.size", "750000")
      .cacheMegabytes()).isEqualTo(40_960);
    assertThat(use("hbase.bucketcache.ioengine", "direct:/ssd/cache", "hbase.bucketcache.size",
      "750000").cacheMegabytes()).isEqualTo(750_000);
  }

  @Test
  public void aFileThatIsReadDirectlyTakesBuffers() {
    String[] direct = { "hbase.server.allocator.pool.enabled", "false",
      "hbase.bucketcache.ioengine", "direct:/ssd/cache", "hbase.bucketcache.size", "800000" };
    assertThat(use(direct)).hasToString(
      "buffers of block cache 60 MB (hbase.bucketcache.direct.pool.size)");
  }
}
