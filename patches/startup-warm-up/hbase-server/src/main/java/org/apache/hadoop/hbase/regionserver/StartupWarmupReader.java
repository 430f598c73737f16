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
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/**
 * A client's thread that reads rows of a {@link StartupWarmupRegion} by RPC, singly and in batches,
 * until it is told to end or a read fails.
 */
@InterfaceAudience.Private
final class StartupWarmupReader extends Thread {
  private static final int GETS = 20;
  private static final int BATCH = 20;

  private final ClientService.BlockingInterface server;
  private final RegionSpecifier region;
  private final Random random;
  private final AtomicLong reads;
  private volatile boolean ended;
  private volatile Throwable failure;

  /** @param reads counts the rows */
  StartupWarmupReader(ClientService.BlockingInterface server, HRegion region, int number,
    AtomicLong reads) {
    super("StartupWarmupReader-" + number);
    setDaemon(true);
    this.server = server;
    this.region = RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME,
      region.getRegionInfo().getRegionName());
    this.random = new Random(number);
    this.reads = reads;
  }

  @Override
  public void run() {
    try {
      while (!ended) {
        for (int i = 0; i < GETS && !ended; i++) {
          readRow();
        }
        readBatch();
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private void readRow() throws IOException, ServiceException {
    Get get = get();
    HBaseRpcController controller = new HBaseRpcControllerImpl();
    ClientProtos.GetResponse response = server.get(controller, ClientProtos.GetRequest.newBuilder()
      .setRegion(region).setGet(ProtobufUtil.toGet(get)).build());
    Result result = ProtobufUtil.toResult(response.getResult(), controller.cellScanner());
    if (result.size() != StartupWarmupRegion.COLUMNS) {
      throw new IOException("Row " + Bytes.toStringBinary(get.getRow()) + " of "
        + StartupWarmupRegion.COLUMNS + " cells was read as " + result);
    }
    reads.incrementAndGet();
  }

  private void readBatch() throws IOException, ServiceException {
    ClientProtos.RegionAction.Builder gets =
      ClientProtos.RegionAction.newBuilder().setRegion(region);
    for (int i = 0; i < BATCH; i++) {
      gets.addAction(
        ClientProtos.Action.newBuilder().setIndex(i).setGet(ProtobufUtil.toGet(get())));
    }
    ClientProtos.MultiResponse response = server.multi(new HBaseRpcControllerImpl(),
      ClientProtos.MultiRequest.newBuilder().addRegionAction(gets).build());
    ClientProtos.RegionActionResult results = response.getRegionActionResult(0);
    if (
      results.getResultOrExceptionCount() != BATCH
        || results.getResultOrExceptionList().stream().anyMatch(result -> result.hasException())
    ) {
      throw new IOException("A batch of " + BATCH + " rows was answered with " + results);
    }
    reads.addAndGet(BATCH);
  }

  private Get get() {
    return new Get(StartupWarmupRegion.row(random.nextInt(StartupWarmupRegion.ROWS)));
  }

  /** Returns why it ended by itself; null if it didn't. */
  Throwable getFailure() {
    return failure;
  }

  /** Tells it to end after the read that it is at. */
  void end() {
    ended = true;
  }
}
