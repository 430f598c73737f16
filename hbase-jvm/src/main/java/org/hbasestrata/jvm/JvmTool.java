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

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * {@code hbase jvm}. bin/hbase also calls it for the options of a server that it is about to start.
 * <p>
 * For bin/hbase it prints lines of four kinds: {@code env NAME=VALUE}, {@code flag OPTION},
 * {@code copy-log-from FOLDER}, {@code class-path PATH}. For bin/jvm-train it prints the options of
 * the server that an archive is made by, and puts the archive in its place.
 */
public final class JvmTool extends OptionTool {
  private static final int FAILED = 1;
  private static final int USAGE = 2;
  private static final String HELP =
    "Usage: hbase jvm [--preset NAME] [--heap SIZE] [--cpus N] [--memory SIZE]\n"
      + "                 [--java-home DIR] [--role ROLE] [--flags]\n"
      + "       hbase jvm --list\n"
      + "       hbase jvm propose [ARGUMENT...]\n"
      + "       hbase jvm train [ARGUMENT...]\n"
      + "\n"
      + "Prints the JVM options that a server would be started with, and the reasons.\n"
      + "\n"
      + "  --preset NAME    a preset of conf/jvm, or the path of a file; else HBASE_JVM_PRESET\n"
      + "  --heap SIZE      the heap, such as 31g; else HBASE_HEAPSIZE, else by the memory\n"
      + "  --cpus N         processors; else those that there are\n"
      + "  --memory SIZE    memory of the machine; else what there is\n"
      + "  --java-home DIR  the JDK or JRE to run on; else JAVA_HOME, else the java on the PATH\n"
      + "  --role ROLE      regionserver (default), master or zookeeper\n"
      + "  --flags          the options alone, one a line\n"
      + "  --list           the presets, and the JDKs and heaps that they are for\n"
      + "\n"
      + "propose says what sizes and profile a machine should have: hbase jvm propose --help\n"
      + "train makes the archive from which a server's JVM starts warm: hbase jvm train --help";

  private boolean flags;
  private boolean list;
  private boolean training;
  /** An archive that was just made; null if there is none. */
  private Path made;

  private JvmTool(PrintStream out, PrintStream err, Map<String, String> environment) {
    super("jvm", out, err, environment);
  }

  public static void main(String[] args) {
    System.exit(run(System.out, System.err, System.getenv(), args));
  }

  /** Returns the exit code. */
  static int run(PrintStream out, PrintStream err, Map<String, String> environment,
    String... args) {
    JvmTool tool = new JvmTool(out, err, environment);
    try {
      return tool.run(Arrays.asList(args));
    } catch (JvmException e) {
      Arrays.asList(e.getMessage().split("\n")).forEach(tool::error);
    } catch (RuntimeException | LinkageError e) {
      // For example the configuration isn't XML.
      tool.error("the JVM preset can't be computed: " + oneLine(e));
    }
    return FAILED;
  }

  private int run(List<String> args) {
    String wrong = parse(args);
    if (wrong != null) {
      error(wrong + " (see hbase jvm --help)");
      return USAGE;
    }
    List<Path> folders = Preset.folders(variable("HBASE_CONF_DIR", "conf"),
      variable("HBASE_HOME", "."));
    if (help) {
      out.println(HELP);
    } else if (list) {
      list(folders);
    } else if (made != null) {
      put();
    } else {
      return print(folders) ? 0 : FAILED;
    }
    return 0;
  }

  /** Returns what is wrong with the arguments, or null. */
  private String parse(List<String> args) {
    request.preset = variable(PRESET, "");
    String wrong = parse(args.iterator());
    if (wrong != null) {
      return wrong;
    }
    return request.preset.isEmpty() && !list && !help
      ? "no preset: give --preset NAME, or set HBASE_JVM_PRESET" : null;
  }

  @Override
  boolean parse(String option) {
    switch (option) {
      case "--list":
        list = true;
        return true;
      case "--flags":
        flags = true;
        return true;
      case "--training":
        training = true;
        return true;
      default:
        return false;
    }
  }

  @Override
  String parse(String name, String value) {
    switch (name) {
      case "--preset":
        request.preset = value;
        return null;
      case "--heap":
        request.heap = Sizes.ofMegabytes(name, value);
        return null;
      case "--role":
        if (!Arrays.asList("regionserver", "master", "zookeeper").contains(value)) {
          return "--role is '" + value + "': give regionserver, master or zookeeper";
        }
        request.role = value;
        return null;
      case "--gc-log":
        request.gcLog = value;
        return null;
      case "--log-dir":
        request.logDir = value;
        return null;
      case "--modules":
        request.modules = Arrays.asList(value.split(" "));
        return null;
      case "--class-path":
        request.classPath = value;
        return null;
      case "--class-path-rest":
        request.classPathRest = value;
        return null;
      case "--made":
        made = Paths.get(value);
        return null;
      case "--start":
        request.lookOnly = false;
        request.id = value;
        return null;
      default:
        return unknown(name);
    }
  }

  /** Puts the archive that was made in its place. */
  private void put() {
    JvmArchive archive = new JvmArchive(Paths.get(variable(JvmArchive.FOLDER, ".")), new Jvm());
    try {
      archive.put(made, new ServerClassPath(request.classPath, request.classPathRest));
      out.println("Made " + archive.file() + ", " + (Files.size(archive.file()) >> 20) + " MB");
    } catch (IOException e) {
      throw new JvmException("the archive can't be put to " + archive.file() + ": " + oneLine(e));
    }
  }

  private void list(List<Path> folders) {
    String format = "%-15s  %-12s  %-15s  %s%n";
    out.printf(format, "PRESET", "JDK", "HEAP", "");
    for (String name : Preset.names(folders)) {
      Preset preset = Preset.read(name, folders);
      out.printf(format, name, preset.jdks().text(Long::toString),
        preset.heaps().text(Sizes::text), preset.summary());
    }
  }

  /** Prints the plan. Returns true if a server starts with it. */
  private boolean print(List<Path> folders) {
    VersionTool.verifyJars();
    Options.setProperties(request.operator);
    Configuration conf = HBaseConfiguration.create();
    Machine here = Machine.read(Paths.get("/"), Runtime.getRuntime().availableProcessors());
    Plan plan = new Plan(request, new Jvm(), here, conf, environment, folders);
    List<String> remarks = new ArrayList<>(plan.warnings());
    remarks.addAll(plan.notes());
    if (training) {
      JvmArchive.trainingOptions(plan.jvm(), request.operator, plan.isWithCompressedOops())
        .forEach(out::println);
      return true;
    }
    WarmStart warm = WarmStart.of(request, plan, environment, plan.jvm());
    remarks.addAll(warm.remarks());
    remarks.forEach(this::error);
    if (flags) {
      plan.options(true).forEach(out::println);
      warm.options().forEach(out::println);
    } else if (request.lookOnly) {
      plan.describe().forEach(out::println);
      warm.describe().forEach(out::println);
    } else {
      plan.variables().forEach((name, value) -> out.println("env " + name + "=" + value));
      plan.options(false).forEach(option -> out.println("flag " + option));
      warm.options().forEach(option -> out.println("flag " + option));
      if (warm.classPath() != null) {
        out.println("class-path " + warm.classPath());
      }
      if (plan.logCopiedFrom() != null) {
        out.println("copy-log-from " + plan.logCopiedFrom());
      }
    }
    return plan.isStartable();
  }
}
