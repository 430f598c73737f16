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
package org.hbasestrata.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.PatternSyntaxException;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.Tool;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command dev-support/bin/benchmarks. */
@Command(name = "benchmarks", sortOptions = false,
  description = { "Runs the JMH benchmarks on upstream's jars and on ours, in turns, and shows"
    + " them side by side with the error of the means (99.9 %%): time, CPU time and bytes"
    + " allocated per operation. On a busy machine go by the latter two.", "" },
  footer = { "", "Exit codes: 0 all benchmarks ran on both arms, 1 some failed or nothing is"
    + " built, 2 wrong command line, 130 interrupted." })
final class BenchmarksTool extends Tool implements Callable<Integer> {
  /** The build's output folder of this module; set by the script. */
  static final String TARGET_PROPERTY = "benchmarks.target";

  /** What a file of {@code --json} begins with. */
  static final String JSON_BEGIN = "{\n  \"start\" : ";

  private final Map<String, String> versions = new TreeMap<>();
  private final Comparison comparison = new Comparison();
  private String current;
  private String failure;
  private int begun;
  private long startNanos;

  @Parameters(arity = "0..1", paramLabel = "PATTERN", defaultValue = "",
    description = "A regular expression: benchmarks whose full name it is found in. Default: all."
      + " One that matches nothing shows what there is.")
  private String pattern;

  @Option(names = "--quick",
    description = "A first look at all, in under a minute: runs too short and too few for"
      + " conclusions, small caches, no big batches.")
  private boolean quick;

  @Option(names = "--json", paramLabel = "FILE", description = "Writes the results for programs. Of"
    + " files that are there, only those of earlier runs are written over.")
  private Path json;

  private Effort effort = Effort.FULL;

  /** Ends with the exit codes that {@code --help} lists. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    System.exit(new BenchmarksTool().execute(out, System.err, args));
  }

  /** For the test: each benchmark once. */
  BenchmarksTool smoke() {
    effort = Effort.SMOKE;
    return this;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> benchmarks = benchmarks();
    Path target = Path.of(System.getProperty(TARGET_PROPERTY));
    List<Arm> arms = Arm.both(target);
    Path runs = Files.createDirectories(target.resolve("runs"));
    if (json != null) {
      Options.checkFile("--json", json, JSON_BEGIN);
      // Found out now, not at the end.
      writeJson("");
    }
    if (quick) {
      effort = Effort.QUICK;
    }
    Instant start = Instant.now();
    startNanos = System.nanoTime();
    out().println((quick ? "Quick look, not for conclusions: " : "") + effort + ".");

    int steps = effort.rounds() * arms.size() * benchmarks.size();
    for (int round = 1; round <= effort.rounds(); round++) {
      List<Arm> order = new ArrayList<>(arms);
      if (round % 2 == 0) {
        Collections.reverse(order);
      }
      for (Arm arm : order) {
        String run = arm.name() + "-" + round;
        Path log = runs.resolve(run + ".log");
        Path results = runs.resolve(run + ".json");
        String prefix = effort.rounds() == 1 ? arm.name()
          : "round " + round + " of " + effort.rounds() + ", " + arm.name();
        new ArmProcess(arm, effort, results, log).run(benchmarks,
          said -> hear(said, arm, prefix, steps, log));
        comparison.add(arm, results);
      }
    }

    versions.forEach((arm, version) -> out().println(arm + ": HBase " + version));
    out().println("\n" + comparison.table());
    out().println("Below 1, Strata takes less. " + (System.nanoTime() - startNanos) / 1_000_000_000
      + " s in all." + (quick ? " Quick look, not for conclusions." : ""));
    if (json != null) {
      writeJson(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
        .writeValueAsString(report(start)) + "\n");
    }
    if (failure != null) {
      err().println("benchmarks: not complete, see the failures above");
      return ToolException.FAILED;
    }
    return 0;
  }

  private List<String> benchmarks() {
    List<String> benchmarks;
    try {
      benchmarks = Benchmarks.matching(pattern);
    } catch (PatternSyntaxException e) {
      throw ToolException.usage("PATTERN '" + pattern + "' isn't a regular expression: "
        + e.getDescription());
    }
    if (benchmarks.isEmpty()) {
      throw ToolException.usage("no benchmark matches '" + pattern + "'; there are: "
        + String.join(", ", Benchmarks.matching("").stream().map(Benchmarks::shortName).toList()));
    }
    return benchmarks;
  }

  private void hear(String said, Arm arm, String prefix, int steps, Path log) {
    if (said.startsWith(ArmMain.VERSION)) {
      versions.put(arm.name(), said.substring(ArmMain.VERSION.length()));
    } else if (said.startsWith(ArmMain.BEGIN)) {
      double elapsed = (System.nanoTime() - startNanos) / 1e9;
      String left = begun == 0 ? ""
        : ", " + Math.round(elapsed * (steps - begun) / begun) + " s left";
      begun++;
      current = prefix + ": " + Benchmarks.shortName(said.substring(ArmMain.BEGIN.length()));
      err().println(current + " (" + begun + " of " + steps + left + ")");
    } else if (said.startsWith(ArmMain.FAILED)) {
      failure = current + " failed: " + said.substring(ArmMain.FAILED.length()) + "; see " + log;
      err().println("benchmarks: " + failure);
    } else {
      err().println(said);
    }
  }

  private Map<String, Object> report(Instant start) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("start", start.toString());
    report.put("quick", quick);
    report.put("effort", effort.toString());
    report.put("pattern", pattern);
    report.put("complete", failure == null);
    report.put("failure", failure);
    report.put("java", System.getProperty("java.vm.name") + " "
      + System.getProperty("java.vm.version"));
    report.put("cpus", Runtime.getRuntime().availableProcessors());
    report.put("versions", versions);
    report.put("results", comparison.results());
    return report;
  }

  private void writeJson(String text) {
    try {
      Files.writeString(json, text);
    } catch (IOException e) {
      throw ToolException.usage("--json " + json + " can't be written: " + e);
    }
  }
}
