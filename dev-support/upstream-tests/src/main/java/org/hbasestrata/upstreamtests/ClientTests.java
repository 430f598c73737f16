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
package org.hbasestrata.upstreamtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.seams.UpstreamJar;
import org.hbasestrata.tools.Folders;

/*
 * Of hbase-client upstream publishes no tests jar, but the tests' sources. They are unpacked and
 * compiled below target/, against what is tested. The configuration in that jar is left out: it
 * would hide that of the arms.
 */

/** The tests of hbase-client. */
final class ClientTests {
  private ClientTests() {
  }

  /**
   * Compiles the tests.
   * @param jar    with the sources
   * @param pins   file in the format of {@code sha256sum}, one line per jar
   * @param folder takes sources and classes
   * @return the folder of the classes
   */
  static Path compile(Path jar, Path pins, String classPath, Path folder) throws IOException {
    UpstreamJar tests;
    try {
      tests = new UpstreamJar(jar, pins);
    } catch (SeamException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    Path sources = folder.resolve("sources");
    // Of an earlier run.
    Folders.delete(sources);
    tests.unpack(sources, name -> name.endsWith(".java"));
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-XDsuppressNotes", "-proc:none",
      "--release", "8", "-encoding", "UTF-8", "-cp", classPath, "-d", classes.toString()));
    Folders.tree(sources, ".java").forEach(source -> arguments.add(source.toString()));
    int code = ToolProvider.getSystemJavaCompiler().run(null, System.err, System.err,
      arguments.toArray(String[]::new));
    if (code != 0) {
      throw new IllegalStateException(jar + " can't be compiled; javac says above why");
    }
    return classes;
  }
}
