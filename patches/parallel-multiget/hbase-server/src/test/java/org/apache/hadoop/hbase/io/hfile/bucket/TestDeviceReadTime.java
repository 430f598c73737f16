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
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.io.hfile.FileReads;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Which reads {@link DeviceReadTime} counts. */
@Category({ IOTests.class, SmallTests.class })
public class TestDeviceReadTime {
  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestDeviceReadTime.class);

  private static final long READ_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = new Configuration();

  @Before
  public void setUp() {
    DeviceReadTime.want();
  }

  @After
  public void tearDown() {
    DeviceReadTime.release();
  }

  private static long nanos() {
    return DeviceReadTime.ofThread().getNanos();
  }

  private static void waitForDevice() {
    long end = System.nanoTime() + READ_NANOS;
    for (long left; (left = end - System.nanoTime()) > 0;) {
      LockSupport.parkNanos(left);
    }
  }

  @Test
  public void shortReadsDidNotWait() {
    long before = nanos();
    DeviceReadTime.add(49_999);
    assertEquals(before, nanos());
    DeviceReadTime.add(50_000);
    assertEquals(before + 50_000, nanos());
  }

  @Test
  public void looksAtNoClockIfNobodyWantsToKnow() {
    assertNotEquals(0, DeviceReadTime.begin());
    DeviceReadTime.release();
    try {
      assertEquals("not a time", 0, DeviceReadTime.begin());
      long before = nanos();
      DeviceReadTime.end(System.nanoTime() - 1_000_000);
      assertEquals(before, nanos());
    } finally {
      DeviceReadTime.want();
    }
  }

  @Test
  public void knowsReadsOfTheCachesFile() throws Exception {
    BucketCache cache = new BucketCache("file:" + folder.newFile(), 1 << 20, 8192,
      new int[] { 8192 }, 1, 64, null);
    try {
      BlockCacheKey key = TestBlocks.key("file", 0, BlockType.DATA);
      cache.cacheBlock(key, TestBlocks.block(key, 4096));
      BucketCacheValidator.awaitWritten(cache);
      UnreliableEngine.under(cache).beforeReads(TestDeviceReadTime::waitForDevice);
      long before = nanos();
      assertNotNull(cache.getBlock(key, true, false, true));
      assertTrue(nanos() - before >= READ_NANOS);
    } finally {
      cache.shutdown();
    }
  }

  @Test
  public void knowsReadsOfTheFileSystem() throws Exception {
    FileReads reads = new FileReads();
    FileSystem fs =
      new FileReads.CountedFileSystem(FileSystem.getLocal(conf).getRawFileSystem(), reads);
    Path path = new Path(folder.newFolder().toURI().toString(), "hfile");
    byte[] row = Bytes.toBytes("row");
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, path).withFileContext(new HFileContextBuilder().build()).create()) {
      writer.append(new KeyValue(row, row, row, row));
    }
    try (HFile.Reader reader =
      HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf)) {
      reads.setGate((file, position, length) -> waitForDevice());
      long before = nanos();
      try (HFileScanner scanner = reader.getScanner(conf, false, true)) {
        assertTrue(scanner.seekTo());
      }
      assertTrue(nanos() - before >= READ_NANOS);
    }
  }
}
