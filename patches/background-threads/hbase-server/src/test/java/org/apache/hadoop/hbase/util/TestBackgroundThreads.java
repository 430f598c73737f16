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
package org.apache.hadoop.hbase.util;

import static org.junit.Assert.assertEquals;
import static org.junit.Assume.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.MiscTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Threads get nice values in a JVM that is told so, and none is touched in others. */
@Category({ MiscTests.class, MediumTests.class })
public class TestBackgroundThreads {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestBackgroundThreads.class);

  private static final String RESULT = "nice values ";

  /** What a JVM of its own does. */
  public static final class Work {
    private Work() {
    }

    /** Prints nice values: at first, for now, restored, of a lowered thread, and at last. */
    public static void main(String[] args) throws Exception {
      BackgroundThreads.configure(true);
      StringBuilder values = new StringBuilder(RESULT);
      append(values);
      int priority = BackgroundThreads.lowerForNow();
      append(values);
      BackgroundThreads.restore(priority);
      append(values);
      Thread background = new Thread(BackgroundThreads.lowering(() -> append(values)));
      background.start();
      background.join();
      append(values);
      System.out.println(values);
    }

    private static void append(StringBuilder values) {
      try {
        values.append(BackgroundThreads.readNice()).append(' ');
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @After
  public void turnOff() {
    BackgroundThreads.configure(false);
  }

  private static void assumeNiceValues() throws IOException {
    assumeTrue("Linux", Files.exists(Paths.get("/proc/thread-self/stat")));
    // A JVM that may raise threads has those of the usual priority at 0.
    assumeTrue("nice is 0", BackgroundThreads.readNice() == 0);
  }

  private static List<Integer> run(String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Paths.get(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(options));
    command
      .addAll(Arrays.asList("-cp", System.getProperty("java.class.path"), Work.class.getName()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> output;
    try (BufferedReader lines = new BufferedReader(
      new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output = lines.lines().collect(Collectors.toList());
    }
    assertEquals(String.join("\n", output), 0, process.waitFor());
    String values = output.stream().filter(line -> line.startsWith(RESULT)).findFirst().get();
    return Arrays.stream(values.substring(RESULT.length()).trim().split(" "))
      .map(Integer::valueOf).collect(Collectors.toList());
  }

  @Test
  public void jvmThatIsToldLowersThreads() throws Exception {
    assumeNiceValues();
    List<Integer> values =
      run("-XX:ThreadPriorityPolicy=1", "-XX:JavaPriority1_To_OSPriority=10");
    int usual = values.get(0);
    // Without a privilege a thread that goes on to other work is left alone.
    int forNow = values.get(1) == usual ? usual : 10;
    assertEquals(Arrays.asList(usual, forNow, usual, 10, usual), values);
  }

  @Test
  public void otherJvmLowersNone() throws Exception {
    assumeNiceValues();
    List<Integer> values = run();
    int usual = values.get(0);
    assertEquals(Arrays.asList(usual, usual, usual, usual, usual), values);
  }

  @Test
  public void offChangesNoPriority() throws Exception {
    BackgroundThreads.configure(false);
    assertPriorities(Thread.NORM_PRIORITY, Thread.NORM_PRIORITY);
  }

  @Test
  public void threadThatCannotBeRaisedIsLoweredOnlyForGood() throws Exception {
    BackgroundThreads.set(true, false);
    assertPriorities(Thread.NORM_PRIORITY, Thread.MIN_PRIORITY);
  }

  @Test
  public void threadThatCanBeRaisedIsLoweredForNow() throws Exception {
    BackgroundThreads.set(true, true);
    assertPriorities(Thread.MIN_PRIORITY, Thread.MIN_PRIORITY);
  }

  private static void assertPriorities(int forNow, int forGood) throws Exception {
    List<Integer> priorities = new ArrayList<>();
    Thread thread = new Thread(() -> {
      int priority = BackgroundThreads.lowerForNow();
      priorities.add(Thread.currentThread().getPriority());
      BackgroundThreads.restore(priority);
      priorities.add(Thread.currentThread().getPriority());
      BackgroundThreads.lower();
      priorities.add(Thread.currentThread().getPriority());
    });
    thread.setPriority(Thread.NORM_PRIORITY);
    thread.start();
    thread.join();
    assertEquals(Arrays.asList(forNow, Thread.NORM_PRIORITY, forGood), priorities);
  }
}
