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
package org.apache.hadoop.hbase.master;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Stubs;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * Which servers a master takes for unknown ones, as those that hbck2 recoverUnknown is for. Without
 * the change the server of a region that has none is one.
 */
@Category({ MasterTests.class, SmallTests.class })
public class TestUnknownServers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestUnknownServers.class);

  private final ServerManager servers = new ServerManager(
    Stubs.of(MasterServices.class, "getConfiguration", HBaseConfiguration.create()), null);

  @Test
  public void noServerIsNotUnknown() {
    assertFalse(servers.isServerUnknown(null));
  }

  @Test
  public void aServerThatWasNeverThereIsUnknown() {
    assertTrue(servers.isServerUnknown(ServerName.valueOf("server.example.org", 16020, 1)));
  }

  @Test
  public void aDeadServerIsNotUnknown() {
    ServerName server = ServerName.valueOf("server.example.org", 16020, 1);
    servers.getDeadServers().putIfAbsent(server);
    assertFalse(servers.isServerUnknown(server));
  }
}
