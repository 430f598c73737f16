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
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.ReceivedCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.wal.AsyncFSWAL;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.NettyAsyncFSWALConfigHelper;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;

/** The ring of a log that an event loop empties, which begins puts, too. */
@Category({ RegionServerTests.class, SmallTests.class })
public class TestRoomOfLog {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRoomOfLog.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final int SLOTS = 64;
  private static final int THREADS = 4;
  private static final int PATIENCE_MS = 30_000;
  private static final int MOMENT_MS = 300;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final AtomicInteger appended = new AtomicInteger();
  private volatile boolean stopped;
  private HRegion region;

  @Before
  public void setUp() throws IOException {
    TableDescriptor table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F)).build();
    RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    Configuration conf = util.getConfiguration();
    conf.set("hbase.wal.provider", "asyncfs");
    conf.setBoolean("hbase.wal.async.use-shared-event-loop", true);
    conf.setInt("hbase.regionserver.wal.disruptor.event.count", SLOTS);
    NettyAsyncFSWALConfigHelper.setEventLoopConfig(conf, loop, NioSocketChannel.class);
    region = HBaseTestingUtility.createRegionAndWAL(info, util.getDataTestDir(), conf, table);
  }

  @After
  public void tearDown() throws Exception {
    stopped = true;
    other.shutdown();
    assertTrue(other.awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS));
    HBaseTestingUtility.closeRegionAndWAL(region);
    loop.shutdownGracefully();
    util.cleanupTestDir();
  }

  private void append() throws IOException {
    RegionInfo info = region.getRegionInfo();
    WALKeyImpl key = new WALKeyImpl(info.getEncodedNameAsBytes(), info.getTable(), 1,
      region.getMVCC(), new TreeMap<>(Bytes.BYTES_COMPARATOR));
    region.getWAL().appendData(info, key, new WALEdit().add(new KeyValue(ROW, F, F, 1, ROW)));
    region.getMVCC().complete(key.getWriteEntry());
    appended.incrementAndGet();
  }

  /** Returns how many appends there have been when no more of them get on. */
  private int awaitFull() throws InterruptedException {
    int last = -1;
    while (last != appended.get()) {
      last = appended.get();
      Thread.sleep(MOMENT_MS);
    }
    return last;
  }

  private Void fillAndAppendAPut() throws Exception {
    other.submit(() -> {
      while (!stopped) {
        append();
      }
      return null;
    });
    int full = awaitFull();
    assertTrue(full + " of " + SLOTS, full > SLOTS / 2 && full < SLOTS - THREADS);
    assertFalse(((AsyncFSWAL) region.getWAL()).hasRoom(THREADS));
    MutateRequest request = MutateRequest.getDefaultInstance();
    ReceivedCall call = new ReceivedCall(request, request.getSerializedSize());
    PreparedPut put = PreparedPut.tryAcquire(region, ROW);
    call.setPreparedRead(put);
    RpcServer.setCurrentCall(call);
    try {
      append();
    } finally {
      RpcServer.unsetCurrentCall();
      put.discard();
    }
    assertEquals(full + 1, appended.get());
    return null;
  }

  @Test
  public void anEventLoopDoesNotWaitForTheRingThatItMayEmpty() throws Exception {
    assertTrue(((AsyncFSWAL) region.getWAL()).hasRoom(THREADS));
    loop.submit(this::fillAndAppendAPut).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
  }
}
