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
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.Program;

/*
 * A JVM's standard input is a pipe from here that nothing is written to. However this process ends,
 * the pipe's end tells the JVM to end, too; TestMain waits for it.
 */

/** Runs a class of an arm in a JVM and a folder of its own. Thread-safe. */
final class TestJvm {
  /** In a JVM's folder; as in upstream's build. */
  static final String CLASSES = "target/test-classes";

  /** Has features do more than operators want. */
  private static final List<String> OF_ON =
    List.of("-Dmultiget.parallel.spread.all=true", "-Dcoprocessor.cells.guarded=true");

  private static final String MAIN = "org.hbasestrata.upstreamtests.TestMain";

  private final Arm arm;
  private final List<String> command;
  private final Path folder;
  private final int seconds;

  /**
   * Reads the options.
   * @param folder takes logs and reports, in a folder for each arm
   */
  TestJvm(Arm arm, Options options, String classPath, Path folder) throws IOException {
    this.arm = arm;
    this.folder = Files.createDirectories(folder.resolve(arm.toString()));
    this.seconds = options.positive("class.seconds");
    command = new ArrayList<>();
    command.add(Program.java());
    command.addAll(List.of(options.text("jvm-options").split("\\s+")));
    command.add("-Dupstream-tests.arm=" + arm);
    if (arm == Arm.ON) {
      command.addAll(OF_ON);
    }
    command.add("-Dupstream-tests.stock=" + options.flag("stock"));
    Path conf = options.path("conf").resolve(arm.toString());
    command.addAll(List.of("-cp", String.join(":", CLASSES, conf.toString(), classPath)));
  }

  Arm arm() {
    return arm;
  }

  /** Runs a class to its end; its log stays if it fails. */
  ClassReport run(String className) throws IOException, InterruptedException {
    Path file = folder.resolve(className + ".report");
    Path log = folder.resolve(className + ".log");
    Files.deleteIfExists(file);
    List<String> all = new ArrayList<>(command);
    all.add("-XX:ErrorFile=" + folder.resolve(className + ".hs_err"));
    all.addAll(List.of(MAIN, className, file.toString()));
    Path work = folder.resolve(className);
    // Of a run that was killed.
    Folders.delete(work);
    Files.createDirectories(work.resolve(CLASSES));
    long start = System.nanoTime();
    OptionalInt code;
    try {
      code = Program.run(new ProcessBuilder(all).directory(work.toFile()), log, seconds);
    } finally {
      Folders.delete(work);
    }
    long took = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    if (!Files.exists(file)) {
      return ClassReport.ofNone(className, code.isPresent()
        ? "its JVM ended with code " + code.getAsInt() + " and no report"
        : "not at its end after " + seconds + " s (-Dclass.seconds)", took);
    }
    ClassReport report = ClassReport.read(file, className);
    Files.delete(file);
    if (report.tests() == 0 && report.skipped() == 0 && report.failures().isEmpty()) {
      return ClassReport.ofNone(className, "has no tests", took);
    }
    if (report.failures().isEmpty()) {
      Files.delete(log);
    }
    return report;
  }
}
