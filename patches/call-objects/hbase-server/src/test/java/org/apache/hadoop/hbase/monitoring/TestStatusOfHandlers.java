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
package org.apache.hadoop.hbase.monitoring;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import java.lang.reflect.Proxy;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** The status of a handler, as its thread has it, and as {@link TaskMonitor} does. */
@Category({ MiscTests.class, SmallTests.class })
public class TestStatusOfHandlers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestStatusOfHandlers.class);

  @Test
  public void itIsSetWithoutReflection() {
    TaskMonitor monitor = new TaskMonitor(new Configuration());
    try {
      MonitoredRPCHandler ofHandler = monitor.createRPCStatus("handler");
      assertFalse(Proxy.isProxyClass(ofHandler.getClass()));
      ofHandler.setConnection("client", 5);
      ofHandler.resume("busy");
      MonitoredRPCHandler shown = (MonitoredRPCHandler) monitor.getTasks().get(0);
      assertEquals("client:5", shown.getClient());
      assertEquals(MonitoredTask.State.RUNNING, shown.getState());
      ofHandler.pause("idle");
      assertEquals(MonitoredTask.State.WAITING, monitor.getTasks().get(0).getState());
    } finally {
      monitor.shutdown();
    }
  }
}
