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
import java.util.stream.Stream;
import org.hbasestrata.tools.Git;
import org.hbasestrata.tools.ToolException;

/** A git repository of its own with upstream's sources, in which patches are made and tried. */
final class GitTree {
  private final Path folder;
  private final Git git;

  /**
   * Makes an empty repository.
   * @param folder must be empty, or not exist
   */
  GitTree(Path folder, Author author) throws IOException, InterruptedException {
    this.folder = folder;
    Files.createDirectories(folder);
    // A patch is the same whoever makes it.
    git = Git.shielded(folder, author.environment());
    git("init", "-q", "--template=");
  }

  Path folder() {
    return folder;
  }

  /** Runs git in the repository, and returns what it printed. */
  String git(String... arguments) throws InterruptedException {
    return git.run(arguments);
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
