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
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;

/**
 * Has a region server read rows of its own before it registers with the master, so that its first
 * users don't wait for classes, compilation and connections to DataNodes. Off unless
 * {@link StartupWarmupSettings#MAX_SECONDS_KEY} is set. For one thread.
 */
/*
 * Calls go by RPC through the server's port, so that the whole way of a get is compiled: its
 * decoding, the handlers or the event loop, the block cache, the answer. For the first second
 * blocks are evicted now and then, so that they are read from HDFS and put into the cache.
 */
@InterfaceAudience.Private
final class StartupWarmup {
  private static final Logger LOG = LoggerFactory.getLogger(StartupWarmup.class);

  private static final int READERS = 2;
  private static final int CALL_TIMEOUT_MS = 2_000;
  private static final long STEP_MS = 250;
  private static final int STEPS_WITH_EVICTION = 4;
  /** Of the steps without much compilation, one after the other, after which it ends. */
  private static final int QUIET_STEPS = 2;
  /** Of a step's time, what compilers may take in one that is quiet. */
  private static final double QUIET_SHARE = 0.25;
  /** A method is compiled for good after some thousands of calls. */
  private static final long MIN_READS = 20_000;

  private final HRegionServer server;
  private final int maxSeconds;
  private final MetricsStartupWarmup metrics = MetricsStartupWarmup.getInstance();
  private final AtomicLong reads = new AtomicLong();

  StartupWarmup(HRegionServer server, int maxSeconds) {
    this.server = server;
    this.maxSeconds = maxSeconds;
  }

  /**
   * Creates it if the server's configuration asks for it.
   * @return null if it is off, and for a master
   * @throws IllegalArgumentException if the value isn't allowed; the message names the key, the
   *                                  value and what to do
   */
  static StartupWarmup create(HRegionServer server) {
    StartupWarmupSettings settings = new StartupWarmupSettings(server.getConfiguration());
    return settings.isEnabled() && !(server instanceof HMaster)
      ? new StartupWarmup(server, settings.getMaxSeconds())
      : null;
  }

  /**
   * Reads until compilers have little left to do, or the time is over. The server must take calls,
   * and no master may know of it yet. Whatever fails is in the log, and no reason not to start.
   * @param client by which the server calls itself
   */
  void run(RpcClient client) {
    long start = System.nanoTime();
    try {
      if (server.getBlockCache().isPresent()) {
        read(client, start + TimeUnit.SECONDS.toNanos(maxSeconds));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      metrics.failures.incr();
      LOG.warn("The start-up warm-up ended early; the server goes on without it", e);
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    metrics.reads.incr(reads.get());
    metrics.millis.set(millis);
    metrics.setReady();
    LOG.info("Start-up warm-up: {} rows were read in {} ms", reads, millis);
  }

  private void read(RpcClient client, long end) throws Exception {
    try (StartupWarmupRegion region = StartupWarmupRegion.open(server)) {
      ClientService.BlockingInterface stub = ClientService.newBlockingStub(client
        .createBlockingRpcChannel(server.getServerName(), User.getCurrent(), CALL_TIMEOUT_MS));
      List<StartupWarmupReader> readers = new ArrayList<>();
      for (int i = 0; i < READERS; i++) {
        readers.add(new StartupWarmupReader(stub, region.getRegion(), i, reads));
      }
      server.addRegion(region.getRegion());
      try {
        readers.forEach(Thread::start);
        await(readers, region, end);
      } finally {
        readers.forEach(StartupWarmupReader::end);
        for (StartupWarmupReader reader : readers) {
          reader.join(2 * CALL_TIMEOUT_MS);
        }
        server.getOnlineRegions().remove(region.getRegion().getRegionInfo().getEncodedName());
        region.evict(server.getBlockCache().get());
      }
    }
  }

  private void await(List<StartupWarmupReader> readers, StartupWarmupRegion region, long end)
    throws IOException, InterruptedException {
    long compiled = compilationMillis();
    int quiet = 0;
    for (int step = 0; quiet < QUIET_STEPS && System.nanoTime() < end
      && !server.isStopped(); step++) {
      Thread.sleep(STEP_MS);
      for (StartupWarmupReader reader : readers) {
        if (reader.getFailure() != null) {
          throw new IOException("A read failed", reader.getFailure());
        }
      }
      if (step < STEPS_WITH_EVICTION) {
        region.evict(server.getBlockCache().get());
      }
      long before = compiled;
      compiled = compilationMillis();
      quiet = reads.get() >= MIN_READS && compiled - before < QUIET_SHARE * STEP_MS ? quiet + 1 : 0;
    }
  }

  /** Returns what compilers took until now, all together; 0 if this JVM doesn't say. */
  private static long compilationMillis() {
    CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
    return compilation != null && compilation.isCompilationTimeMonitoringSupported()
      ? compilation.getTotalCompilationTime()
      : 0;
  }
}
