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
package org.hbasestrata.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/** The git command in a folder. Thread-safe. */
public final class Git {
  private static final int SECONDS = 300;
  /** Without the files of the user that it otherwise reads in any case. */
  private static final List<String> SHIELDED = List.of("git", "-c", "core.excludesFile=/dev/null",
    "-c", "core.attributesFile=/dev/null", "-c", "gc.auto=0");

  private final Path folder;
  private final List<String> git;
  private final Map<String, String> environment;

  private Git(Path folder, List<String> git, Map<String, String> environment) {
    this.folder = folder;
    this.git = git;
    this.environment = environment;
  }

  /** Git as this machine's user has set it up. */
  public Git(Path folder) {
    this(folder, List.of("git"), Map.of());
  }

  /**
   * Git that does the same on any machine, since no settings of it are used.
   * @param environment more variables, such as the author
   */
  public static Git shielded(Path folder, Map<String, String> environment) {
    return new Git(folder, SHIELDED, environment);
  }

  /** Leaves out git's variables, which name another repository, or settings. */
  static void shield(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("GIT_"));
    environment.putAll(Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "GIT_CONFIG_NOSYSTEM", "1",
      "GIT_ATTR_NOSYSTEM", "1"));
  }

  /**
   * Runs a command.
   * @return what it printed, without blanks around
   * @throws ToolException if its exit code isn't 0
   */
  public String run(String... arguments) throws InterruptedException {
    try {
      Path output = Files.createTempFile("git", ".txt");
      try {
        return run(output, arguments);
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw ToolException.failed("git can't be run: " + ToolException.oneLine(e), e);
    }
  }

  private String run(Path output, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(git);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = Program.in(folder, command);
    if (git.equals(SHIELDED)) {
      shield(builder.environment());
    } else {
      // They may name another repository.
      builder.environment().keySet()
        .removeAll(Set.of("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"));
    }
    builder.environment().putAll(environment);
    OptionalInt code = Program.run(builder, output, SECONDS);
    String printed = Files.readString(output).strip();
    if (code.isEmpty() || code.getAsInt() != 0) {
      throw ToolException.failed("git " + String.join(" ", arguments) + " failed in " + folder
        + ": " + printed.replaceAll("\\s*\\n\\s*", "; "));
    }
    return printed;
  }
}
