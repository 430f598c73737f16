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
package org.hbasestrata.bench.harness;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.bench.ConfigDifference;

/** Finds the settings that arms don't share. For one thread. */
final class Differences {
  private static final Pattern SIZE_FLAG = Pattern.compile("(-X(?:m[xsn]|ss))(\\d.*)");
  private static final Pattern SWITCH = Pattern.compile("(-XX:)([+-])(.+)");
  /** Not a setting: where the arm's jars are. */
  private static final String HOME = "-Dhbase.home.dir";

  /** By file and key the values by arm. */
  private final Map<String, Map<String, Map<String, String>>> files = new LinkedHashMap<>();
  private final List<String> arms = new ArrayList<>();

  /** Adds an arm. */
  void add(ArmSpec arm, Map<String, String> configuration, List<String> jvmArguments) {
    arms.add(arm.name());
    put("jars", "jars", arm.name(), arm.jars());
    configuration.forEach((key, value) -> put("hbase-site.xml", key, arm.name(), value));
    flags(jvmArguments).forEach((key, value) -> put("jvm", key, arm.name(), value));
  }

  private void put(String file, String key, String arm, String value) {
    files.computeIfAbsent(file, f -> new TreeMap<>())
      .computeIfAbsent(key, k -> new LinkedHashMap<>()).put(arm, value);
  }

  /** Options by name; the later of two contrary ones wins, as in the JVM. */
  static Map<String, String> flags(List<String> arguments) {
    Map<String, String> flags = new TreeMap<>();
    for (String argument : arguments) {
      Matcher size = SIZE_FLAG.matcher(argument);
      Matcher onOff = SWITCH.matcher(argument);
      int equals = argument.indexOf('=');
      if (size.matches()) {
        flags.put(size.group(1), size.group(2));
      } else if (onOff.matches()) {
        flags.put(onOff.group(1) + onOff.group(3), onOff.group(2));
      } else if (argument.startsWith("--")) {
        // Several of the same name add up.
        flags.put(argument, "set");
      } else if (equals > 0) {
        flags.put(argument.substring(0, equals), argument.substring(equals + 1));
      } else {
        flags.put(argument, "set");
      }
    }
    flags.remove(HOME);
    return flags;
  }

  /** Settings that not all arms have, or not all in the same value. */
  List<ConfigDifference> found() {
    List<ConfigDifference> found = new ArrayList<>();
    files.forEach((file, keys) -> keys.forEach((key, values) -> {
      if (values.size() < arms.size() || values.values().stream().distinct().count() > 1) {
        found.add(new ConfigDifference(file, key, values));
      }
    }));
    return found;
  }
}
