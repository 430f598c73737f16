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

import org.apache.hadoop.hbase.client.InternalConnection;
import org.apache.yetus.audience.InterfaceAudience;

/** Reads of hbase:meta by masters and region servers, which have handlers of their own. */
@InterfaceAudience.Private
final class InternalReads {

  /** Their part of the handlers that read, unless another one is configured. */
  static final float DEFAULT_SHARE = 0.2f;

  private InternalReads() {
  }

  /** Returns true if the call, of those that don't write, is such a read. */
  static boolean isOne(CallRunner task) {
    return task.getRpcCall().getHeader().getPriority() == InternalConnection.READ_QOS;
  }
}
