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

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * What a flush or compaction allocates for the packets that it sends to HDFS, with the shipped
 * configuration. The thread that writes the file creates the packets.
 */
@Category({ IOTests.class, MediumTests.class })
public class TestHdfsPacketAllocation {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestHdfsPacketAllocation.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final Path SHIPPED_CONF = new Path("../conf/hdfs-site.xml");
  private static final int CELLS = 4 * 1024;
  private static final int VALUE_BYTES = 1024;
  private static final double FILE_BYTES = (double) CELLS * VALUE_BYTES;
  /**
   * Allocated bytes per byte of the file. Without a pool each byte is sent in a new array: 1.13 was
   * measured. With a pool 0.08 was measured, which the writer itself allocates.
   */
  private static final double BOUND = 0.2;

  @BeforeClass
  public static void startHdfs() throws Exception {
    UTIL.startMiniDFSCluster(1);
  }

  @AfterClass
  public static void stopHdfs() throws IOException {
    UTIL.shutdownMiniDFSCluster();
    // It took the hook that closes cached file systems, which servers of later tests look for.
    FileSystem.closeAll();
  }

  @Test
  public void shippedConfigurationReusesPackets() throws Exception {
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.addResource(SHIPPED_CONF);
    double perByte = allocatedPerByteWritten(conf, "shipped");
    assertTrue("bytes allocated for a byte written: " + perByte, perByte < BOUND);
  }

  @Test
  public void withoutItEachPacketIsAllocated() throws Exception {
    double perByte = allocatedPerByteWritten(UTIL.getConfiguration(), "default");
    assertTrue("bytes allocated for a byte written: " + perByte, perByte > 1);
  }

  /** @param name client context, by which Hadoop shares pools between clients of a JVM */
  private static double allocatedPerByteWritten(Configuration conf, String name) throws Exception {
    Configuration own = new Configuration(conf);
    own.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, name);
    KeyValue[] cells = cells();
    Path path = new Path("/" + name);
    try (FileSystem hdfs = FileSystem.newInstance(FileSystem.getDefaultUri(own), own)) {
      return new AllocationMeter().bytesPerOperation(1, () -> write(own, hdfs, path, cells))
        / FILE_BYTES;
    }
  }

  private static void write(Configuration conf, FileSystem hdfs, Path path, KeyValue[] cells)
    throws IOException {
    try (HFile.Writer writer = HFile.getWriterFactory(conf, CacheConfig.DISABLED)
      .withPath(hdfs, path).withFileContext(new HFileContextBuilder().build()).create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
    }
  }

  private static KeyValue[] cells() {
    KeyValue[] cells = new KeyValue[CELLS];
    for (int i = 0; i < CELLS; i++) {
      cells[i] = new KeyValue(Bytes.toBytes(String.format("%08d", i)), Bytes.toBytes("f"),
        Bytes.toBytes("q"), 1, new byte[VALUE_BYTES]);
    }
    return cells;
  }
}
