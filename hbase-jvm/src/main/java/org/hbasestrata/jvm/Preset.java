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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A set of JVM options from a file such as conf/jvm/g1.preset. conf/jvm/README.md describes the
 * format. Immutable.
 */
final class Preset {
  private static final String SUFFIX = ".preset";
  private static final Pattern OPTION = Pattern.compile("(?:\\[([0-9.]+)]\\s+)?(-\\S.*)");
  private static final Pattern LICENCE = Pattern.compile("Licensed to the Apache .*");

  private final String name;
  private final Path file;
  private String summary = "";
  private Range jdks = Range.ALL;
  private Range heaps = Range.ALL;
  private String otherwise;
  private final List<PresetLine> lines = new ArrayList<>();

  private Preset(String name, Path file) {
    this.name = name;
    this.file = file;
  }

  /**
   * Reads a preset.
   * @param name    a name, or a path with a slash in it
   * @param folders folders with presets; the first one that has the name wins
   */
  static Preset read(String name, List<Path> folders) {
    Path file = name.contains("/") ? Paths.get(name) : find(name + SUFFIX, folders);
    if (file == null || !Files.isRegularFile(file)) {
      throw new JvmException("there is no JVM preset '" + name + "'; there are "
        + String.join(", ", names(folders)) + ", or give the path of a file");
    }
    Preset preset = new Preset(name, file);
    preset.read(file, folders, 0);
    return preset;
  }

  /** Returns the names of all presets, sorted. */
  static List<String> names(List<Path> folders) {
    TreeSet<String> names = new TreeSet<>();
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          files.map(file -> file.getFileName().toString()).filter(file -> file.endsWith(SUFFIX))
            .forEach(file -> names.add(file.substring(0, file.length() - SUFFIX.length())));
        } catch (IOException e) {
          throw new JvmException(folder + " can't be read: " + e);
        }
      }
    }
    return new ArrayList<>(names);
  }

  private static Path find(String file, List<Path> folders) {
    return folders.stream().map(folder -> folder.resolve(file)).filter(Files::isRegularFile)
      .findFirst().orElse(null);
  }

  /** @param depth number of files that include this one */
  private void read(Path from, List<Path> folders, int depth) {
    List<String> text;
    try {
      text = Files.readAllLines(from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new JvmException(from + " can't be read: " + e);
    }
    List<String> comment = new ArrayList<>();
    boolean commentEnded = false;
    for (int i = 0; i < text.size(); i++) {
      String line = text.get(i).trim();
      String place = from.getFileName() + ", line " + (i + 1);
      if (line.startsWith("#")) {
        if (commentEnded) {
          comment.clear();
        }
        commentEnded = false;
        comment.add(line.substring(1).trim());
      } else if (line.isEmpty()) {
        if (depth == 0 && summary.isEmpty() && !comment.isEmpty()
          && !LICENCE.matcher(comment.get(0)).matches()) {
          summary = comment.get(0);
        }
        comment.clear();
      } else {
        commentEnded = true;
        readLine(line, String.join(" ", comment), place, folders, depth);
      }
    }
  }

  private void readLine(String line, String comment, String place, List<Path> folders, int depth) {
    Matcher matcher = OPTION.matcher(line);
    String[] words = line.split("\\s+");
    try {
      if (matcher.matches()) {
        Range range =
          matcher.group(1) == null ? Range.ALL : Range.parse(matcher.group(1), Long::parseLong);
        lines.add(new PresetLine(matcher.group(2), comment, range, place, depth == 0));
        return;
      }
      if (words.length == 2) {
        switch (words[0]) {
          case "include":
            include(words[1], place, folders, depth);
            return;
          case "jdk":
            jdks = Range.parse(words[1], Long::parseLong);
            return;
          case "heap":
            heaps = Range.parse(words[1], size -> Sizes.ofMegabytes("heap", size));
            return;
          case "otherwise":
            otherwise = words[1];
            return;
          default:
        }
      }
    } catch (NumberFormatException e) {
      // The exception below covers it.
    }
    throw new JvmException(place + ": '" + line + "' is neither an option, such as -XX:+UseG1GC or"
      + " [17..] -Xlog:async, nor one of: include FILE, jdk 8..13, heap ..8g, otherwise PRESET");
  }

  private void include(String included, String place, List<Path> folders, int depth) {
    List<Path> all = new ArrayList<>();
    Path own = file.toAbsolutePath().getParent();
    all.add(own);
    all.addAll(folders);
    Path found = find(included, all);
    if (found == null || depth > 4) {
      throw new JvmException(place + ": " + included + (found == null
        ? " isn't there; it is looked for in " + all.stream().map(Objects::toString)
          .distinct().collect(Collectors.joining(" and "))
        : " includes itself"));
    }
    read(found, folders, depth + 1);
  }

  /** Refuses a JDK that the preset isn't for. */
  void checkJdk(int jdk) {
    if (!jdks.contains(jdk)) {
      throw new JvmException("JVM preset " + name + " is for JDK "
        + jdks.text(Long::toString) + ", and this is JDK " + jdk + instead());
    }
  }

  /** Returns advice on what to use instead of this preset. */
  String instead() {
    return otherwise == null ? "; set HBASE_JVM_PRESET to another preset"
      : "; set HBASE_JVM_PRESET=" + otherwise;
  }

  String name() {
    return name;
  }

  Path file() {
    return file;
  }

  /** Returns the first line of the file's description. */
  String summary() {
    return summary;
  }

  Range jdks() {
    return jdks;
  }

  /** Returns the heaps that the preset is for, in MB. */
  Range heaps() {
    return heaps;
  }

  List<PresetLine> lines() {
    return Collections.unmodifiableList(lines);
  }

  /** Returns the folders with presets: that of the configuration, then that of the distribution. */
  static List<Path> folders(String confDir, String home) {
    return Arrays.asList(Paths.get(confDir, "jvm"), Paths.get(home, "conf", "jvm"));
  }
}
