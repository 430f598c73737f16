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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;

/** The status of a handler, as its thread has it, and as {@link TaskMonitor} does. */
@Category({ MiscTests.class, SmallTests.class })
public class TestForwardingRPCHandler {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestForwardingRPCHandler.class);

  private final List<Object> told = new ArrayList<>();
  private Object answer;

  private final MonitoredRPCHandler status = (MonitoredRPCHandler) Proxy.newProxyInstance(
    getClass().getClassLoader(), new Class<?>[] { MonitoredRPCHandler.class },
    (proxy, method, arguments) -> {
      told.add(method);
      told.add(arguments);
      return answer;
    });

  private static Object valueOf(Class<?> type) {
    if (type == long.class) {
      return 7L;
    }
    if (type == int.class) {
      return 8;
    }
    if (type == boolean.class) {
      return true;
    }
    if (type == String.class) {
      return "text";
    }
    if (type == Object[].class) {
      return new Object[] { 9 };
    }
    if (type == MonitoredTask.State.class) {
      return MonitoredTask.State.WAITING;
    }
    if (type == List.class) {
      return Collections.emptyList();
    }
    if (type.getSimpleName().equals("Map")) {
      return Collections.singletonMap("key", "value");
    }
    if (type == MonitoredTask.class) {
      return new MonitoredTaskImpl(false, "task");
    }
    return type == void.class ? null : GetRequest.getDefaultInstance();
  }

  @Test
  public void eachMethodIsThatOfTheStatus() throws Exception {
    MonitoredRPCHandler forwarding = new ForwardingRPCHandler(status);
    for (Method method : MonitoredRPCHandler.class.getMethods()) {
      told.clear();
      answer = valueOf(method.getReturnType());
      Object[] arguments =
        Arrays.stream(method.getParameterTypes()).map(type -> valueOf(type)).toArray();
      assertEquals(method.toString(), answer, method.invoke(forwarding, arguments));
      Method called = (Method) told.get(0);
      assertEquals(method.getName(), called.getName());
      assertArrayEquals(method.getParameterTypes(), called.getParameterTypes());
      assertArrayEquals(method.toString(), arguments,
        told.get(1) == null ? new Object[0] : (Object[]) told.get(1));
    }
  }

  @Test
  public void theMonitorHasTheStatusAndNotWhatTheHandlerHas() throws Exception {
    TaskMonitor monitor = new TaskMonitor(new Configuration());
    try {
      WeakReference<MonitoredRPCHandler> ofHandler = new WeakReference<>(resumed(monitor));
      for (int i = 0; i < 100 && ofHandler.get() != null; i++) {
        System.gc();
        Thread.sleep(50);
      }
      assertNull(ofHandler.get());
      assertEquals(MonitoredTask.State.RUNNING, monitor.getTasks().get(0).getState());
    } finally {
      monitor.shutdown();
    }
  }

  /** Returns what a handler has that serves a call. */
  private static MonitoredRPCHandler resumed(TaskMonitor monitor) {
    MonitoredRPCHandler ofHandler = monitor.createRPCStatus("handler");
    assertFalse(Proxy.isProxyClass(ofHandler.getClass()));
    ofHandler.resume("busy");
    assertTrue(monitor.getTasks().get(0).getStatus().startsWith("busy"));
    return ofHandler;
  }
}
