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

import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.io.netty.util.AbstractReferenceCounted;
import org.apache.hbase.thirdparty.io.netty.util.ReferenceCounted;

/**
 * A response that is done also if it isn't sent. The handler that encodes responses reports that
 * one is done, but a closed channel has no handlers any more, and fails what is written to it. All
 * that Netty does then is to release the message if it has a reference count, so this one has.
 */
@InterfaceAudience.Private
final class ReleasedRpcResponse extends AbstractReferenceCounted implements RpcResponse {
  private final RpcResponse response;

  ReleasedRpcResponse(RpcResponse response) {
    this.response = response;
  }

  @Override
  public BufferChain getResponse() {
    return response.getResponse();
  }

  @Override
  public void done() {
    response.done();
  }

  @Override
  protected void deallocate() {
    response.done();
  }

  @Override
  public ReferenceCounted touch(Object hint) {
    return this;
  }
}
