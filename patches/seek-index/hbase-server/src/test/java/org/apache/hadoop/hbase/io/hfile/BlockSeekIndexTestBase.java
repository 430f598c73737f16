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
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.rules.TemporaryFolder;

/** A test with a file whose blocks get seek indexes in a cache of the test's choice. */
public abstract class BlockSeekIndexTestBase {
  static final String FILE = "0123456789abcdef0123456789abcdef";
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final int ROWS = 3_000;
  static final int BLOCK_BYTES = 16 << 10;
  static final int CACHE_BYTES = 16 << 20;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  final Configuration conf = new Configuration();
  FileSystem fs;
  Path file;
  BlockCache cache;
  HFile.Reader reader;

  @Before
  public void setUp() throws IOException {
    fs = FileSystem.getLocal(conf);
    file = new Path(folder.getRoot().toURI().toString(), FILE);
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, file).withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES)
        .withIncludesMvcc(false).build()).create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(new KeyValue(row(i), FAMILY, FAMILY, 1, value(i)));
      }
    }
    turnOn("64m");
  }

  @After
  public void tearDown() throws IOException {
    if (reader != null) {
      reader.close(true);
    }
    if (cache != null) {
      cache.shutdown();
    }
    BlockSeekIndex.configure(new Configuration(false));
  }

  static byte[] row(int number) {
    return Bytes.toBytes(String.format("row%08d", number));
  }

  static KeyValue key(byte[] row) {
    return new KeyValue(row, FAMILY, FAMILY, 1, KeyValue.Type.Put);
  }

  static byte[] value(int number) {
    return Bytes.toBytes("value of " + number);
  }

  static Configuration settings(String size) {
    Configuration settings = new Configuration(false);
    settings.setBoolean(BlockSeekIndexSettings.ENABLED.key(), true);
    settings.set(BlockSeekIndexSettings.SIZE.key(), size);
    return settings;
  }

  static void turnOn(String size) {
    BlockSeekIndex.configure(settings(size));
  }

  void open(BlockCache opened) throws IOException {
    cache = opened;
    reader = HFile.createReader(fs, file,
      new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP), true, conf);
  }

  void openOnHeap() throws IOException {
    open(new LruBlockCache(CACHE_BYTES, BLOCK_BYTES));
  }

  void get(int number) throws IOException {
    get(reader.getScanner(conf, true, true), number);
  }

  static void get(HFileScanner scanner, int number) throws IOException {
    assertEquals(0, scanner.seekTo(key(row(number))));
    assertArrayEquals(value(number), CellUtil.cloneValue(scanner.getCell()));
    scanner.close();
  }

  static long indexes() {
    return BlockSeekIndex.STORE.getIndexes();
  }

  /** Caches the file's blocks by reading them, and waits until they are where they belong. */
  void warm() throws IOException {
    for (int i = 0; i < 2; i++) {
      for (int row = 0; row < ROWS; row += 50) {
        get(row);
      }
      Waiter.waitFor(conf, 30_000, 10, () -> isWritten(cache));
    }
  }

  static boolean isWritten(BlockCache cache) {
    BlockCache[] levels = cache.getBlockCaches();
    if (cache instanceof BucketCache) {
      return cache.getBlockCount() == ((BucketCache) cache).getBackingMap().size();
    }
    for (BlockCache level : levels == null ? new BlockCache[0] : levels) {
      if (level instanceof BucketCache && !isWritten(level)) {
        return false;
      }
    }
    return true;
  }

  void assertThatIndexesComeAndGoWithBlocks(BlockCache opened) throws IOException {
    open(opened);
    warm();
    for (int i = 0; i < 3; i++) {
      for (int row = 0; row < ROWS; row += 20) {
        get(row);
      }
    }
    long dataBlocks = reader.getTrailer().getDataIndexCount();
    assertTrue(indexes() + " of " + dataBlocks, indexes() >= dataBlocks - 1);
    cache.evictBlocksByHfileName(FILE);
    assertEquals(0, indexes());
  }
}
