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
package org.apache.hadoop.hbase.master.balancer;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.conf.ConfigurationManager;
import org.apache.hadoop.hbase.conf.ConfigurationObserver;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** How a balancer is told of changes of the configuration while it runs and holds its lock. */
@Category({ MasterTests.class, SmallTests.class })
public class TestBalancerReconfiguration {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBalancerReconfiguration.class);

  private static final long PATIENCE = TimeUnit.MINUTES.toMillis(5);

  private static Configuration configuration(String name) {
    Configuration conf = new Configuration(false);
    conf.set("name", name);
    return conf;
  }

  /** A balancer that has a lock, as the stochastic one. */
  private static final class Balancer implements ConfigurationObserver {
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch runs = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch lastTold = new CountDownLatch(1);
    private final Thread run = new Thread(this::run, "balancer");

    private synchronized void run() {
      try {
        runs.countDown();
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void begin() throws InterruptedException {
      run.start();
      runs.await();
    }

    @Override
    public synchronized void onConfigurationChange(Configuration conf) {
      told.add(conf.get("name"));
      if (conf.get("name").equals("last")) {
        lastTold.countDown();
      }
      if (conf.get("name").equals("bad")) {
        throw new IllegalArgumentException("bad");
      }
    }
  }

  private final Balancer balancer = new Balancer();

  @Test
  public void aChangeDoesNotWaitForARun() throws Exception {
    ConfigurationManager manager = new ConfigurationManager();
    BalancerReconfiguration reconfiguration = new BalancerReconfiguration(balancer, 10);
    manager.registerObserver(reconfiguration);
    balancer.begin();
    manager.notifyAllObservers(configuration("first"));
    manager.notifyAllObservers(configuration("second"));
    manager.notifyAllObservers(configuration("last"));
    assertEquals(Collections.emptyList(), balancer.told);

    balancer.end.countDown();
    assertTrue(balancer.lastTold.await(5, TimeUnit.MINUTES));
    // the first one may have been waiting for the lock, and nothing in between is of interest
    assertTrue(balancer.told.toString(), balancer.told.size() <= 2);
    assertEquals(1, manager.getNumObservers());
  }

  @Test
  public void aChangeHasBeenTakenOverWhereNoneRuns() {
    BalancerReconfiguration reconfiguration = new BalancerReconfiguration(balancer, PATIENCE);
    reconfiguration.onConfigurationChange(configuration("first"));
    assertEquals(Arrays.asList("first"), balancer.told);
    reconfiguration.onConfigurationChange(configuration("second"));
    assertEquals(Arrays.asList("first", "second"), balancer.told);
  }

  @Test
  public void aChangeThatIsRefusedIsNotTheLast() {
    BalancerReconfiguration reconfiguration = new BalancerReconfiguration(balancer, PATIENCE);
    reconfiguration.onConfigurationChange(configuration("bad"));
    reconfiguration.onConfigurationChange(configuration("second"));
    assertEquals(Arrays.asList("bad", "second"), balancer.told);
  }
}
