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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFileReaderImpl.HFileScannerImpl;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

/** The key that bounds the block to which a scanner stepped back isn't in a released block. */
@Category({ IOTests.class, SmallTests.class })
@RunWith(Parameterized.class)
public class TestSeekBeforeRelease {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestSeekBeforeRelease.class);

  private static final int ROWS = 1_000;
  private static final int BLOCK_BYTES = 4 * 1024;
  private static final int BUFFERS = 8;
  private static final byte OVERWRITTEN = 0x77;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Parameter
  public DataBlockEncoding encoding;

  private final Configuration conf = new Configuration();
  private ByteBuffAllocator pool;

  @Parameters(name = "{0}")
  public static Collection<Object> encodings() {
    return Arrays.asList(DataBlockEncoding.NONE, DataBlockEncoding.ROW_INDEX_V1,
      DataBlockEncoding.PREFIX);
  }

  private static KeyValue cellOf(int row) {
    return new KeyValue(Bytes.toBytes(row), FAMILY, FAMILY, 1, FAMILY);
  }

  private HFile.Reader writeAndOpen() throws IOException {
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 2 * BLOCK_BYTES);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, BUFFERS);
    pool = ByteBuffAllocator.create(conf, true);
    FileSystem fs = FileSystem.getLocal(conf);
    Path path = new Path(folder.getRoot().toURI().toString(), "hfile");
    HFileContext context = new HFileContextBuilder().withBlockSize(BLOCK_BYTES)
      .withDataBlockEncoding(encoding).build();
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(fs, path).withFileContext(context).create()) {
      for (int i = 0; i < ROWS; i++) {
        writer.append(cellOf(i));
      }
    }
    return HFile.createReader(fs, path, new CacheConfig(conf, null, null, pool), true, conf);
  }

  private HFileScannerImpl scannerOf(HFile.Reader reader) {
    return (HFileScannerImpl) reader.getScanner(conf, false, true);
  }

  /** Returns the first row of the second block. */
  private int secondBlock(HFile.Reader reader) throws IOException {
    HFileScannerImpl scanner = scannerOf(reader);
    assertTrue(scanner.seekTo());
    long first = scanner.getCurBlock().getOffset();
    int row = 0;
    while (scanner.getCurBlock().getOffset() == first) {
      assertTrue(scanner.next());
      row++;
    }
    scanner.close();
    return row;
  }

  private void overwriteReleasedBuffers() {
    List<ByteBuff> buffers = new ArrayList<>();
    for (int i = 0; i < BUFFERS; i++) {
      ByteBuff buffer = pool.allocate(2 * BLOCK_BYTES);
      buffers.add(buffer);
      while (buffer.hasRemaining()) {
        buffer.put(OVERWRITTEN);
      }
    }
    buffers.forEach(ByteBuff::release);
  }

  @Test
  public void theNextIndexedKeyIsACopy() throws IOException {
    try (HFile.Reader reader = writeAndOpen()) {
      int second = secondBlock(reader);
      HFileScannerImpl scanner = scannerOf(reader);
      assertTrue(scanner.seekBefore(cellOf(second)));
      overwriteReleasedBuffers();
      assertArrayEquals(Bytes.toBytes(second), CellUtil.cloneRow(scanner.nextIndexedKey));
      assertArrayEquals(FAMILY, CellUtil.cloneQualifier(scanner.nextIndexedKey));
      assertArrayEquals(Bytes.toBytes(second - 1), CellUtil.cloneRow(scanner.getKey()));
      scanner.close();
    }
    assertTrue("blocks were in pooled buffers", pool.getUsedBufferCount() > 0);
    assertEquals(pool.getUsedBufferCount(), pool.getFreeBufferCount());
  }
}
