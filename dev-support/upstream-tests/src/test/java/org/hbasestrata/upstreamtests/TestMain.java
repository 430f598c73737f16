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

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hbasestrata.upstreamtests.ClassReport.Failure;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** A test's JVM: runs a class, and writes its report. */
public final class TestMain {
  private static final int SECONDS_TO_EXIT = 30;

  private TestMain() {
  }

  /**
   * Runs a class.
   * @param arguments the class, and the file that takes its report
   */
  public static void main(String[] arguments) throws IOException {
    thread("parent", TestMain::endWithParent);
    layOut(arguments[0]);
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(
      LauncherDiscoveryRequestBuilder.request().selectors(selectClass(arguments[0])).build(),
      listener);
    TestExecutionSummary summary = listener.getSummary();
    report(arguments[0], summary).write(Path.of(arguments[1]));
    for (TestExecutionSummary.Failure failure : summary.getFailures()) {
      System.err.println(failure.getTestIdentifier().getDisplayName());
      failure.getException().printStackTrace();
    }
    thread("exit", TestMain::endSoon);
    System.exit(0);
  }

  /** Some tests look for these in a folder, where upstream's build has them. */
  private static void layOut(String className) throws IOException {
    copy("hbase-site.xml");
    copy("override-hbase-site.xml");
    copy("org/apache/hadoop/hbase/security/token/SecureTestCluster.class");
    try {
      for (Class<?> c = Class.forName(className, false, TestMain.class.getClassLoader());
        c != Object.class; c = c.getSuperclass()) {
        copy(c.getName().replace('.', '/') + ".class");
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no class " + className, e);
    }
  }

  /** Copies what is on the class path to the part of it that is the folder of this JVM. */
  private static void copy(String name) throws IOException {
    Path file = Path.of(TestJvm.CLASSES).resolve(name);
    try (InputStream resource = TestMain.class.getResourceAsStream("/" + name)) {
      if (resource != null) {
        Files.createDirectories(file.getParent());
        Files.copy(resource, file, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static ClassReport report(String className, TestExecutionSummary summary) {
    List<Failure> failures = summary.getFailures().stream().map(
      failure -> new Failure(className, method(failure.getTestIdentifier()),
        message(failure.getException())))
      .distinct().toList();
    return new ClassReport(className, (int) summary.getTestsFoundCount(),
      (int) (summary.getTestsSkippedCount() + summary.getTestsAbortedCount()),
      TimeUnit.MILLISECONDS.toSeconds(summary.getTimeFinished() - summary.getTimeStarted()),
      failures, List.of());
  }

  /** Returns the first line of a failure and, as an assertion may say nothing, where it is from. */
  private static String message(Throwable failure) {
    String line = failure.toString().lines().findFirst().orElse("").strip();
    return Arrays.stream(failure.getStackTrace())
      .filter(frame -> frame.getClassName().matches("org\\.(apache\\.hadoop|hbasestrata)\\..*"))
      .findFirst()
      .map(frame -> line + " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
      .orElse(line);
  }

  private static String method(TestIdentifier test) {
    return test.getSource().filter(MethodSource.class::isInstance).map(MethodSource.class::cast)
      .map(MethodSource::getMethodName).orElse("");
  }

  /**
   * The standard input ends when the process ends that started this one. Tests may forbid
   * {@code exit} and {@code halt}, so it takes another program.
   */
  private static void endWithParent() {
    try {
      System.in.transferTo(OutputStream.nullOutputStream());
      new ProcessBuilder("kill", "-KILL", String.valueOf(ProcessHandle.current().pid())).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Shutdown hooks of a cluster may wait for each other. */
  private static void endSoon() {
    try {
      TimeUnit.SECONDS.sleep(SECONDS_TO_EXIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(0);
  }

  private static void thread(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }
}
