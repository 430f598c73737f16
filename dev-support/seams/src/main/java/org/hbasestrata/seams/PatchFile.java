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
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * The file {@code patch.yaml} of a patch's folder.
 * @param folder  of the patch, which also has its classes and tests, by module
 * @param id      number of the patch, as {@code HBASE-12345} or {@code STRATA-7}
 * @param content what the file says
 */
public record PatchFile(Path folder, String id, YamlMapping content) {
  public static final String NAME = "patch.yaml";
  private static final Set<String> KEYS =
    Set.of("number", "title", "why", "requires", "upstream", "fixes", "seams");
  private static final Pattern NUMBER = Pattern.compile("(?:HBASE|STRATA)-[0-9]+");

  /**
   * Reads the files of all folders of patches.
   * @param patches the folder that these are in
   * @return the patches in the order of their numbers as text; empty when there is no such folder
   * @throws SeamException for a file that isn't YAML, has a key that is none or is there twice, or
   *                       has no number, for a number of two patches, and for a patch that others
   *                       require and that isn't there
   */
  public static List<PatchFile> readAll(Path patches) throws IOException, SeamException {
    if (!Files.isDirectory(patches)) {
      return List.of();
    }
    List<Path> folders;
    try (Stream<Path> list = Files.list(patches)) {
      folders = list.filter(Files::isDirectory).sorted().toList();
    }
    Map<String, PatchFile> files = new TreeMap<>();
    for (Path folder : folders) {
      PatchFile file = read(folder);
      PatchFile other = files.put(file.id(), file);
      if (other != null) {
        throw new SeamException(
          file.where() + " and " + other.where() + " have the same number, " + file.id());
      }
    }
    checkRequirements(files);
    return List.copyOf(files.values());
  }

  private static PatchFile read(Path folder) throws IOException, SeamException {
    Path file = folder.resolve(NAME);
    String where = folder.getFileName() + "/" + NAME;
    if (!Files.isRegularFile(file)) {
      throw new SeamException(
        where + " is missing: " + folder + " isn't a patch, or only a part of one was removed");
    }
    try {
      LoaderOptions options = new LoaderOptions();
      options.setAllowDuplicateKeys(false);
      Object content = new Yaml(new SafeConstructor(options)).load(Files.readString(file));
      YamlMapping map = YamlMapping.of(content, where);
      String id = String.valueOf(map.get("number"));
      if (!NUMBER.matcher(id).matches()) {
        throw new SeamException(where + ": 'number' is " + map.get("number")
          + "; it must be that of the JIRA, as HBASE-12345, or STRATA-n if there is none");
      }
      return new PatchFile(folder, id, map.checkKeys(KEYS));
    } catch (YAMLException e) {
      throw new SeamException(where + ": not YAML: " + e.getMessage().replace('\n', ' '), e);
    }
  }

  private static void checkRequirements(Map<String, PatchFile> files) throws SeamException {
    Map<String, TreeSet<String>> missing = new TreeMap<>();
    for (PatchFile file : files.values()) {
      for (String required : file.requires()) {
        if (!files.containsKey(required)) {
          missing.computeIfAbsent(required, r -> new TreeSet<>()).add(file.name());
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new SeamException(missing.entrySet().stream()
        .map(entry -> "the patch " + entry.getKey() + " isn't there, but is required by "
          + String.join(", ", entry.getValue()) + ": put it back, or remove these, too")
        .collect(Collectors.joining("; ")));
    }
  }

  /** Name of the folder, which is what a patch is called by. */
  public String name() {
    return folder.getFileName().toString();
  }

  /** The file as messages name it. */
  String where() {
    return content.where();
  }

  /** Numbers of the patches that have to be applied before this one. */
  public List<String> requires() throws SeamException {
    List<String> numbers = new ArrayList<>();
    content.list("requires", "a list of numbers")
      .forEach(number -> numbers.add(String.valueOf(number)));
    return List.copyOf(numbers);
  }
}
