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
package org.apache.hadoop.hbase.regionserver.wal;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.AbstractWALRoller;
import org.apache.hadoop.util.Progressable;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.rules.TemporaryFolder;

/** Which configuration a writer of the asynchronous write-ahead log reads. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestAsyncWALWriterConfiguration {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAsyncWALWriterConfiguration.class);

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Its files take no byte before they are released. */
  private static final class HungFileSystem extends RawLocalFileSystem {

    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public FSDataOutputStream createNonRecursive(Path path, boolean overwrite, int bufferSize,
      short replication, long blockSize, Progressable progress) {
      return new FSDataOutputStream(new OutputStream() {
        @Override
        public void write(int b) throws InterruptedIOException {
          try {
            released.await();
          } catch (InterruptedException e) {
            throw new InterruptedIOException();
          }
        }
      }, null);
    }
  }

  @Test
  public void aNewWriterParsesNothing() {
    assertEquals(0, new AsyncProtobufLogWriter(null, null).conf.size());
  }

  @Test
  public void theWaitForAHungFileSystemIsTheServers() throws Exception {
    Configuration server = new Configuration(false);
    server.setLong(AbstractWALRoller.WAL_ROLL_WAIT_TIMEOUT, 1);
    server.setBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, false);
    File file = new File(folder.getRoot(), "log");
    try (HungFileSystem fs = new HungFileSystem()) {
      fs.initialize(folder.getRoot().toURI(), server);
      long start = System.nanoTime();
      AsyncProtobufLogWriter writer = new AsyncProtobufLogWriter(null, null);
      try {
        assertThrows(TimeoutIOException.class, () -> writer.init(fs, new Path(file.toURI()),
          server, false, 1 << 20, StreamSlowMonitor.create(server, "log")));
      } finally {
        fs.released.countDown();
      }
      long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(waited + " ms", waited < AbstractWALRoller.DEFAULT_WAL_ROLL_WAIT_TIMEOUT);
    }
  }
}
