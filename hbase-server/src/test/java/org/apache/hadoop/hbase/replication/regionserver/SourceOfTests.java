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
package org.apache.hadoop.hbase.replication.regionserver;

import java.io.IOException;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Server;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.replication.ReplicationPeer;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationQueueStorage;

/** Sources of replication that are initialized and don't run. */
public final class SourceOfTests {

  private SourceOfTests() {
  }

  /** Returns the source, initialized for a peer that is enabled. */
  public static <T extends ReplicationSource> T init(T source, Configuration conf, FileSystem fs,
    Server server, String queueId, WALFileLengthProvider lengths) throws IOException {
    Path logs = conf.get(HConstants.HBASE_DIR) == null
      ? null
      : new Path(conf.get(HConstants.HBASE_DIR), HConstants.HREGION_LOGDIR_NAME);
    ReplicationSourceManager manager = new ReplicationSourceManager(null, null, conf, server, fs,
      logs, null, null, null, Stubs.of(MetricsReplicationGlobalSourceSource.class));
    ReplicationPeer peer = Stubs.of(ReplicationPeer.class, "getId", "1", "isPeerEnabled", true,
      "getPeerConfig", ReplicationPeerConfig.newBuilder().build());
    source.init(conf, fs, manager, Stubs.of(ReplicationQueueStorage.class), peer, server, queueId,
      UUID.randomUUID(), lengths, new MetricsSource(queueId));
    return source;
  }
}
