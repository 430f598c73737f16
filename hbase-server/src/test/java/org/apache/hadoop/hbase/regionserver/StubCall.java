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

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallback;
import org.apache.hadoop.hbase.security.User;

import org.apache.hbase.thirdparty.com.google.protobuf.BlockingService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** A call without a network, which counts what is read for it. */
class StubCall implements RpcCall {
  private RpcCallback callback;
  private long blockBytes;
  private long cellSize;
  private long exceptionSize;

  /** Returns what the server runs once the response is built; null if there is nothing. */
  final RpcCallback getCallback() {
    return callback;
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
    return -1;
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
    return Long.MAX_VALUE;
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
    return Optional.empty();
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
