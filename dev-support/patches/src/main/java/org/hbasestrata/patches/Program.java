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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs other programs. */
final class Program {
  private Program() {
  }

  /**
   * Runs a program to its end.
   * @param folder      that it runs in
   * @param output      file that takes what it prints
   * @param environment changes the variables that it would inherit
   * @return its exit code
   * @throws ToolException when it takes longer
   */
  static int run(Path folder, Path output, Consumer<Map<String, String>> environment, int minutes,
    List<String> command) throws IOException, InterruptedException {
    Files.createDirectories(output.toAbsolutePath().getParent());
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
      .redirectErrorStream(true).redirectOutput(output.toFile())
      .redirectInput(Path.of("/dev/null").toFile());
    environment.accept(builder.environment());
    Process process = builder.start();
    try {
      if (process.waitFor(minutes, TimeUnit.MINUTES)) {
        return process.exitValue();
      }
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    throw ToolException.failed(command.get(0) + " took longer than " + minutes
      + " minutes; what it printed is in " + output);
  }
}
