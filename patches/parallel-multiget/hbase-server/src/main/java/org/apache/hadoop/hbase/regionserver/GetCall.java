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
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcCallback;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.BlockingService;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.VersionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/**
 * The current call of a thread that serves gets of a multi request. Delegates to the request's
 * call, except for the sizes, which a call can't count for several threads: this one counts those
 * of one get at a time. Methods that end or answer the call throw an
 * {@link UnsupportedOperationException}, since only the handler may do that. Not thread-safe,
 * except for the methods that delegate.
 */
@InterfaceAudience.Private
final class GetCall implements RpcCall {
  private final RpcCall call;
  private final ScannerHolder closeCallBack = new ScannerHolder();

  private long blockBytesScanned;
  private long responseCellSize;
  private long responseExceptionSize;

  /** Keeps the scanner of one get. */
  private static final class ScannerHolder extends RSRpcServices.RegionScannersCloseCallBack {
    private RegionScanner scanner;

    @Override
    public void addScanner(RegionScanner added) {
      scanner = added;
    }
  }

  GetCall(RpcCall call) {
    this.call = call;
  }

  /** Returns the call-back that takes the scanner of a get. */
  RSRpcServices.RegionScannersCloseCallBack getCloseCallBack() {
    return closeCallBack;
  }

  /** Returns the scanner of the last get, which the caller closes, or null if it opened none. */
  RegionScanner takeScanner() {
    RegionScanner taken = closeCallBack.scanner;
    closeCallBack.scanner = null;
    return taken;
  }

  /** Begins to count for another get. */
  void reset() {
    blockBytesScanned = 0;
    responseCellSize = 0;
    responseExceptionSize = 0;
  }

  @Override
  public long getBlockBytesScanned() {
    return blockBytesScanned;
  }

  @Override
  public void incrementBlockBytesScanned(long blockSize) {
    blockBytesScanned += blockSize;
  }

  @Override
  public long getResponseCellSize() {
    return responseCellSize;
  }

  @Override
  public void incrementResponseCellSize(long cellSize) {
    responseCellSize += cellSize;
  }

  @Override
  public long getResponseExceptionSize() {
    return responseExceptionSize;
  }

  @Override
  public void incrementResponseExceptionSize(long exceptionSize) {
    responseExceptionSize += exceptionSize;
  }

  @Override
  public BlockingService getService() {
    return call.getService();
  }

  @Override
  public MethodDescriptor getMethod() {
    return call.getMethod();
  }

  @Override
  public Message getParam() {
    return call.getParam();
  }

  @Override
  public CellScanner getCellScanner() {
    return call.getCellScanner();
  }

  @Override
  public long getReceiveTime() {
    return call.getReceiveTime();
  }

  @Override
  public long getStartTime() {
    return call.getStartTime();
  }

  @Override
  public void setStartTime(long startTime) {
    throw notAllowed();
  }

  @Override
  public int getTimeout() {
    return call.getTimeout();
  }

  @Override
  public int getPriority() {
    return call.getPriority();
  }

  @Override
  public long getDeadline() {
    return call.getDeadline();
  }

  @Override
  public long getSize() {
    return call.getSize();
  }

  @Override
  public RequestHeader getHeader() {
    return call.getHeader();
  }

  @Override
  public Map<String, byte[]> getConnectionAttributes() {
    return call.getConnectionAttributes();
  }

  @Override
  public Map<String, byte[]> getRequestAttributes() {
    return call.getRequestAttributes();
  }

  @Override
  public byte[] getRequestAttribute(String key) {
    return call.getRequestAttribute(key);
  }

  @Override
  public int getRemotePort() {
    return call.getRemotePort();
  }

  @Override
  public void setResponse(Message param, CellScanner cells, Throwable errorThrowable,
    String error) {
    throw notAllowed();
  }

  @Override
  public void sendResponseIfReady() {
    throw notAllowed();
  }

  @Override
  public void cleanup() {
    throw notAllowed();
  }

  @Override
  public String toShortString() {
    return call.toShortString();
  }

  @Override
  public long disconnectSince() {
    return call.disconnectSince();
  }

  @Override
  public boolean isClientCellBlockSupported() {
    return call.isClientCellBlockSupported();
  }

  @Override
  public Optional<User> getRequestUser() {
    return call.getRequestUser();
  }

  @Override
  public Optional<X509Certificate[]> getClientCertificateChain() {
    return call.getClientCertificateChain();
  }

  @Override
  public InetAddress getRemoteAddress() {
    return call.getRemoteAddress();
  }

  @Override
  public VersionInfo getClientVersionInfo() {
    return call.getClientVersionInfo();
  }

  @Override
  public void setCallBack(RpcCallback callback) {
    throw notAllowed();
  }

  @Override
  public boolean isRetryImmediatelySupported() {
    return call.isRetryImmediatelySupported();
  }

  @Override
  public String toString() {
    return call.toString();
  }

  private static UnsupportedOperationException notAllowed() {
    return new UnsupportedOperationException("A get of a multi request can't do this to its call");
  }
}
