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


import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hbase.io.FileLink;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.impl.DfsClientConf;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.apache.hbase.thirdparty.com.google.common.util.concurrent.ThreadFactoryBuilder;

/**
 * Has DataNodes probed that reads of HFiles waited for. HDFS's client does the probe, and sets
 * those aside that don't answer. For any thread.
 */
@InterfaceAudience.Private
final class SuspectDataNodes {
  private static final Logger LOG = LoggerFactory.getLogger(SuspectDataNodes.class);
  private static final String TIMEOUT_KEY =
    HdfsClientConfigKeys.DFS_CLIENT_DEAD_NODE_DETECTION_PROBE_CONNECTION_TIMEOUT_MS_KEY;
  private static final long TIMEOUT_DEFAULT =
    HdfsClientConfigKeys.DFS_CLIENT_DEAD_NODE_DETECTION_PROBE_CONNECTION_TIMEOUT_MS_DEFAULT;
  private static final String INTERVAL_KEY =
    HdfsClientConfigKeys.DFS_CLIENT_DEAD_NODE_DETECTION_PROBE_SUSPECT_NODE_INTERVAL_MS_KEY;
  private static final long INTERVAL_DEFAULT =
    HdfsClientConfigKeys.DFS_CLIENT_DEAD_NODE_DETECTION_PROBE_SUSPECT_NODE_INTERVAL_MS_DEFAULT;

  /** A block has three replicas as a rule. A server that can't probe has to leave it one. */
  static final int MOST_SUSPECTS = 2;
  private static final int QUEUED_READS = 16;
  private static final int IDLE_SECONDS = 10;
  /** While many reads are slow, some are enough. */
  private static final ExecutorService ONE_THREAD = executor();
  /** Nodes that were to be probed, and the time in ms until which they may. Guarded by itself. */
  private static final Map<DatanodeInfo, Long> SUSPECTS = new HashMap<>();
  private static final Method LOCATED_BLOCKS = locatedBlocks();
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final DFSClient client;
  private final int readMillis;
  private final long probeMillis;

  private SuspectDataNodes(DFSClient client, int readMillis, Configuration conf) {
    this.client = client;
    this.readMillis = readMillis;
    probeMillis = conf.getLong(TIMEOUT_KEY, TIMEOUT_DEFAULT)
      + conf.getLong(INTERVAL_KEY, INTERVAL_DEFAULT);
  }

  /** Returns null if they aren't to be probed, or can't be. */
  static SuspectDataNodes create(HFileSystem hfs, Configuration conf) throws IOException {
    int readMillis = SuspectDataNodeSettings.READ_MILLIS.read(conf);
    if (readMillis == 0 || hfs == null) {
      return null;
    }
    FileSystem fs = hfs.getBackingFs();
    DFSClient client = fs.getClass() == DistributedFileSystem.class
      ? ((DistributedFileSystem) fs).getClient()
      : null;
    String lacking = client == null ? "HFiles that are in HDFS"
      : client.getDeadNodeDetector() == null
        ? HdfsClientConfigKeys.DFS_CLIENT_DEAD_NODE_DETECTION_ENABLED_KEY + " = true in hdfs-site"
      : LOCATED_BLOCKS == null ? "a release of Hadoop that tells where a block is"
      : null;
    if (lacking == null) {
      MetricsSuspectDataNodes.getInstance().watch(client);
      warnOfHedgedReads(client.getConf(), readMillis);
      return new SuspectDataNodes(client, readMillis, conf);
    }
    if (WARNED.compareAndSet(false, true)) {
      LOG.warn("{} is {}, but does nothing: it needs {}", SuspectDataNodeSettings.READ_MILLIS.key(),
        readMillis, lacking);
    }
    return null;
  }

  private static void warnOfHedgedReads(DfsClientConf conf, int readMillis) {
    String fault = conf.getHedgedReadThreadpoolSize() == 0
      ? HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY + " is 0, so reads wait for a DataNode"
        + " that hangs until it is set aside"
      : conf.getHedgedReadThresholdMillis() < readMillis
        ? "it is more than the " + conf.getHedgedReadThresholdMillis() + " of "
          + HdfsClientConfigKeys.HedgedRead.THRESHOLD_MILLIS_KEY + ", so reads that another"
          + " DataNode answers in between have nobody suspected"
      : null;
    if (fault != null && WARNED.compareAndSet(false, true)) {
      LOG.warn("{} is {}, but {}", SuspectDataNodeSettings.READ_MILLIS.key(), readMillis, fault);
    }
  }

  /**
   * Says how long a positional read took.
   * @param offset where in the file
   */
  void readTook(FSDataInputStream in, long offset, long millis) {
    if (millis < readMillis) {
      return;
    }
    FSDataInputStream ofLink = FileLink.getUnderlyingFileLinkInputStream(in);
    InputStream wrapped = (ofLink == null ? in : ofLink).getWrappedStream();
    if (wrapped instanceof CryptoInputStream) {
      wrapped = ((CryptoInputStream) wrapped).getWrappedStream();
    }
    if (wrapped instanceof DFSInputStream) {
      DFSInputStream stream = (DFSInputStream) wrapped;
      MetricsSuspectDataNodes.getInstance().slowReads.incr();
      ONE_THREAD.execute(() -> probe(stream, offset));
    }
  }

  private void probe(DFSInputStream in, long offset) {
    try {
      // What isn't known of the file isn't asked for: that takes a lock which reads wait for.
      LocatedBlocks located = (LocatedBlocks) LOCATED_BLOCKS.invoke(in);
      if (located == null) {
        return;
      }
      for (LocatedBlock block : located.getLocatedBlocks()) {
        long behind = offset - block.getStartOffset();
        // Of striped blocks the first node isn't the one that was read from.
        if (behind >= 0 && behind < block.getBlockSize() && !block.isStriped()) {
          probeFirst(in, block.getLocations());
          return;
        }
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.debug("No DataNode is probed", e);
    }
  }

  /** The first of two that aren't set aside is the one that was read from. */
  private void probeFirst(DFSInputStream in, DatanodeInfo[] nodes) {
    DatanodeInfo first = null;
    for (DatanodeInfo node : nodes) {
      if (!client.isDeadNode(in, node)) {
        if (first != null) {
          if (suspect(in, first)) {
            LOG.debug("{} is probed", first);
            MetricsSuspectDataNodes.getInstance().suspects.incr();
            client.addNodeToDeadNodeDetector(in, first);
          }
          return;
        }
        first = node;
      }
    }
  }

  /** Returns false if the node is being probed, or as many as may be don't answer. */
  boolean suspect(DFSInputStream in, DatanodeInfo node) {
    long now = EnvironmentEdgeManager.currentTime();
    synchronized (SUSPECTS) {
      SUSPECTS.entrySet()
        .removeIf(suspect -> suspect.getValue() < now && !client.isDeadNode(in, suspect.getKey()));
      if (SUSPECTS.size() >= MOST_SUSPECTS || SUSPECTS.containsKey(node)) {
        return false;
      }
      SUSPECTS.put(node, now + probeMillis);
      return true;
    }
  }

  /** For tests, whose clusters come and go. Waits for what is under way. */
  static void forget() throws InterruptedException, ExecutionException {
    ONE_THREAD.submit(() -> {
    }).get();
    synchronized (SUSPECTS) {
      SUSPECTS.clear();
    }
  }

  private static Method locatedBlocks() {
    try {
      Method method = DFSInputStream.class.getDeclaredMethod("getLocatedBlocks");
      method.setAccessible(true);
      return method;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private static ExecutorService executor() {
    return new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(QUEUED_READS),
      new ThreadFactoryBuilder().setDaemon(true).setNameFormat("suspect-datanodes-%d").build(),
      new ThreadPoolExecutor.DiscardPolicy());
  }
}
