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
package org.hbasestrata.bench.harness;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.report.ReportCommand;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench compare}. */
@Command(name = "compare", sortOptions = false,
  description = "Runs a YCSB profile against two or more region servers in turn, on the same data"
    + " and in the same memory, and reports.",
  footer = { "",
    "It brings up a cluster of its own (dev-support/bin/cluster --dir OUT/cluster), of stock, loads"
      + " the rows, flushes and compacts them, and then for each round and arm starts the region"
      + " server, warms it, runs the profile, and records. All else, the client too, stays the same"
      + " for all arms. A profile that writes gets the data back as it was loaded before each run,"
      + " from a snapshot. Don't build in this checkout meanwhile.",
    "",
    "Of --memory a quarter is the heap, a half the off-heap memory, and a quarter is left for the"
      + " JVM itself and the page cache. It is made real by a cgroup (version 1 or 2; needs root,"
      + " or a cgroup that may be written to; else it is noted that there was no limit)." })
public class CompareCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "PROFILE", description = "A YCSB profile's name, or a path to a file.")
  private String profile;

  @Mixin
  private ArmOptions arms;

  @Option(names = "--target", paramLabel = "RATE",
    description = "Operations a second. Default: as many as go.")
  private Integer target;

  @Option(names = "--restart",
    description = "Restarts the region server after the warm-up, and measures from then: what of"
      + " its cache outlives that, and how soon it is warm again.")
  private boolean restart;

  @Option(names = "--device-iops", paramLabel = "N",
    description = "Emulates a slower disk: holds what region server and DataNode read from the disk"
      + " of OUT to so many reads a second.")
  private Integer deviceIops;

  @Mixin
  private RunOptions options;

  @Override
  public Integer call() throws InterruptedException {
    Checkout checkout = Checkout.fromProperty();
    Request request = request(checkout);
    PrintWriter out = spec.commandLine().getOut();
    // Why it is partial is said when all else has been.
    return new Comparer(request, checkout, out, () -> ReportCommand.make(
      new ComparisonFolder(request.out()), out, new PrintWriter(Writer.nullWriter()))).compare();
  }

  Request request(Checkout checkout) {
    Profile chosen = options.profile(profile, checkout);
    List<ArmSpec> specs = arms.arms(checkout, defaultArms());
    Options.check("--target", target == null || target > 0, target, "a number of 1 or more");
    Options.check("--device-iops", deviceIops == null || deviceIops > 0, deviceIops,
      "a number of 1 or more");
    Memory limit = options.memory();
    return options.request(checkout, chosen, specs, arms.jvms(specs, null),
      List.of(new Load(null, target, null)), limit, defaultSettings(limit), restart, deviceIops,
      Options.command("dev-support/bin/bench",
        spec.commandLine().getParseResult().originalArgs()));
  }

  /** The arms when none is named. */
  List<String> defaultArms() {
    return List.of(ArmSpec.STOCK, ArmSpec.STRATA);
  }

  /** Keys of hbase-site.xml for all arms, but for those that the command line sets. */
  Map<String, String> defaultSettings(Memory limit) {
    return Map.of();
  }
}
