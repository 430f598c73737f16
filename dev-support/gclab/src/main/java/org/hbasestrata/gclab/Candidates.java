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
package org.hbasestrata.gclab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.harness.ServerJvm;
import org.hbasestrata.tools.ToolException;

/** Reads what is compared from a command line. */
final class Candidates {
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_.-]*";
  private static final String ENDING = ".preset";

  private Candidates() {
  }

  /**
   * JVMs by the candidates' names, in their order.
   * @param texts     each {@code PRESET}, or {@code NAME=PRESET}; a preset is a name, or the path
   *                  of a file, with a slash or .preset at its end, in which case its name is that
   *                  of the file
   * @param javaHomes each {@code DIR} for all, or {@code NAME=DIR} for one
   * @param options   JVM options by candidate
   * @param presets   where a preset is looked for that isn't one of the distribution's; may be null
   */
  static Map<String, ServerJvm> parse(List<String> texts, List<String> javaHomes,
    Map<String, String> options, Path presets) {
    Map<String, String> named = new LinkedHashMap<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      String preset = text.substring(equals + 1);
      String name = equals < 0 ? nameOf(preset) : text.substring(0, equals);
      if (!name.matches(NAME) || preset.isEmpty()
        || named.put(name, find(preset, presets)) != null) {
        throw ToolException.usage("--presets has '" + text + "', allowed: a preset's name or path,"
          + " or NAME=PRESET; each name once");
      }
    }
    if (named.size() < 2) {
      throw ToolException.usage("one preset is nothing to compare: give two or more, such as"
        + " --presets default,g1");
    }
    Map<String, Path> homes = homes(javaHomes, named);
    options.keySet().forEach(name -> known("--options", name, named));
    Map<String, ServerJvm> jvms = new LinkedHashMap<>();
    named.forEach((name, preset) -> jvms.put(name,
      new ServerJvm(preset, homes.getOrDefault(name, homes.get("")), options.get(name))));
    return jvms;
  }

  private static String nameOf(String preset) {
    String file = preset.substring(preset.lastIndexOf('/') + 1);
    return file.endsWith(ENDING) ? file.substring(0, file.length() - ENDING.length()) : file;
  }

  /** The lab's own presets go by their names, too. */
  private static String find(String preset, Path presets) {
    if (preset.contains("/") || preset.endsWith(ENDING)) {
      Path file = Path.of(preset).toAbsolutePath().normalize();
      if (!Files.isRegularFile(file)) {
        throw ToolException.usage("--presets has '" + preset + "': there is no file " + file
          + "; allowed: a preset's name, or the path of one");
      }
      return file.toString();
    }
    Path own = presets == null ? null : presets.resolve(preset + ENDING);
    return own != null && Files.exists(own) ? own.toString() : preset;
  }

  /** By candidate; that of all others has an empty name. */
  private static Map<String, Path> homes(List<String> javaHomes, Map<String, String> named) {
    Map<String, Path> homes = new LinkedHashMap<>();
    for (String text : javaHomes) {
      int equals = text.indexOf('=');
      String name = equals < 0 ? "" : text.substring(0, equals);
      if (equals >= 0) {
        known("--java-home", name, named);
      }
      Path home = Path.of(text.substring(equals + 1)).toAbsolutePath().normalize();
      if (!Files.isExecutable(home.resolve("bin/java"))) {
        throw ToolException.usage("--java-home is '" + text + "': there is no " + home
          + "/bin/java");
      }
      homes.put(name, home);
    }
    return homes;
  }

  private static void known(String option, String name, Map<String, String> named) {
    if (!named.containsKey(name)) {
      throw ToolException.usage(option + " is for '" + name + "', and candidates are "
        + String.join(", ", named.keySet()));
    }
  }
}
