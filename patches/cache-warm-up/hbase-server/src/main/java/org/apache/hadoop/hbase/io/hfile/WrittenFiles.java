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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.io.hfile.CacheWarmupPolicy.Extent;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;

/** What writers tell the openers of their files, until these are opened. Thread-safe. */
@InterfaceAudience.Private
final class WrittenFiles {
  /** A file that is never opened is forgotten then: its flush or compaction failed. */
  private static final long FORGET_AFTER_MINUTES = 30;
  private static final long MAX_HEAP_BYTES = Runtime.getRuntime().maxMemory() / 100;

  private static final Cache<String, WrittenFile> FILES = CacheBuilder.newBuilder()
    .maximumWeight(MAX_HEAP_BYTES).weigher((String name, WrittenFile file) -> file.weight())
    .concurrencyLevel(1).expireAfterWrite(FORGET_AFTER_MINUTES, TimeUnit.MINUTES).build();

  private WrittenFiles() {
  }

  /** What a writer tells the opener of its file. */
  static final class WrittenFile {
    private final BlockCache cache;
    private final HFileBlockLayout layout;
    private final Extent cached;

    WrittenFile(BlockCache cache, HFileBlockLayout layout, Extent cached) {
      this.cache = cache;
      this.layout = layout;
      this.cached = cached;
    }

    HFileBlockLayout layout() {
      return layout;
    }

    /** Returns which blocks the writer cached, or tried to. */
    Extent cached() {
      return cached;
    }

    private int weight() {
      return (int) Math.min(Integer.MAX_VALUE, layout.heapSize());
    }
  }

  static void put(String name, WrittenFile file) {
    FILES.put(name, file);
  }

  /** Returns what the writer recorded of a file, or null. */
  static WrittenFile get(String name, BlockCache cache) {
    WrittenFile written = FILES.getIfPresent(name);
    // In a process with several servers each has its own cache.
    return written == null || written.cache != cache ? null : written;
  }

  static void forget(String name) {
    FILES.invalidate(name);
  }
}
