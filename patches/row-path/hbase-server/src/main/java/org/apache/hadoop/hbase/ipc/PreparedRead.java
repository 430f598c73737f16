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
 * What was read for a call before its method runs, or is known from an attempt to. The call has it
 * until the method takes it. Not thread-safe: handed from thread to thread with the call.
 */
@InterfaceAudience.Private
public interface PreparedRead {
  /** Returns when it was read, in milliseconds since the epoch; 0 if it wasn't. */
  long getReadTime();

  /** Releases what it holds, if the method didn't take it. May be called again. */
  void discard();
}
