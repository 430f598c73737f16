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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hbasestrata.seams.PatchFile;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.tools.ToolException;

/** Reads what the files of patches say, but for their seams. */
final class Manifests {
  private static final Set<String> KEY_KEYS = Set.of("name", "value", "unset", "reload", "text");

  private Manifests() {
  }

  /** Returns the manifests in the order of their numbers. */
  static List<Manifest> read(List<PatchFile> files) throws SeamException {
    List<Manifest> manifests = new ArrayList<>();
    for (PatchFile file : files) {
      manifests.add(read(file));
    }
    manifests.sort(Comparator.comparing((Manifest m) -> m.id().replaceFirst("[0-9]+$", ""))
      .thenComparingInt(m -> m.id().length()).thenComparing(Manifest::id));
    return manifests;
  }

  private static Manifest read(PatchFile file) throws SeamException {
    String name = file.name() + "/" + PatchFile.NAME;
    Map<?, ?> content = file.content();
    if (content.get("seams") != null) {
      checkKeys(asMap(content.get("seams"), name + ", seams"), Set.copyOf(PatchSet.MODULES),
        name + ", seams");
    }
    return new Manifest(file.name(), file.id(), required(content, "title", name),
      required(content, "why", name).strip(), file.requires(), keys(content, name),
      Manifest.isJira(file.id()) || content.containsKey("upstream")
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
