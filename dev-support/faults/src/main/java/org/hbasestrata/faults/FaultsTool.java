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
package org.hbasestrata.faults;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.Tool;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dev-support/bin/faults}. */
@Command(name = "faults", description = "Breaks things on purpose, and counts what was lost.",
  subcommands = { FaultsTool.Run.class, FaultsTool.Names.class },
  synopsisSubcommandLabel = "run|list",
  footer = { "", "Exit codes: 0 all faults were survived and nothing was lost, those aside that"
    + " were skipped, 1 not so, or all were skipped, 2 wrong command line, 130 or 143"
    + " interrupted." })
public final class FaultsTool extends Tool {
  public static void main(String[] args) {
    new FaultsTool().run(args);
  }

  @Command(name = "list", description = "Lists the faults.")
  static final class Names implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
      for (Fault fault : Faults.all()) {
        spec.commandLine().getOut().printf("%-21s %s%n", fault.name(), fault.about());
      }
      return 0;
    }
  }

  @Command(name = "run", sortOptions = false,
    description = "Runs faults on a cluster of its own, and writes a report.")
  static final class Run implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", arity = "0..*",
      description = "Faults to run, as `faults list` has them. Default: all but soak,"
        + " rolling-upgrade, secure*, hostile-handshakes, phoenix* and late-cells*.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--short", description = "Less of each: what a build has time for.")
    private boolean brief;

    @Option(names = "--minutes", paramLabel = "M",
      description = "Length of soak. Default: 60, with --short 1.")
    private Double minutes;

    @Option(names = "--kills", paramLabel = "N",
      description = "How often the faults kill-*, stale-list and phoenix* kill. Default: 20, with"
        + " --short 2.")
    private Integer kills;

    @Option(names = "--inputs", paramLabel = "N",
      description = "Requests that hostile-rpc sends; hostile-handshakes sends a tenth of it."
        + " Default: 1,000,000, with --short 20,000.")
    private Integer inputs;

    @Option(names = "--seed", paramLabel = "N",
      description = "Number that the damages of hostile-rpc's requests follow from. Default:"
        + " another one each time; the report has it.")
    private Long seed;

    @Option(names = "--engine", paramLabel = "ENGINE",
      description = "Engine of L2, direct or segments. Default: direct.")
    private Engine engine = Engine.DIRECT;

    @Option(names = "-c", paramLabel = "KEY=VALUE",
      description = "Sets a key of hbase-site.xml for all servers besides.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--out", paramLabel = "DIR",
      description = "Where the run goes; must be absent or empty. Default: target/faults/TIME.")
    private Path out;

    private static void above0(String option, Number value) {
      Options.check(option, value == null || value.doubleValue() > 0
        && Double.isFinite(value.doubleValue()), value, "numbers above 0");
    }

    @Override
    public Integer call() throws InterruptedException {
      Checkout checkout = Checkout.fromProperty();
      List<Fault> faults = Faults.named(names);
      Path folder = Options.out(out, checkout.outputOf("faults"), "");
      above0("--minutes", minutes);
      above0("--kills", kills);
      above0("--inputs", inputs);
      Amounts amounts = new Amounts(brief, minutes != null ? minutes : brief ? 1 : 60,
        kills != null ? kills : brief ? 2 : 20,
        inputs != null ? inputs : brief ? 20_000 : 1_000_000,
        seed != null ? seed : ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), engine,
        settings);
      return new Runner(checkout, folder, amounts, spec.commandLine().getOut()).run(faults);
    }
  }
}
