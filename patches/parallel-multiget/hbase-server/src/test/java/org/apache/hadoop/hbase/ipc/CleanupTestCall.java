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

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.security.User;

import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;

/** A call of the server without a connection. Counts how often the request's buffers went back. */
public final class CleanupTestCall extends ServerCall<ServerRpcConnection> {
  private final User user;
  private final AtomicInteger cleanups;

  public CleanupTestCall(User user) {
    this(user, new AtomicInteger());
  }

  private CleanupTestCall(User user, AtomicInteger cleanups) {
    super(1, null, null, RequestHeader.getDefaultInstance(), null, null, null, 0, null, 0, 0,
      ByteBuffAllocator.HEAP, null, cleanups::incrementAndGet);
    this.user = user;
    this.cleanups = cleanups;
  }

  public int countCleanups() {
    return cleanups.get();
  }

  @Override
  public Optional<User> getRequestUser() {
    return Optional.of(user);
  }

  @Override
  public long disconnectSince() {
    return -1;
  }

  @Override
  public boolean isClientCellBlockSupported() {
    return true;
  }

  @Override
  public Map<String, byte[]> getConnectionAttributes() {
    return Collections.emptyMap();
  }

  @Override
  public void sendResponseIfReady() {
  }

  @Override
  public String toString() {
    return toShortString();
  }

  @Override
  public String toShortString() {
    return "test";
  }
}
