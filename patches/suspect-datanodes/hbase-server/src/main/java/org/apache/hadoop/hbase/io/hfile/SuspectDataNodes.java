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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.fs.HFileSystem;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
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
  private static final int QUEUED_READS = 16;
  private static final int IDLE_SECONDS = 10;
  /** Locations of a block may have to be asked for. While many reads are slow, some are enough. */
  private static final Executor ONE_THREAD = executor();

  private final DFSClient client;
  private final int readMillis;

  private SuspectDataNodes(DFSClient client, int readMillis) {
    this.client = client;
    this.readMillis = readMillis;
  }

  /** Returns null if they aren't to be probed, or can't be. */
  static SuspectDataNodes create(HFileSystem hfs, Configuration conf) throws IOException {
    int readMillis = SuspectDataNodeSettings.READ_MILLIS.read(conf);
    if (readMillis == 0 || hfs == null) {
      return null;
    }
    FileSystem fs = hfs.getBackingFs();
    if (!(fs instanceof DistributedFileSystem)) {
      return null;
    }
    DFSClient client = ((DistributedFileSystem) fs).getClient();
    return client.getDeadNodeDetector() == null ? null : new SuspectDataNodes(client, readMillis);
  }

  /**
   * Says how long a positional read took.
   * @param offset where in the file
   */
  void readTook(FSDataInputStream in, long offset, long millis) {
    if (millis < readMillis) {
      return;
    }
    InputStream wrapped = in.getWrappedStream();
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
      for (LocatedBlock block : in.getAllBlocks()) {
        if (offset < block.getStartOffset() + block.getBlockSize()) {
          probeFirst(in, block.getLocations());
          return;
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("No DataNode is probed", e);
    }
  }

  /** The first of two that aren't set aside is the one that was read from. */
  private void probeFirst(DFSInputStream in, DatanodeInfo[] nodes) {
    DatanodeInfo first = null;
    for (DatanodeInfo node : nodes) {
      if (!client.isDeadNode(in, node)) {
        if (first != null) {
          LOG.debug("{} is probed", first);
          MetricsSuspectDataNodes.getInstance().suspects.incr();
          client.addNodeToDeadNodeDetector(in, first);
          return;
        }
        first = node;
      }
    }
  }

  private static Executor executor() {
    return new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(QUEUED_READS),
      new ThreadFactoryBuilder().setDaemon(true).setNameFormat("suspect-datanodes-%d").build(),
      new ThreadPoolExecutor.DiscardPolicy());
  }
}
