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
package org.hbasestrata.gclab;

import java.io.PrintStream;
import org.hbasestrata.bench.Tools;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** {@code dev-support/bin/gclab}. */
@Command(name = "gclab", description = "Finds the JVM preset for a machine and a load.",
  subcommands = { PresetsCommand.class, SourcesCommand.class, ReportCommand.class },
  synopsisSubcommandLabel = "presets|sources|report",
  footer = { "", "Exit codes: 0 done, 1 failed, 2 wrong command line or input, 130"
    + " interrupted." })
public final class GcLabTool {
  static final String NAME = "gclab";

  @Option(names = { "-h", "--help" }, usageHelp = true, description = "Shows this help.",
    scope = ScopeType.INHERIT)
  private boolean help;

  @Option(names = { "-v", "--debug" }, description = "Shows stack traces of errors.",
    scope = ScopeType.INHERIT)
  private boolean debug;

  private PrintStream out;
  private PrintStream err;

  public static void main(String[] args) {
    System.exit(new GcLabTool().execute(System.out, System.err, args));
  }

  /** Returns the exit code. */
  int execute(PrintStream output, PrintStream errors, String... args) {
    out = output;
    err = errors;
    return Tools.execute(NAME, this, () -> debug, out, err, args);
  }

  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }
}
