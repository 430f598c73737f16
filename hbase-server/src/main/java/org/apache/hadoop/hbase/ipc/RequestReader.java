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
 * Knows when no other thread than its handler reads a call's request any more. The parsed request
 * lies in the buffer that it came in, so they have to be done with it before that buffer goes back
 * to its pool.
 */
@InterfaceAudience.Private
public interface RequestReader {
  /**
   * Returns when no other thread reads the request any more, nor will. Called before the call's
   * buffers go back, on each way out of the call, at least once. Throws nothing.
   */
  void beforeCleanup();
}
