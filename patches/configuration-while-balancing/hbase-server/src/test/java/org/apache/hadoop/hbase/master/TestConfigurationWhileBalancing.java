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

import static org.junit.Assert.assertEquals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.Before;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * An update of a master's configuration while its balancer runs, which holds the balancer's lock.
 * Without the change the update isn't answered before the run has ended.
 */
@Category({ MasterTests.class, MediumTests.class })
public class TestConfigurationWhileBalancing {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestConfigurationWhileBalancing.class);

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final ExecutorService executor = Executors.newSingleThreadExecutor();

  @Before
  public void setUp() throws Exception {
    util.startMiniCluster(StartMiniClusterOption.builder().build());
  }

  @After
  public void tearDown() throws Exception {
    executor.shutdownNow();
    util.shutdownMiniCluster();
  }

  @Test
  public void anUpdateIsAnsweredWhileTheBalancerRuns() throws Exception {
    HMaster master = util.getMiniHBaseCluster().getMaster();
    Admin admin = util.getAdmin();
    int observers = master.getConfigurationManager().getNumObservers();
    synchronized (master.getLoadBalancer()) {
      Future<?> update = executor.submit(() -> {
        admin.updateConfiguration(master.getServerName());
        return null;
      });
      update.get(40, TimeUnit.SECONDS);
    }
    assertEquals(observers, master.getConfigurationManager().getNumObservers());
  }
}
