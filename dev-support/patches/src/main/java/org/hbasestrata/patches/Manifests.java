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
package org.hbasestrata.patches;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hbasestrata.tools.ToolException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads the manifests of a folder. One file is one patch and is named after it. */
final class Manifests {
  /** What all class names in a manifest begin with. */
  private static final String PACKAGE = "org.apache.hadoop.hbase.";

  private static final Pattern FILE_NAME = Pattern.compile("((?:HBASE|STRATA)-[0-9]+)\\.yaml");
  private static final Set<String> FILE_KEYS = Set.of("title", "why", "requires", "shares",
    "classes", "tests", "keys", "upstream");
  private static final Set<String> KEY_KEYS = Set.of("name", "value", "unset", "reload", "text");

  private Manifests() {
  }

  /** Returns the manifests in the order of their numbers. */
  static List<Manifest> read(Path folder) throws IOException {
    List<Manifest> manifests = new ArrayList<>();
    try (Stream<Path> list = Files.list(folder)) {
      for (Path file : list.filter(f -> f.toString().endsWith(".yaml")).toList()) {
        manifests.add(readFile(file));
      }
    }
    manifests.sort(Comparator.comparing((Manifest m) -> m.id().replaceFirst("[0-9]+$", ""))
      .thenComparingInt(m -> m.id().length()).thenComparing(Manifest::id));
    return manifests;
  }

  private static Manifest readFile(Path file) throws IOException {
    String name = file.getFileName().toString();
    Matcher matcher = FILE_NAME.matcher(name);
    if (!matcher.matches()) {
      throw ToolException.failed(
        file + ": a manifest is named after its patch, as HBASE-12345.yaml");
    }
    Map<?, ?> content;
    try {
      content = asMap(new Yaml(new SafeConstructor(new LoaderOptions()))
        .load(Files.readString(file)), name);
    } catch (YAMLException e) {
      throw ToolException.failed(name + ": not YAML: " + e.getMessage().replace('\n', ' '));
    }
    checkKeys(content, FILE_KEYS, name);
    String id = matcher.group(1);
    return new Manifest(id, required(content, "title", name),
      required(content, "why", name).strip(), texts(content, "requires", name),
      classes(content, "shares", name), classes(content, "classes", name),
      classes(content, "tests", name), keys(content, name),
      Manifest.isJira(id) || content.containsKey("upstream")
        ? required(content, "upstream", name).strip()
        : null);
  }

  private static List<Key> keys(Map<?, ?> content, String name) {
    List<Key> keys = new ArrayList<>();
    for (Object entry : list(content, "keys", name)) {
      String where = name + ", key " + (keys.size() + 1);
      Map<?, ?> key = asMap(entry, where);
      checkKeys(key, KEY_KEYS, where);
      String value = optional(key, "value");
      String unset = optional(key, "unset");
      if (value == null && unset == null) {
        throw ToolException.failed(where + ": 'value' for hbase-default.xml or 'unset', what is"
          + " used without one, must be given");
      }
      keys.add(new Key(required(key, "name", where), value, unset,
        Boolean.parseBoolean(optional(key, "reload")), required(key, "text", where).strip()));
    }
    return List.copyOf(keys);
  }

  private static List<String> classes(Map<?, ?> content, String key, String name) {
    return texts(content, key, name).stream().map(c -> PACKAGE + c).toList();
  }

  private static List<String> texts(Map<?, ?> content, String key, String name) {
    return list(content, key, name).stream().map(String::valueOf).toList();
  }

  private static List<?> list(Map<?, ?> content, String key, String name) {
    Object value = content.get(key);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list) {
      return list;
    }
    throw ToolException.failed(name + ": '" + key + "' must be a list");
  }

  private static Map<?, ?> asMap(Object value, String where) {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw ToolException.failed(where + ": must be a mapping of keys to values");
  }

  private static String required(Map<?, ?> map, String key, String where) {
    String value = optional(map, key);
    if (value == null || value.isBlank()) {
      throw ToolException.failed(where + ": '" + key + "' is missing");
    }
    return value;
  }

  private static String optional(Map<?, ?> map, String key) {
    Object value = map.get(key);
    return value == null ? null : value.toString();
  }

  private static void checkKeys(Map<?, ?> map, Set<String> allowed, String where) {
    for (Object key : map.keySet()) {
      if (!allowed.contains(String.valueOf(key))) {
        throw ToolException.failed(where + ": unknown key '" + key + "'; allowed are "
          + allowed.stream().sorted().toList());
      }
    }
  }
}
