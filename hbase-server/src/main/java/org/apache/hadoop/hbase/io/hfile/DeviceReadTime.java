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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long each thread has read blocks from a device so far: from a file of the block cache, or
 * from the file system. The difference between two readings tells whether what a thread did in
 * between was served from memory (HBASE-23063).
 */
@InterfaceAudience.Private
public final class DeviceReadTime {
  private static final ThreadLocal<DeviceReadTime> OF_THREAD =
    ThreadLocal.withInitial(DeviceReadTime::new);

  private long nanos;

  private DeviceReadTime() {
  }

  /** Returns The calling thread's; to be asked by that thread alone. */
  public static DeviceReadTime ofThread() {
    return OF_THREAD.get();
  }

  /** Adds a read of the calling thread. */
  public static void add(long nanos) {
    ofThread().nanos += nanos;
  }

  /** Returns Nanoseconds since the thread began. */
  public long getNanos() {
    return nanos;
  }
}
