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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;

/**
 * A connection to a server, whose requests and responses are bytes. One thread may send while
 * another one receives.
 */
public final class RawRpcConnection implements AutoCloseable {
  private static final byte[] PREAMBLE = { 'H', 'B', 'a', 's', 0, 80 };
  private static final int PATIENCE_MS = 60_000;

  private final Socket socket = new Socket();
  private final OutputStream out;
  private final DataInputStream in;

  public RawRpcConnection(InetSocketAddress server, ConnectionHeader header) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(PATIENCE_MS);
    socket.connect(server);
    out = socket.getOutputStream();
    in = new DataInputStream(socket.getInputStream());
    out.write(PREAMBLE);
    out.write(framed(header.toByteArray()));
  }

  /** Returns the header of a client without cell blocks, to which these may be added. */
  public static ConnectionHeader.Builder header() {
    return ConnectionHeader.newBuilder()
      .setUserInfo(UserInformation.newBuilder().setEffectiveUser("test"))
      .setServiceName("ClientService");
  }

  /** Returns the bytes of a request. */
  public static byte[] request(RequestHeader.Builder header, Message param) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    header.setRequestParam(true).build().writeDelimitedTo(bytes);
    param.writeDelimitedTo(bytes);
    return framed(bytes.toByteArray());
  }

  private static byte[] framed(byte[] bytes) {
    return ByteBuffer.allocate(Integer.BYTES + bytes.length).putInt(bytes.length).put(bytes)
      .array();
  }

  public void send(byte[] requests) throws IOException {
    out.write(requests);
  }

  /** Waits for a response, and returns it without its length. */
  public byte[] receive() throws IOException {
    byte[] response = new byte[in.readInt()];
    in.readFully(response);
    return response;
  }

  public static ResponseHeader headerOf(byte[] response) throws IOException {
    return ResponseHeader.parseDelimitedFrom(new ByteArrayInputStream(response));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
