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
package org.hbasestrata.bench.restart;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.tools.report.Pages;

/**
 * All of a {@code bench restart}.
 * @param comparison what was asked, and what it ran on
 * @param servers    region servers of the cluster
 * @param sides      what came of each arm, in the order in which they ran
 */
public record Restart(@JsonUnwrapped Comparison comparison, int servers, List<Side> sides) {
  private static final Pages PAGES = new Pages(Restart.class);

  /** Writes the report: for people, for a commit, and for programs. Returns the page. */
  public Path write(Path folder) {
    RestartView view = RestartView.of(this);
    return PAGES.write(folder.resolve("report"), "index.html", "restart", view.title(), view, this,
      view.charts());
  }
}
