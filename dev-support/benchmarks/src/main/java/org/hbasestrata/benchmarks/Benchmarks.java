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

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks that there are. */
final class Benchmarks {
  private Benchmarks() {
  }

  /**
   * Returns full names, in order.
   * @param pattern a regular expression found in the full name
   */
  static List<String> matching(String pattern) {
    PrintStream nowhere =
      new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    return BenchmarkList.defaultList()
      .find(OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT),
        List.of(pattern), List.of())
      .stream().map(BenchmarkListEntry::getUsername).distinct().toList();
  }

  /** A full name without its package. */
  static String shortName(String benchmark) {
    int start = 0;
    while (!Character.isUpperCase(benchmark.charAt(start))) {
      start = benchmark.indexOf('.', start) + 1;
    }
    return benchmark.substring(start);
  }
}
