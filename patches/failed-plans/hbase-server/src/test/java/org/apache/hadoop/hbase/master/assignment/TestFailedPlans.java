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
package org.apache.hadoop.hbase.master.assignment;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.LoadBalancer;
import org.apache.hadoop.hbase.master.balancer.SimpleLoadBalancer;
import org.apache.hadoop.hbase.testclassification.MasterTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

@Category({ MasterTests.class, MediumTests.class })
public class TestFailedPlans {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestFailedPlans.class);

  private static final TableName REFUSED = TableName.valueOf("refused");
  private static final TableName PLACED = TableName.valueOf("placed");
  private static final int TRIES = 5;
  private static final int TIMEOUT_MS = 180_000;

  /** Finds no plan for the regions of a table, and counts how often it was asked for one. */
  public static final class RefusingBalancer extends SimpleLoadBalancer {
    private static final AtomicInteger ASKED = new AtomicInteger();
    private static volatile boolean refuses = true;

    @Override
    public Map<ServerName, List<RegionInfo>> roundRobinAssignment(List<RegionInfo> regions,
      List<ServerName> servers) throws HBaseIOException {
      if (refuses && regions.stream().anyMatch(region -> region.getTable().equals(REFUSED))) {
        ASKED.incrementAndGet();
        throw new HBaseIOException("no plan");
      }
      return super.roundRobinAssignment(regions, servers);
    }
  }

  private static TableDescriptor table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build();
  }

  @Test
  public void aPlanThatFailsIsTriedAgainAtThePaceOfTheDefaultAndOthersDoNotWaitForIt()
    throws Exception {
    HBaseTestingUtility util = new HBaseTestingUtility();
    util.getConfiguration().setInt(AssignmentManager.ASSIGN_DISPATCH_WAIT_MSEC_CONF_KEY, 5);
    util.getConfiguration().setClass(HConstants.HBASE_MASTER_LOADBALANCER_CLASS,
      RefusingBalancer.class, LoadBalancer.class);
    util.startMiniCluster();
    try {
      long start = System.nanoTime();
      Future<Void> created = util.getAdmin().createTableAsync(table(REFUSED));
      util.waitFor(TIMEOUT_MS, 10, () -> RefusingBalancer.ASKED.get() >= TRIES);
      util.getAdmin().createTable(table(PLACED));
      int asked = RefusingBalancer.ASKED.get();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);

      // Once when the table is created, and at once when its region is queued.
      long most = 2 + millis / FailedPlans.RETRY_MS;
      assertTrue(asked + " tries in " + millis + " ms", asked <= most);
      assertFalse(created.isDone());

      RefusingBalancer.refuses = false;
      created.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } finally {
      RefusingBalancer.refuses = false;
      util.shutdownMiniCluster();
    }
  }

  @Test
  public void aRegionThatIsQueuedIsNotHeldUpByOneThatFailed() throws InterruptedException {
    ReentrantLock lock = new ReentrantLock();
    Condition changed = lock.newCondition();
    FailedPlans<String> plans = FailedPlans.create(5);
    List<String> queue = new ArrayList<>();
    lock.lock();
    try {
      plans.await(queue, changed, () -> true);
      assertEquals(Collections.emptyList(), queue);

      plans.add("failed");
      queue.add("new");
      plans.await(queue, changed, () -> {
        throw new AssertionError("it waits");
      });
      queue.remove("new");
      plans.await(queue, changed, () -> true);
      assertEquals(Arrays.asList("failed"), queue);
    } finally {
      lock.unlock();
    }
  }

  @Test
  public void aQueueThatWaitsAsLongItselfNeedsNone() {
    assertNull(FailedPlans.create(FailedPlans.RETRY_MS));
    assertNotNull(FailedPlans.create(FailedPlans.RETRY_MS - 1));
  }
}
