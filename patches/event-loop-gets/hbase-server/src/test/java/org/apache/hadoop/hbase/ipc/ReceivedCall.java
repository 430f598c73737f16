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

import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** A call as an event loop has it when it has parsed the request, without a connection. */
public final class ReceivedCall extends ServerCall<ServerRpcConnection> {
  /** @param size bytes of the request */
  public ReceivedCall(Message param, long size) {
    super(1, null, null, RequestHeader.getDefaultInstance(), param, null, null, size, null, 0, 0,
      null, null, null);
  }

  @Override
  public void sendResponseIfReady() {
    throw new UnsupportedOperationException();
  }

  @Override
  public long disconnectSince() {
    return -1;
  }
}
