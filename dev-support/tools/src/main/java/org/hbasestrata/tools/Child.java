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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A process that runs beside this one, in a session of its own, out of reach of Ctrl-C. */
public final class Child {
  /** JVM options for servers and clients, of the build's tests: they measure nothing. */
  private static final String OPTIONS_OF_TESTS = "STRATA_TEST_JVM_OPTS";
  /** {@code dev-support/bin/cluster up} may have to end daemons. */
  private static final int END_SECONDS = 60;

  private final Process process;
  private final Thread reader;

  private Child(Process process, Thread reader) {
    this.process = process;
    this.reader = reader;
  }

  /**
   * Starts a process.
   * @param environment added to this process's
   * @param log         what it prints is appended to this file
   * @param lines       gets what it prints, line by line, in a thread of its own
   */
  public static Child start(List<String> command, Map<String, String> environment, Path log,
    Consumer<String> lines) {
    return start(command, environment, log, lines,
      ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
  }

  /** The same, of a process that reads what it is told by {@link #tell}. */
  public static Child startListening(List<String> command, Map<String, String> environment,
    Path log, Consumer<String> lines) {
    return start(command, environment, log, lines, ProcessBuilder.Redirect.PIPE);
  }

  private static Child start(List<String> command, Map<String, String> environment, Path log,
    Consumer<String> lines, ProcessBuilder.Redirect input) {
    List<String> words = new ArrayList<>(List.of("setsid"));
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true)
      .redirectInput(input);
    // The caller's own settings don't reach the servers.
    builder.environment().keySet().removeIf(name -> name.startsWith("HBASE_")
      || name.equals("CLASSPATH") || name.equals("SERVER_GC_OPTS"));
    builder.environment().putAll(environment);
    String options = System.getenv(OPTIONS_OF_TESTS);
    if (options != null) {
      builder.environment().merge("HBASE_OPTS", options, (given, ofTests) -> ofTests + " " + given);
    }
    try {
      Process process = builder.start();
      Thread reader = new Thread(() -> read(process, log, lines), "output-of-" + process.pid());
      reader.setDaemon(true);
      reader.start();
      return new Child(process, reader);
    } catch (IOException e) {
      throw ToolException.failed(command.get(0) + " can't be started: "
        + ToolException.oneLine(e), e);
    }
  }

  private static void read(Process process, Path log, Consumer<String> lines) {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
      var writer = Files.newBufferedWriter(log, StandardOpenOption.CREATE,
        StandardOpenOption.APPEND)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        writer.write(line);
        writer.newLine();
        writer.flush();
        lines.accept(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a line to its input. */
  public void tell(String line) throws IOException {
    Writer input = process.outputWriter(StandardCharsets.UTF_8);
    input.write(line + '\n');
    input.flush();
  }

  /** Waits for its end and returns its exit code; ends it when interrupted. */
  public int await() throws InterruptedException {
    return await(() -> true);
  }

  /** The same, but ends it as soon as something that it needs isn't there any more. */
  public int await(BooleanSupplier needed) throws InterruptedException {
    try {
      while (!process.waitFor(1, TimeUnit.SECONDS)) {
        if (!needed.getAsBoolean()) {
          end();
        }
      }
      reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
      return process.exitValue();
    } catch (InterruptedException e) {
      end();
      throw e;
    }
  }

  /** SIGTERM, and SIGKILL when that doesn't help. */
  public void end() {
    // Not the Process itself: that closes what we read from too.
    process.toHandle().destroy();
    boolean interrupted = Thread.interrupted();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
    } catch (InterruptedException e) {
      process.destroyForcibly();
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Runs a command to its end.
   * @param name what its errors begin with
   * @return what it printed
   * @throws ToolException with the last line of that when its exit code isn't 0
   */
  public static List<String> run(String name, List<String> command, Map<String, String> environment,
    Path log) throws InterruptedException {
    List<String> lines = new ArrayList<>();
    int code = start(command, environment, log, lines::add).await();
    if (code != 0) {
      throw failed(name, code, lines, log);
    }
    return lines;
  }

  /** What went wrong with a command, by the last line that begins with its name. */
  public static ToolException failed(String name, int code, List<String> lines, Path log) {
    String line = lines.stream().filter(l -> l.startsWith(name + ": "))
      .reduce((first, second) -> second)
      .orElse(name + ": exit code " + code + (lines.isEmpty() ? ""
        : ", " + lines.get(lines.size() - 1)));
    return ToolException.failed(line + " (more in " + log + ")");
  }
}
