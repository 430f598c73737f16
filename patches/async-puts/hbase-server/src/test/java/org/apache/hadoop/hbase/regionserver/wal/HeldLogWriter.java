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
package org.apache.hadoop.hbase.regionserver.wal;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;

import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;

/** Writes a log whose syncs can be held, or fail, if it is that of tables of users. */
public class HeldLogWriter extends AsyncProtobufLogWriter {
  private static volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

  private static volatile boolean forced;

  private boolean ofUsers;

  public HeldLogWriter(EventLoopGroup loops, Class<? extends Channel> channel) {
    super(loops, channel);
  }

  public static void use(Configuration conf) {
    conf.set("hbase.wal.provider", "asyncfs");
    conf.setClass(AsyncFSWALProvider.WRITER_IMPL, HeldLogWriter.class,
      AsyncFSWALProvider.AsyncWriter.class);
  }

  /** Has syncs wait from now on. */
  public static void hold() {
    gate = new CompletableFuture<>();
  }

  /** Ends the waiting. */
  public static void release() {
    gate.complete(null);
  }

  /** Returns true if the last sync was to be on the disks. */
  public static boolean wasForced() {
    return forced;
  }

  /** Has the syncs that wait fail, and later ones succeed. */
  public static void failHeld() {
    CompletableFuture<Void> held = gate;
    gate = CompletableFuture.completedFuture(null);
    held.completeExceptionally(new IOException("failed for a test"));
  }

  @Override
  public void init(FileSystem fs, Path path, Configuration conf, boolean overwritable,
    long blocksize, StreamSlowMonitor monitor)
    throws IOException, StreamLacksCapabilityException {
    ofUsers =
      !AbstractFSWALProvider.isMetaFile(path) && !path.toString().contains("MasterData");
    super.init(fs, path, conf, overwritable, blocksize, monitor);
  }

  @Override
  public CompletableFuture<Long> sync(boolean forceSync) {
    CompletableFuture<Long> synced = super.sync(forceSync);
    if (ofUsers) {
      forced = forceSync;
    }
    return ofUsers ? synced.thenCombine(gate, (length, released) -> length) : synced;
  }
}
