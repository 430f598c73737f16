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

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs benchmarks in the JVM of an arm, or in JVMs that JMH forks from it. Tells on standard output
 * of the HBase version that it runs on, of each benchmark begun, and of each that failed; the
 * others go on.
 */
final class ArmMain {
  static final String VERSION = "version ";
  static final String BEGIN = "begin ";
  static final String FAILED = "failed ";

  private ArmMain() {
  }

  /**
   * Writes JMH's results as JSON and JMH's own words to a log.
   * @param args the {@link Effort}, the result file, the log, the benchmarks
   */
  public static void main(String[] args) throws IOException {
    Effort effort = Effort.valueOf(args[0]);
    List<String> benchmarks = List.of(args).subList(3, args.length);
    System.out.println(VERSION + VersionInfo.getVersion());
    List<RunResult> results = new ArrayList<>();
    try (PrintStream log =
      new PrintStream(new FileOutputStream(args[2], true), true, StandardCharsets.UTF_8)) {
      OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
      for (String benchmark : benchmarks) {
        System.out.println(BEGIN + benchmark);
        try {
          results.addAll(new Runner(effort.options(benchmark), format).run());
        } catch (RunnerException e) {
          e.printStackTrace(log);
          System.out.println(FAILED + oneLine(e));
          if (e.getCause() == null) {
            // Not the benchmark's fault: JMH refuses to run, beside another JMH for one.
            break;
          }
        }
      }
    }
    ResultFormatFactory.getInstance(ResultFormatType.JSON, args[1]).writeOut(results);
    // A benchmark that failed may have left threads behind.
    System.exit(0);
  }

  private static String oneLine(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null || cause.getSuppressed().length > 0) {
      cause = cause.getCause() != null ? cause.getCause() : cause.getSuppressed()[0];
    }
    String text = cause instanceof RunnerException ? cause.getMessage() : cause.toString();
    return text.lines().findFirst().orElse("");
  }
}
