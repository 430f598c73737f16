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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.conf.Setting;
import org.apache.hadoop.hbase.util.NettyEventLoopGroupConfig;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Event loops that a write-ahead log has to itself: one thread each. It must wait for nothing,
 * since all writes of its log do so meanwhile.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public final class WALEventLoop {
  public static final Setting<Boolean> OWN =
    Setting.ofBoolean("hbase.wal.async.use-own-event-loop", false,
      "Whether an AsyncFSWAL has one thread, which encodes what is appended, sends it to the"
        + " DataNodes, and reads their answers. If not, it has one that encodes, and event loops of"
        + " the RPC server do the rest.");

  private static final int TIMEOUT_SECONDS = 5;

  private WALEventLoop() {
  }

  /**
   * Returns an event loop, which its log shuts down.
   * @param prefix of the log's files; may be null
   * @return null if the log is to share event loops
   * @throws IllegalArgumentException if the setting isn't allowed
   */
  static NettyEventLoopGroupConfig create(Configuration conf, String prefix) {
    if (!OWN.read(conf)) {
      return null;
    }
    Configuration single = new Configuration(conf);
    single.setInt(NettyEventLoopGroupConfig.NETTY_WORKER_COUNT_KEY, 1);
    return new NettyEventLoopGroupConfig(single,
      "AsyncFSWAL-" + (prefix == null ? "default" : prefix));
  }

  /**
   * Has the client of a file system ask the NameNode what it would ask, once an hour, when a
   * channel to a DataNode is connected, in the event loop.
   */
  static void askNameNode(FileSystem fs) throws IOException {
    if (fs instanceof DistributedFileSystem) {
      try {
        ((DistributedFileSystem) fs).getClient().newDataEncryptionKey();
      } catch (IOException e) {
        throw new IOException("The NameNode of " + fs.getUri() + " doesn't say how to connect to"
          + " DataNodes", e);
      }
    }
  }

  /**
   * Ends an event loop when its log has been closed.
   * @param loop   null if the log has none of its own
   * @param closer closes the log's files, by the event loop
   */
  static void shutdown(NettyEventLoopGroupConfig loop, ExecutorService closer) {
    if (loop == null) {
      return;
    }
    if (closer.isTerminated()) {
      loop.group().shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } else {
      loop.group().schedule(() -> shutdown(loop, closer), 1, TimeUnit.SECONDS);
    }
  }
}
