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
package org.hbasestrata.bench.report;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ConfigDifference;
import org.hbasestrata.bench.Machine;
import org.hbasestrata.bench.PageCache;

/**
 * What was asked of a comparison and where it ran, in the words that the templates show.
 * @param config settings that the arms don't share
 * @param runs   the runs, in their order; empty if they are of no interest
 * @param notes  for the reader
 */
public record Where(String command, List<Fact> facts, List<ArmView> arms, List<ConfigRow> config,
  List<RunView> runs, List<String> notes) {
  private static final String NONE = "\u2013";
  private static final DateTimeFormatter TIME = DateTimeFormatter
    .ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  public record Fact(String name, String value) {
  }

  public record ArmView(String name, String confDir, String jars, String java, String jvmFlags,
    String flags) {
  }

  public record ConfigRow(String file, String key, List<String> values) {
  }

  public record RunView(int round, String arm, String position, String start, String seconds,
    String throughput, String state, boolean counts) {
  }

  /** @param runs none if they are of no interest */
  public static Where of(Comparison comparison, List<String> notes, List<RunReading> runs) {
    List<String> arms = comparison.arms().stream().map(Arm::name).toList();
    return new Where(line(comparison.command()), facts(comparison),
      comparison.arms().stream().map(arm -> arm(arm, runs)).toList(),
      comparison.configDifferences().stream().map(difference -> config(difference, arms)).toList(),
      runs.stream().map(Where::run).toList(), notes);
  }

  /** What has no arms. */
  public static Where of(String command, List<Fact> facts, Machine machine) {
    List<Fact> all = new ArrayList<>(facts);
    addMachine(all, machine);
    return new Where(line(command), all, List.of(), List.of(), List.of(), List.of());
  }

  /**
   * The same with other facts.
   * @param more    facts before the others
   * @param without names of facts that say nothing here
   */
  public Where with(List<Fact> more, List<String> without) {
    List<Fact> all = new ArrayList<>(more);
    facts.stream().filter(fact -> !without.contains(fact.name())).forEach(all::add);
    return new Where(command, all, arms, config, runs, notes);
  }

  private static List<Fact> facts(Comparison comparison) {
    List<Fact> facts = new ArrayList<>();
    fact(facts, "Profile", comparison.profile());
    fact(facts, "Rounds", String.valueOf(comparison.rounds()));
    fact(facts, "Rows", comparison.rows() == null ? null : Unit.number(comparison.rows()));
    fact(facts, "Minutes a run",
      comparison.minutes() == null ? null : Unit.number(comparison.minutes()));
    fact(facts, "Target rate", comparison.targetPerSecond() == null ? "as fast as it goes"
      : Unit.OPERATIONS_PER_SECOND.format(comparison.targetPerSecond()));
    fact(facts, "Memory limit", comparison.memoryBytes() == null ? "none"
      : Unit.BYTES.format(comparison.memoryBytes()) + " for heap, off-heap and page cache"
        + (comparison.pageCache() == PageCache.WARM ? ", but for HDFS's page cache" : ""));
    fact(facts, "Page cache", comparison.pageCache() == null ? null
      : comparison.pageCache().name().toLowerCase(Locale.ROOT));
    fact(facts, "Began", time(comparison.start()));
    fact(facts, "Ended", time(comparison.end()));
    fact(facts, "Commit", comparison.commit());
    addMachine(facts, comparison.machine());
    comparison.versions().forEach((name, version) -> fact(facts, name, version));
    return facts;
  }

  private static void addMachine(List<Fact> facts, Machine machine) {
    if (machine != null) {
      fact(facts, "Processor", (machine.cpus() == null ? "" : machine.cpus() + " x ")
        + (machine.cpu() == null ? "not known" : machine.cpu()));
      fact(facts, "Memory",
        machine.memoryBytes() == null ? null : Unit.BYTES.format(machine.memoryBytes()));
      fact(facts, "Disk", machine.disk());
      fact(facts, "Operating system", machine.os());
    }
  }

  private static void fact(List<Fact> facts, String name, String value) {
    if (value != null) {
      facts.add(new Fact(name, value));
    }
  }

  private static ArmView arm(Arm arm, List<RunReading> runs) {
    String flags = runs.stream().filter(run -> run.arm().equals(arm.name()))
      .map(RunReading::flags).filter(text -> text != null).findFirst().orElse(null);
    return new ArmView(arm.name(), arm.confDir() == null ? "default" : arm.confDir(),
      arm.describeJars(),
      arm.java() == null ? "not known" : arm.java(),
      arm.jvmFlags().isEmpty() ? "not known" : String.join(" ", arm.jvmFlags()), flags);
  }

  private static ConfigRow config(ConfigDifference difference, List<String> arms) {
    return new ConfigRow(difference.file(), difference.key(), arms.stream()
      .map(arm -> difference.values().getOrDefault(arm, "not set")).toList());
  }

  private static RunView run(RunReading run) {
    Instant start = run.run() == null ? null : run.run().start();
    return new RunView(run.round(), run.arm(),
      run.run() == null ? NONE : String.valueOf(run.run().position()),
      start == null ? NONE : time(start),
      run.counts() ? Unit.number(Math.rint(run.window().seconds())) : NONE,
      run.counts() ? Unit.number(run.ycsb().succeeded() / run.ycsb().seconds()) : NONE,
      run.counts() ? "complete" : "partial: " + run.reason(), run.counts());
  }

  private static String time(Instant instant) {
    return instant == null ? null : TIME.format(instant);
  }

  /** In one line. */
  private static String line(String text) {
    return text.replaceAll("\\s*\\R\\s*", " ");
  }
}
