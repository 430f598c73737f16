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
package org.apache.hadoop.hbase;

import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/** Objects of interfaces, for tests, of which some methods answer something. */
public final class Stubs {

  private Stubs() {
  }

  /** What a method answers. */
  @FunctionalInterface
  public interface Answer {
    Object to(Object[] arguments) throws Throwable;
  }

  /**
   * Returns an object of the interface. Its methods that aren't named answer null, 0 or false.
   * @param answers a name of methods, what they answer, the next name, and so on; an {@link Answer}
   *                is asked each time
   */
  public static <T> T of(Class<T> type, Object... answers) {
    Map<String, Object> answersByName = new HashMap<>();
    for (int i = 0; i < answers.length; i += 2) {
      answersByName.put((String) answers[i], answers[i + 1]);
    }
    return type.cast(Proxy.newProxyInstance(Stubs.class.getClassLoader(), new Class<?>[] { type },
      (proxy, method, arguments) -> {
        Object answer = answersByName.get(method.getName());
        if (answer instanceof Answer) {
          return ((Answer) answer).to(arguments == null ? new Object[0] : arguments);
        }
        if (answer != null) {
          return answer;
        }
        switch (method.getName()) {
          case "equals":
            return proxy == arguments[0];
          case "hashCode":
            return System.identityHashCode(proxy);
          case "toString":
            return type.getSimpleName();
          default:
            return nothing(method.getReturnType());
        }
      }));
  }

  private static Object nothing(Class<?> type) {
    if (!type.isPrimitive() || type == void.class) {
      return null;
    }
    return Array.get(Array.newInstance(type, 1), 0);
  }
}
