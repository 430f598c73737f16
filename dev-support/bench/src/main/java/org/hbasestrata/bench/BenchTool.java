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

import org.hbasestrata.bench.charts.ChartsCommand;
import org.hbasestrata.bench.harness.AllocCommand;
import org.hbasestrata.bench.harness.CompareCommand;
import org.hbasestrata.bench.harness.NeighboursCommand;
import org.hbasestrata.bench.harness.PairsCommand;
import org.hbasestrata.bench.harness.RestartCommand;
import org.hbasestrata.bench.harness.StartsCommand;
import org.hbasestrata.bench.report.ReportCommand;
import org.hbasestrata.tools.Tool;
import picocli.CommandLine.Command;

/** {@code dev-support/bin/bench}. */
@Command(name = "bench", description = "Measures region servers side by side.",
  subcommands = { CompareCommand.class, PairsCommand.class, AllocCommand.class,
    RestartCommand.class, StartsCommand.class, NeighboursCommand.class, ReportCommand.class,
    ChartsCommand.class },
  synopsisSubcommandLabel = "compare|pairs|alloc|restart|starts|neighbours|report|charts",
  footer = { "", "Exit codes: 0 done, 1 failed, 2 wrong command line or input, 130"
    + " interrupted." })
public final class BenchTool extends Tool {
  public static void main(String[] args) {
    new BenchTool().run(args);
  }
}
