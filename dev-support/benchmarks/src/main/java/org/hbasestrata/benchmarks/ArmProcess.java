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
package org.hbasestrata.benchmarks;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.hbasestrata.tools.Program;

/** A JVM on an arm's class path that runs benchmarks. Ends with this JVM at the latest. */
final class ArmProcess {
  /**
   * What an arm's JVMs have of memory, beside this JVM's own options. Off heap as much as all
   * caches take that one JVM ever makes: what a collection frees of them may come too late.
   */
  private static final List<String> MEMORY =
    List.of("-Xms1g", "-Xmx1g", "-XX:MaxDirectMemorySize=4g");

  private final Arm arm;
  private final Effort effort;
  private final Path results;
  private final Path log;

  /**
   * @param results where JMH's results go, as JSON
   * @param log     where JMH's words go
   */
  ArmProcess(Arm arm, Effort effort, Path results, Path log) {
    this.arm = arm;
    this.effort = effort;
    this.results = results;
    this.log = log;
  }

  /**
   * Runs to the end.
   * @param said is given each line that {@link ArmMain} says
   * @throws IOException when the JVM ended with an error
   */
  void run(List<String> benchmarks, Consumer<String> said)
    throws IOException, InterruptedException {
    Files.deleteIfExists(results);
    Files.deleteIfExists(log);
    Process process = new ProcessBuilder(command(benchmarks))
      .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    Thread hook = new Thread(() -> Program.kill(process), "benchmarks-interrupt");
    Runtime.getRuntime().addShutdownHook(hook);
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.accept(line);
      }
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw new IOException("the JVM of arm " + arm.name() + " ended with exit code " + exitCode
          + ", see " + log);
      }
    } finally {
      Program.kill(process);
    }
    Runtime.getRuntime().removeShutdownHook(hook);
  }

  private List<String> command(List<String> benchmarks) {
    List<String> command = new ArrayList<>();
    command.add(Program.java());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(MEMORY);
    if (effort == Effort.SMOKE) {
      // No numbers that a second JMH beside it could spoil.
      command.add("-Djmh.ignoreLock=true");
      command.add("-XX:+UseSerialGC");
    } else {
      command.add("-XX:+UseG1GC");
    }
    command.add("-cp");
    command.add(arm.classPath().stream().map(Path::toString)
      .collect(Collectors.joining(File.pathSeparator)));
    command.add(ArmMain.class.getName());
    command.add(effort.name());
    command.add(results.toString());
    command.add(log.toString());
    command.addAll(benchmarks);
    return command;
  }
}
