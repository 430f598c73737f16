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
package org.hbasestrata.jvm;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses JVM options. */
final class Options {
  private static final Pattern SWITCH = Pattern.compile("-XX:[+-](\\w+)");
  private static final Pattern VALUE = Pattern.compile("-XX:(\\w+)=(.*)");
  private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+(Use\\w+GC)");
  /** Flags that are allowed beside the flag of a collector. */
  private static final Pattern COMPANION = Pattern.compile("Use(ParNew|ParallelOld)GC");
  private static final Map<String, String> SHORT;
  static {
    Map<String, String> names = new HashMap<>();
    names.put("-Xmx", "MaxHeapSize");
    names.put("-Xms", "InitialHeapSize");
    names.put("-Xmn", "NewSize");
    names.put("-Xss", "ThreadStackSize");
    SHORT = Collections.unmodifiableMap(names);
  }

  private Options() {
  }

  /** Returns the name of the flag that an option sets; the option itself if it sets no -XX flag. */
  static String flag(String option) {
    for (Pattern pattern : new Pattern[] { SWITCH, VALUE }) {
      Matcher matcher = pattern.matcher(option);
      if (matcher.matches()) {
        return matcher.group(1);
      }
    }
    String name = option.length() > 4 ? SHORT.get(option.substring(0, 4)) : null;
    return name == null ? option : name;
  }

  /** Returns true if the JVM's list of flags has the flag of such an option. */
  static boolean isFlag(String option) {
    return option.startsWith("-XX:");
  }

  /** Returns the collector that an option chooses, such as UseG1GC, or null. */
  static String collector(String option) {
    Matcher matcher = COLLECTOR.matcher(option);
    return matcher.matches() && !COMPANION.matcher(matcher.group(1)).matches() ? matcher.group(1)
      : null;
  }

  /** Returns the collector that one of the options chooses, or null. */
  static String collector(List<String> options) {
    return options.stream().map(Options::collector).filter(name -> name != null).findFirst()
      .orElse(null);
  }

  /** Returns true for an option that turns a GC log on. */
  static boolean isGcLog(String option) {
    return option.startsWith("-Xlog:gc") || option.startsWith("-Xloggc:");
  }

  /**
   * Sets the system properties in a server's options also in this JVM, since the server's
   * configuration may refer to them.
   */
  static void setProperties(List<String> options) {
    for (String option : options) {
      if (option.matches("(?s)-D[^=]+.*")) {
        int equals = option.indexOf('=');
        System.setProperty(equals < 0 ? option.substring(2) : option.substring(2, equals),
          equals < 0 ? "" : option.substring(equals + 1));
      }
    }
  }

  /** Returns true if an option names a file, which may contain further options. */
  static boolean nameFiles(List<String> options) {
    return options.stream().anyMatch(option -> option.startsWith("@")
      || option.startsWith("-XX:Flags=") || option.startsWith("-XX:VMOptionsFile="));
  }

  /** Returns the size of a flag in MB, from the last option that sets it; null if none does. */
  static Long size(List<String> options, String flag) {
    Long size = null;
    for (String option : options) {
      if (flag(option).equals(flag)) {
        size = Sizes.ofBytes(
          option.startsWith("-XX:") ? option.substring(option.indexOf('=') + 1)
            : option.substring(4));
      }
    }
    return size;
  }

  /** Returns the number that the last option for a flag sets; {@code otherwise} if none does. */
  static int number(List<String> options, String flag, int otherwise) {
    return options.stream().map(VALUE::matcher)
      .filter(matcher -> matcher.matches() && matcher.group(1).equals(flag)
        && matcher.group(2).matches("\\d{1,9}"))
      .map(matcher -> Integer.parseInt(matcher.group(2))).reduce((first, last) -> last)
      .orElse(otherwise);
  }
}
