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

import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RequestReader;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallback;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;

import org.apache.hbase.thirdparty.com.google.protobuf.BlockingService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** The call of a multi request without a network. A test can let it expire or disconnect. */
class MultiGetTestCall implements RpcCall {
  private final User user;
  private volatile long deadline = Long.MAX_VALUE;
  private volatile boolean connected = true;
  private RpcCallback callback;
  private long blockBytes;
  private long cellSize;
  private long exceptionSize;

  MultiGetTestCall(User user) {
    this.user = user;
  }

  void setDeadline(long deadline) {
    this.deadline = deadline;
  }

  void disconnect() {
    connected = false;
  }

  /** The answer to a request. */
  static final class Answer {
    final MultiResponse response;
    final List<Cell> cells = new ArrayList<>();

    Answer(MultiResponse response) {
      this.response = response;
    }
  }

  /** Serves a request as a handler does, including the end of the call. */
  Answer serve(RSRpcServices services, MultiRequest request) throws Exception {
    try {
      return answer(services, request);
    } finally {
      end();
    }
  }

  private Answer answer(RSRpcServices services, MultiRequest request)
    throws ServiceException, IOException {
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    RpcServer.setCurrentCall(this);
    try {
      Answer answer = new Answer(services.multi(controller, request));
      CellScanner scanner = controller.cellScanner();
      while (scanner != null && scanner.advance()) {
        KeyValue cell = KeyValueUtil.copyToNewKeyValue(scanner.current());
        cell.setSequenceId(0); // Not sent to clients.
        answer.cells.add(cell);
      }
      return answer;
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  /** Ends the call in the order of the server. */
  private void end() throws IOException {
    if (callback instanceof RequestReader) {
      ((RequestReader) callback).beforeCleanup();
    }
    if (callback != null) {
      callback.run();
    }
  }

  @Override
  public long getBlockBytesScanned() {
    return blockBytes;
  }

  @Override
  public void incrementBlockBytesScanned(long bytes) {
    blockBytes += bytes;
  }

  @Override
  public boolean isClientCellBlockSupported() {
    return true;
  }

  @Override
  public boolean isRetryImmediatelySupported() {
    return true;
  }

  @Override
  public MethodDescriptor getMethod() {
    return null;
  }

  @Override
  public BlockingService getService() {
    return null;
  }

  @Override
  public long disconnectSince() {
    return connected ? -1 : 1;
  }

  @Override
  public long getReceiveTime() {
    return 0;
  }

  @Override
  public long getStartTime() {
    return 0;
  }

  @Override
  public void setStartTime(long startTime) {
  }

  @Override
  public long getDeadline() {
    return deadline;
  }

  @Override
  public void setResponse(Message param, CellScanner cells, Throwable error, String message) {
  }

  @Override
  public byte[] getRequestAttribute(String key) {
    return null;
  }

  @Override
  public long getResponseCellSize() {
    return cellSize;
  }

  @Override
  public void incrementResponseCellSize(long bytes) {
    cellSize += bytes;
  }

  @Override
  public long getResponseExceptionSize() {
    return exceptionSize;
  }

  @Override
  public void incrementResponseExceptionSize(long bytes) {
    exceptionSize += bytes;
  }

  @Override
  public long getSize() {
    return 0;
  }

  @Override
  public String toShortString() {
    return "test";
  }

  @Override
  public void setCallBack(RpcCallback callback) {
    this.callback = callback;
  }

  @Override
  public Message getParam() {
    return null;
  }

  @Override
  public Optional<X509Certificate[]> getClientCertificateChain() {
    return Optional.empty();
  }

  @Override
  public VersionInfo getClientVersionInfo() {
    return null;
  }

  @Override
  public void cleanup() {
  }

  @Override
  public RequestHeader getHeader() {
    return null;
  }

  @Override
  public CellScanner getCellScanner() {
    return null;
  }

  @Override
  public Optional<User> getRequestUser() {
    return Optional.ofNullable(user);
  }

  @Override
  public Map<String, byte[]> getConnectionAttributes() {
    return Collections.emptyMap();
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return Collections.emptyMap();
  }

  @Override
  public InetAddress getRemoteAddress() {
    return null;
  }

  @Override
  public int getRemotePort() {
    return 0;
  }

  @Override
  public int getTimeout() {
    return 0;
  }

  @Override
  public void sendResponseIfReady() {
  }

  @Override
  public int getPriority() {
    return 0;
  }
}
