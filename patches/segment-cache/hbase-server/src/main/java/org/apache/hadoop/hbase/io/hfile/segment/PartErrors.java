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
package org.apache.hadoop.hbase.io.hfile.segment;

import java.io.IOException;
import org.apache.hadoop.hbase.io.hfile.bucket.DeviceErrors;
import org.apache.yetus.audience.InterfaceAudience;

/** Tells whether a part's device fails for longer than is tolerated. Thread-safe. */
@InterfaceAudience.Private
final class PartErrors {
  // A device that can be read may refuse to be written, as a full one does.
  private final DeviceErrors reads;
  private final DeviceErrors writes;
  private volatile IOException lasting;

  PartErrors(SegmentFile file, PartSettings settings) {
    String path = file.getPath().toString();
    reads = new DeviceErrors(true, path, settings.getToleratedNanos(), this::setLasting);
    writes = new DeviceErrors(false, path, settings.getToleratedNanos(), this::setLasting);
  }

  /** Takes note that the device can be read. */
  void readSucceeded() {
    reads.end();
  }

  void readFailed(IOException reason) {
    reads.add(reason);
  }

  /** Takes note that the device can be written. */
  void writeSucceeded() {
    writes.end();
  }

  void writeFailed(IOException reason) {
    writes.add(reason);
  }

  /** Returns true if the last that was written failed. */
  boolean areOfWrites() {
    return writes.areThere();
  }

  /** Has the device count as one that fails from now on. */
  void setLasting(IOException reason) {
    lasting = reason;
  }

  /** Returns what the device fails with; null if it works, or its errors are tolerated still. */
  IOException getLasting() {
    return lasting;
  }

  /** Forgets all errors. */
  void clear() {
    reads.end();
    writes.end();
    lasting = null;
  }
}
