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

import java.nio.file.Path;
import java.util.Map;
import org.hbasestrata.tools.Git;
import org.hbasestrata.tools.ToolException;

/**
 * Whose commits patches are.
 * @param date when they were made, as git takes it
 */
record Author(String name, String email, String date) {
  /** For commits that nobody gets. */
  static final Author NOBODY = new Author("nobody", "nobody@localhost", "2026-01-01T00:00:00Z");

  /** The user of a git checkout, at the time of its last commit. */
  static Author of(Path checkout) throws InterruptedException {
    Git git = new Git(checkout);
    return new Author(setting(git, "user.name"), setting(git, "user.email"),
      git.run("log", "-1", "--format=%cI"));
  }

  private static String setting(Git git, String key) throws InterruptedException {
    try {
      return git.run("config", key);
    } catch (ToolException e) {
      throw ToolException.failed("a patch has an author, but git has no " + key
        + ": set it with git config --global " + key + " VALUE");
    }
  }

  /** As git takes it, for author and committer. */
  Map<String, String> environment() {
    return Map.of("GIT_AUTHOR_NAME", name, "GIT_AUTHOR_EMAIL", email, "GIT_AUTHOR_DATE", date,
      "GIT_COMMITTER_NAME", name, "GIT_COMMITTER_EMAIL", email, "GIT_COMMITTER_DATE", date);
  }
}
