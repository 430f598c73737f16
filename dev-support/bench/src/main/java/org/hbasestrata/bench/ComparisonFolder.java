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
package org.hbasestrata.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;

/*
 * OUT/comparison.json          Comparison
 * OUT/runs/ROUND-ARM/run.json  Run
 *                    ycsb.json, gc.log, server.jfr, flags.txt
 * OUT/report/                  made from all that
 */

/** The folder that holds a comparison: where its files are, and the JSON among them. */
public final class ComparisonFolder {
  private final Path folder;

  public ComparisonFolder(Path folder) {
    this.folder = folder;
  }

  public Path comparison() {
    return folder.resolve("comparison.json");
  }

  /** The folder of one run; {@code round} counts from 1. */
  public Path run(int round, String arm) {
    return folder.resolve("runs").resolve(round + "-" + arm);
  }

  public Path runJson(int round, String arm) {
    return run(round, arm).resolve("run.json");
  }

  public Path report() {
    return folder.resolve("report");
  }

  public Comparison readComparison() {
    if (!Files.exists(comparison())) {
      throw ToolException.usage(folder + " holds no comparison: there is no "
        + comparison().getFileName() + " in it");
    }
    return Json.read(comparison(), Comparison.class);
  }

  /** Null when the run has left no run.json. */
  public Run readRun(int round, String arm) {
    Path file = runJson(round, arm);
    return Files.exists(file) ? Json.read(file, Run.class) : null;
  }

  public void write(Comparison comparison) {
    Json.write(comparison(), comparison);
  }

  public void write(Run run) {
    Json.write(runJson(run.round(), run.arm()), run);
  }
}
