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
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;

/**
 * A get of a multi request, and then what came of it. One thread writes the outcome and calls
 * {@link #setDone}; the handler reads it once {@link #isDone}.
 */
@InterfaceAudience.Private
final class PlannedGet {
  /** Position of its region action in the request. */
  final int regionAction;
  final HRegion region;
  final Action action;

  /** Null if it failed. */
  Result result;
  /** Null if it didn't fail. */
  Throwable failure;
  /** Holds the blocks of the result; null if the get came to none. The handler closes it. */
  RegionScanner scanner;
  long blockBytes;
  long responseCellBytes;
  long responseExceptionBytes;
  long millis;
  long nanos;
  /** Milliseconds of reading files, if that isn't counted on the handler's thread. */
  long fsReadMillis;
  /** Nanoseconds of {@link org.apache.hadoop.hbase.io.hfile.DeviceReadTime}. */
  long deviceNanos;
  boolean byHelper;

  private volatile boolean done;

  PlannedGet(int regionAction, HRegion region, Action action) {
    this.regionAction = regionAction;
    this.region = region;
    this.action = action;
  }

  boolean isDone() {
    return done;
  }

  void setDone() {
    done = true;
  }

  /** Returns The result, or throws what the get threw. */
  Result getResult() throws IOException {
    if (failure instanceof IOException) {
      throw (IOException) failure;
    }
    if (failure instanceof RuntimeException) {
      throw (RuntimeException) failure;
    }
    if (failure != null) {
      throw (Error) failure;
    }
    return result;
  }
}
