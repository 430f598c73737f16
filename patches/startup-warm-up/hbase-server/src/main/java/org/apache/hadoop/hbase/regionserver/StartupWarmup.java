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

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.security.User;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;

/**
 * Has a region server read rows of its own before it registers with the master, so that its first
 * users don't wait for classes, compilation and connections to DataNodes. Off unless
 * {@link StartupWarmupSettings#MAX_SECONDS} is set. For one thread.
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
  private static final long STEP_MS = 250;
  private static final int STEPS_WITH_EVICTION = 4;
  /** Of the steps without much compilation, one after the other, after which it ends. */
  private static final int QUIET_STEPS = 8;
  /** Of a step's time, what compilers may take in one that is quiet. */
  private static final double QUIET_SHARE = 0.1;
  /** C2 compiles a method after some thousands of calls, and not each row calls all of them. */
  private static final long MIN_READS = 100_000;
  /** What the server waits for the region to be removed, once the time is over. */
  private static final long CLOSE_MS = 3_000;

  private final HRegionServer server;
  private final int maxSeconds;
  private final MetricsStartupWarmup metrics = MetricsStartupWarmup.getInstance();
  private final AtomicLong reads = new AtomicLong();
  /** That the server has; null before, and afterwards. */
  @GuardedBy("this")
  private HRegion online;
  @GuardedBy("this")
  private boolean ended;

  private StartupWarmup(HRegionServer server, int maxSeconds) {
    this.server = server;
    this.maxSeconds = maxSeconds;
  }

  /**
   * Creates it if the server's configuration asks for it.
   * @return null if it is off, for a master, and without a block cache
   * @throws IllegalArgumentException if the value isn't allowed; the message names the key, the
   *                                  value and what to do
   */
  static StartupWarmup create(HRegionServer server) {
    if (server instanceof HMaster || !server.getBlockCache().isPresent()) {
      return null;
    }
    int maxSeconds = StartupWarmupSettings.MAX_SECONDS.read(server.getConfiguration());
    return maxSeconds > 0 ? new StartupWarmup(server, maxSeconds) : null;
  }

  /**
   * Whether the current call is one that a server takes before it is online, since it reads rows of
   * its own: gets and batches. All others are refused as always, so that callers try again.
   */
  static boolean takesCall(HRegionServer server) {
    if (server.startupWarmup == null) {
      return false;
    }
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    String method = call == null ? "" : call.getMethod().getName();
    return method.equals("Get") || method.equals("Multi");
  }

  /**
   * Reads until compilers have little left to do, or the time is over. The server must take gets,
   * and no master may know of it yet. Whatever fails is in the log, and no reason not to start;
   * what hangs is waited for no longer than the time that was set, and some seconds.
   * @param client by which the server calls itself
   */
  void run(RpcClient client) {
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(maxSeconds);
    Thread thread = new Thread(() -> readAndClose(client, end), "StartupWarmup");
    thread.setDaemon(true);
    thread.start();
    try {
      while (
        thread.isAlive() && !server.isStopped() && server.isClusterUp()
          && System.nanoTime() < end + TimeUnit.MILLISECONDS.toNanos(CLOSE_MS)
      ) {
        thread.join(STEP_MS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end();
    if (thread.isAlive()) {
      LOG.warn("The start-up warm-up hangs; the server goes on, and its region is removed later");
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    metrics.reads.incr(reads.get());
    metrics.millis.set(millis);
    metrics.setReady();
    LOG.info("Start-up warm-up: {} rows were read in {} ms", reads, millis);
  }

  private void readAndClose(RpcClient client, long end) {
    try (StartupWarmupRegion region = StartupWarmupRegion.open(server)) {
      if (begin(region.getRegion())) {
        try {
          read(client, region, end);
        } finally {
          end();
        }
      }
    } catch (Throwable e) {
      metrics.failures.incr();
      LOG.warn("The start-up warm-up ended early; the server goes on without it", e);
    }
  }

  /** Gives the region to the server. Returns false if the server goes on already. */
  private synchronized boolean begin(HRegion region) {
    if (!ended) {
      online = region;
      server.addRegion(region);
    }
    return !ended;
  }

  /** Takes the region from the server, which may go on then. */
  private synchronized void end() {
    ended = true;
    if (online != null) {
      server.getOnlineRegions().remove(online.getRegionInfo().getEncodedName());
      online = null;
    }
  }

  private synchronized boolean isEnded() {
    return ended;
  }

  private void read(RpcClient client, StartupWarmupRegion region, long end)
    throws IOException, InterruptedException {
    ClientService.BlockingInterface stub =
      ClientService.newBlockingStub(client.createBlockingRpcChannel(server.getServerName(),
        User.getCurrent(), (int) TimeUnit.SECONDS.toMillis(maxSeconds)));
    List<StartupWarmupReader> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      readers.add(new StartupWarmupReader(stub, region.getRegion(), i, reads));
    }
    try {
      readers.forEach(Thread::start);
      await(readers, region, end);
    } finally {
      readers.forEach(StartupWarmupReader::end);
    }
    for (StartupWarmupReader reader : readers) {
      reader.join();
    }
  }

  private void await(List<StartupWarmupReader> readers, StartupWarmupRegion region, long end)
    throws IOException, InterruptedException {
    long compiled = compilationMillis();
    int quiet = 0;
    for (int step = 0; quiet < QUIET_STEPS && System.nanoTime() < end && !isEnded(); step++) {
      Thread.sleep(STEP_MS);
      for (StartupWarmupReader reader : readers) {
        if (reader.getFailure() != null) {
          throw new IOException("A read failed", reader.getFailure());
        }
      }
      if (step < STEPS_WITH_EVICTION) {
        region.evict();
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
