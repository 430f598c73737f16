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
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Errors of a cache's device, of its reads or its writes, and since when. Thread-safe. */
@InterfaceAudience.Private
public final class DeviceErrors {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceErrors.class);
  /** After this time without an error the next one is told of. */
  private static final long WELL_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What the system says of a device, or a share of one, that has no room. */
  private static final List<String> FULL =
    Arrays.asList("No space left on device", "Disk quota exceeded");

  private final boolean ofReads;
  private final String paths;
  private final long toleratedNanos;
  private final Consumer<IOException> onLasting;
  /** When they began; 0 while there are none. */
  private volatile long since;
  /** 0 if there was none. */
  private volatile long last;

  /**
   * @param toleratedNanos how long they may last; with 0, the first one is tolerated
   * @param onLasting      is told of each error from which on they have lasted too long
   */
  public DeviceErrors(boolean ofReads, String paths, long toleratedNanos,
    Consumer<IOException> onLasting) {
    this.ofReads = ofReads;
    this.paths = paths;
    this.toleratedNanos = toleratedNanos;
    this.onLasting = onLasting;
  }

  /** Takes note of an error. */
  public void add(IOException reason) {
    MetricsDeviceWatch.failed(ofReads);
    long now = System.nanoTime() | 1;
    long first = since;
    if (first == 0) {
      since = now;
    }
    boolean isNew = last == 0 || now - last >= WELL_AFTER_NANOS;
    last = now;
    if (isNew) {
      LOG.warn("The block cache can't {} in {}: {}", ofReads ? "read" : "write", paths,
        reason.toString());
    }
    if (first != 0 && now - first > toleratedNanos) {
      onLasting.accept(reason);
    }
  }

  /** Returns what fails, for a line of the log. */
  String describe(IOException reason) {
    if (ofReads) {
      return "nothing could be read";
    }
    return isFull(reason)
      ? "nothing could be written, as the device is full"
      : "nothing could be written";
  }

  /** Returns true if there is no room. */
  static boolean isFull(IOException reason) {
    String message = String.valueOf(reason.getMessage());
    return FULL.stream().anyMatch(message::contains);
  }

  /** Returns true if none was followed by a success yet. */
  public boolean areThere() {
    return since != 0;
  }

  /** Takes note that the device works. */
  public void end() {
    if (since != 0) {
      since = 0;
    }
  }
}
