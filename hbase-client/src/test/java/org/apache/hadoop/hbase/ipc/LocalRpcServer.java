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

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;

/** A server with as much of HBase's protocol as clients need for calls of {@code multi}. */
final class LocalRpcServer implements Closeable {
  static final String THREAD_NAME = "LocalRpcServer";

  /** What a connection does with requests. */
  enum Behaviour {
    /** Answers each request. */
    ANSWER,
    /** Reads each request, and doesn't answer. */
    IGNORE,
    /** Reads no request. */
    STALL,
    /** Reads a part of the first request, and closes the connection. */
    CLOSE
  }

  private final Behaviour behaviour;
  private final ServerSocket listener;
  private final Thread acceptor;
  private final Collection<Socket> connections = new ConcurrentLinkedQueue<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile byte[] lastCellBlock;

  LocalRpcServer(Behaviour behaviour) throws IOException {
    this.behaviour = behaviour;
    this.listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    this.acceptor = start(this::accept);
  }

  private static Thread start(Runnable action) {
    Thread thread = new Thread(action, THREAD_NAME);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  ServerName name() {
    return ServerName.valueOf("localhost", listener.getLocalPort(), 1);
  }

  /** Waits for the first bytes of a request. */
  void awaitRequest() throws InterruptedException {
    begun.await();
  }

  byte[] lastCellBlock() {
    return lastCellBlock;
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = listener.accept();
        connections.add(connection);
        start(() -> serve(connection));
      }
    } catch (IOException e) {
      // This server was closed.
    }
  }

  private void serve(Socket connection) {
    try (Socket socket = connection) {
      DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      // Magic word, version and kind of authentication; then the connection's header.
      in.readFully(new byte[HConstants.RPC_HEADER.length + 2]);
      in.readFully(new byte[in.readInt()]);
      while (true) {
        byte[] request = new byte[in.readInt()];
        begun.countDown();
        if (behaviour == Behaviour.STALL) {
          closed.await();
          return;
        } else if (behaviour == Behaviour.CLOSE) {
          in.readFully(request, 0, request.length / 2);
          return;
        }
        in.readFully(request);
        if (behaviour == Behaviour.ANSWER) {
          out.write(answer(request));
        }
      }
    } catch (IOException | InterruptedException e) {
      // The client disconnected, or this server was closed.
    }
  }

  private byte[] answer(byte[] request) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(request);
    RequestHeader header = RequestHeader.parseDelimitedFrom(in);
    MultiRequest.parseDelimitedFrom(in);
    byte[] cellBlock = new byte[in.available()];
    new DataInputStream(in).readFully(cellBlock);
    if (cellBlock.length != header.getCellBlockMeta().getLength()) {
      throw new IOException("not the cell block's length: " + header);
    }
    lastCellBlock = cellBlock;
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    ResponseHeader.newBuilder().setCallId(header.getCallId()).build().writeDelimitedTo(answer);
    MultiResponse.getDefaultInstance().writeDelimitedTo(answer);
    ByteArrayOutputStream framed = new ByteArrayOutputStream();
    new DataOutputStream(framed).writeInt(answer.size());
    answer.writeTo(framed);
    return framed.toByteArray();
  }

  /** Waits for the acceptor, which may get a connection even while the listener is closed. */
  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    Uninterruptibles.joinUninterruptibly(acceptor);
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
