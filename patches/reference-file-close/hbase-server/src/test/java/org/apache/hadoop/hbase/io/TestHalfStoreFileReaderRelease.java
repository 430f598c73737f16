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
package org.apache.hadoop.hbase.io;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContextBuilder;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** The reader of half a split file releases the block with the split key when it is closed. */
@Category({ IOTests.class, SmallTests.class })
public class TestHalfStoreFileReaderRelease {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHalfStoreFileReaderRelease.class);

  private static final String FILE = "0123456789abcdef0123456789abcdef";
  private static final String REGION = "fedcba9876543210fedcba9876543210";
  private static final int ROWS = 1_000;
  private static final int BLOCK_BYTES = 4 * 1024;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private FileSystem fs;
  private Path file;
  private ByteBuffAllocator pool;

  @Before
  public void setUp() throws IOException {
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 2 * BLOCK_BYTES);
    pool = ByteBuffAllocator.create(conf, true);
    fs = FileSystem.getLocal(conf);
    file = new Path(folder.getRoot().toURI().toString(), FILE);
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, file).withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_BYTES)
        .build()).create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(new KeyValue(Bytes.toBytes(i), FAMILY, FAMILY, 1, FAMILY));
      }
    }
  }

  private void openAndClose(Reference half) throws IOException {
    CacheConfig cacheConf = new CacheConfig(conf, null, null, pool);
    ReaderContext context = new ReaderContextBuilder()
      .withInputStreamWrapper(new FSDataInputStreamWrapper(fs, file))
      .withFileSize(fs.getFileStatus(file).getLen()).withFileSystem(fs)
      .withFilePath(new Path(file.getParent(), FILE + "." + REGION))
      .withReaderType(ReaderContext.ReaderType.PREAD).build();
    HFileInfo info = new HFileInfo(context, conf);
    HalfStoreFileReader reader = new HalfStoreFileReader(context, info, cacheConf, half,
      new StoreFileInfo(conf, fs, fs.getFileStatus(file), half), conf);
    info.initMetaAndIndex(reader.getHFileReader());
    reader.close(true);
  }

  private void assertAllWentBack() {
    assertTrue("a block was in a pooled buffer", pool.getUsedBufferCount() > 0);
    assertEquals(pool.getUsedBufferCount(), pool.getFreeBufferCount());
  }

  @Test
  public void ofTheTop() throws IOException {
    openAndClose(Reference.createTopReference(Bytes.toBytes(ROWS / 2)));
    assertAllWentBack();
  }

  @Test
  public void ofTheBottom() throws IOException {
    openAndClose(Reference.createBottomReference(Bytes.toBytes(ROWS / 2)));
    assertAllWentBack();
  }
}
