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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

/** The archive of {@code hbase jvm train}, with the JVM at hand. */
public class WarmStartOnCluster {
  /** Of a server's .out file, if it starts without its archive. */
  private static final String LEFT_OUT = "hbase: JVM archive ";

  private final Map<String, String> environment = new HashMap<>(Cluster.SHORT_LIVED);
  private Path archive;

  @Test
  public void aServerStartsFromAnArchiveThatFitsAndWithoutOneThatDoesNot() throws Exception {
    Path folder = Cluster.folder().resolve("archives");
    environment.put("HBASE_JVM_ARCHIVE_DIR", folder.toString());
    Packages.Result train = run("bin/hbase", "jvm", "train", "--rows", "2000", "--seconds", "7");
    assertThat(train.exitCode()).as(train.output()).isZero();
    List<Path> made = Packages.list(folder);
    assertThat(made).as(train.output()).hasSize(2);
    archive = made.get(0);
    assertThat(archive.getFileName().toString()).matches("server\\.(aot|jsa)");
    assertThat(made.get(1)).hasFileName(archive.getFileName() + ".record");

    restart();
    assertThat(maps()).contains(archive.toString());
    assertThat(out()).doesNotContain(LEFT_OUT);

    environment.put("HBASE_CLASSPATH_PREFIX", Packages.patchedJar("hbase-jvm").toString());
    assertThat(run("bin/hbase", "jvm", "--flags").output()).contains(LEFT_OUT + archive,
      Packages.patchedJar("hbase-jvm") + " is new");
    environment.remove("HBASE_CLASSPATH_PREFIX");

    damage();
    restart();
    assertThat(maps()).doesNotContain(archive.toString());
    assertThat(out()).contains(LEFT_OUT + archive, "it is damaged");
  }

  /** Turns a byte in the middle around. */
  private void damage() throws Exception {
    assertThat(archive.toFile().setWritable(true)).isTrue();
    try (FileChannel file =
      FileChannel.open(archive, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, file.size() / 2);
      one.put(0, (byte) ~one.get(0)).flip();
      file.write(one, file.size() / 2);
    }
  }

  private Packages.Result run(String script, String... arguments) throws Exception {
    return Packages.runScript(environment, "", script, arguments);
  }

  private void restart() throws Exception {
    Packages.Result restart = run("dev-support/bin/cluster", "restart", "regionserver");
    assertThat(restart.exitCode()).as(restart.output()).isZero();
    ClusterIT.readAndVerify("point-get", 2_000);
  }

  /** What the region server's process has mapped. */
  private static String maps() throws Exception {
    String pid = Files.readString(Cluster.folder().resolve("pids/regionserver-1.pid")).trim();
    return Files.readString(Path.of("/proc", pid, "maps"));
  }

  private static String out() throws Exception {
    return Files.readString(Cluster.folder().resolve("logs/regionserver-1.out"));
  }
}
