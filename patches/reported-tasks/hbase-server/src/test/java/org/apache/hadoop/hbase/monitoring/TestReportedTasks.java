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
package org.apache.hadoop.hbase.monitoring;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerTask;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Calls are named in reports, but not printed. In 2.6.4 each report printed them. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestReportedTasks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestReportedTasks.class);

  private static final int MILLIS_AT_MOST = 60_000;

  private final String description = "handler of a test " + System.nanoTime();
  private final AtomicInteger prints = new AtomicInteger();
  private final MonitoredRPCHandler handler = TaskMonitor.get().createRPCStatus(description);

  @After
  public void end() {
    handler.markComplete("");
  }

  /** It is in service until the test's end. */
  private void startCall() {
    Object parameter = new Object() {
      @Override
      public String toString() {
        prints.incrementAndGet();
        return "all that is put";
      }
    };
    handler.setConnection("a client", 1);
    handler.setRPC("Multi", new Object[] { parameter }, 0);
  }

  private MonitoredTask find(List<MonitoredTask> tasks) {
    List<MonitoredTask> found = new ArrayList<>(tasks);
    found.removeIf(task -> !task.getDescription().equals(description));
    assertEquals(1, found.size());
    return found.get(0);
  }

  @Test
  public void tasksHaveTheSameStatesWithoutParameters() throws IOException {
    startCall();
    List<MonitoredTask> tasks = TaskMonitor.get().getTasks(TaskMonitor.WITHOUT_PARAMETERS);
    assertEquals(0, prints.get());
    List<MonitoredTask> printed = TaskMonitor.get().getTasks();
    assertEquals(1, prints.get());
    assertEquals(printed.size(), tasks.size());

    MonitoredRPCHandler task = (MonitoredRPCHandler) find(tasks);
    MonitoredTask withText = find(printed);
    assertEquals(withText.getStatus(), task.getStatus());
    assertEquals(withText.getState(), task.getState());
    assertEquals(withText.getStartTime(), task.getStartTime());
    assertEquals(withText.getCompletionTimestamp(), task.getCompletionTimestamp());
    assertTrue(task.getStatus(), task.getStatus().endsWith("from a client:1: Multi"));
    assertEquals("Multi", task.getRPC());
    assertEquals(description, task.toMap().get("description"));
  }

  @Test
  public void reportsAndMetricsOfTheClusterPrintNoCall() throws Exception {
    HBaseTestingUtility util = new HBaseTestingUtility();
    util.getConfiguration().setInt("hbase.regionserver.msginterval", 100);
    util.startMiniCluster();
    try {
      startCall();
      util.waitFor(MILLIS_AT_MOST, 10, () -> {
        ClusterMetrics metrics =
          util.getAdmin().getClusterMetrics(EnumSet.allOf(ClusterMetrics.Option.class));
        return isListed(metrics.getMasterTasks()) && metrics.getLiveServerMetrics().values()
          .stream().map(ServerMetrics::getTasks).anyMatch(this::isListed);
      });
      assertEquals(0, prints.get());
    } finally {
      util.shutdownMiniCluster();
    }
  }

  private boolean isListed(List<ServerTask> tasks) {
    return tasks.stream().anyMatch(task -> task.getDescription().equals(description)
      && task.getStatus().endsWith("Multi"));
  }
}
