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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the seams of a module from the files of the patches. */
public final class SeamFiles {
  private static final Pattern SIGNATURE = Pattern.compile("\\s*([\\w$]*)\\s*(?:\\((.*)\\))?\\s*");
  private static final Set<String> SEAM_KEYS = Set.of("class", "constructor", "field", "method",
    "at", "statement", "text", "why", "imports", "insert");

  private SeamFiles() {
  }

  /**
   * Reads the seams in a module.
   * @param patches folder that has one for each patch; need not exist
   * @return the patches with seams in the module, in the order of their numbers as text
   */
  public static List<Patch> read(Path patches, String module) throws IOException, SeamException {
    return read(PatchFile.readAll(patches), module);
  }

  /** Returns the patches that have seams in a module, with these, in the order of the files. */
  public static List<Patch> read(List<PatchFile> files, String module) throws SeamException {
    List<Patch> patches = new ArrayList<>();
    for (PatchFile file : files) {
      List<Seam> seams = seams(file, module);
      if (!seams.isEmpty()) {
        patches.add(new Patch(file.id(), title(file), seams));
      }
    }
    return patches;
  }

  private static String title(PatchFile file) throws SeamException {
    String title = required(file.content(), "title", file.where());
    if (!title.matches("[^\\\\\\n]+")) {
      throw new SeamException(file.where() + ": 'title' must be one line without a backslash");
    }
    return title;
  }

  private static List<Seam> seams(PatchFile file, String module) throws SeamException {
    Object modules = file.content().get("seams");
    if (modules == null) {
      return List.of();
    }
    Object entries = asMap(modules, file.where() + ", seams").get(module);
    if (entries == null) {
      return List.of();
    }
    if (!(entries instanceof List<?> list) || list.isEmpty()) {
      throw new SeamException(
        file.where() + ": the seams of " + module + " must be a list of at least one");
    }
    List<Seam> seams = new ArrayList<>();
    for (Object entry : list) {
      String name = file.where() + " #" + (seams.size() + 1);
      seams.add(seam(file.id(), name, asMap(entry, name)));
    }
    return List.copyOf(seams);
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
