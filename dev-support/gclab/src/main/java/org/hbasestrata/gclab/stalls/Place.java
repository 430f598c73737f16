/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.gclab.stalls;

/** Where the GC log goes, and what else the disk does. */
enum Place {
  IDLE_DISK("on an idle disk", false, false, false),
  BUSY_DISK("on a busy disk", true, false, false),
  TMPFS("on tmpfs", true, true, false),
  ASYNC("on a busy disk, -Xlog:async", true, false, true);

  private final String label;
  private final boolean busy;
  private final boolean inMemory;
  private final boolean async;

  Place(String label, boolean busy, boolean inMemory, boolean async) {
    this.label = label;
    this.busy = busy;
    this.inMemory = inMemory;
    this.async = async;
  }

  /** Its name for people. */
  String label() {
    return label;
  }

  /** Whether the background writer runs. */
  boolean busy() {
    return busy;
  }

  boolean inMemory() {
    return inMemory;
  }

  /** Whether a thread of the JVM's own writes the log; from JDK 17 on. */
  boolean async() {
    return async;
  }
}
