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
package org.hbasestrata.bench.charts;

import java.nio.file.Path;
import org.hbasestrata.tools.Checkout;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench charts}. */
@Command(name = "charts", description = "Makes the charts of the documents again, from the"
  + " recorded comparisons.")
public final class ChartsCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "LIST", arity = "0..1", description = "Says which figure of which"
    + " report.md is in which chart; reports are named relative to it. Without it"
    + " dev-support/bench/results/charts.yaml.")
  private Path list;

  @Option(names = "--out", paramLabel = "FOLDER", description = "Where the charts go, a light one"
    + " and a dark one of each. Without it docs/images.")
  private Path folder;

  @Override
  public void run() {
    Path from = list == null ? recorded(Checkout.fromProperty()) : list;
    Path to = folder == null ? images(Checkout.fromProperty()) : folder;
    ChartFiles.write(ChartFiles.of(from), to).forEach(spec.commandLine().getOut()::println);
  }

  /** The list of the documents' charts. */
  static Path recorded(Checkout checkout) {
    return checkout.folderOf("bench").resolve("results/charts.yaml");
  }

  static Path images(Checkout checkout) {
    return checkout.root().resolve("docs/images");
  }
}
