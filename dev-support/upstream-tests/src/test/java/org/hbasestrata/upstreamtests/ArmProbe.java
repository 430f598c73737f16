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
package org.hbasestrata.upstreamtests;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.Test;

/** Run first in each arm: whether the arm is what it is called. */
public class ArmProbe {
  private static final String ARM = System.getProperty("upstream-tests.arm");
  private static final boolean STOCK = Boolean.getBoolean("upstream-tests.stock");

  @Test
  public void featuresAreForcedInArmOnAlone() {
    Configuration conf = HBaseConfiguration.create();
    assertThat(conf.get("hbase.bucketcache.l1.ioengine") != null).isEqualTo(ARM.equals("on"));
    assertThat(conf.getBoolean("hbase.regionserver.multiget.parallel.enabled", false))
      .isEqualTo(ARM.equals("on"));
    assertThat(conf.getInt("hbase.regionserver.msginterval", 0))
      .as("hbase.regionserver.msginterval of upstream-tests-cluster.xml").isEqualTo(100);
  }

  @Test
  public void jarsAreUpstreamsOnlyIfAskedFor() {
    assertThat(isThere("util/PatchLevel.class")).as("hbase-common is ours").isEqualTo(!STOCK);
    assertThat(isThere("client/ClientPatchLevel.class")).as("hbase-client is ours")
      .isEqualTo(!STOCK);
    assertThat(isThere("io/hfile/CompositeBucketCache.class")).as("hbase-server is ours")
      .isEqualTo(!STOCK);
  }

  private static boolean isThere(String file) {
    return HBaseConfiguration.class.getResource("/org/apache/hadoop/hbase/" + file) != null;
  }
}
