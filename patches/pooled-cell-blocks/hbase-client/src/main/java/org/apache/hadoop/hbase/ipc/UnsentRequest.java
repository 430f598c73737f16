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

import java.util.Map;
import java.util.concurrent.Executor;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;

/**
 * Holds the buffers of the request that a connection is about to write, until netty takes them
 * over. Used by the thread of the connection's event loop only.
 */
@InterfaceAudience.Private
final class UnsentRequest {
  private ByteBuf cellBlock;
  private ByteBuf message;

  /**
   * Adds the cell block, which is released if the request can't be written.
   * @param buffer null if the request has no cells
   */
  void addCellBlock(ByteBuf buffer) {
    cellBlock = buffer;
  }

  /** Adds the message, which is released if the request can't be written. */
  void addMessage(ByteBuf buffer) {
    message = buffer;
  }

  /** Hands the buffers over to netty, which releases them whether it sends them or not. */
  void handOver() {
    cellBlock = null;
    message = null;
  }

  /**
   * Releases the buffers and fails the call, which would otherwise wait for a response. The call's
   * listener runs later, since it may use the connection while its calls are being iterated.
   * @param pending the connection's calls by id; the call is removed
   * @param later   runs a task after the current one of the event loop
   */
  void fail(Call call, Map<Integer, Call> pending, Throwable cause, Executor later) {
    release(cellBlock);
    release(message);
    handOver();
    pending.remove(call.id);
    later.execute(() -> call.setException(IPCUtil.toIOE(cause)));
  }

  private static void release(ByteBuf buffer) {
    if (buffer != null) {
      buffer.release();
    }
  }
}
