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

/**
 * Knows when no other thread than the call's handler reads its request any more. The parsed request
 * refers to the buffer that it was received in, so all threads must be done with it before that
 * buffer goes back to its pool.
 */
@InterfaceAudience.Private
public interface RequestReader {
  /**
   * Waits until no other thread reads the request or will read it. Called at least once on each way
   * out of the call, before its buffers go back. Must not throw.
   */
  void beforeCleanup();
}
