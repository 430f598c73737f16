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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hbasestrata.bench.harness.ArmSpec;
import org.hbasestrata.bench.harness.Comparer;
import org.hbasestrata.bench.harness.Load;
import org.hbasestrata.bench.harness.Memory;
import org.hbasestrata.bench.harness.Request;
import org.hbasestrata.bench.harness.RunOptions;
import org.hbasestrata.bench.harness.ServerJvm;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gclab presets}. */
@Command(name = "presets", sortOptions = false,
  defaultValueProvider = PresetsCommand.Defaults.class,
  description = "Runs a YCSB profile against region servers that differ in their JVM, at levels of"
    + " load, and says which JVM meets the goals of each level best.",
  footer = { "",
    "As bench compare does, it brings up a cluster of its own, loads the rows once, and starts a"
      + " region server for each round and candidate, all with the tarball's jars and one"
      + " configuration. A warm server then serves the levels one after the other, each after a"
      + " full collection.",
    "", "The report is OUT/report/index.html, and report.md and report.json there; OUT/LEVEL/report"
      + " has bench's for each level." })
public final class PresetsCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(names = "--profile", paramLabel = "P", required = true,
    description = "A YCSB profile's name, or a path to a file.")
  private String profile;

  @Option(names = "--presets", paramLabel = "[NAME=]PRESET", split = ",", required = true,
    description = "Candidates: JVM presets (bin/hbase jvm --list, or those of"
      + " dev-support/gclab/presets) or paths of such, with a / or .preset at the end, two or"
      + " more. The first is what goals in"
      + " percent are of, and what the maximum is measured with.")
  private List<String> presets;

  @Option(names = "--java-home", paramLabel = "[NAME=]DIR",
    description = "The JDK or JRE of all candidates, or of one. Default: this one's.")
  private List<String> javaHomes = List.of();

  @Option(names = "--options", paramLabel = "NAME=OPTIONS",
    description = "More JVM options for one candidate, which win over its preset's.")
  private Map<String, String> jvmOptions = new LinkedHashMap<>();

  @Option(names = "--loads", paramLabel = "NAME[=RATE]", split = ",",
    defaultValue = "high,medium,low",
    description = "Levels of load: operations a second, or up to 1 a share of the maximum, which is"
      + " then measured first. high, medium and low alone are 0.8, 0.45 and 0.15. A NAME can't be"
      + " maximum, cluster, conf, logs or report. Default: ${DEFAULT-VALUE}.")
  private List<String> loads;

  @Option(names = "--goals", paramLabel = "FILE",
    description = "What is to be reached at each level; dev-support/gclab/goals has examples."
      + " Without it no winner is named, nor with one round: give --rounds 2 or more.")
  private Path goals;

  @Option(names = "--conf", paramLabel = "DIR",
    description = "The region servers' configuration: a directory, or the name of one in"
      + " dev-support/gclab/conf. Default: the tarball's.")
  private String conf;

  @Option(names = "--heap", paramLabel = "SIZE",
    description = "The heap. Default: a quarter of --memory.")
  private String heap;

  @Mixin
  private RunOptions options;

  /** What differs from bench compare's. */
  static final class Defaults implements IDefaultValueProvider {
    private static final Map<String, String> VALUES =
      Map.of("--minutes", "1", "--rounds", "1", "--warm-up", "1");

    @Override
    public String defaultValue(ArgSpec argument) {
      return argument instanceof OptionSpec option ? VALUES.get(option.longestName()) : null;
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    Checkout checkout = Checkout.fromProperty();
    Request request = request(checkout);
    Goals chosen = goals == null ? null : Goals.read(goals);
    PrintWriter out = spec.commandLine().getOut();
    if (chosen != null) {
      request.loads().stream().map(Load::name).filter(name -> !chosen.levels().containsKey(name))
        .forEach(name -> out.println("Note: " + goals + " has no goals for " + name));
    }
    new Lab(request.loads().stream().map(Load::name).toList()).write(request.out(), goals);
    return new Comparer(request, checkout, out, () -> LabFiles.write(request.out(), out)).compare();
  }

  Request request(Checkout checkout) {
    Path folder = checkout.folderOf("gclab");
    Map<String, ServerJvm> jvms =
      Candidates.parse(presets, javaHomes, jvmOptions, folder.resolve("presets"));
    Memory limit = options.memory().withHeap(heap);
    List<ArmSpec> arms = jvms.keySet().stream()
      .map(name -> new ArmSpec(name, configuration(checkout), ArmSpec.STRATA)).toList();
    return options.request(checkout, options.profile(profile, checkout), arms, jvms,
      Loads.parse(loads), limit, Map.of(), false, null,
      checkout.withoutRoot(Options.command("dev-support/bin/gclab",
        spec.commandLine().getParent().getParseResult().originalArgs())));
  }

  private Path configuration(Checkout checkout) {
    if (conf == null) {
      return checkout.shippedConf();
    }
    Path named = checkout.folderOf("gclab").resolve("conf").resolve(conf);
    Path chosen = Files.isDirectory(named) ? named : Path.of(conf).toAbsolutePath();
    if (conf.isEmpty() || !Files.isDirectory(chosen)) {
      throw ToolException.usage("--conf is '" + conf + "', allowed: a directory, or the name of"
        + " one in " + named.getParent());
    }
    return chosen;
  }
}
