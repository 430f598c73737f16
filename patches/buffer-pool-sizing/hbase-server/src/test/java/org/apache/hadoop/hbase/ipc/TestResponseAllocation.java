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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ByteBufferKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.io.AllocationMeter;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.com.google.protobuf.BlockingService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** What a handler allocates to turn the cells of a multi into a response (HBASE-11425). */
@Category({ RPCTests.class, SmallTests.class })
public class TestResponseAllocation {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestResponseAllocation.class);

  private static final int ROWS = 50;
  private static final int CELLS_IN_ROW = 10;
  private static final int VALUE_BYTES = 100;
  private static final int OPERATIONS = 500;
  /** Header, encoder and wrappers of buffers; nothing per cell or byte. */
  private static final int MOST_BYTES = 4 * 1024;

  private final Configuration conf = HBaseConfiguration.create();
  private final List<Cell> cells = new ArrayList<>();
  private int cellBlockBytes;
  private RpcServerInterface server;

  /** A connection whose client asks for cell blocks, as every client does. */
  private static final class Connection extends ServerRpcConnection {
    Connection(RpcServer server) {
      super(server);
      codec = new KeyValueCodec();
    }

    @Override
    protected void doRespond(RpcResponse response) {
    }

    @Override
    public boolean isConnectionOpen() {
      return true;
    }

    @Override
    public ServerCall<?> createCall(int id, BlockingService service, MethodDescriptor method,
      RequestHeader header, Message param, CellScanner cellScanner, long size,
      InetAddress remoteAddress, int timeout, RpcServer.CallCleanup reqCleanup) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
    }
  }

  /** A call that was read and served. */
  private static final class Call extends ServerCall<Connection> {
    Call(RpcServer server, Connection connection, ByteBuffAllocator allocator) {
      super(1, null, null, RequestHeader.getDefaultInstance(), null, null, connection, 0, null, 0,
        0, allocator, server.cellBlockBuilder, null);
    }

    @Override
    public void sendResponseIfReady() {
    }
  }

  @Before
  public void setUp() throws IOException {
    server = RpcServerFactory.createRpcServer(null, "test", Collections.emptyList(),
      new InetSocketAddress("localhost", 0), conf, new FifoRpcScheduler(conf, 1));
    for (int i = 0; i < ROWS * CELLS_IN_ROW; i++) {
      KeyValue cell = new KeyValue(Bytes.toBytes(1_000_000 + i / CELLS_IN_ROW), Bytes.toBytes("f"),
        Bytes.toBytes("field" + i % CELLS_IN_ROW), 1, new byte[VALUE_BYTES]);
      ByteBuffer offHeap = ByteBuffer.allocateDirect(cell.getLength());
      offHeap.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
      cells.add(new ByteBufferKeyValue(offHeap, 0, cell.getLength()));
      cellBlockBytes += cell.getSerializedSize();
    }
  }

  @After
  public void tearDown() {
    server.stop();
  }

  private static MultiResponse multiResponse() {
    RegionActionResult.Builder region = RegionActionResult.newBuilder();
    for (int i = 0; i < ROWS; i++) {
      region.addResultOrException(ResultOrException.newBuilder().setIndex(i)
        .setResult(Result.newBuilder().setAssociatedCellCount(CELLS_IN_ROW)));
    }
    return MultiResponse.newBuilder().addRegionActionResult(region).build();
  }

  /** Returns the bytes that a response allocates. */
  private long measure(ByteBuffAllocator allocator) throws Exception {
    RpcServer rpcServer = (RpcServer) server;
    Connection connection = new Connection(rpcServer);
    MultiResponse message = multiResponse();
    return new AllocationMeter().bytesPerOperation(OPERATIONS, () -> {
      Call call = new Call(rpcServer, connection, allocator);
      call.setResponse(message, CellUtil.createCellScanner(cells), null, null);
      assertTrue(call.getResponse().size() > cellBlockBytes);
      call.done();
    });
  }

  @Test
  public void aResponseIsEncodedIntoPooledBuffers() throws Exception {
    ByteBuffAllocator pool = server.getByteBuffAllocator();
    long pooled = measure(pool);
    long unpooled = measure(ByteBuffAllocator.HEAP);
    assertTrue("each byte is allocated at least once", unpooled > cellBlockBytes);
    AllocationMeter.assertPooled("Response of a multi", pooled, MOST_BYTES, unpooled);
    assertEquals("all buffers went back", pool.getUsedBufferCount(), pool.getFreeBufferCount());
  }
}
