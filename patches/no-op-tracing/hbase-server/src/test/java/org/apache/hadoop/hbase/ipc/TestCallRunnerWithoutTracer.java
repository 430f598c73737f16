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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.monitoring.MonitoredRPCHandler;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.trace.UnrecognizedOpenTelemetry;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Without a tracer nothing is asked for the span of a call, and the call runs as with one. */
@Category({ RPCTests.class, SmallTests.class })
public class TestCallRunnerWithoutTracer {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCallRunnerWithoutTracer.class);

  private final Map<String, Integer> questions = new HashMap<>();

  @After
  public void unset() {
    UnrecognizedOpenTelemetry.unset();
  }

  /** Counts by name what it is asked, and answers as little as possible. */
  private <T> T counting(Class<T> type) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
      (proxy, method, arguments) -> answer(method)));
  }

  private Object answer(Method method) {
    questions.merge(method.getName(), 1, Integer::sum);
    Class<?> type = method.getReturnType();
    if (type == boolean.class) {
      return false;
    } else if (type == int.class) {
      return 0;
    } else if (type == Optional.class) {
      return Optional.empty();
    } else if (type == InetAddress.class) {
      return InetAddress.getLoopbackAddress();
    } else if (type == long.class) {
      return method.getName().equals("getDeadline") ? Long.MAX_VALUE : -1L;
    }
    return null;
  }

  private Map<String, Integer> run() {
    questions.clear();
    CallRunner runner = new CallRunner(counting(RpcServerInterface.class), counting(RpcCall.class));
    runner.setStatus(counting(MonitoredRPCHandler.class));
    runner.run();
    assertEquals(1, (int) questions.get("setResponse"));
    assertEquals(1, (int) questions.get("sendResponseIfReady"));
    return new HashMap<>(questions);
  }

  @Test
  public void serviceAndMethodAreAskedForATracerOnly() {
    UnrecognizedOpenTelemetry.set();
    Map<String, Integer> traced = run();
    assertEquals(1, (int) traced.remove("getService"));
    assertEquals(1, (int) traced.remove("getMethod"));
    UnrecognizedOpenTelemetry.unset();
    assertEquals(traced, run());
  }
}
