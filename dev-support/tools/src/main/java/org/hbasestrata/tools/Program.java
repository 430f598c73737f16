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
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** Programs that are run to their end. {@link Child} is for those that others run beside. */
public final class Program {
  private Program() {
  }

  /** The java command of the JVM that this is. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** The jar or folder that has a class: for the class path of another JVM. */
  public static Path classesOf(Class<?> one) {
    try {
      return Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A program that runs in a folder, and has nothing to read. */
  public static ProcessBuilder in(Path folder, List<String> command) {
    return new ProcessBuilder(command).directory(folder.toFile())
      .redirectInput(Path.of("/dev/null").toFile());
  }

  /**
   * Runs a program. It is killed, with all that it has started, when it takes too long, when this
   * thread is interrupted, and when this JVM ends.
   * @param output takes what it prints
   * @return its exit code; empty if it took too long
   */
  public static OptionalInt run(ProcessBuilder builder, Path output, int seconds)
    throws IOException, InterruptedException {
    Files.createDirectories(output.toAbsolutePath().getParent());
    Process process =
      builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    Thread hook = new Thread(() -> kill(process), "kill-" + process.pid());
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS) ? OptionalInt.of(process.exitValue())
        : OptionalInt.empty();
    } finally {
      kill(process);
      removeHook(hook);
    }
  }

  /** Kills a process with all that it has started, and waits for their end. */
  public static void kill(Process process) {
    List<ProcessHandle> children = process.descendants().toList();
    children.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    children.forEach(child -> child.onExit().join());
    process.onExit().join();
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This JVM ends.
    }
  }
}
