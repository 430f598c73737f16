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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.RequestReader;
import org.apache.hadoop.hbase.ipc.RpcCallback;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;

import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;

/** The call of a multi request without a network. A test can let it expire or disconnect. */
class MultiGetTestCall extends StubCall {
  private final User user;
  private volatile long deadline = Long.MAX_VALUE;
  private volatile boolean connected = true;

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
    RpcCallback callback = getCallback();
    if (callback instanceof RequestReader) {
      ((RequestReader) callback).beforeCleanup();
    }
    if (callback != null) {
      callback.run();
    }
  }

  @Override
  public long disconnectSince() {
    return connected ? -1 : 1;
  }

  @Override
  public long getDeadline() {
    return deadline;
  }

  @Override
  public Optional<User> getRequestUser() {
    return Optional.ofNullable(user);
  }
}
