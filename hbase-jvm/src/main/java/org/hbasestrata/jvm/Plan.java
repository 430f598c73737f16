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
package org.hbasestrata.jvm;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * The JVM options of one server, computed from a preset, the machine, the JVM and the server's
 * configuration.
 */
final class Plan {
  /** The preset of servers without regions. */
  private static final String NO_REGIONS = "default";
  private static final int XLOG_SINCE = 9;
  private static final int DEFAULT_PAUSE_MILLIS = 200;

  /** Least heap of a region server, in MB. */
  private static final int LEAST_HEAP = 256;
  private static final List<String> FIRST_HEAP = Arrays.asList("InitialHeapSize", "MinHeapSize");
  /** Flags from which the JVM computes sizes that no option sets, and the flags of these sizes. */
  private static final Map<String, String> SHARES_OF_MEMORY;
  static {
    Map<String, String> shares = new HashMap<>();
    shares.put("MaxRAM", MemoryPlan.HEAP_FLAG);
    shares.put("MaxRAMPercentage", MemoryPlan.HEAP_FLAG);
    shares.put("InitialRAMPercentage", "InitialHeapSize");
    SHARES_OF_MEMORY = Collections.unmodifiableMap(shares);
  }

  private static final Pattern NAME = Pattern.compile("\\{([a-z-]+)}");
  /** Flags that newer JDKs have removed and can do without. */
  private static final Map<String, String> GONE;
  static {
    Map<String, String> gone = new HashMap<>();
    gone.put("UseParNewGC", "CMS has no other young collector");
    gone.put("UseParallelOldGC", "ParallelGC has no other old collector");
    gone.put("ZGenerational", "ZGC is always generational");
    gone.put("PermSize", "there is no permanent generation; see MetaspaceSize");
    gone.put("MaxPermSize", "there is no permanent generation; see MaxMetaspaceSize");
    gone.put("UseBiasedLocking", "there are no biased locks");
    gone.put("AggressiveOpts", "it does nothing");
    GONE = Collections.unmodifiableMap(gone);
  }

  private final Request request;
  private final Jvm jvm;
  private final Map<String, String> environment;
  private final Machine machine;
  private final Preset preset;
  private final MemoryPlan memory;
  private final LogPlace log;
  private final List<PresetLine> lines;
  private final List<String> notes = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private boolean startable = true;
  private boolean compressedOops;

  /**
   * Computes a plan and lets the JVM check it.
   * @param conf        the server's, into which the shares of the off-heap memory are put
   * @param environment the server's
   * @param folders     folders with presets
   * @throws JvmException if there is no plan; the message says what to do
   */
  Plan(Request request, Jvm jvm, Machine here, Configuration conf,
    Map<String, String> environment, List<Path> folders) {
    this.request = request;
    this.jvm = jvm;
    this.environment = environment;
    boolean regions = request.isWithRegions(conf);
    // Read also for a server without regions, so that its errors are reported.
    Preset asked = Preset.read(request.preset, folders);
    preset = regions ? asked : Preset.read(NO_REGIONS, folders);
    preset.checkJdk(jvm.major());
    machine = request.machine(here);
    memory = MemoryPlan.of(request, machine, regions ? conf : null, environment);
    log = LogPlace.choose(request, jvm, environment, warnings);
    try {
      lines = options();
      checkOperatorsHeap();
      checkHeap(regions);
      checkMachine();
      checkWithJvm();
    } catch (JvmException e) {
      log.remove();
      throw e;
    }
  }

  /** Refuses the operator's sizes that the JVM would refuse, and warns of those that it ignores. */
  private void checkOperatorsHeap() {
    List<String> presets = lines.stream().map(line -> Options.flag(line.option()))
      .collect(Collectors.toList());
    Map<String, String> last = new LinkedHashMap<>();
    request.operator.forEach(option -> last.put(Options.flag(option), option));
    last.forEach((flag, option) -> {
      if (FIRST_HEAP.contains(flag)) {
        checkFirstHeap(flag, option);
      } else if (presets.contains(SHARES_OF_MEMORY.get(flag))) {
        warnings.add(option + " does nothing beside JVM preset " + preset.name()
          + ", which sets the heap: remove it, and set " + MemoryPlan.HEAP + " (now "
          + Sizes.text(memory.heap()) + ") if you want another one");
      }
    });
  }

  private void checkFirstHeap(String flag, String option) {
    Long size = Options.size(Collections.singletonList(option), flag);
    if (size == null) {
      throw new JvmException(option + " gives no size; give a number with k, m or g behind it");
    }
    if (size > memory.heap()) {
      throw new JvmException(option + " is more than the heap, which is "
        + Sizes.text(memory.heap()) + ": set " + MemoryPlan.HEAP + " to " + Sizes.option(size)
        + ", or remove " + option);
    }
  }

  private List<PresetLine> options() {
    List<PresetLine> options = new ArrayList<>();
    for (PresetLine line : preset.lines()) {
      if (line.jdks().contains(jvm.major())) {
        String option = fillIn(line);
        if (option != null) {
          options.add(line.with(option));
        }
      }
    }
    options = lastOfEachFlag(withoutOperators(options));
    if (jvm.major() >= XLOG_SINCE) {
      options = GcLogOptions.translate(options);
    }
    return options.stream().filter(this::isKnown).collect(Collectors.toList());
  }

  /** Keeps the last option of each flag, since a preset may override what it includes. */
  private static List<PresetLine> lastOfEachFlag(List<PresetLine> options) {
    Map<String, PresetLine> last = new LinkedHashMap<>();
    for (PresetLine line : options) {
      String flag = Options.flag(line.option());
      last.remove(flag);
      last.put(flag, line);
    }
    return new ArrayList<>(last.values());
  }

  /** Replaces the names in an option by values; returns null if the JVM is to choose the value. */
  private String fillIn(PresetLine line) {
    Matcher matcher = NAME.matcher(line.option());
    StringBuffer filled = new StringBuffer();
    while (matcher.find()) {
      String value = value(matcher.group(1), line);
      if (value == null) {
        return null;
      }
      matcher.appendReplacement(filled, Matcher.quoteReplacement(value));
    }
    return matcher.appendTail(filled).toString();
  }

  private String value(String name, PresetLine line) {
    switch (name) {
      case "heap":
        return memory.heap() + "m";
      case "direct":
        return memory.direct() == null ? null : memory.direct() + "m";
      case "young":
        return memory.young() + "m";
      case "eden-percent":
        return Long.toString(memory.edenPercent(pauseMillis()));
      case "region-size":
        return memory.regionSize() + "m";
      case "gc-threads":
        return Integer.toString(machine.gcThreads());
      case "half-gc-threads":
        return Integer.toString(Math.max(1, machine.gcThreads() / 2));
      case "log-dir":
        return request.logDir;
      case "gc-log":
        return log.file();
      case "gc-log-files":
        return Integer.toString(log.files());
      case "gc-log-file-size":
        return log.fileMegabytes() + "m";
      default:
        throw new JvmException(line.place() + ": {" + name + "} can't be computed;"
          + " conf/jvm/README.md lists the names that can");
    }
  }

  private int pauseMillis() {
    List<String> options = preset.lines().stream()
      .filter(line -> line.jdks().contains(jvm.major())).map(PresetLine::option)
      .collect(Collectors.toList());
    options.addAll(request.operator);
    return Options.number(options, "MaxGCPauseMillis", DEFAULT_PAUSE_MILLIS);
  }

  /** Leaves out what the operator sets: flags, the log, the collector with its other options. */
  private List<PresetLine> withoutOperators(List<PresetLine> options) {
    String own = Options.collector(texts(options));
    String operators = Options.collector(request.operator);
    boolean other = operators != null && own != null && !operators.equals(own);
    if (other) {
      warnings.add(request.operatorsVariables() + " choose " + operators + ", so what "
        + preset.file().getFileName() + " itself has for " + own + " is left out");
    }
    boolean ownLog = request.operator.stream().anyMatch(Options::isGcLog);
    List<String> set =
      request.operator.stream().map(Options::flag).collect(Collectors.toList());
    if (set.contains("NewRatio")) {
      set.add("NewSize"); // the JVM takes the size of the two
    }
    return options.stream()
      .filter(line -> !(other && line.isOwn())
        && !(ownLog && (GcLogOptions.isOfJdk8(line.option()) || Options.isGcLog(line.option())))
        && !set.contains(Options.flag(line.option())))
      .collect(Collectors.toList());
  }

  /** Returns false for a flag that this JVM lacks and can do without. */
  private boolean isKnown(PresetLine line) {
    String option = line.option();
    String flag = Options.flag(option);
    if (!Options.isFlag(option) || jvm.has(flag)) {
      return true;
    }
    String reason = GONE.get(flag);
    if (reason != null) {
      notes.add(option + " of JVM preset " + preset.name() + " is left out: on JDK " + jvm.major()
        + " " + reason);
      return false;
    }
    if (Options.collector(option) != null) {
      throw new JvmException("JVM preset " + preset.name() + " can't work on " + jvm
        + ", which has no " + option + preset.instead());
    }
    throw new JvmException(line.place() + ": " + jvm + " has no " + option
      + "; remove it, or put the JDKs that have it before it, as [8..11]");
  }

  private void checkHeap(boolean regions) {
    if (lines.stream().noneMatch(line -> Options.flag(line.option()).equals(MemoryPlan.HEAP_FLAG))
      && Options.size(request.operator, MemoryPlan.HEAP_FLAG) == null) {
      warnings.add("JVM preset " + preset.name() + " sets no heap, so the JVM takes one of its own,"
        + " and " + MemoryPlan.HEAP + " does nothing: put the line 'include base.flags' into "
        + preset.file());
    }
    if (regions && memory.heap() < LEAST_HEAP) {
      warnings.add("a heap of " + Sizes.text(memory.heap())
        + " is too small for a region server; a number without a unit is MB, 16g is 16 GB");
    }
  }

  private void checkMachine() {
    String tooMuch = memory.tooMuch();
    if (tooMuch != null) {
      startable = !memory.isBeyondTheMachine();
      if (!startable && !request.lookOnly) {
        throw new JvmException(tooMuch);
      }
      warnings.add((startable ? "" : "no server would start with this: ") + tooMuch);
    }
    if (memory.tooLittle() != null) {
      warnings.add(memory.tooLittle());
    }
    if (memory.tooManyBlocks() != null) {
      warnings.add(memory.tooManyBlocks());
    }
    if (!preset.heaps().contains(memory.heap())) {
      warnings.add("JVM preset " + preset.name() + " is for heaps of "
        + preset.heaps().text(Sizes::text) + ", and this is " + Sizes.text(memory.heap())
        + "; see bin/hbase jvm --list");
    }
  }

  private void checkWithJvm() {
    List<String> all = texts(lines);
    all.addAll(request.operator);
    Map<String, String> flags;
    try {
      flags = jvm.check(all, log.file());
    } catch (JvmException e) {
      throw new JvmException("JVM preset " + preset.name() + ": " + e.getMessage());
    }
    compressedOops = !"false".equals(flags.get("UseCompressedOops"));
    if (!compressedOops && !"true".equals(flags.get("UseZGC"))
      && memory.uncompressed() != null) {
      warnings.add(memory.uncompressed());
    }
  }

  private static List<String> texts(List<PresetLine> lines) {
    return lines.stream().map(PresetLine::option).collect(Collectors.toList());
  }

  /** Returns the options in the order in which the JVM gets them. */
  List<String> options(boolean withOperators) {
    List<String> options = texts(lines);
    if (withOperators) {
      options.addAll(request.operator);
    }
    return options;
  }

  /** Returns true if object pointers of the server will take 4 bytes. */
  boolean isWithCompressedOops() {
    return compressedOops;
  }

  /** Returns notes about options that were left out. */
  List<String> notes() {
    return notes;
  }

  /** Returns warnings, each with what to do. */
  List<String> warnings() {
    return warnings;
  }

  /** Returns false for a plan with which a server wouldn't start, which is only displayed. */
  boolean isStartable() {
    return startable;
  }

  Jvm jvm() {
    return jvm;
  }

  Preset preset() {
    return preset;
  }

  List<PresetLine> lines() {
    return Collections.unmodifiableList(lines);
  }

  MemoryPlan memory() {
    return memory;
  }

  /** Returns the variables for hbase-site.xml that aren't set in the environment. */
  Map<String, String> variables() {
    return memory.shares();
  }

  /** Returns the folder in memory from which the log is copied; null if the log is on disk. */
  Path logCopiedFrom() {
    return log.copiedFrom();
  }

  /** Returns the plan with its reasons, for people to read. */
  List<String> describe() {
    return PlanText.of(this, request, jvm, machine);
  }
}
