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
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;
import org.junit.runners.Suite;

/**
 * The tarball as an operator runs it: HDFS, ZooKeeper, a master and a region server with a block
 * cache of two tiers as processes of their own, which these classes share. Each of their methods
 * leaves the region server up, on our jars, and the rows in the table. Runs on the JDK or JRE that
 * {@code -Dstrata.java.home=DIR} names, or that the scripts find.
 */
@RunWith(Suite.class)
@Suite.SuiteClasses({ OperatingOnCluster.class, TiersOnCluster.class, ProfilesOnCluster.class,
  PresetsOnCluster.class, WarmStartOnCluster.class, CacheOnCluster.class,
  PrometheusOnCluster.class })
public class ClusterIT {
  @ClassRule
  public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static final String ROWS = "20000";

  @BeforeClass
  public static void up() throws Exception {
    Path conf = FOLDER.newFolder("conf").toPath();
    Files.writeString(conf.resolve("hbase-site.xml"), TiersOnCluster.SITE);
    Cluster.succeed("up", "--fresh", "--conf", conf.toString());
    Cluster.hbase("ycsb", "load", "point-get", "--rows", ROWS);
  }

  @AfterClass
  public static void down() throws Exception {
    Cluster.succeed("down", "--purge");
    assertThat(Cluster.command("status").exitCode()).isNotZero();
  }

  /** Reads rows that were loaded, and compares each byte. */
  static void readAndVerify(String profile, int operations) throws Exception {
    assertThat(Cluster.hbase("ycsb", "run", profile, "--rows", ROWS, "--operations",
      Integer.toString(operations), "--threads", "4", "--verify"))
        .contains("every byte as written");
  }
}
