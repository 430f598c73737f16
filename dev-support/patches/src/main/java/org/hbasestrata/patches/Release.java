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
import java.util.Optional;
import org.hbasestrata.seams.UpstreamJar;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.ToolException;

/** Another release of upstream, as far as Maven can get it. */
class Release {
  private static final int SECONDS = 600;

  private final Path root;
  private final String version;
  private final Path folder;

  /**
   * @param root   of the checkout
   * @param folder takes what is got
   */
  Release(Path root, String version, Path folder) {
    this.root = root;
    this.version = version;
    this.folder = folder;
  }

  String version() {
    return version;
  }

  /** A module's sources, or nothing if they can't be had. */
  Optional<UpstreamJar> sources(String module) throws IOException, InterruptedException {
    return get(module, "sources").map(UpstreamJar::unpinned);
  }

  /** A module's classes, or nothing if they can't be had. */
  Optional<Path> jar(String module) throws IOException, InterruptedException {
    return get(module, "");
  }

  private Optional<Path> get(String module, String classifier)
    throws IOException, InterruptedException {
    String suffix = classifier.isEmpty() ? "" : "-" + classifier;
    Path jar = folder.resolve(module + "-" + version + suffix + ".jar");
    Path log = folder.resolve("logs/" + jar.getFileName() + ".txt");
    int code = maven(log, "dependency:copy", "-DoutputDirectory=" + folder, "-Dartifact="
      + "org.apache.hbase:" + module + ":" + version + ":jar"
      + (classifier.isEmpty() ? "" : ":" + classifier));
    return code == 0 ? Optional.of(jar) : Optional.empty();
  }

  /** The release's jars and what they need, or nothing if one of them can't be had. */
  Optional<List<Path>> classPath() throws IOException, InterruptedException {
    int code = maven(folder.resolve("logs/class-path.txt"),
      "dependency:build-classpath@class-path", "-f", "dev-support/upstream/pom.xml",
      "-Dhbase.version=" + version, "-Dupstream.target=" + folder, "-Dupstream.without-tests");
    if (code != 0) {
      return Optional.empty();
    }
    String paths = Files.readString(folder.resolve("class-path")).strip();
    return Optional.of(List.of(paths.split(":")).stream().map(Path::of).toList());
  }

  private int maven(Path log, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q", "-N"));
    command.addAll(List.of(arguments));
    return Program.run(Program.in(root, command), log, SECONDS)
      .orElseThrow(() -> ToolException.failed("mvn took longer than " + SECONDS
        + " s; what it printed is in " + log));
  }
}
