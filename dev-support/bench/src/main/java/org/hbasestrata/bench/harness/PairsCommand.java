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

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench pairs}. */
@Command(name = "pairs", sortOptions = false,
  description = "Runs a YCSB profile against two region servers that are both up, in turns of a"
    + " fraction of a second, and tells the ratio of each figure with its 95 %% interval.",
  footer = { "",
    "It brings up a cluster of its own (dev-support/bin/cluster --dir OUT/cluster), loads the rows"
      + " once and makes a table of them for each arm, whose regions stay on the arm's region"
      + " server; hbase:meta is on a third. One client process with the tarball's jars asks both,"
      + " or, with --client, one each. Don't build in this checkout meanwhile.",
    "",
    "--memory is for both arms together: each region server has a quarter of its half as heap and a"
      + " half of it off the heap. No cgroup holds it to that, and HDFS has the page cache." })
public final class PairsCommand implements Callable<Integer> {
  private static final String TLS = "tls";
  private static final List<String> PROTECTIONS =
    List.of("authentication", "integrity", "privacy", TLS);
  private static final Pattern SECONDS = Pattern.compile("(\\d{1,4}(?:\\.\\d{1,3})?)s?");
  private static final String SAME = "stock-too";
  /** Those of HBase, whose classes aren't here. */
  private static final List<String> ENCODINGS =
    List.of("NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1");

  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "PROFILE", arity = "1..*",
    description = "A YCSB profile's name, or a path to a file; of several each goes to a folder of"
      + " OUT, and has a cluster of its own.")
  private List<String> profiles;

  @Mixin
  private ArmOptions arms;

  @Option(names = "--self-test", description = "Measures stock against stock, and fails unless the"
    + " ratio of server CPU is 1 within 2 %% at each number of threads.")
  private boolean selfTest;

  @Option(names = "--threads", paramLabel = "N", split = ",", defaultValue = "1,4,16,64",
    description = "Threads of the client, one number after the other. Default: ${DEFAULT-VALUE}.")
  private List<Integer> threads;

  @Option(names = "--slice", paramLabel = "SECONDS", defaultValue = "4s",
    description = "How long a slice of either region server is, in all. Default:"
      + " ${DEFAULT-VALUE}.")
  private String slice;

  @Option(names = "--turn", paramLabel = "MILLISECONDS", defaultValue = "250",
    description = "How long one region server is served before it is the other's turn; an"
      + " operation that has begun is ended. Default: ${DEFAULT-VALUE}.")
  private long turn;

  @Option(names = "--pairs", paramLabel = "N", defaultValue = "12",
    description = "The most pairs of slices for a number of threads, of each start. Default:"
      + " ${DEFAULT-VALUE}.")
  private int mostPairs;

  @Option(names = "--least-pairs", paramLabel = "N", defaultValue = "6",
    description = "The fewest. Default: ${DEFAULT-VALUE}, or --pairs if that is less.")
  private int leastPairs;

  @Option(names = "--stop-at", paramLabel = "SHARE", defaultValue = "0.01",
    description = "Goes on to the next number of threads once the intervals of throughput and of"
      + " server CPU reach no farther than this from their middle; 0: never. Default:"
      + " ${DEFAULT-VALUE}, that is 1 %%.")
  private double stopAt;

  @Option(names = "--starts", paramLabel = "N", defaultValue = "1",
    description = "Measures so often, with the region servers and the client started anew each"
      + " time, since JVMs compile the same code differently; with several the intervals are of"
      + " the starts' ratios."
      + " Default: ${DEFAULT-VALUE}.")
  private int starts;

  @Option(names = "--encoding", paramLabel = "ARM=ENCODING",
    description = "Rewrites an arm's table with a data block encoding of its own, such as"
      + " stock=ROW_INDEX_V1. Default: the profile's for both.")
  private Map<String, String> encodings = Map.of();

  @Option(names = "--client", paramLabel = "ARM=JARS",
    description = "Gives each arm a client process of its own, and the named arm's the HBase client"
      + " of JARS: stock or strata; an arm that isn't named has strata. So --client stock=stock"
      + " compares stock on both sides with strata on both. Default: one client process for both"
      + " arms, with strata.")
  private Map<String, String> clients = Map.of();

  @Option(names = "--secure", paramLabel = "PROTECTION",
    description = "Measures on a cluster with Kerberos and access rights: authentication, integrity"
      + " or privacy by SASL, or tls.")
  private String secure;

  @Mixin
  private ProfileOptions options;

  @Override
  public Integer call() {
    Checkout checkout = Checkout.fromProperty();
    List<String> failures = new ArrayList<>();
    for (PairsRequest request : requests(checkout)) {
      try {
        new PairsRun(request, checkout, spec.commandLine().getOut()).run();
      } catch (ToolException e) {
        failures.add(request.request().profile().name() + ": " + e.getMessage());
      } catch (InterruptedException e) {
        throw ToolException.failed("interrupted", e);
      }
    }
    if (!failures.isEmpty()) {
      throw ToolException.failed(String.join("; ", failures));
    }
    return 0;
  }

  /** One for each profile. */
  List<PairsRequest> requests(Checkout checkout) {
    List<Profile> chosen = profiles.stream()
      .map(name -> options.anyProfile(name, checkout)).toList();
    Path folder = options.out(checkout,
      chosen.stream().map(Profile::name).collect(Collectors.joining("-")));
    return chosen.stream().map(profile -> request(checkout, profile,
      chosen.size() == 1 ? folder : folder.resolve(profile.name()))).toList();
  }

  private PairsRequest request(Checkout checkout, Profile chosen, Path folder) {
    for (String key : List.of("target", "fullscanthreads")) {
      Options.check(chosen.name() + ": " + key, chosen.number(key) == 0, chosen.text(key),
        "0, for slices run as many operations as go, of one kind of threads");
    }
    Options.check("-p", !options.changes().containsKey("threadcount"), "threadcount",
      "any other key; threads are given by --threads");
    List<ArmSpec> specs = specs(checkout);
    Options.check("--threads", threads.stream().allMatch(n -> n >= 1 && n <= 1_000), threads,
      "numbers from 1 to 1000");
    Options.check("--turn", turn >= 50, turn, "milliseconds, 50 or more, such as 250");
    Options.check("--pairs", mostPairs >= 1, mostPairs, "a number of 1 or more");
    Options.check("--least-pairs", leastPairs >= 2, leastPairs, "a number of 2 or more");
    Options.check("--stop-at", stopAt >= 0, stopAt, "a number of 0 or more, such as 0.01");
    Options.check("--starts", starts >= 1, starts, "a number of 1 or more");
    options.check();
    Memory all = options.memory();
    Options.check("--memory", all.bytes() >= 2L << 30, all, "a size of 2g or more");
    specs.forEach(ArmConf::check);
    List<String> names = specs.stream().map(ArmSpec::name).toList();
    encodings.forEach((name, encoding) -> Options.check("--encoding",
      names.contains(name) && ENCODINGS.contains(encoding), name + "=" + encoding,
      "ARM=ENCODING of an --arm, with one of " + String.join(", ", ENCODINGS)));
    clients.forEach((name, jars) -> Options.check("--client",
      names.contains(name) && List.of(ArmSpec.STOCK, ArmSpec.STRATA).contains(jars),
      name + "=" + jars, "ARM=JARS of an --arm, with stock or strata"));
    double seconds = seconds();
    Request request = new Request(chosen, options.changes(), specs, options.rows(), seconds / 60,
      mostPairs, List.of(new Load(null, null, null)), all.half(), PageCache.WARM,
      options.settings(), arms.jvms(specs, ArmSpec.conf(checkout, "jvm/pairs.preset").toString()),
      false, options.warmUp(), null, folder, Options.command("dev-support/bin/bench",
        spec.commandLine().getParseResult().originalArgs()));
    return new PairsRequest(request, threads, seconds, turn, Math.min(leastPairs, mostPairs),
      mostPairs, stopAt, starts, selfTest, encodings, clients, secureOptions());
  }

  private List<String> secureOptions() {
    if (secure == null) {
      return List.of();
    }
    Options.check("--secure", PROTECTIONS.contains(secure), secure,
      "one of " + String.join(", ", PROTECTIONS));
    return secure.equals(TLS)
      ? List.of("--secure", TLS, "--rights", "access")
      : List.of("--secure", "kerberos", "--protection", secure, "--rights", "access");
  }

  private List<ArmSpec> specs(Checkout checkout) {
    if (selfTest) {
      Options.check("--arm", arms.isEmpty(), "given", "none with --self-test");
      ArmSpec stock = ArmSpec.stock(checkout);
      return List.of(stock, new ArmSpec(SAME, stock.conf(), stock.jars()));
    }
    List<ArmSpec> specs = arms.arms(checkout, List.of(ArmSpec.STOCK, ArmSpec.STRATA));
    if (specs.size() != 2) {
      throw ToolException.usage("--arm is given " + specs.size() + " times, allowed: 2");
    }
    return specs;
  }

  private double seconds() {
    Matcher matcher = SECONDS.matcher(slice);
    double seconds = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    Options.check("--slice", seconds >= 0.5, slice, "seconds, 0.5 or more, such as 4s");
    return seconds;
  }
}
