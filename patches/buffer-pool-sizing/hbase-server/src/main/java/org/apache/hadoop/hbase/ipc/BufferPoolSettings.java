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

import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of {@link BufferPoolSizing}, read once when the server starts.
 * {@link ByteBuffAllocator#BUFFER_SIZE_KEY} and {@link ByteBuffAllocator#MAX_BUFFER_COUNT_KEY} take
 * precedence over what is computed from these settings, as far as memory allows.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class BufferPoolSettings {
  public static final Setting<Boolean> ENABLED =
    Setting.ofBoolean("hbase.server.allocator.sizing.enabled", false,
      "Whether the size and the number of the buffers of the server's pool are computed from what"
        + " needs them; else `hbase.server.allocator.buffer.size` and"
        + " `hbase.server.allocator.max.buffer.count` are what they are without this. With it a"
        + " number that the direct memory has no room for is cut, and a line of the log says so.");

  private BufferPoolSettings() {
  }
}
