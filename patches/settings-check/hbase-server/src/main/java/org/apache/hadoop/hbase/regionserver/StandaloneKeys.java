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

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Finds the settings of a server that is alone on its machine in the configuration of a cluster: a
 * server that others can't reach, or whose write-ahead log isn't safe. A cluster on one machine,
 * whose ZooKeeper and file system are on loopback, may have them.
 */
@InterfaceAudience.Private
final class StandaloneKeys {
  /** Names that servers give each other, and addresses that they listen on. */
  private static final List<String> HOSTS = Arrays.asList("hbase.master.hostname",
    "hbase.unsafe.regionserver.hostname", "hbase.master.ipc.address",
    "hbase.regionserver.ipc.address", "hbase.master.info.bindAddress",
    "hbase.regionserver.info.bindAddress", "hbase.zookeeper.property.clientPortAddress");

  private StandaloneKeys() {
  }

  /** Returns a line for each key that is left, which begins with it. */
  static List<String> left(Configuration conf) {
    List<String> lines = new ArrayList<>();
    if (!conf.getBoolean(HConstants.CLUSTER_DISTRIBUTED, HConstants.DEFAULT_CLUSTER_DISTRIBUTED)) {
      return lines;
    }
    String root = conf.getTrimmed(HConstants.HBASE_DIR, "");
    String quorum = conf.getTrimmed(HConstants.ZOOKEEPER_QUORUM, HConstants.LOCALHOST);
    boolean localQuorum = Arrays.stream(quorum.split(",")).allMatch(StandaloneKeys::isLoopback);
    if (!localQuorum || isElsewhere(root)) {
      for (String key : HOSTS) {
        String host = conf.getTrimmed(key, "");
        if (isLoopback(host)) {
          lines.add(key + " is " + host + ". Other hosts of the cluster can't reach that; remove "
            + "the key, or give this host's name or address.");
        }
      }
      if (localQuorum) {
        lines.add(HConstants.ZOOKEEPER_QUORUM + " is " + quorum + ". Each host then looks for a "
          + "ZooKeeper of its own; give the hosts of the cluster's.");
      }
      if (root.startsWith("file:")) {
        lines.add(HConstants.HBASE_DIR + " is " + root + ". Each host then has a folder of its "
          + "own; give one that all of them share, such as hdfs://namenode:8020/hbase.");
      }
    }
    if (
      conf.getTrimmed(CommonFSUtils.HBASE_WAL_DIR, root).startsWith("hdfs:")
        && !conf.getBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, true)
    ) {
      lines.add(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE + " is false. That is for a local "
        + "file system; on HDFS nothing then stops a server whose WAL can't be synced: remove "
        + "the key.");
    }
    return lines;
  }

  private static boolean isElsewhere(String root) {
    try {
      String host = URI.create(root).getHost();
      return host != null && !isLoopback(host);
    } catch (IllegalArgumentException e) {
      return false; // no URI
    }
  }

  /** @param host name or address, maybe with a port behind it */
  private static boolean isLoopback(String host) {
    String name = host.trim().toLowerCase(Locale.ROOT);
    return name.matches("localhost(\\.localdomain)?(:\\d+)?|127(\\.\\d+){3}(:\\d+)?"
      + "|::1|\\[::1](:\\d+)?");
  }
}
