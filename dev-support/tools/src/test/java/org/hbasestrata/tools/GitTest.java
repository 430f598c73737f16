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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class GitTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  @Test
  public void shieldedItKnowsNothingOfTheMachine() {
    Map<String, String> environment = new HashMap<>(Map.of("GIT_DIR", "/a", "GIT_WORK_TREE", "/b",
      "GIT_CONFIG_COUNT", "1", "HOME", "/home/a"));
    Git.shield(environment);
    assertThat(environment).containsOnly(entry("GIT_CONFIG_GLOBAL", "/dev/null"),
      entry("GIT_CONFIG_NOSYSTEM", "1"), entry("GIT_ATTR_NOSYSTEM", "1"),
      entry("HOME", "/home/a"));
  }

  @Test
  public void aCommitIsDirtyWhenFilesDifferFromIt() throws Exception {
    Path root = folder.getRoot().toPath();
    assertThat(new Checkout(root).commit()).isNull();
    Git git = Git.shielded(root, Map.of("GIT_AUTHOR_NAME", "a", "GIT_AUTHOR_EMAIL", "a@b",
      "GIT_COMMITTER_NAME", "a", "GIT_COMMITTER_EMAIL", "a@b"));
    git.run("init", "-q");
    Path file = Files.writeString(root.resolve("file"), "one");
    git.run("add", "file");
    git.run("commit", "-q", "-m", "one");
    String commit = git.run("rev-parse", "HEAD");
    assertThat(new Checkout(root).commit()).isEqualTo(commit);
    Files.writeString(file, "two");
    assertThat(new Checkout(root).commit()).isEqualTo(commit + "-dirty");
    assertThatThrownBy(() -> git.run("no-such")).isInstanceOf(ToolException.class)
      .hasMessageStartingWith("git no-such failed in " + root + ": ");
  }
}
