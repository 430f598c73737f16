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
package org.hbasestrata.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/**
 * The tarball as an operator runs it: HDFS, ZooKeeper, a master and two region servers as processes
 * of their own. Runs on the JDK or JRE that {@code -Dstrata.java.home=DIR} names, or that the
 * scripts find.
 */
public class ClusterIT {
  private static final Pattern REGION_SERVER_PAGE =
    Pattern.compile("(?m)^regionserver-1 .*(http://\\S+?)/?$");

  @BeforeClass
  public static void up() throws Exception {
    Packages.Result up = cluster("up", "--regionservers", "2", "--fresh");
    assertThat(up.exitCode()).as(up.output()).isZero();
  }

  @AfterClass
  public static void down() throws Exception {
    Packages.Result down = cluster("down", "--purge");
    assertThat(down.exitCode()).as(down.output()).isZero();
    assertThat(cluster("status").exitCode()).isNotZero();
  }

  private static Packages.Result cluster(String... arguments) throws Exception {
    return Packages.runScript("dev-support/bin/cluster", arguments);
  }

  private static Packages.Result hbase(String... arguments) throws Exception {
    return Packages.runScript("bin/hbase", arguments);
  }

  private static String patchLevelBean() throws Exception {
    Packages.Result status = cluster("status");
    assertThat(status.exitCode()).as(status.output()).isZero();
    Matcher page = REGION_SERVER_PAGE.matcher(status.output());
    assertThat(page.find()).as(status.output()).isTrue();
    return HttpClient.newHttpClient().send(
      HttpRequest.newBuilder(
        URI.create(page.group(1) + "/jmx?qry=Hadoop:service=HBase,name=PatchLevel")).build(),
      HttpResponse.BodyHandlers.ofString()).body();
  }

  @Test
  public void whatTheShellWritesIsRead() throws Exception {
    String script = "create 't', 'f'; put 't', 'r', 'f:q', 'written by the shell'; flush 't';"
      + " get 't', 'r'; disable 't'; drop 't'";
    Packages.Result shell = Packages.runScriptWithInput(script, "bin/hbase", "shell", "-n");
    assertThat(shell.exitCode()).as(shell.output()).isZero();
    assertThat(shell.output()).contains("value=written by the shell");
  }

  @Test
  public void whatYcsbLoadsIsReadByteForByte() throws Exception {
    Packages.Result load = hbase("ycsb", "load", "point-get", "--rows", "5000");
    assertThat(load.exitCode()).as(load.output()).isZero();
    for (String profile : new String[] { "point-get", "multiget-50" }) {
      Packages.Result run = hbase("ycsb", "run", profile, "--rows", "5000", "--operations", "500",
        "--threads", "4", "--verify");
      assertThat(run.exitCode()).as(run.output()).isZero();
      assertThat(run.output()).contains("every byte as written");
    }
  }

  @Test
  public void regionServersNameThePatchLevelAndStockOnesDoNot() throws Exception {
    assertThat(patchLevelBean()).contains("\"Version\": \"" + Packages.VERSION + "\"")
      .contains("\"UpstreamVersion\": \"" + Packages.UPSTREAM_VERSION + "\"").contains("STRATA-1");
    Packages.Result stock = cluster("restart", "regionserver", "1", "--stock");
    assertThat(stock.exitCode()).as(stock.output()).isZero();
    assertThat(patchLevelBean()).doesNotContain("PatchLevel\"");
    Packages.Result strata = cluster("restart", "regionserver", "1", "--strata");
    assertThat(strata.exitCode()).as(strata.output()).isZero();
    assertThat(patchLevelBean()).contains("PatchLevel\"");
  }
}
