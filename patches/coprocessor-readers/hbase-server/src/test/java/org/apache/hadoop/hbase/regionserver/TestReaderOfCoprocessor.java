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
package org.apache.hadoop.hbase.regionserver;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.FSDataInputStreamWrapper;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContext.ReaderType;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/**
 * A store file whose readers are made by a coprocessor, each of the type STREAM and with an info of
 * its own, as Phoenix makes those of half files with a local index. Blocks aren't cached.
 */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestReaderOfCoprocessor {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReaderOfCoprocessor.class);

  private static final int ROWS = 1000;
  private static final int BLOCK_SIZE = 1024;

  /** Doesn't read from a stream that is closed, as HDFS, and unlike a local file system. */
  private static final class StrictFileSystem extends FilterFileSystem {
    StrictFileSystem(FileSystem local) {
      super(local);
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      return new FSDataInputStream(super.open(path, bufferSize)) {
        private boolean closed;

        @Override
        public int read(long position, byte[] buffer, int offset, int length) throws IOException {
          if (closed) {
            throw new IOException("Stream closed");
          }
          return super.read(position, buffer, offset, length);
        }

        @Override
        public void close() throws IOException {
          closed = true;
          super.close();
        }
      };
    }
  }

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Configuration conf = HBaseConfiguration.create();
  private final List<FSDataInputStreamWrapper> streams = new ArrayList<>();
  private FileSystem fs;
  private Path path;
  private CacheConfig cacheConfig;
  private HStoreFile file;

  @Before
  public void open() throws Exception {
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0);
    cacheConfig = new CacheConfig(conf);
    fs = new HFileSystem(new StrictFileSystem(FileSystem.getLocal(conf)));
    StoreFileWriter writer = new StoreFileWriter.Builder(conf, cacheConfig, fs)
      .withOutputDir(new Path(folder.getRoot().toURI()))
      .withFileContext(new HFileContextBuilder().withBlockSize(BLOCK_SIZE).build()).build();
    for (int i = 0; i < ROWS; i++) {
      writer.append(new KeyValue(Bytes.toBytes(i), Bytes.toBytes("f"), null, 1L, new byte[10]));
    }
    writer.close();
    path = writer.getPath();
    file = new HStoreFile(new FileOfCoprocessor(), BloomType.NONE, cacheConfig);
    file.initReader();
  }

  @After
  public void close() throws Exception {
    file.closeStoreFile(true);
  }

  /** A file whose region has the coprocessor. */
  private final class FileOfCoprocessor extends StoreFileInfo {
    FileOfCoprocessor() throws IOException {
      super(conf, fs, 1L, path, fs.getFileStatus(path).getLen(), null, null, true);
    }

    @Override
    StoreFileReader preStoreFileReaderOpen(ReaderContext context, CacheConfig cache)
      throws IOException {
      return createStreamReader(context.getInputStreamWrapper(), context.getFileSize());
    }
  }

  private StoreFileReader createStreamReader(FSDataInputStreamWrapper stream, long size)
    throws IOException {
    streams.add(stream);
    ReaderContext context =
      new ReaderContext(path, stream, size, new HFileSystem(fs), true, ReaderType.STREAM);
    HFileInfo info = new HFileInfo(context, conf);
    StoreFileReader reader =
      new StoreFileReader(context, info, cacheConfig, new FileOfCoprocessor(), conf);
    info.initMetaAndIndex(reader.getHFileReader());
    return reader;
  }

  private StoreFileScanner begin() throws IOException {
    StoreFileScanner scanner = file.getPreadScanner(false, Long.MAX_VALUE, 0, false);
    scanner.seek(KeyValue.LOWESTKEY);
    return scanner;
  }

  private static void assertReadsOn(StoreFileScanner scanner) throws IOException {
    int rows = 0;
    for (Cell cell = scanner.next(); cell != null; cell = scanner.next()) {
      assertEquals(rows++, Bytes.toInt(cell.getRowArray(), cell.getRowOffset()));
    }
    assertEquals(ROWS, rows);
  }

  private static boolean isOpen(FSDataInputStreamWrapper stream) {
    try {
      stream.getStream(stream.shouldUseHBaseChecksum()).read(0L, new byte[1], 0, 1);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  public void scannerThatClosesLeavesTheReaderToOthers() throws Exception {
    StoreFileScanner reads = begin();
    begin().close();
    assertReadsOn(reads);
    reads.close();
    try (StoreFileScanner later = begin()) {
      assertReadsOn(later);
    }
  }

  @Test
  public void scannersAreCountedAtTheStoreFile() throws Exception {
    assertFalse(file.isReferencedInReads());
    StoreFileScanner one = begin();
    StoreFileScanner other = begin();
    assertEquals(2, file.getRefCount());
    assertEquals(2, file.getReader().getRefCount());
    one.close();
    one.close();
    assertTrue(file.isReferencedInReads());
    other.close();
    assertFalse(file.isReferencedInReads());
  }

  @Test
  public void scannerWithAReaderOfItsOwnClosesIt() throws Exception {
    StoreFileScanner scanner =
      file.getStreamScanner(false, false, false, Long.MAX_VALUE, 0, false);
    FSDataInputStreamWrapper stream = streams.get(1);
    scanner.seek(KeyValue.LOWESTKEY);
    assertTrue(file.isReferencedInReads());
    assertReadsOn(scanner);
    assertTrue(isOpen(stream));
    scanner.close();
    assertFalse(isOpen(stream));
    assertFalse(file.isReferencedInReads());
    assertTrue(isOpen(streams.get(0)));
  }

  @Test
  public void storeFileClosesTheReader() throws Exception {
    begin().close();
    assertTrue(isOpen(streams.get(0)));
    file.closeStoreFile(false);
    assertFalse(isOpen(streams.get(0)));
    file.initReader();
    assertEquals(2, streams.size());
    try (StoreFileScanner scanner = begin()) {
      assertReadsOn(scanner);
    }
  }
}
