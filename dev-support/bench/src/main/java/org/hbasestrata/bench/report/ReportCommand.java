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
package org.hbasestrata.bench.report;

import java.io.PrintWriter;
import java.nio.file.Path;
import org.hbasestrata.bench.ComparisonFolder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench report}. */
@Command(name = "report",
  description = "Makes the report of a comparison again, from the files that it left.")
public final class ReportCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "OUT",
    description = "The comparison's folder. The report goes to OUT/report/.")
  private Path folder;

  @Override
  public void run() {
    make(new ComparisonFolder(folder), spec.commandLine().getOut(), spec.commandLine().getErr());
  }

  /**
   * Writes the report of a comparison, whether it is complete or not.
   * @param out told where it is
   * @param err told what is missing for the comparison to be complete
   */
  public static void make(ComparisonFolder comparison, PrintWriter out, PrintWriter err) {
    Report report = Report.of(comparison);
    ReportFiles.write(report, comparison);
    report.reasons().forEach(reason -> err.println("bench: partial: " + reason));
    out.println(comparison.report().resolve(ReportFiles.PAGE));
    out.println(comparison.report().resolve(ReportFiles.ALLOCATION_PAGE));
  }
}
