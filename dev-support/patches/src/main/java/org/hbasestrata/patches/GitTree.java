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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A git repository of its own with upstream's sources, in which patches are made and tried. */
final class GitTree {
  private static final int MINUTES = 5;
  /** The git command, without those files of the user that it otherwise reads in any case. */
  private static final List<String> GIT = List.of("git", "-c", "core.excludesFile=/dev/null", "-c",
    "core.attributesFile=/dev/null", "-c", "gc.auto=0");

  private final Path folder;
  private final Path output;
  private final Author author;

  /**
   * Makes an empty repository.
   * @param folder must be empty, or not exist
   */
  GitTree(Path folder, Author author) throws IOException, InterruptedException {
    this.folder = folder;
    Files.createDirectories(folder);
    output = folder.resolveSibling(folder.getFileName() + ".git-output");
    this.author = author;
    git("init", "-q", "--template=");
  }

  /**
   * Leaves git's variables out, which name another repository, or settings, and what git is set to
   * do on this machine: a patch is the same whoever makes it.
   */
  static void shield(Map<String, String> environment) {
    environment.keySet().removeIf(name -> name.startsWith("GIT_"));
    environment.putAll(Map.of("GIT_CONFIG_GLOBAL", "/dev/null", "GIT_CONFIG_NOSYSTEM", "1",
      "GIT_ATTR_NOSYSTEM", "1"));
  }

  Path folder() {
    return folder;
  }

  /** Runs git in the repository, and returns what it printed. */
  String git(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(GIT);
    command.addAll(List.of(arguments));
    int code = Program.run(folder, output, environment -> {
      shield(environment);
      environment.putAll(author.environment());
    }, MINUTES, command);
    String printed = Files.readString(output).strip();
    if (code != 0) {
      throw ToolException.failed("git " + String.join(" ", arguments) + " failed in " + folder
        + ": " + printed.replaceAll("\\s*\\n\\s*", "; "));
    }
    return printed;
  }

  /** Commits all that there is, and returns the commit. */
  String commit(String message) throws IOException, InterruptedException {
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  }

  /** Writes one patch file for each commit after this one; they are numbered. */
  List<Path> formatPatches(String since, Path out) throws IOException, InterruptedException {
    Files.createDirectories(out);
    String files = git("format-patch", "--no-signature", "--subject-prefix=PATCH",
      "--output-directory", out.toAbsolutePath().toString(), since);
    return files.lines().map(Path::of).toList();
  }

  /** Goes back to a commit; whatever else there is in the folder is gone. */
  void reset(String commit) throws IOException, InterruptedException {
    git("checkout", "-q", "-f", "--detach", commit);
    git("clean", "-q", "-fdx");
  }

  /** Goes back to a commit, and applies patch files there as a maintainer would. */
  void apply(String commit, List<Path> patches) throws IOException, InterruptedException {
    reset(commit);
    List<String> arguments = new ArrayList<>(List.of("am", "-q", "--keep-cr"));
    patches.forEach(p -> arguments.add(p.toAbsolutePath().toString()));
    try {
      git(arguments.toArray(new String[0]));
    } catch (ToolException e) {
      if (Files.exists(folder.resolve(".git/rebase-apply"))) {
        git("am", "--abort");
      }
      throw e;
    }
  }

  /** Java files that differ from a commit, below a folder; those that aren't there are left out. */
  List<Path> changedSince(String commit, String below) throws IOException, InterruptedException {
    Stream<String> names = git("diff", "--name-only", commit, "--", below).lines();
    return names.filter(n -> n.endsWith(".java")).map(folder::resolve).toList();
  }
}
