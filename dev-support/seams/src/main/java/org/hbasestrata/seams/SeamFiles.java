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
    String title = file.content().required("title");
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
    Object entries = YamlMapping.of(modules, file.where() + ", seams").get(module);
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
      seams.add(seam(file.id(), YamlMapping.of(entry, name).checkKeys(SEAM_KEYS)));
    }
    return List.copyOf(seams);
  }

  private static Seam seam(String patch, YamlMapping entry) throws SeamException {
    List<String> imports = new ArrayList<>();
    entry.list("imports", "a list of class names").forEach(name -> imports.add(name.toString()));
    String text = entry.required("insert");
    return new Seam(patch, entry.where(), entry.required("why"), anchor(entry),
      List.copyOf(imports), text);
  }

  private static Anchor anchor(YamlMapping entry) throws SeamException {
    String name = entry.where();
    String className = entry.required("class");
    Anchor.Kind kind = Anchor.Kind.CLASS;
    String signature = "";
    for (Anchor.Kind k : Anchor.Kind.values()) {
      String key = k.name().toLowerCase(Locale.ROOT);
      if (k != Anchor.Kind.CLASS && entry.has(key)) {
        if (kind != Anchor.Kind.CLASS) {
          throw new SeamException(name
            + ": only one of constructor, field and method may be given");
        }
        kind = k;
        signature = entry.required(key);
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
    if (entry.has("statement") && entry.has("text")) {
      throw new SeamException(name + ": only one of statement and text may be given");
    }
    Anchor.Match match = entry.has("statement") ? Anchor.Match.STATEMENT
      : entry.has("text") ? Anchor.Match.TEXT
      : Anchor.Match.MEMBER;
    String pattern = match == Anchor.Match.MEMBER
      ? null
      : entry.required(match.name().toLowerCase(Locale.ROOT));
    Anchor.Position position = position(name, entry.required("at"));
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
}
