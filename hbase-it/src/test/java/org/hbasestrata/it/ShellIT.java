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
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The shell, an older release than HBase's: each of its commands works on a cluster that has all
 * that commands are for, or says that what it is for isn't there. Master and two region servers are
 * one process, with the configuration that ships.
 */
public class ShellIT {
  @ClassRule
  public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String SECURITY = "org.apache.hadoop.hbase.security.";
  private static final String COPROCESSORS =
    SECURITY + "access.AccessController," + SECURITY + "visibility.VisibilityController";
  private static final Map<String, String> ENVIRONMENT = new HashMap<>(Cluster.SHELL);

  private static String site(Path data) throws IOException {
    return "<configuration xmlns:xi=\"http://www.w3.org/2001/XInclude\">"
      + "<xi:include href=\"hbase-site-shipped.xml\"/>"
      + property("hbase.security.authorization", "true")
      + property("hbase.coprocessor.master.classes", COPROCESSORS)
      + property("hbase.coprocessor.region.classes", COPROCESSORS)
      + property("hbase.coprocessor.regionserver.classes", SECURITY + "access.AccessController")
      + property("hbase.quota.enabled", "true")
      + property("hbase.regionserver.slowlog.buffer.enabled", "true")
      + property("hbase.master.balancer.decision.buffer.enabled", "true")
      + property("hbase.master.balancer.rejection.buffer.enabled", "true")
      + property("hbase.master.wait.on.regionservers.mintostart", "2")
      + property("hbase.master.port", "0") + property("hbase.master.info.port", "0")
      + property("hbase.regionserver.port", "0") + property("hbase.regionserver.info.port", "0")
      + property("hbase.master.ipc.address", "127.0.0.1")
      + property("hbase.regionserver.ipc.address", "127.0.0.1")
      + property("hbase.zookeeper.quorum", "localhost")
      + property("hbase.zookeeper.property.clientPort", Integer.toString(freePort()))
      + property("hbase.tmp.dir", data.toString()) + "</configuration>";
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  /** Returns one below those of clusters and of connections, which builds beside this one have. */
  static int freePort() {
    return ThreadLocalRandom.current().ints(12_000, 20_000).filter(QuickstartIT::isFree)
      .findFirst().getAsInt();
  }

  @BeforeClass
  public static void up() throws Exception {
    Path root = FOLDER.getRoot().toPath();
    Path conf = root.resolve("conf");
    Packages.run(root, "cp", "-R", Packages.dist().resolve("conf").toString(), conf.toString());
    Files.move(conf.resolve("hbase-site.xml"), conf.resolve("hbase-site-shipped.xml"));
    Files.writeString(conf.resolve("hbase-site.xml"), site(root.resolve("data")));
    ENVIRONMENT.putAll(Map.of("HBASE_CONF_DIR", conf.toString(), "HBASE_PID_DIR",
      root.resolve("pids").toString(), "HBASE_LOG_DIR", root.resolve("logs").toString(),
      "HBASE_HEAPSIZE", "1g", "HBASE_OFFHEAPSIZE", "1g", "HBASE_JVM_PRESET", ""));
    Packages.Result start = daemon("start", "--wait", "master", "--localRegionServers=2");
    assertThat(start.exitCode()).as(start.output()).isZero();
  }

  /** The shell's last command has stopped the master, whose process may not have ended yet. */
  @AfterClass
  public static void down() throws Exception {
    ENVIRONMENT.put("HBASE_STOP_TIMEOUT", "600");
    Packages.Result stop = daemon("stop", "master");
    assertThat(stop.exitCode()).as(stop.output()).isZero();
  }

  private static Packages.Result daemon(String... arguments) throws Exception {
    return Packages.runScript(ENVIRONMENT, "",
      Packages.dist().resolve("bin/hbase-daemon.sh").toString(), arguments);
  }

  @Test
  public void eachCommandWorksOrSaysThatItIsNotThere() throws Exception {
    Path script = Packages.module("hbase-it/src/test/resources/every-command.rb");
    // Some commands ask whether they may. The pause is that between questions for a result.
    Packages.Result shell = Packages.runScript(ENVIRONMENT, "y\n".repeat(20),
      Packages.dist().resolve("bin/hbase").toString(), "shell", "-n",
      "-Dhbase.client.pause=10", script.toString());
    assertThat(shell.output().lines().filter(line -> line.startsWith("RESULT FAILED"))).isEmpty();
    assertThat(shell.exitCode()).as(shell.output()).isZero();
  }
}
