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
package org.hbasestrata.upstreamtests;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What the module's pom passes on, {@code NAME=VALUE} each. Immutable. */
final class Options {
  private final Map<String, String> values = new TreeMap<>();

  Options(String... arguments) {
    for (String argument : arguments) {
      String[] parts = argument.split("=", 2);
      values.put(parts[0], parts[1].strip());
    }
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("No " + name + "= among the arguments");
    }
    return value;
  }

  Path path(String name) {
    return Path.of(text(name));
  }

  boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  /** Returns a number above 0. */
  int positive(String name) {
    String value = text(name);
    check(name, value, value.matches("[1-9]\\d{0,6}"), "a number from 1 to 9999999");
    return Integer.parseInt(value);
  }

  static void check(String option, String value, boolean isAllowed, String allowed) {
    if (!isAllowed) {
      throw new IllegalArgumentException("-D" + option + "=" + value + " must be " + allowed);
    }
  }
}
