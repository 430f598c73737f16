/*
 * Licensed to the Apache Software Foundation (ASF) under one
 * or more contributor license agreements.  See the NOTICE file
 * distributed with this work for additional information
 * regarding copyright ownership.  The ASF licenses this file
 * to you under the Apache License, Version 2.0 (the
 * "License"); you may not use this file except in compliance
 * with the License.  You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.io.util.BlockIOUtils;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ IOTests.class, SmallTests.class })
public class TestBufferReadsOfLinks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBufferReadsOfLinks.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final int BYTES = 10_000;
  private static final int HALF = BYTES / 2;

  private final byte[] data = new byte[BYTES];
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
  private FileSystem hdfs;
  private Path first;
  private Path second;
  private FileLink link;

  @BeforeClass
  public static void startHdfs() throws Exception {
    UTIL.startMiniDFSCluster(1);
  }

  @AfterClass
  public static void stopHdfs() throws IOException {
    UTIL.shutdownMiniDFSCluster();
  }

  @Before
  public void writeFile() throws IOException {
    new Random(1).nextBytes(data);
    hdfs = UTIL.getTestFileSystem();
    Path folder = UTIL.getDataTestDirOnTestFS();
    first = new Path(folder, "first");
    second = new Path(folder, "second");
    hdfs.delete(second, false);
    try (FSDataOutputStream out = hdfs.create(first)) {
      out.write(data);
    }
    link = new FileLink(first, second);
  }

  private void assertRead() {
    assertFalse(buffer.hasRemaining());
    buffer.flip();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    assertArrayEquals(data, bytes);
    buffer.clear();
  }

  @Test
  public void blocksAreReadWithoutAnArray() throws IOException {
    try (FSDataInputStream in = link.open(hdfs)) {
      assertTrue(BlockIOUtils.isByteBufferReadable(in));
      BlockIOUtils.readFully(new SingleByteBuff(buffer), in, BYTES);
      assertEquals(BYTES, in.getPos());
      assertRead();
      assertEquals(-1, in.read(buffer));
      assertEquals(BYTES, in.getPos());
    }
  }

  @Test
  public void aFileThatMovesIsReadWhereItIs() throws IOException {
    readWhileItMoves(true);
  }

  @Test
  public void aFileSystemWithoutBuffersReadsToAnArray() throws IOException {
    readWhileItMoves(false);
  }

  private void readWhileItMoves(boolean hasBuffers) throws IOException {
    try (FSDataInputStream in = link.open(new Forgetful(hdfs, hasBuffers))) {
      buffer.limit(HALF);
      assertEquals(HALF, in.read(buffer));
      hdfs.rename(first, second);
      buffer.limit(BYTES);
      BlockIOUtils.readFully(new SingleByteBuff(buffer), in, HALF);
      assertRead();
      assertEquals(-1, in.read(buffer));
      assertEquals(BYTES, in.getPos());
    }
  }

  @Test
  public void aFileThatIsGoneIsNotFound() throws IOException {
    try (FSDataInputStream in = link.open(new Forgetful(hdfs, true))) {
      hdfs.delete(first, false);
      assertThrows(FileNotFoundException.class,
        () -> BlockIOUtils.readFully(new SingleByteBuff(buffer), in, BYTES));
      assertThrows(FileNotFoundException.class,
        () -> BlockIOUtils.preadWithExtra(new SingleByteBuff(buffer), in, 0, BYTES, 0));
    }
  }

  /** Its streams don't find a file that has been renamed. */
  private static final class Forgetful extends FilterFileSystem {
    private final boolean hasBuffers;

    Forgetful(FileSystem fs, boolean hasBuffers) {
      super(fs);
      this.hasBuffers = hasBuffers;
    }

    @Override
    public FSDataInputStream open(Path path, int bufferSize) throws IOException {
      FSDataInputStream in = fs.open(path, bufferSize);
      return new FSDataInputStream(
        hasBuffers ? new BufferStream(fs, path, in) : new ArrayStream(fs, path, in));
    }
  }

  private static class ArrayStream extends FSInputStream {
    private final FileSystem fs;
    private final Path path;
    private final FSDataInputStream in;

    ArrayStream(FileSystem fs, Path path, FSDataInputStream in) {
      this.fs = fs;
      this.path = path;
      this.in = in;
    }

    final FSDataInputStream in() throws IOException {
      if (!fs.exists(path)) {
        throw new FileNotFoundException(path.toString());
      }
      return in;
    }

    @Override
    public void seek(long position) throws IOException {
      in.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long targetPos) throws IOException {
      return in.seekToNewSource(targetPos);
    }

    @Override
    public int read() throws IOException {
      return in().read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return in().read(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private static final class BufferStream extends ArrayStream implements ByteBufferReadable {
    BufferStream(FileSystem fs, Path path, FSDataInputStream in) {
      super(fs, path, in);
    }

    @Override
    public int read(ByteBuffer buf) throws IOException {
      return in().read(buf);
    }
  }
}
