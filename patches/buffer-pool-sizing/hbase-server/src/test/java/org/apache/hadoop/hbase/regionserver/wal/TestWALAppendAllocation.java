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

import static org.junit.Assert.assertTrue;

import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** What the append and sync of a put of 1 KB allocate in the WAL on HDFS (HBASE-14790). */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestWALAppendAllocation {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWALAppendAllocation.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final KeyValue CELL =
    new KeyValue(Bytes.toBytes("row"), FAMILY, FAMILY, 1, new byte[1000]);
  private static final int OPERATIONS = 200;
  private static final int PACKET_BYTES = 64 * 1024;
  /** Key, future and what the file system records; nothing of a packet's size. */
  private static final int MOST_BYTES = 16 * 1024;

  @BeforeClass
  public static void setUpCluster() throws Exception {
    UTIL.startMiniDFSCluster(1);
  }

  @AfterClass
  public static void tearDownCluster() throws Exception {
    UTIL.shutdownMiniDFSCluster();
    // It took the hook that closes cached file systems, which servers of later tests look for.
    FileSystem.closeAll();
  }

  /** Returns the bytes that an append and its sync allocate. */
  private static long measure(String provider, boolean pooledPackets) throws Exception {
    String name = provider + pooledPackets;
    Configuration conf = new Configuration(UTIL.getConfiguration());
    conf.set(WALFactory.WAL_PROVIDER, provider);
    conf.setBoolean("dfs.client.write.byte-array-manager.enabled", pooledPackets);
    // The file system has its own HDFS client, and so its own pool.
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    conf.set("dfs.client.context", name);
    WALFactory factory = new WALFactory(conf, name);
    try {
      WAL wal = factory.getWAL(REGION);
      MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
      NavigableMap<byte[], Integer> scopes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      scopes.put(FAMILY, 0);
      return new AllocationMeter(TestWALAppendAllocation::isOfWAL).bytesPerOperation(OPERATIONS,
        () -> {
          WALKeyImpl key =
            new WALKeyImpl(REGION.getEncodedNameAsBytes(), TABLE, 1, mvcc, scopes);
          wal.sync(wal.appendData(REGION, key, new WALEdit(1, false).add(CELL)));
          mvcc.complete(key.getWriteEntry());
        });
    } finally {
      factory.close();
    }
  }

  /** Returns true for threads of a WAL or HDFS's client, not for the DataNode's. */
  private static boolean isOfWAL(String thread) {
    return thread.startsWith("AsyncFSWAL") || thread.contains("append-pool")
      || thread.startsWith("sync.") || thread.startsWith("DataStreamer")
      || thread.startsWith("ResponseProcessor");
  }

  @Test
  public void anAppendGoesThroughPooledBuffers() throws Exception {
    long unpooled = measure("filesystem", false);
    long packets = measure("filesystem", true);
    long pooled = measure("asyncfs", false);
    assertTrue("a packet of its own for each sync", unpooled > PACKET_BYTES);
    AllocationMeter.assertPooled("Append to FSHLog", packets, MOST_BYTES, unpooled);
    AllocationMeter.assertPooled("Append to AsyncFSWAL", pooled, MOST_BYTES, unpooled);
  }
}
