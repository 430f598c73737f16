/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.bench.harness;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.Daemon;
import org.hbasestrata.tools.cluster.Jmx;

/** A fault of one of the cluster's DataNodes, while it lasts. For one thread. */
final class DataNodeFault {
  static final int DATA_NODES = 3;
  /** Daemons renew what JMX tells each 10 s. */
  private static final int CHOICE_MILLIS = 11_000;
  private static final int LATE_MILLIS = 200;
  private static final int AWAKE_MILLIS = 20;

  private final LocalCluster cluster;
  private final int index;
  private final long pid;
  /** Has the DataNode stand still again and again; null otherwise. */
  private Thread pauses;
  /** Where its folder is meanwhile; null if it has it. */
  private Path moved;

  private DataNodeFault(LocalCluster cluster, int index) throws InterruptedException {
    this.cluster = cluster;
    this.index = index;
    this.pid = cluster.dataNode(index).pid();
  }

  /** Begins one, of the DataNode from which most blocks are read at the moment. */
  static DataNodeFault begin(LocalCluster cluster, Neighbour neighbour)
    throws IOException, InterruptedException {
    DataNodeFault fault = new DataNodeFault(cluster, mostRead(cluster));
    switch (neighbour) {
      case DATANODE_STOPPED -> signal("STOP", fault.pid);
      case DATANODE_LATE -> fault.pause();
      case DATANODE_WITHOUT_DISK -> fault.moveFolder();
      default -> throw new IllegalArgumentException(neighbour.toString());
    }
    return fault;
  }

  private static int mostRead(LocalCluster cluster) throws IOException, InterruptedException {
    long[] before = new long[DATA_NODES];
    for (int i = 0; i < DATA_NODES; i++) {
      before[i] = blocksRead(cluster.dataNode(i + 1));
    }
    Thread.sleep(CHOICE_MILLIS);
    int most = 0;
    long mostBlocks = 0;
    for (int i = 0; i < DATA_NODES; i++) {
      long blocks = blocksRead(cluster.dataNode(i + 1)) - before[i];
      if (blocks > mostBlocks) {
        most = i + 1;
        mostBlocks = blocks;
      }
    }
    if (most == 0) {
      throw ToolException.failed("no block is read from a DataNode: all rows are in the block"
        + " cache; give more --rows, or a smaller cache (-c hbase.bucketcache.size=MB)");
    }
    return most;
  }

  private static long blocksRead(Daemon dataNode) throws IOException, InterruptedException {
    JsonNode bean = new Jmx(dataNode.webPort())
      .beans("Hadoop:service=DataNode,name=DataNodeActivity*").path(0);
    return bean.path("BlocksRead").asLong();
  }

  private void pause() {
    pauses = new Thread(() -> {
      try {
        while (true) {
          signal("STOP", pid);
          Thread.sleep(LATE_MILLIS);
          signal("CONT", pid);
          Thread.sleep(AWAKE_MILLIS);
        }
      } catch (IOException | InterruptedException e) {
        // It ended, or is to go on.
      }
    }, "datanode-pauses");
    pauses.setDaemon(true);
    pauses.start();
  }

  /** A file takes its place, since a DataNode makes a folder that isn't there. */
  private void moveFolder() throws IOException {
    Path folder = cluster.dataNodeFolder(index);
    Path elsewhere = folder.resolveSibling(folder.getFileName() + ".moved");
    Files.move(folder, elsewhere);
    moved = elsewhere;
    Files.createFile(folder);
  }

  /** Ends it; the DataNode is up then. */
  void end() throws IOException, InterruptedException {
    if (pauses != null) {
      pauses.interrupt();
      pauses.join();
    }
    if (moved == null) {
      signal("CONT", pid);
    } else {
      Files.delete(cluster.dataNodeFolder(index));
      Files.move(moved, cluster.dataNodeFolder(index));
      cluster.restartDataNode(index);
    }
  }

  /** Isn't interrupted, so that no DataNode is left standing still. */
  private static void signal(String signal, long pid) throws IOException {
    List<String> command = List.of("kill", "-" + signal, Long.toString(pid));
    int code = new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue();
    if (code != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + code);
    }
  }
}
