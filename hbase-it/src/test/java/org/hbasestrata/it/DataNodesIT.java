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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** A cluster of several DataNodes. */
public class DataNodesIT {
  private static final String ROWS = "2000";

  @BeforeClass
  public static void up() throws Exception {
    Cluster.succeed("up", "--fresh", "--datanodes", "3");
    Cluster.hbase("ycsb", "load", "point-get", "--rows", ROWS);
  }

  @AfterClass
  public static void down() throws Exception {
    Cluster.succeed("down", "--purge");
    assertThat(Cluster.command("status").exitCode()).isNotZero();
  }

  @Test
  public void rowsAreOnAllThreeAndAreReadWithoutOneOfThem() throws Exception {
    List<String> first = blocks("datanode");
    assertThat(first).isNotEmpty();
    assertThat(blocks("datanode-2")).containsAnyElementsOf(first);
    assertThat(blocks("datanode-3")).containsAnyElementsOf(first);

    assertThat(Cluster.command("kill", "datanode").output()).contains("from 1 to 3");
    assertThat(Cluster.command("kill", "datanode", "4").output()).contains("from 1 to 3");
    Cluster.succeed("kill", "datanode", "1");
    Cluster.succeed("restart", "regionserver");
    assertThat(Cluster.hbase("ycsb", "run", "point-get", "--rows", ROWS, "--operations", "500",
      "--verify")).contains("every byte as written");
    Cluster.succeed("restart", "datanode", "1");
    Cluster.succeed("status");
  }

  /** Names of the finished blocks that a DataNode has. */
  private static List<String> blocks(String name) {
    List<String> blocks = new ArrayList<>();
    addBlocks(Cluster.folder().resolve("data").resolve(name).toFile(), false, blocks);
    return blocks;
  }

  /** Leaves out what is deleted meanwhile. */
  private static void addBlocks(File folder, boolean finished, List<String> blocks) {
    File[] files = folder.listFiles();
    if (files == null) {
      return;
    }
    for (File file : files) {
      if (file.isDirectory()) {
        addBlocks(file, finished || file.getName().equals("finalized"), blocks);
      } else if (finished && file.getName().matches("blk_\\d+")) {
        blocks.add(file.getName());
      }
    }
  }
}
