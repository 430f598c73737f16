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

import java.util.stream.Stream;
import org.junit.internal.TextListener;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs the tests of a class, and counts those apart that were skipped. In a JVM of its own, which
 * ends then, whatever threads the tests leave; with a second argument, at the first that fails.
 */
public final class TestClassRun {
  private static final int MOST_CHARACTERS = 300;

  private TestClassRun() {
  }

  /** Names the test, the line of its class and the beginning of what is wrong, in one line. */
  private static String inShort(Failure failure) {
    String line = Stream.of(failure.getException().getStackTrace())
      .filter(e -> e.getClassName().equals(failure.getDescription().getClassName())).findFirst()
      .map(e -> ":" + e.getLineNumber()).orElse("");
    String wrong = String.valueOf(failure.getException()).lines().findFirst().orElse("");
    return failure.getTestHeader() + line + ": "
      + wrong.substring(0, Math.min(wrong.length(), MOST_CHARACTERS));
  }

  public static void main(String[] args) throws ClassNotFoundException {
    JUnitCore core = new JUnitCore();
    core.addListener(new TextListener(System.out));
    if (args.length > 1) {
      core.addListener(new RunListener() {
        @Override
        public void testFailure(Failure failure) {
          System.out.println(failure.getTestHeader() + ": " + failure.getTrace());
          Runtime.getRuntime().halt(1);
        }
      });
    }
    Result result = core.run(Class.forName(args[0]));
    result.getFailures().forEach(failure -> System.out.println("Failed: " + inShort(failure)));
    int unmet = result.getAssumptionFailureCount();
    // An assumption of the whole class isn't among the tests that were run.
    int passed = Math.max(0, result.getRunCount() - result.getFailureCount() - unmet);
    System.out.println("Passed: " + passed + ", skipped: " + (result.getIgnoreCount() + unmet));
    System.exit(result.wasSuccessful() ? 0 : 1);
  }
}
