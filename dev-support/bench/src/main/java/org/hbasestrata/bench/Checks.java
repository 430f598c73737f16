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
package org.hbasestrata.bench;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the records ask of their fields. */
public final class Checks {
  private Checks() {
  }

  public static void present(String field, Object value) {
    if (value == null || "".equals(value)) {
      throw new IllegalArgumentException(field + " is missing");
    }
  }

  /** Turns null into an empty list. */
  public static <T> List<T> list(List<T> list) {
    return list == null ? List.of() : List.copyOf(list);
  }

  /** Turns null into an empty map, and keeps the order. */
  public static <T> Map<String, T> map(Map<String, T> map) {
    return map == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
  }
}
