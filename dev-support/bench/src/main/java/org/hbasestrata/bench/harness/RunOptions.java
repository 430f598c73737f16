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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.PageCache;
import picocli.CommandLine.Option;

/** What all commands that run a profile are told of it. */
public final class RunOptions {
  private static final DateTimeFormatter STAMP =
    DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  @Option(names = "--rows", paramLabel = "N",
    description = "Rows in the table. Default: the profile's.")
  private Long rows;

  @Option(names = "--minutes", paramLabel = "M", defaultValue = "5",
    description = "Length of a run's measured part. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3",
    description = "Rounds; each runs all that is compared once, in turning order. Default:"
      + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--memory", paramLabel = "SIZE", defaultValue = "6g",
    description = "Heap, off-heap memory and page cache of each region server. Default:"
      + " ${DEFAULT-VALUE}.")
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

  @Option(names = "-p", paramLabel = "KEY=VALUE",
    description = "Sets a key of the profile, for load and runs.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(names = "-c", paramLabel = "KEY=VALUE",
    description = "Sets a key of hbase-site.xml for all region servers.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--out", paramLabel = "DIR",
    description = "Where the comparison goes; must be absent or empty. Default: a folder of"
      + " target/bench, named after the profile and the time.")
  private Path out;

  public Profile profile(String nameOrPath, Checkout checkout) {
    return new Profile(checkout.profile(nameOrPath), changes);
  }

  /** Of what is compared. */
  public Memory memory() {
    return Memory.parse(memory);
  }

  /**
   * The whole request, checked.
   * @param defaults   keys of hbase-site.xml for all arms, unless the command line sets them
   * @param deviceIops reads a second that the disk is held to; null for its own
   * @param command    the command line, for people
   */
  public Request request(Checkout checkout, Profile profile, List<ArmSpec> arms,
    Map<String, ServerJvm> jvms, List<Load> loads, Memory limit, Map<String, String> defaults,
    boolean restart, Integer deviceIops, String command) {
    arms.forEach(ArmConf::check);
    check("--rows", rows == null || rows > 0, rows, "a number of 1 or more");
    check("--minutes", minutes >= 1 / 60.0, minutes, "a number of a second (0.017) or more");
    check("--rounds", rounds >= 1, rounds, "a number of 1 or more");
    check("--warm-up", warmUp >= 0, warmUp, "a number of 0 or more");
    Path folder = folder(out, checkout, profile.name());
    Map<String, String> allSettings = new LinkedHashMap<>(defaults);
    allSettings.putAll(settings);
    return new Request(profile, changes, arms, rows, minutes, rounds, loads, limit, pageCache(),
      allSettings, jvms, restart, warmUp, deviceIops, folder, command);
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

  /** Where it goes: {@code --out}, which may be null, or a new folder of the checkout. */
  static Path folder(Path out, Checkout checkout, String name) {
    Path folder = out != null ? out.toAbsolutePath().normalize()
      : checkout.results().resolve(name + "-" + STAMP.format(LocalDateTime.now()));
    check("--out", Folders.isEmpty(folder), folder, "a directory that is empty or not there");
    return folder;
  }

  /** Throws unless an option is right. */
  public static void check(String option, boolean right, Object value, String allowed) {
    if (!right) {
      throw BenchException.usage(option + " is '" + value + "', allowed: " + allowed, null);
    }
  }

  /** A command line as a shell takes it. */
  public static String command(String tool, List<String> typed) {
    return Stream.concat(Stream.of(tool), typed.stream())
      .map(word -> word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word
        : "'" + word.replace("'", "'\\''") + "'")
      .collect(Collectors.joining(" "));
  }
}
