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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.Assert.fail;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.SystemExitRule;
import org.hbasestrata.upstreamtests.ClassReport.Failure;
import org.junit.AfterClass;
import org.junit.Assume;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class TestJvmTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  /** Run by JVMs that the tests start. */
  public static class Mixed {
    @AfterClass
    public static void after() {
      throw new IllegalStateException("left open");
    }

    @Test
    public void passes() {
    }

    @Test
    public void fails() {
      fail("two\nlines");
    }

    @Test
    public void isSkipped() {
      Assume.assumeTrue(false);
    }
  }

  /** A test class that ends its JVM. */
  public static class Crashes {
    @Test
    public void crashes() {
      Runtime.getRuntime().halt(7);
    }
  }

  /** A test class that hangs, and forbids System.exit, as many of upstream's tests do. */
  public static class Hangs {
    @ClassRule
    public static final SystemExitRule NO_EXIT = new SystemExitRule();

    @Test
    public void hangs() throws InterruptedException {
      System.out.println("hanging");
      TimeUnit.HOURS.sleep(1);
    }
  }

  @Rule
  public final TemporaryFolder temporary = new TemporaryFolder();

  @Test
  public void failuresOfTestsAndClassesAreTold() throws IOException, InterruptedException {
    ClassReport report = run(Mixed.class, 600);
    assertThat(report.tests()).isEqualTo(3);
    assertThat(report.skipped()).isEqualTo(1);
    assertThat(report.failures()).extracting(Failure::method, f -> f.message().replaceFirst(
      "\\(TestJvmTest.java:\\d+\\)$", "(line)")).containsExactlyInAnyOrder(
        tuple("fails", "java.lang.AssertionError: two (line)"),
        tuple("", "java.lang.IllegalStateException: left open (line)"));
  }

  @Test
  public void aCrashIsAFailure() throws IOException, InterruptedException {
    assertThat(run(Crashes.class, 600).failures()).containsExactly(
      new Failure(Crashes.class.getName(), "", "its JVM ended with code 7 and no report"));
  }

  @Test
  public void aClassThatTakesTooLongIsEnded() throws IOException, InterruptedException {
    assertThat(run(Hangs.class, 3).failures()).containsExactly(
      new Failure(Hangs.class.getName(), "", "not at its end after 3 s (-Dclass.seconds)"));
  }

  @Test(timeout = 600_000)
  public void aJvmEndsWithTheProcessThatStartedIt() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
      List.of("-cp", CLASS_PATH, TestMain.class.getName(), Hangs.class.getName(), "none"));
    Path log = temporary.getRoot().toPath().resolve("log");
    Process jvm = new ProcessBuilder(command).directory(temporary.getRoot())
      .redirectErrorStream(true).redirectOutput(log.toFile()).start();
    while (!Files.readString(log).contains("hanging")) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    jvm.getOutputStream().close();
    assertThat(jvm.waitFor()).isNotZero();
  }

  private ClassReport run(Class<?> test, int seconds) throws IOException, InterruptedException {
    Path folder = temporary.getRoot().toPath();
    Options options = new Options("class.seconds=" + seconds, "jvm-options=-Xmx64m", "stock=false",
      "conf=" + folder);
    return new TestJvm(Arm.OFF, options, CLASS_PATH, folder).run(test.getName());
  }
}
