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
import static org.junit.Assert.assertSame;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;

/** The client that a handler is said to serve is that of the call. */
@Category({ RPCTests.class, SmallTests.class })
public class TestAddressOfCalls {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestAddressOfCalls.class);

  @Test
  public void itIsThatOfTheConnection() throws Exception {
    AtomicReference<ServerCall<?>> received = new AtomicReference<>();
    AtomicReference<String> client = new AtomicReference<>();
    try (ClientServiceServer server = new ClientServiceServer((controller, request) -> {
      received.set((ServerCall<?>) RpcServer.getCurrentCall().get());
      client.set(RpcServer.MONITORED_RPC.get().getClient());
      return GetResponse.getDefaultInstance();
    })) {
      byte[] name = Bytes.toBytes("t,,1.0123456789abcdef0123456789abcdef.");
      server.connect().get(new HBaseRpcControllerImpl(),
        RequestConverter.buildGetRequest(name, new Get(name)));
      ServerCall<?> call = received.get();
      assertEquals("127.0.0.1", call.getHostAddress());
      assertSame(call.getHostAddress(), call.getHostAddress());
      assertEquals("127.0.0.1:" + call.getRemotePort(), client.get());
    }
  }
}
