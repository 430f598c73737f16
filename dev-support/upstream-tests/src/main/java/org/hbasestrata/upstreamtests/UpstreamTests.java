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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/*
 * Maven calls this with the class path of the tests. Each class is run in a JVM of its own, and
 * once more in another if a test failed that may not. Nothing that becomes of a JVM keeps the
 * other classes and arms from running and being judged.
 */

/** Runs upstream's tests for the module's pom; see docs/upstream-tests.md. */
public final class UpstreamTests {
  /** Looks whether an arm is what it is called; is run before all others. */
  private static final String PROBE = "org.hbasestrata.upstreamtests.ArmProbe";

  private final Options options;
  private final Verdict verdict;
  private final Results results;
  private final Instant deadline;

  private UpstreamTests(Options options) throws IOException {
    this.options = options;
    verdict = new Verdict(MayFail.read(options.path("may-fail")), options.flag("stock"));
    Options.check("record", "true", !options.flag("record") || !options.flag("stock"),
      "without -Dstock, whose results aren't recorded");
    results = options.flag("record") ? new Results(options.path("results")) : null;
    deadline = Instant.now().plus(Duration.ofMinutes(options.positive("minutes")));
  }

  /**
   * Runs tests.
   * @param arguments {@code NAME=VALUE} each
   * @throws IllegalArgumentException if an argument isn't allowed
   * @throws IllegalStateException    if tests failed that may not
   */
  public static void main(String[] arguments)
    throws IOException, InterruptedException, ExecutionException {
    new UpstreamTests(new Options(arguments)).run();
  }

  private void run() throws IOException, InterruptedException, ExecutionException {
    List<ListedTest> tests = ListedTest.read(options.path("tests"));
    Map<Arm, List<String>> chosen = new Choice(options.text("set"), options.text("arm"),
      options.text("shard"), options.text("classes")).of(tests);
    Path folder = options.path("folder");
    String classPath = options.text("classes.folders") + ":"
      + Files.readString(options.path("class-path")).strip();
    Path clientTests = ClientTests.compile(options.path("client-tests"), options.path("pins"),
      classPath, folder.resolve("client"));
    List<TestJvm> jvms = new ArrayList<>();
    for (Arm arm : chosen.keySet()) {
      jvms.add(new TestJvm(arm, options, classPath + ":" + clientTests, folder));
      probe(jvms.get(jvms.size() - 1));
    }
    ExecutorService threads = Executors.newFixedThreadPool(options.positive("jvms"));
    List<Future<?>> running = new ArrayList<>();
    try {
      for (ListedTest test : tests) {
        jvms.stream().filter(jvm -> chosen.get(jvm.arm()).contains(test.className()))
          .forEach(jvm -> running.add(threads.submit(() -> {
            judge(jvm, test.className());
            return null;
          })));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    String summary = verdict.summary();
    Files.writeString(folder.resolve("summary.md"), summary);
    System.out.println(summary);
    verdict.check();
  }

  private static void probe(TestJvm jvm) throws IOException, InterruptedException {
    ClassReport report = jvm.run(PROBE);
    if (report.tests() == 0 || !report.failures().isEmpty()) {
      throw new IllegalStateException(
        "arm " + jvm.arm() + " isn't what it is called: " + report.failures());
    }
  }

  private void judge(TestJvm jvm, String className) throws IOException, InterruptedException {
    ClassReport report;
    if (Instant.now().isAfter(deadline)) {
      report = ClassReport.ofNone(className, "not begun before the time was up (-Dminutes)", 0);
    } else {
      report = jvm.run(className);
      if (verdict.isUnexpected(jvm.arm(), report)) {
        report = jvm.run(className).after(report);
      }
      if (results != null) {
        results.add(jvm.arm(), report);
      }
    }
    verdict.add(jvm.arm(), report);
    System.out.printf("%s %s: %d tests, %d skipped, %d failed, %d s%n", jvm.arm(), className,
      report.tests(), report.skipped(), report.failures().size(), report.seconds());
  }
}
