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

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/** How command lines are run: what goes wrong is one line for people, and an exit code. */
public final class Tools {
  private Tools() {
  }

  /**
   * Returns the exit code.
   * @param name    what its errors begin with
   * @param command a picocli command
   * @param debug   whether stack traces are wanted; asked once the command line is read
   */
  public static int execute(String name, Object command, BooleanSupplier debug, PrintStream out,
    PrintStream err, String... args) {
    CommandLine line = new CommandLine(command);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    line.setParameterExceptionHandler((e, a) -> {
      err.println(name + ": " + e.getMessage().replace('\n', ' ') + " (see " + name + " --help)");
      return BenchException.USAGE;
    });
    line.setExecutionExceptionHandler((e, failed, parsed) -> {
      if (debug.getAsBoolean() || !(e instanceof BenchException)) {
        e.printStackTrace(err);
      }
      err.println(name + ": "
        + (e instanceof BenchException ? e.getMessage() : BenchException.oneLine(e)));
      return e instanceof BenchException tool ? tool.exitCode() : BenchException.FAILED;
    });
    return line.execute(args);
  }
}
