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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;

/** Calls of several methods on one connection. */
@Category({ RPCTests.class, SmallTests.class })
public class TestMethodsOfCalls {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestMethodsOfCalls.class);

  @Test
  public void eachCallIsOfTheMethodThatItNames() throws Exception {
    List<Class<?>> requests = new ArrayList<>();
    List<Class<?>> sent = new ArrayList<>();
    try (ClientServiceServer server = new ClientServiceServer((controller, request) -> {
      requests.add(request.getClass());
      return request instanceof GetRequest
        ? GetResponse.getDefaultInstance()
        : MultiResponse.getDefaultInstance();
    })) {
      ClientService.BlockingInterface client = server.connect();
      byte[] name = Bytes.toBytes("t,,1.0123456789abcdef0123456789abcdef.");
      for (boolean get : new boolean[] { false, false, true, true, false, true, false }) {
        if (get) {
          client.get(new HBaseRpcControllerImpl(),
            RequestConverter.buildGetRequest(name, new Get(name)));
        } else {
          client.multi(new HBaseRpcControllerImpl(), MultiRequest.getDefaultInstance());
        }
        sent.add(get ? GetRequest.class : MultiRequest.class);
      }
    }
    assertEquals(sent, requests);
  }
}
