/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.ipc;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;

import org.apache.hbase.thirdparty.io.netty.buffer.PoolArenaMetric;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;

/**
 * Sends batches of puts through a client to a server in this process. Writes down the bytes that
 * this allocates for each byte of the batches, and the number of buffers per batch that netty took
 * from outside its pool.
 */
final class PutBatchAllocation {
  static final String BLOCKING = "blocking";
  static final String NETTY = "netty";

  private static final int ROWS = 800;
  private static final int FIELDS = 10;
  private static final int FIELD_BYTES = 1000;
  private static final int WARM_UPS = 20;
  private static final int BATCHES = 10;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final List<CellScannable> puts = new ArrayList<>();
  private final ClientService.BlockingInterface stub;

  private PutBatchAllocation(ClientService.BlockingInterface stub) {
    this.stub = stub;
    for (int row = 0; row < ROWS; row++) {
      Put put = new Put(Bytes.toBytes("row" + row));
      for (int field = 0; field < FIELDS; field++) {
        put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("field" + field), new byte[FIELD_BYTES]);
      }
      puts.add(put);
    }
  }

  /** @param args the client, and the file for the two figures */
  public static void main(String[] args) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    try (LocalRpcServer server = new LocalRpcServer(LocalRpcServer.Behaviour.ANSWER);
      RpcClient client =
        args[0].equals(BLOCKING) ? new BlockingRpcClient(conf) : new NettyRpcClient(conf)) {
      PutBatchAllocation allocation = new PutBatchAllocation(ClientService.newBlockingStub(
        client.createBlockingRpcChannel(server.name(), User.getCurrent(), 0)));
      allocation.send(WARM_UPS);
      long allocatedBefore = allocation.allocated();
      long unpooledBefore = unpooled();
      allocation.send(BATCHES);
      double sent = (double) BATCHES * server.lastCellBlock().length;
      Files.write(Paths.get(args[1]),
        Arrays.asList(Double.toString((allocation.allocated() - allocatedBefore) / sent),
          Double.toString((double) (unpooled() - unpooledBefore) / BATCHES)));
    }
  }

  private void send(int batches) throws Exception {
    for (int i = 0; i < batches; i++) {
      stub.multi(new HBaseRpcControllerImpl(CellUtil.createCellScanner(puts)),
        MultiRequest.getDefaultInstance());
    }
  }

  /** Returns the bytes that all threads but the server's have allocated on the heap. */
  private long allocated() {
    long bytes = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && !thread.getThreadName().equals(LocalRpcServer.THREAD_NAME)) {
        bytes += threads.getThreadAllocatedBytes(thread.getThreadId());
      }
    }
    return bytes;
  }

  private static long unpooled() {
    return PooledByteBufAllocator.DEFAULT.metric().directArenas().stream()
      .mapToLong(PoolArenaMetric::numHugeAllocations).sum();
  }
}
