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
package org.hbasestrata.bench.pairs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.report.Pages;

/** Writes the report of {@code bench pairs}: for people, for a commit, and for programs. */
public final class PairsFiles {
  private static final Pages PAGES = new Pages(PairsFiles.class);
  private static final String PAGE = "index.html";

  private PairsFiles() {
  }

  /** Returns the page. */
  public static Path write(Pairs pairs, Path folder) {
    Path report = folder.resolve("report");
    PairsView view = PairsView.of(pairs);
    try {
      Files.createDirectories(report);
      Files.writeString(report.resolve("report.json"),
        ComparisonFolder.JSON.writeValueAsString(pairs) + '\n');
      Files.writeString(report.resolve("report.md"), PAGES.markdown("pairs", view.title(), view));
      Files.writeString(report.resolve(PAGE),
        PAGES.html("pairs", view.title(), view, List.of()));
    } catch (IOException e) {
      throw BenchException.failed(report + " can't be written: " + BenchException.oneLine(e), e);
    }
    return report.resolve(PAGE);
  }

  /** What the terminal shows of a number of threads. */
  public static List<String> lines(Pairs.Result result, List<String> arms) {
    return PairsView.lines(result, arms);
  }
}
