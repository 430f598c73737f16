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

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.yetus.audience.InterfaceAudience;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a region server end whose block cache is in files, whatever their device does. Nobody serves
 * its regions until its znode is gone, which is the last that such a server does.
 */
/*
 * Who waits for a device can't be interrupted. The JDK closes a channel, and interrupts a thread
 * that uses one, only when reads and writes of it have ended, so that those wait, too. So whatever
 * may wait for the device is done by threads that nobody waits for longer than is said here.
 *
 * A server that aborts interrupts threads that may read from the cache, before it deletes its
 * znode. If it hasn't come to that in time a thread deletes the znode. The master then takes the
 * server for one that crashed, as it does when a session with ZooKeeper expires: nobody gets an
 * answer from it any more, and its write-ahead log is closed by who splits it.
 *
 * A server that stops writes what a restart needs to the cache's files. What isn't written in time
 * is lost, and the server goes on to close its regions. They wait for their readers. If these wait
 * for the device, too, no region is closed any more, and the server aborts. A region that is slow
 * to flush isn't told from that, but each that is closed gives the others the whole time.
 */
@InterfaceAudience.Private
final class BlockCacheEnd {
  private static final Logger LOG = LoggerFactory.getLogger(BlockCacheEnd.class);

  /** How long a server that stops waits for its block cache. */
  private static final long STOP_MS = 45_000;
  /** How long none of its regions may be closed after that, if the cache's device hangs. */
  private static final long CLOSE_MS = 60_000;
  /** How long a server that aborts may take to delete its znode itself. */
  private static final long ABORT_MS = 500;
  private static final long POLL_MS = 20;

  /** The server. */
  interface Ending {
    boolean isAborted();

    /** Returns true when the znode is gone. */
    boolean isShutDown();

    int countRegions();

    /** Returns true while a region is flushed, but for replicas, which add no files. */
    boolean isFlushing();

    void abort(String why, Throwable cause);

    void deleteNode() throws KeeperException;
  }

  private final BlockCache cache;
  private final Ending server;
  private final long stopMs;
  private final long closeMs;
  private final long abortMs;

  BlockCacheEnd(BlockCache cache, Ending server, long stopMs, long closeMs, long abortMs) {
    this.cache = cache;
    this.server = server;
    this.stopMs = stopMs;
    this.closeMs = closeMs;
    this.abortMs = abortMs;
  }

  /** @param cache the server's, or null if there is none */
  private static BlockCacheEnd of(HRegionServer server, BlockCache cache, ZKWatcher zooKeeper) {
    Ending ending = new Ending() {
      @Override
      public boolean isAborted() {
        return server.isAborted();
      }

      @Override
      public boolean isShutDown() {
        return server.isShutDown();
      }

      @Override
      public int countRegions() {
        return server.getNumberOfOnlineRegions();
      }

      @Override
      public boolean isFlushing() {
        return server.getRegions().stream()
          .anyMatch(region -> RegionReplicaUtil.isDefaultReplica(region.getRegionInfo())
            && region.writestate.flushing);
      }

      @Override
      public void abort(String why, Throwable cause) {
        server.abort(why, cause);
      }

      @Override
      public void deleteNode() throws KeeperException {
        if (zooKeeper != null && server.getServerName() != null) {
          ZKUtil.deleteNodeFailSilent(zooKeeper,
            zooKeeper.getZNodePaths().getRsPath(server.getServerName()));
        }
      }
    };
    return new BlockCacheEnd(cache, ending, STOP_MS, CLOSE_MS, ABORT_MS);
  }

  /** To be called when an abort begins. Doesn't wait. */
  static void onAbort(HRegionServer server, BlockCache cache, ZKWatcher zooKeeper) {
    of(server, cache, zooKeeper).onAbort();
  }

  void onAbort() {
    if (cache == null || !cache.isInFiles()) {
      return;
    }
    cache.abandon();
    start("AbortedServerNode", () -> {
      sleep(abortMs);
      // No flush begins once the server aborts. One that goes on would add its file to a region
      // that another server has opened, where a compaction may have dropped what it has.
      boolean quiet =
        await(Long.MAX_VALUE, () -> server.isShutDown() || !server.isFlushing());
      if (quiet && !server.isShutDown()) {
        deleteNode();
      }
    });
  }

  private void deleteNode() {
    try {
      server.deleteNode();
      LOG.info("The znode of the server, which aborts, is deleted before all else has ended");
    } catch (KeeperException e) {
      LOG.warn("The znode of the server, which aborts, can't be deleted yet", e);
    }
  }

  /**
   * Shuts a cache in files down, for a limited time.
   * @return false if the cache isn't in files; the caller then shuts it down
   */
  static boolean shutdown(HRegionServer server, BlockCache cache, ZKWatcher zooKeeper) {
    return of(server, cache, zooKeeper).shutdown();
  }

  boolean shutdown() {
    if (!cache.isInFiles()) {
      return false;
    }
    Thread thread = start("BlockCacheShutdown", cache::shutdown);
    if (thread == null) {
      return true;
    }
    boolean ended = await(stopMs, () -> server.isAborted() || !thread.isAlive());
    if (!ended) {
      LOG.warn("The block cache hasn't written what a restart needs after {} ms, so its device may"
        + " hang: a part of the blocks is lost. The server goes on to stop.", stopMs);
      start("BlockCacheHangs", () -> abortIfNothingEnds(thread));
    }
    return true;
  }

  private void abortIfNothingEnds(Thread shutdown) {
    boolean ended;
    int regions;
    do {
      regions = server.countRegions();
      ended = await(closeMs, () -> server.isShutDown() || !shutdown.isAlive());
    } while (!ended && server.countRegions() < regions);
    if (!ended) {
      server.abort("The device of the block cache hangs, and regions can't be closed", null);
    }
  }

  private interface Condition {
    boolean holds();
  }

  /** Returns false if a condition doesn't hold in time. An interrupt ends the wait. */
  private static boolean await(long milliseconds, Condition condition) {
    long start = System.nanoTime();
    while (!condition.holds()) {
      boolean isOver = System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(milliseconds);
      if (isOver || !sleep(POLL_MS)) {
        return false;
      }
    }
    return true;
  }

  private static boolean sleep(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Returns null if there can't be a thread. */
  private static Thread start(String name, Runnable task) {
    try {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      thread.start();
      return thread;
    } catch (OutOfMemoryError e) {
      LOG.error("There is no thread {}", name, e);
      return null;
    }
  }
}
