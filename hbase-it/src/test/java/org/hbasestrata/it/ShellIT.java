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

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The shell, an older release than HBase's: each of its commands works on a cluster that has all
 * that commands are for, or says that what it is for isn't there.
 */
public class ShellIT {
  @ClassRule
  public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String SECURITY = "org.apache.hadoop.hbase.security.";
  private static final String COPROCESSORS =
    SECURITY + "access.AccessController," + SECURITY + "visibility.VisibilityController";
  private static final String SITE = "<configuration>"
    + property("hbase.security.authorization", "true")
    + property("hbase.coprocessor.master.classes", COPROCESSORS)
    + property("hbase.coprocessor.region.classes", COPROCESSORS)
    + property("hbase.coprocessor.regionserver.classes", SECURITY + "access.AccessController")
    + property("hbase.quota.enabled", "true")
    + property("hbase.regionserver.slowlog.buffer.enabled", "true")
    + property("hbase.master.balancer.decision.buffer.enabled", "true")
    + property("hbase.master.balancer.rejection.buffer.enabled", "true") + "</configuration>";

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>";
  }

  @BeforeClass
  public static void up() throws Exception {
    Path conf = FOLDER.newFolder("conf").toPath();
    Files.writeString(conf.resolve("hbase-site.xml"), SITE);
    Cluster.succeed("up", "--regionservers", "2", "--fresh", "--conf", conf.toString());
  }

  @AfterClass
  public static void down() throws Exception {
    Cluster.succeed("down", "--purge");
  }

  @Test
  public void eachCommandWorksOrSaysThatItIsNotThere() throws Exception {
    Path script = Packages.module("hbase-it/src/test/resources/every-command.rb");
    // Some commands ask whether they may. The pause is that between questions for a result.
    Packages.Result shell = Packages.runScript(Cluster.SHELL, "y\n".repeat(20), "bin/hbase",
      "shell", "-n", "-Dhbase.client.pause=10", script.toString());
    assertThat(shell.output().lines().filter(line -> line.startsWith("RESULT FAILED"))).isEmpty();
    assertThat(shell.exitCode()).as(shell.output()).isZero();
  }
}
