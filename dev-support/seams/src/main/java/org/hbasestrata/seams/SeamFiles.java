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
package org.hbasestrata.seams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads the seam files of a module. One file is one patch and is named after it. */
public final class SeamFiles {
  private static final Pattern FILE_NAME = Pattern.compile("((?:HBASE|STRATA)-[0-9]+)\\.yaml");
  private static final Pattern SIGNATURE = Pattern.compile("\\s*([\\w$]*)\\s*(?:\\((.*)\\))?\\s*");
  private static final Set<String> FILE_KEYS = Set.of("title", "seams");
  private static final Set<String> SEAM_KEYS = Set.of("class", "constructor", "field", "method",
    "at", "statement", "text", "why", "imports", "insert");

  private SeamFiles() {
  }

  /**
   * Reads all seam files of a folder.
   * @return the patches in the order of their file names; empty when the folder doesn't exist
   */
  public static List<Patch> read(Path folder) throws IOException, SeamException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.sorted().collect(Collectors.toList());
    }
    List<Patch> patches = new ArrayList<>();
    for (Path file : files) {
      patches.add(readFile(file));
    }
    return patches;
  }

  private static Patch readFile(Path file) throws IOException, SeamException {
    String fileName = file.getFileName().toString();
    Matcher matcher = FILE_NAME.matcher(fileName);
    if (!matcher.matches()) {
      throw new SeamException(file + ": a seam file is named after its patch, as HBASE-12345.yaml");
    }
    Map<?, ?> content;
    try {
      Object loaded =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
      content = asMap(loaded, fileName);
    } catch (YAMLException e) {
      throw new SeamException(fileName + ": not YAML: " + e.getMessage(), e);
    }
    checkKeys(content, FILE_KEYS, fileName);
    String title = required(content, "title", fileName);
    if (!title.matches("[^\\\\\\n]+")) {
      throw new SeamException(fileName + ": 'title' must be one line without a backslash");
    }
    if (!(content.get("seams") instanceof List<?> entries) || entries.isEmpty()) {
      throw new SeamException(fileName + ": 'seams' must be a list of at least one seam");
    }
    List<Seam> seams = new ArrayList<>();
    for (Object entry : entries) {
      String name = fileName + " #" + (seams.size() + 1);
      seams.add(seam(matcher.group(1), name, asMap(entry, name)));
    }
    return new Patch(matcher.group(1), title, List.copyOf(seams));
  }

  private static Seam seam(String patch, String name, Map<?, ?> entry) throws SeamException {
    checkKeys(entry, SEAM_KEYS, name);
    List<String> imports = new ArrayList<>();
    if (entry.get("imports") instanceof List<?> list) {
      list.forEach(i -> imports.add(i.toString()));
    } else if (entry.containsKey("imports")) {
      throw new SeamException(name + ": 'imports' must be a list of class names");
    }
    String text = required(entry, "insert", name);
    return new Seam(patch, name, required(entry, "why", name), anchor(name, entry),
      List.copyOf(imports), text);
  }

  private static Anchor anchor(String name, Map<?, ?> entry) throws SeamException {
    String className = required(entry, "class", name);
    Anchor.Kind kind = Anchor.Kind.CLASS;
    String signature = "";
    for (Anchor.Kind k : Anchor.Kind.values()) {
      String key = k.name().toLowerCase(Locale.ROOT);
      if (k != Anchor.Kind.CLASS && entry.containsKey(key)) {
        if (kind != Anchor.Kind.CLASS) {
          throw new SeamException(name
            + ": only one of constructor, field and method may be given");
        }
        kind = k;
        signature = required(entry, key, name);
      }
    }
    Matcher parts = SIGNATURE.matcher(signature);
    if (!parts.matches()) {
      throw new SeamException(name + ": '" + signature + "' is not NAME or NAME(TYPE, ...)");
    }
    String member = parts.group(1).isEmpty() ? null : parts.group(1);
    List<String> parameters = parts.group(2) == null ? null : types(parts.group(2));
    if (kind == Anchor.Kind.CONSTRUCTOR && (member != null || parameters == null)) {
      throw new SeamException(name + ": 'constructor' takes the parameter types: (TYPE, ...)");
    }
    if (kind == Anchor.Kind.FIELD && parameters != null) {
      throw new SeamException(name + ": 'field' takes a name alone");
    }
    if (entry.containsKey("statement") && entry.containsKey("text")) {
      throw new SeamException(name + ": only one of statement and text may be given");
    }
    Anchor.Match match = entry.containsKey("statement") ? Anchor.Match.STATEMENT
      : entry.containsKey("text") ? Anchor.Match.TEXT
      : Anchor.Match.MEMBER;
    String pattern = match == Anchor.Match.MEMBER
      ? null
      : required(entry, match.name().toLowerCase(Locale.ROOT), name);
    Anchor.Position position = position(name, required(entry, "at", name));
    boolean inside = position == Anchor.Position.START || position == Anchor.Position.END;
    if (inside && match != Anchor.Match.MEMBER) {
      throw new SeamException(name + ": a statement or text is anchored 'before' or 'after'");
    }
    if (inside && kind == Anchor.Kind.FIELD) {
      throw new SeamException(name + ": a field is anchored 'before' or 'after'");
    }
    if (match == Anchor.Match.STATEMENT && kind == Anchor.Kind.FIELD) {
      throw new SeamException(name + ": a field has no statements; use 'text'");
    }
    return new Anchor(className, kind, member, parameters, position, match, pattern);
  }

  private static Anchor.Position position(String name, String text) throws SeamException {
    try {
      return Anchor.Position.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new SeamException(name + ": 'at' is '" + text
        + "'; allowed are start, end, before, after",
        e);
    }
  }

  /** Splits at the commas that are outside of type arguments. */
  static List<String> types(String parameters) {
    List<String> types = new ArrayList<>();
    int depth = 0;
    StringBuilder type = new StringBuilder();
    for (char c : parameters.toCharArray()) {
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      if (c == ',' && depth == 0) {
        types.add(type.toString().trim());
        type.setLength(0);
      } else {
        type.append(c);
      }
    }
    if (!type.toString().isBlank()) {
      types.add(type.toString().trim());
    }
    return List.copyOf(types);
  }

  private static Map<?, ?> asMap(Object value, String where) throws SeamException {
    if (value instanceof Map<?, ?> map) {
      return map;
    }
    throw new SeamException(where + ": must be a mapping of keys to values");
  }

  private static String required(Map<?, ?> map, String key, String where) throws SeamException {
    Object value = map.get(key);
    if (value == null || value.toString().isBlank()) {
      throw new SeamException(where + ": '" + key + "' is missing");
    }
    return value.toString();
  }

  private static void checkKeys(Map<?, ?> map, Set<String> allowed, String where)
    throws SeamException {
    for (Object key : map.keySet()) {
      if (!allowed.contains(String.valueOf(key))) {
        throw new SeamException(
          where + ": unknown key '" + key + "'; allowed are " + allowed.stream().sorted().toList());
      }
    }
  }
}
