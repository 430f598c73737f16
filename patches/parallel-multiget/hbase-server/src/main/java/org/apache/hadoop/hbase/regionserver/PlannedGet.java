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
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.DeviceReadTime;
import org.apache.hadoop.hbase.monitoring.ThreadLocalServerSideScanMetrics;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;

/**
 * A get of a multi request and its outcome. One thread writes the outcome and then calls
 * {@link #setDone}; the handler reads it once {@link #isDone}.
 */
@InterfaceAudience.Private
final class PlannedGet {
  /** Estimated bytes of a frame in a failure's stack trace, whose text is in the response. */
  private static final long STACK_FRAME_BYTES = 100;
  private static final int MOST_CAUSES = 8;

  /** Position of its region action in the request. */
  final int regionAction;
  final HRegion region;
  final Action action;

  /** Null if the get failed. */
  Result result;
  /** Null if the get didn't fail. */
  Throwable failure;
  /** Holds the blocks of the result; null if the get opened none. The handler closes it. */
  RegionScanner scanner;
  long blockBytes;
  long responseCellBytes;
  long responseExceptionBytes;
  long millis;
  long nanos;
  /** Milliseconds of reading files, from the counter of the thread that served the get. */
  long fsReadMillis;
  /** Nanoseconds from {@link DeviceReadTime}. */
  long deviceNanos;
  boolean byHelper;

  private volatile boolean done;

  PlannedGet(int regionAction, HRegion region, Action action) {
    this.regionAction = regionAction;
    this.region = region;
    this.action = action;
  }

  /**
   * Serves the get on the calling thread, and records its cost. The caller calls {@link #setDone}.
   * @param call     the current call of the thread
   * @param onHelper whether the thread isn't the request's handler
   * @return bytes that the get adds to the response, as the response's limits count them
   */
  long run(RegionGetter getter, GetCall call, boolean onHelper) {
    byHelper = onHelper;
    long before = EnvironmentEdgeManager.currentTime();
    long nanosBefore = System.nanoTime();
    DeviceReadTime deviceTime = DeviceReadTime.ofThread();
    long deviceBefore = deviceTime.getNanos();
    AtomicLong fsReadTime = ThreadLocalServerSideScanMetrics.getFsReadTimeCounter();
    long fsReadBefore = fsReadTime.get();
    long failureBytes = 0;
    call.reset();
    try {
      result = getter.get(ProtobufUtil.toGet(action.getGet()), region, call.getCloseCallBack(),
        call);
    } catch (Throwable t) {
      failure = t;
      failureBytes = estimateBytes(t);
    } finally {
      scanner = call.takeScanner();
      blockBytes = call.getBlockBytesScanned();
      responseCellBytes = call.getResponseCellSize();
      responseExceptionBytes = call.getResponseExceptionSize();
      millis = EnvironmentEdgeManager.currentTime() - before;
      nanos = System.nanoTime() - nanosBefore;
      deviceNanos = deviceTime.getNanos() - deviceBefore;
      fsReadMillis = fsReadTime.get() - fsReadBefore;
    }
    return Math.max(blockBytes + failureBytes, countCellBytes());
  }

  /** Returns the estimated bytes of a stack trace in the response. */
  private static long estimateBytes(Throwable failure) {
    long bytes = 0;
    Throwable cause = failure;
    for (int i = 0; cause != null && i < MOST_CAUSES; i++) {
      bytes += (1 + cause.getStackTrace().length) * STACK_FRAME_BYTES;
      cause = cause.getCause();
    }
    return bytes;
  }

  private long countCellBytes() {
    long bytes = 0;
    if (result != null && !result.isEmpty()) {
      result.cellScanner(); // Goes to the first one.
      while (result.advance()) {
        bytes += PrivateCellUtil.estimatedSerializedSizeOf(result.current());
      }
    }
    return bytes;
  }

  boolean isDone() {
    return done;
  }

  void setDone() {
    done = true;
  }

  /** Returns the result, or throws what the get failed with. */
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
