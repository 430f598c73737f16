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

import java.io.PrintWriter;
import java.nio.file.Path;
import org.hbasestrata.tools.Tool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code dev-support/bin/gclab}. */
@Command(name = "gclab", description = "Finds the JVM preset for a machine and a load.",
  subcommands = { PresetsCommand.class, SourcesCommand.class },
  synopsisSubcommandLabel = "presets|sources|report",
  footer = { "", "Exit codes: 0 done, 1 failed, 2 wrong command line or input, 130"
    + " interrupted." })
public final class GcLabTool extends Tool {
  public static void main(String[] args) {
    new GcLabTool().run(args);
  }

  @Command(name = "report",
    description = "Makes the report of gclab presets again, from the files that it left.")
  void report(@Parameters(paramLabel = "OUT",
    description = "The folder of gclab presets. The report goes to OUT/report/.") Path folder) {
    LabFiles.write(folder, new PrintWriter(out(), true));
  }
}
