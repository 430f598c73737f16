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
package org.apache.hadoop.hbase.io.hfile;

import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.StringWriter;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.monitoring.MonitoredTask;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.hadoop.hbase.testclassification.IOTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.tmpl.common.TaskMonitorTmpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** How a warm-up is shown among the tasks on the server's page. */
@Category({ IOTests.class, SmallTests.class })
public class TestWarmupProgress {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestWarmupProgress.class);

  private static final int TIMEOUT_MS = 60_000;

  /** The names of families are chosen by anyone who may create a table. */
  @Test
  public void aFamilyNamedLikeATagIsTextOnThePage() throws Exception {
    String family = "<img src=x onerror=alert(1)>";
    ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName(Bytes.toBytes(family));
    WarmupProgress progress =
      new WarmupProgress(new Path(new Path("/region", family), "file"), Stream::empty);
    progress.begin();
    try {
      awaitRunning(progress, "file file");
      String html = page("html");
      assertFalse(html, html.contains("<img"));
      assertTrue(html, html.contains("family &lt;img src=x"));
      String json = page("json");
      assertTrue(json, json.contains("Warming the block cache"));
      assertFalse(json, json.contains("<img"));
    } finally {
      progress.end(true, false);
    }
  }

  /** If the file is closed meanwhile, a running task would end with a warning at its collection. */
  @Test
  public void whatWaitsToGoOnIsNoRunningTask() throws Exception {
    WarmupProgress progress = new WarmupProgress(new Path("/region/family/paused"), Stream::empty);
    progress.begin();
    awaitRunning(progress, "file paused");
    progress.pause();
    assertFalse(isRunning("file paused"));
    progress.begin();
    awaitRunning(progress, "file paused");
    progress.end(true, false);
    assertFalse(isRunning("file paused"));
  }

  private static boolean isRunning(String description) {
    return TaskMonitor.get().getTasks().stream()
      .anyMatch(task -> task.getDescription().contains(description)
        && task.getState() == MonitoredTask.State.RUNNING);
  }

  /** Waits until the warm-up is shown, which takes a while. */
  private static void awaitRunning(WarmupProgress progress, String description) throws Exception {
    Waiter.waitFor(HBaseConfiguration.create(), TIMEOUT_MS, 10, () -> {
      progress.read(1);
      return isRunning(description);
    });
  }

  private static String page(String format) throws Exception {
    StringWriter page = new StringWriter();
    new TaskMonitorTmpl().setTaskMonitor(TaskMonitor.get()).setFilter("all").setFormat(format)
      .render(page);
    return page.toString();
  }
}
