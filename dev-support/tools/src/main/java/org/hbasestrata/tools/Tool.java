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
package org.hbasestrata.tools;

import java.io.PrintStream;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/**
 * A command of dev-support/bin, whose name and subcommands are in its annotation. What goes wrong
 * is one line for people, and an exit code.
 */
public abstract class Tool {
  @Option(names = { "-h", "--help" }, usageHelp = true, description = "Shows this help.",
    scope = ScopeType.INHERIT)
  private boolean help;

  @Option(names = { "-v", "--debug" }, description = "Shows stack traces of errors.",
    scope = ScopeType.INHERIT)
  private boolean debug;

  private PrintStream out;
  private PrintStream err;

  public final PrintStream out() {
    return out;
  }

  public final PrintStream err() {
    return err;
  }

  /** Runs it in this process, which ends with its exit code. */
  protected final void run(String... args) {
    System.exit(execute(System.out, System.err, args));
  }

  /** Returns the exit code. */
  public final int execute(PrintStream output, PrintStream errors, String... args) {
    out = output;
    err = errors;
    CommandLine line = new CommandLine(this);
    String name = line.getCommandName();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    line.setParameterExceptionHandler((e, a) -> {
      err.println(name + ": " + e.getMessage().replace('\n', ' ') + " (see " + name + " --help)");
      return ToolException.USAGE;
    });
    line.setExecutionExceptionHandler((e, failed, parsed) -> {
      if (debug || !(e instanceof ToolException)) {
        e.printStackTrace(err);
      }
      err.println(name + ": "
        + (e instanceof ToolException ? e.getMessage() : ToolException.oneLine(e)));
      return e instanceof ToolException tool ? tool.exitCode() : ToolException.FAILED;
    });
    return line.execute(args);
  }
}
