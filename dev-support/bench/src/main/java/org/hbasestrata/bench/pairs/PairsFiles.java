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

import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.tools.report.Pages;

/** Writes the report of {@code bench pairs}: for people, for a commit, and for programs. */
public final class PairsFiles {
  private static final Pages PAGES = new Pages(PairsFiles.class);

  private PairsFiles() {
  }

  /** Returns the page. */
  public static Path write(Pairs pairs, Path folder) {
    PairsView view = PairsView.of(pairs);
    return PAGES.write(folder.resolve("report"), "index.html", "pairs", view.title(), view, pairs,
      List.of());
  }

  /** What the terminal shows of a number of threads. */
  public static List<String> lines(Pairs.Result result, List<String> arms) {
    return PairsView.lines(result, arms);
  }
}
