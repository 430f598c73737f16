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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.Test;

/** What an operator does with a cluster, and the script for it. */
public class OperatingOnCluster {
  private static final String LISTENING = "0A";

  private static String patchLevelBean() throws Exception {
    Cluster.succeed("status");
    return Cluster.get("/jmx?qry=Hadoop:service=HBase,name=PatchLevel");
  }

  /** Local addresses, in hex, that the region server listens on. */
  private static Set<String> listening() throws IOException {
    Path process = Path.of("/proc",
      Files.readString(Cluster.folder().resolve("pids/regionserver-1.pid")).strip());
    Set<String> sockets = new HashSet<>();
    for (Path descriptor : Packages.list(process.resolve("fd"))) {
      try {
        sockets.add(Files.readSymbolicLink(descriptor).toString());
      } catch (NoSuchFileException e) {
        // It was closed meanwhile.
      }
    }
    Set<String> addresses = new HashSet<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(process.resolve(table))) {
        String[] columns = line.strip().split(" +");
        if (columns[3].equals(LISTENING) && sockets.contains("socket:[" + columns[9] + "]")) {
          addresses.add(columns[1]);
        }
      }
    }
    return addresses;
  }

  @Test
  public void whatTheShellWritesIsRead() throws Exception {
    String script = "create 't', 'f'; put 't', 'r', 'f:q', 'written by the shell'; flush 't';"
      + " get 't', 'r'; disable 't'; drop 't'";
    Packages.Result shell =
      Packages.runScript(Cluster.SHELL, script, "bin/hbase", "shell", "-n");
    assertThat(shell.exitCode()).as(shell.output()).isZero();
    assertThat(shell.output()).contains("value=written by the shell");
  }

  private static String runShell(String script) throws Exception {
    Packages.Result shell =
      Packages.runScript(Cluster.SHELL, script + "; exit", "bin/hbase", "shell", "-n");
    assertThat(shell.exitCode()).as(shell.output()).isZero();
    return shell.output();
  }

  /** With links, references, files of MOB, and lists of files. */
  @Test
  public void snapshotsAreExportedAndImported() throws Exception {
    String root = Cluster.hbase("org.apache.hadoop.hbase.util.HBaseConfTool", "hbase.rootdir")
      .strip().replaceFirst("(?s).*\n", "");
    String exported = root + "-exported";
    runShell("create 'e', 'f', {NAME => 'm', IS_MOB => true, MOB_THRESHOLD => 0},"
      // A compaction of a half would write MOB files while the snapshot looks for them.
      + " {COMPACTION_ENABLED => 'false',"
      + " CONFIGURATION => {'hbase.store.file-tracker.impl' => 'FILE'}};"
      + " 50.times { |i| put 'e', i.to_s, 'f:q', 'v'; put 'e', i.to_s, 'm:q', 'v' }; flush 'e';"
      + " admin = org.apache.hadoop.hbase.client.ConnectionFactory.createConnection.getAdmin;"
      + " e = admin.getRegions(org.apache.hadoop.hbase.TableName.valueOf('e')).get(0);"
      + " admin.splitRegionAsync(e.getRegionName, '3'.to_java_bytes).get;"
      + " snapshot 'e', 'of_e'");
    Cluster.hbase("snapshot", "export", "-snapshot", "of_e", "-copy-to", exported);
    runShell("delete_snapshot 'of_e'; disable 'e'; drop 'e'");
    Cluster.hbase("snapshot", "export", "-snapshot", "of_e", "-copy-from", exported, "-copy-to",
      root);
    String cloned = runShell("clone_snapshot 'of_e', 'e'; raise 'lost' if count('e') != 50;"
      + " get 'e', '7'; delete_snapshot 'of_e'; disable 'e'; drop 'e'");
    assertThat(cloned).containsPattern("f:q +timestamp=.*value=v")
      .containsPattern("m:q +timestamp=.*value=v");
  }

  @Test
  public void batchesAreReadByteForByte() throws Exception {
    ClusterIT.readAndVerify("multiget-50", 500);
  }

  /** Leaves it down. */
  private static void serversThatDoNotStartSayWhy() throws Exception {
    Packages.Result ended = Packages.runScript(Map.of("HBASE_OPTS", "-XX:+NoSuchOption"), "",
      "dev-support/bin/cluster", "restart", "regionserver", "1", "--strata");
    Path site = Cluster.folder().resolve("conf/hbase-site-operator.xml");
    Files.writeString(site, TiersOnCluster.SITE.replace("64m", "0"));
    Packages.Result refused = Cluster.command("restart", "regionserver", "1");
    Files.writeString(site, TiersOnCluster.SITE);

    assertThat(ended.exitCode()).as(ended.output()).isEqualTo(1);
    // What it printed, and no log of the start before.
    assertThat(ended.output()).contains("NoSuchOption", "regionserver-1.out")
      .doesNotContain("regionserver-1.log");
    assertThat(refused.exitCode()).as(refused.output()).isNotZero();
    assertThat(refused.output()).contains("hbase.bucketcache.l1.size is 0. Give MB")
      .doesNotContain("Failed construction");
  }

  @Test
  public void regionServersNameThePatchLevelOpenNoMorePortsAndSayWhyTheyEnd() throws Exception {
    Set<String> listening = listening();
    assertThat(patchLevelBean()).contains("\"Version\": \"" + Packages.VERSION + "\"")
      .contains("\"UpstreamVersion\": \"" + Packages.UPSTREAM_VERSION + "\"").contains("STRATA-1");
    Cluster.succeed("restart", "regionserver", "1", "--stock");
    assertThat(patchLevelBean()).doesNotContain("PatchLevel\"");
    assertThat(listening).isNotEmpty().hasSizeLessThanOrEqualTo(listening().size());
    serversThatDoNotStartSayWhy();
    Cluster.succeed("restart", "regionserver", "1");
    assertThat(patchLevelBean()).contains("PatchLevel\"");
  }

  @Test
  public void contraryAndEmptyOptionsAreRefusedInOneLine() throws Exception {
    String conf = Packages.dist().resolve("conf").toString();
    String empty = Packages.module("bin").toString();
    String jars = Packages.stockJars().toString();
    List<List<String>> uses = List.of(List.of("up", "--stock", "--jars", jars),
      List.of("up", "--jars", jars, "--stock"), List.of("up", "--jars", empty),
      List.of("up", "--jars", ""), List.of("up", "--start", "2"),
      List.of("up", "--conf", conf, "--only-conf", conf),
      List.of("restart", "master", "--stock", "--strata"), List.of("dance"), List.of());
    for (List<String> use : uses) {
      Packages.Result result = Cluster.command(use.toArray(new String[0]));
      assertThat(result.exitCode()).as(use + ": " + result.output()).isEqualTo(2);
      assertThat(result.output().lines()).as(use.toString()).singleElement().asString()
        .startsWith("cluster: ");
    }
  }

  @Test
  public void withTooLittleDiskNothingIsStarted() throws Exception {
    Path programs = Files.createDirectories(Packages.clusterFolder().resolve("programs"));
    Path df = programs.resolve("df");
    Files.writeString(df, "#!/bin/sh\necho x 9 9 1024 x x\n");
    Files.setPosixFilePermissions(df, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path other = Packages.clusterFolder().resolve("other");
    Packages.Result up = Packages.runScript(
      Map.of("PATH", programs + ":" + System.getenv("PATH"), "HBASE_STRATA_CLUSTER_DIR",
        other.toString()),
      "", "dev-support/bin/cluster", "up");
    assertThat(up.exitCode()).as(up.output()).isEqualTo(1);
    assertThat(up.output().lines()).singleElement().asString()
      .contains("too little disk: 1 MB are free in " + other, "2048 MB");
  }
}
