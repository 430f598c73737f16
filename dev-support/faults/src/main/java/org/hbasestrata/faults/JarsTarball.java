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
package org.hbasestrata.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Folders;

/**
 * The jars tarball, unpacked.
 * @param folder   where it was unpacked
 * @param strata   version of its jars
 * @param upstream version of the jars that they replace
 */
record JarsTarball(Path folder, String strata, String upstream) {
  static JarsTarball unpack(Path target, Path into) throws IOException, InterruptedException {
    Path tarball = only(target, "hbase-strata-*-jars.tar.gz");
    Files.createDirectories(into);
    Child.run("tar", List.of("tar", "xzf", tarball.toString(), "-C", into.toString()), Map.of(),
      into.resolve("tar.log"));
    Path folder = only(into, "hbase-strata-*-jars");
    Map<String, String> versions = Files.readAllLines(folder.resolve("versions")).stream()
      .map(line -> line.split(" ")).collect(Collectors.toMap(words -> words[0], words -> words[1]));
    return new JarsTarball(folder, versions.get("strata"), versions.get("upstream"));
  }

  private static Path only(Path in, String glob) throws IOException {
    List<Path> found = Folders.list(in, glob);
    if (found.size() != 1) {
      throw new IOException(in + " has " + found.size() + " " + glob
        + ", allowed: one: mvn -B -DskipTests package");
    }
    return found.get(0);
  }

  /** Runs its script. */
  void swap(String command, Path home) throws InterruptedException {
    // The install's conf/ isn't what its server reads, so undo has nothing to check.
    Child.run("strata-jars", List.of(folder.resolve("bin/strata-jars").toString(), command,
      "--hbase-home", home.toString(), "--anyway"), Map.of(),
      folder.resolveSibling("strata-jars.log"));
  }
}
