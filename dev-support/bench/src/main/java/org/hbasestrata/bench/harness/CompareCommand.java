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
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.PageCache;
import picocli.CommandLine.Command;
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
  private static final DateTimeFormatter STAMP =
    DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  @Spec
  private CommandSpec spec;

  @Parameters(paramLabel = "PROFILE", description = "A YCSB profile's name, or a path to a file.")
  private String profile;

  @Option(names = "--arm", paramLabel = "NAME[=CONF_DIR[:JARS]]",
    description = "A side of the comparison; give two or more, the first is what others are"
      + " compared with. CONF_DIR is a whole configuration directory. JARS: strata (default) is the"
      + " tarball's, stock upstream's, a directory holds jars that take the places of the tarball's"
      + " of the same modules. A NAME alone is one of dev-support/bench/README.md: stock, strata,"
      + " combined, composite or unpooled. Default: stock and strata, of alloc unpooled, stock and"
      + " strata.")
  private List<String> arms = List.of();

  @Option(names = "--preset", paramLabel = "ARM=PRESET",
    description = "Starts an arm's region server with a JVM preset (bin/hbase jvm --list), or the"
      + " path of one, in place of the JVM's own choices.")
  private Map<String, String> presets = new LinkedHashMap<>();

  @Option(names = "--rows", paramLabel = "N",
    description = "Rows in the table. Default: the profile's.")
  private Long rows;

  @Option(names = "--minutes", paramLabel = "M", defaultValue = "5",
    description = "Length of a run's measured part. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3",
    description = "Rounds; each runs every arm once, in turning order. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--target", paramLabel = "RATE",
    description = "Operations a second. Default: as many as go.")
  private Integer target;

  @Option(names = "--memory", paramLabel = "SIZE", defaultValue = "6g",
    description = "Heap, off-heap memory and page cache of each arm. Default: ${DEFAULT-VALUE}.")
  private String memory;

  @Option(names = "--page-cache", paramLabel = "MODE", defaultValue = "warm",
    description = "warm: HDFS's page cache is as the warm-up left it, and not limited. limited: the"
      + " DataNode is in the cgroup, so that the page cache counts into --memory. cold: the same,"
      + " and the data is dropped from the page cache before each run. Default: ${DEFAULT-VALUE}.")
  private String pageCache;

  @Option(names = "--warm-up", paramLabel = "MINUTES", defaultValue = "3",
    description = "Most that a warm-up may take: the profile runs until the cache's hit ratio and"
      + " the CPU time of a request don't change any more. 0 for none. Default: ${DEFAULT-VALUE}.")
  private double warmUp;

  @Option(names = "--restart",
    description = "Restarts the region server after the warm-up, and measures from then: what of"
      + " its cache outlives that, and how soon it is warm again.")
  private boolean restart;

  @Option(names = "--device-iops", paramLabel = "N",
    description = "Emulates a slower disk: holds what region server and DataNode read from the disk"
      + " of OUT to so many reads a second.")
  private Integer deviceIops;

  @Option(names = "-p", paramLabel = "KEY=VALUE",
    description = "Sets a key of the profile, for load and runs.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(names = "-c", paramLabel = "KEY=VALUE",
    description = "Sets a key of hbase-site.xml for the region servers of all arms.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--out", paramLabel = "DIR",
    description = "Where the comparison goes; must be absent or empty. Default:"
      + " target/bench/PROFILE-TIME.")
  private Path out;

  @Override
  public Integer call() throws InterruptedException {
    return new Comparer(request(Checkout.fromProperty()), Checkout.fromProperty(),
      spec.commandLine().getOut()).compare();
  }

  Request request(Checkout checkout) {
    Profile chosen = new Profile(checkout.profile(profile), changes);
    List<ArmSpec> specs = (arms.isEmpty() ? defaultArms() : arms).stream()
      .map(arm -> ArmSpec.parse(arm, checkout)).toList();
    if (specs.size() < 2) {
      throw BenchException.usage("one --arm is nothing to compare: give two or more, such as"
        + " --arm stock --arm strata", null);
    }
    if (specs.stream().map(ArmSpec::name).distinct().count() < specs.size()) {
      throw BenchException.usage("two arms have the same name: "
        + String.join(", ", specs.stream().map(ArmSpec::name).toList()), null);
    }
    presets.keySet().forEach(name -> check("--preset",
      specs.stream().anyMatch(arm -> arm.name().equals(name)), name, "ARM=PRESET of an --arm"));
    specs.forEach(ArmConf::check);
    check("--rows", rows == null || rows > 0, rows, "a number of 1 or more");
    check("--minutes", minutes >= 1 / 60.0, minutes, "a number of a second (0.017) or more");
    check("--rounds", rounds >= 1, rounds, "a number of 1 or more");
    check("--target", target == null || target > 0, target, "a number of 1 or more");
    check("--warm-up", warmUp >= 0, warmUp, "a number of 0 or more");
    check("--device-iops", deviceIops == null || deviceIops > 0, deviceIops,
      "a number of 1 or more");
    Path folder = out != null ? out.toAbsolutePath().normalize()
      : checkout.results().resolve(chosen.name() + "-" + STAMP.format(LocalDateTime.now()));
    check("--out", Folders.isEmpty(folder), folder, "a directory that is empty or not there");
    Memory limit = Memory.parse(memory);
    Map<String, String> allSettings = new LinkedHashMap<>(defaultSettings(limit));
    allSettings.putAll(settings);
    return new Request(chosen, changes, specs, rows, minutes, rounds, target, limit, pageCache(),
      allSettings, presets, restart, warmUp, deviceIops, folder, command());
  }

  /** The arms when none is named. */
  List<String> defaultArms() {
    return List.of(ArmSpec.STOCK, ArmSpec.STRATA);
  }

  /** Keys of hbase-site.xml for all arms, but for those that the command line sets. */
  Map<String, String> defaultSettings(Memory limit) {
    return Map.of();
  }

  private PageCache pageCache() {
    for (PageCache mode : PageCache.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(pageCache)) {
        return mode;
      }
    }
    throw BenchException.usage("--page-cache is '" + pageCache
      + "', allowed: cold, warm or limited", null);
  }

  private static void check(String option, boolean right, Object value, String allowed) {
    if (!right) {
      throw BenchException.usage(option + " is '" + value + "', allowed: " + allowed, null);
    }
  }

  /** The command line as a shell takes it. */
  private String command() {
    List<String> typed = spec.commandLine().getParseResult().originalArgs();
    return Stream.concat(Stream.of("dev-support/bin/bench"), typed.stream())
      .map(word -> word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word
        : "'" + word.replace("'", "'\\''") + "'")
      .collect(Collectors.joining(" "));
  }
}
