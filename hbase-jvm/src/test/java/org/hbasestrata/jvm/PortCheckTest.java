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
package org.hbasestrata.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.apache.hadoop.conf.Configuration;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

public class PortCheckTest {
  private final Configuration conf = new Configuration(false);
  private ServerSocket taken;

  @Before
  public void takeAPort() throws IOException {
    taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    conf.setBoolean("hbase.cluster.distributed", true);
    for (String port : new String[] { "master.port", "master.info.port", "regionserver.port",
      "regionserver.info.port", "zookeeper.property.clientPort" }) {
      conf.setInt("hbase." + port, 0);
    }
  }

  @After
  public void freeThePort() throws IOException {
    taken.close();
  }

  private void assertNames(String role, String key, String hostKey) throws IOException {
    conf.setInt(key, taken.getLocalPort());
    conf.set(hostKey, "127.0.0.1");
    assertThat(PortCheck.of(role, conf)).singleElement().asString()
      .startsWith(key + "=" + taken.getLocalPort() + ": ")
      .contains(":" + taken.getLocalPort() + " is in use", "free port");
    conf.setInt(key, 0);
    assertThat(PortCheck.of(role, conf)).isEmpty();
  }

  @Test
  public void eachPortOfARoleIsNamedWithItsKey() throws IOException {
    assertNames("master", "hbase.master.port", "hbase.master.ipc.address");
    assertNames("master", "hbase.master.info.port", "hbase.master.info.bindAddress");
    assertNames("regionserver", "hbase.regionserver.port", "hbase.regionserver.ipc.address");
    assertNames("regionserver", "hbase.regionserver.info.port",
      "hbase.regionserver.info.bindAddress");
    assertNames("zookeeper", "hbase.zookeeper.property.clientPort",
      "hbase.zookeeper.property.clientPortAddress");
  }

  @Test
  public void oneProcessHasThePortsOfAll() throws IOException {
    conf.setBoolean("hbase.cluster.distributed", false);
    assertNames("master", "hbase.regionserver.info.port", "hbase.regionserver.info.bindAddress");
    assertNames("master", "hbase.zookeeper.property.clientPort", "unused");
  }

  @Test
  public void whatListensOnAnotherAddressOfTheHostIsInNobodysWay() {
    conf.set("hbase.unsafe.regionserver.hostname", "127.0.0.2");
    conf.setInt("hbase.regionserver.port", taken.getLocalPort());
    assertThat(PortCheck.of("regionserver", conf)).isEmpty();
  }

  @Test
  public void aPageThatIsOffOrFindsAPortItselfNeedsNone() {
    conf.set("hbase.regionserver.info.bindAddress", "127.0.0.1");
    conf.setInt("hbase.regionserver.info.port", -1);
    assertThat(PortCheck.of("regionserver", conf)).isEmpty();
    conf.setInt("hbase.regionserver.info.port", taken.getLocalPort());
    conf.setBoolean("hbase.regionserver.info.port.auto", true);
    assertThat(PortCheck.of("regionserver", conf)).isEmpty();
  }
}
