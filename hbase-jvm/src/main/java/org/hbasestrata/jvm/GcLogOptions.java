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

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Translates JDK 8's options for a GC log into an -Xlog, which replaces them from JDK 9 on. */
final class GcLogOptions {
  private static final String FILE = "-Xloggc:";
  /** Decorations with which an -Xlog has the information of a line of JDK 8. */
  private static final String DECORATIONS = "time,uptime,level,tags";
  /** Flags that select kinds of lines, and the tags and level that select them in an -Xlog. */
  private static final Map<String, String> SELECTIONS;
  static {
    Map<String, String> tags = new HashMap<>();
    tags.put("PrintGC", "gc");
    tags.put("PrintGCDetails", "gc*");
    tags.put("PrintGCApplicationStoppedTime", "safepoint");
    tags.put("PrintGCApplicationConcurrentTime", "safepoint");
    tags.put("PrintSafepointStatistics", "safepoint*=debug");
    tags.put("PrintAdaptiveSizePolicy", "gc+ergo*=trace");
    tags.put("PrintTenuringDistribution", "gc+age*=trace");
    tags.put("PrintReferenceGC", "gc+ref*=debug");
    tags.put("PrintHeapAtGC", "gc+heap=trace");
    // Part of every line.
    tags.put("PrintGCCause", "");
    tags.put("PrintGCDateStamps", "");
    tags.put("PrintGCTimeStamps", "");
    SELECTIONS = Collections.unmodifiableMap(tags);
  }
  private static final String ROTATION = "UseGCLogFileRotation";
  private static final String FILES = "NumberOfGCLogFiles";
  private static final String FILE_SIZE = "GCLogFileSize";

  private GcLogOptions() {
  }

  /** Returns true for an option of JDK 8 that configures the GC log. */
  static boolean isOfJdk8(String option) {
    String flag = Options.flag(option);
    return option.startsWith(FILE) || SELECTIONS.containsKey(flag) || flag.equals(ROTATION)
      || flag.equals(FILES) || flag.equals(FILE_SIZE);
  }

  /**
   * Returns the lines with an -Xlog instead of JDK 8's options, in the place of the first of them.
   */
  static List<PresetLine> translate(List<PresetLine> lines) {
    List<PresetLine> translated = new ArrayList<>();
    Set<String> selections = new LinkedHashSet<>();
    Set<String> reasons = new LinkedHashSet<>();
    Map<String, String> values = new HashMap<>();
    int place = -1;
    for (PresetLine line : lines) {
      String option = line.option();
      if (!isOfJdk8(option)) {
        translated.add(line);
        continue;
      }
      if (place < 0) {
        place = translated.size();
      }
      reasons.add(line.reason());
      String flag = Options.flag(option);
      if (option.startsWith(FILE)) {
        selections.add("gc");
        values.put(FILE, option.substring(FILE.length()));
      } else if (option.startsWith("-XX:+")) {
        selections.add(SELECTIONS.getOrDefault(flag, ""));
        values.put(flag, "");
      } else if (option.contains("=")) {
        values.put(flag, option.substring(option.indexOf('=') + 1));
      }
    }
    if (place >= 0) {
      PresetLine first = lines.stream().filter(line -> isOfJdk8(line.option())).findFirst().get();
      reasons.remove("");
      translated.add(place, new PresetLine(xlog(selections, values), String.join(" ", reasons),
        first.jdks(), first.place(), first.isOwn()));
    }
    return translated;
  }

  private static String xlog(Set<String> selections, Map<String, String> values) {
    selections.remove("");
    if (selections.contains("gc*")) {
      selections.remove("gc");
    }
    String output = values.containsKey(FILE) ? "file=\"" + values.get(FILE) + '"' : "stdout";
    String rotation = values.containsKey(FILE) && values.containsKey(ROTATION)
      ? ":filecount=" + values.getOrDefault(FILES, "5") + ",filesize="
        + values.getOrDefault(FILE_SIZE, "20m")
      : "";
    return "-Xlog:" + (selections.isEmpty() ? "gc" : String.join(",", selections)) + ":" + output
      + ":" + DECORATIONS + rotation;
  }
}
