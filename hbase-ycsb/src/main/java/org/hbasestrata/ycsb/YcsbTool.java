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
package org.hbasestrata.ycsb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.apache.hadoop.hbase.HBaseConfiguration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** The command {@code hbase ycsb}. */
@Command(name = "hbase ycsb", description = "Loads and runs YCSB profiles.",
  subcommands = { YcsbTool.Load.class, YcsbTool.Run.class, YcsbTool.InSlices.class,
    YcsbTool.Profiles.class },
  mixinStandardHelpOptions = false, synopsisSubcommandLabel = "load|run|profiles",
  footer = { "", "Exit codes: 0 every operation succeeded (and every row was right), 1 some failed"
    + " or a row was wrong, 2 wrong command line or profile, 3 the cluster or its table isn't"
    + " there or HBase's jars don't belong together, 130 interrupted." })
public final class YcsbTool {
  /** Where profiles are looked up first: set by bin/hbase. */
  static final String PROFILE_DIR_PROPERTY = "hbase.ycsb.profile.dir";
  /** Where the distribution is: set by bin/hbase. */
  static final String HOME_PROPERTY = "hbase.home.dir";

  private final Reader in;
  private final PrintStream out;
  private final PrintStream err;

  @Option(names = { "-h", "--help" }, usageHelp = true, description = "Shows this help.",
    scope = CommandLine.ScopeType.INHERIT)
  private boolean help;

  /** @param err for progress and errors */
  YcsbTool(PrintStream out, PrintStream err) {
    this(new InputStreamReader(System.in, StandardCharsets.UTF_8), out, err);
  }

  /** @param in what is asked of slices */
  YcsbTool(Reader in, PrintStream out, PrintStream err) {
    this.in = in;
    this.out = out;
    this.err = err;
  }

  /** Ends with the exit codes that {@code --help} lists. */
  public static void main(String[] args) {
    int exitCode = new YcsbTool(System.out, System.err).execute(args);
    if (exitCode != ToolException.INTERRUPTED) {
      System.exit(exitCode);
    }
  }

  /** Returns the exit code. */
  int execute(String... args) {
    CommandLine line = new CommandLine(this);
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    line.setParameterExceptionHandler((e, a) -> {
      err.println("ycsb: " + e.getMessage().replace('\n', ' ') + " (see "
        + e.getCommandLine().getCommandSpec().qualifiedName() + " --help)");
      return ToolException.USAGE;
    });
    line.setExecutionExceptionHandler((e, command, parsed) -> {
      boolean debug = parsed.matchedOption("--debug") != null;
      String mixedJars = ToolException.mixedJars(e);
      if (debug || mixedJars == null && !(e instanceof ToolException)) {
        e.printStackTrace(err);
      }
      if (mixedJars != null) {
        err.println("ycsb: " + mixedJars);
        return ToolException.CLUSTER;
      }
      err.println("ycsb: " + (e instanceof ToolException ? e.getMessage()
        : ToolException.oneLine(e)));
      return e instanceof ToolException tool ? tool.exitCode() : ToolException.FAILED;
    });
    if (args.length == 0) {
      line.usage(err);
      return ToolException.USAGE;
    }
    return line.execute(args);
  }

  private static List<Path> profileFolders() {
    List<Path> folders = new ArrayList<>();
    String folder = System.getProperty(PROFILE_DIR_PROPERTY);
    if (folder != null) {
      folders.add(Path.of(folder));
    }
    String home = System.getProperty(HOME_PROPERTY);
    if (home != null) {
      Path shipped = Path.of(home, "conf", "ycsb");
      if (!folders.contains(shipped)) {
        folders.add(shipped);
      }
    }
    return folders;
  }

  /** What load and run share. */
  @Command(sortOptions = false)
  abstract static class OfProfile implements Callable<Integer> {
    @ParentCommand
    private YcsbTool tool;

    @Parameters(paramLabel = "PROFILE", description = "A profile's name, or a path to a file.")
    private String profile;

    @Option(names = "--rows", paramLabel = "N", description = "Rows in the table. Default: the"
      + " profile's, but a load of more than 10 GB must be given them.")
    private String rows;

    @Option(names = "--threads", paramLabel = "N", description = "Client threads.")
    private String threads;

    @Option(names = "--target", paramLabel = "N",
      description = "Operations (in a load: rows) a second over all threads. Latencies are then"
        + " shown from the intended start too. Default: as fast as they go.")
    private String target;

    @Option(names = "--table", paramLabel = "NAME", description = "The table.")
    private String table;

    @Option(names = "--verify", description = "Checks every row that a run reads, byte for byte; a"
      + " load reads all rows back afterwards. Updates write the same values again, so a lost one,"
      + " or a read of an older version, isn't found.")
    private boolean verify;

    @Option(names = "-p", paramLabel = "KEY=VALUE",
      description = "Sets any key of a profile, or an hbase. or zookeeper. key of the client.")
    private Map<String, String> keys = new LinkedHashMap<>();

    @Option(names = "--json", paramLabel = "FILE",
      description = "Writes the results for programs: histograms, and each second. Of files that"
        + " are there, only those of earlier runs are written over.")
    private Path json;

    @Option(names = "--hlog", paramLabel = "FILE",
      description = "Writes HdrHistogram's log, a line for each second and operation.")
    private Path hlog;

    @Option(names = { "-v", "--debug" }, description = "Shows stack traces of errors.")
    private boolean debug;

    abstract void override(Profile chosen);

    /** Settles what follows from all that was set. */
    void prepare(Profile chosen) {
    }

    final int execute(ToIntFunction<Benchmark> work) {
      // First of all: it finds jars that don't belong together, which would else come out as the
      // failed initialization of any class that makes a configuration.
      HBaseConfiguration.create();
      Profile chosen = Profile.read(profile, profileFolders());
      set(chosen, Key.ROWS, rows);
      set(chosen, Key.THREADS, threads);
      set(chosen, Key.TARGET, target);
      set(chosen, Key.TABLE, table);
      set(chosen, Key.VERIFY, verify ? "true" : null);
      override(chosen);
      keys.forEach((key, value) -> chosen.set(key, value, "-p"));
      chosen.check();
      prepare(chosen);
      Benchmark benchmark = new Benchmark(chosen, tool.out, tool.err);
      benchmark.writeTo(json, hlog);
      return work.applyAsInt(benchmark);
    }

    static void set(Profile chosen, Key key, String value) {
      if (value != null) {
        chosen.set(key, value);
      }
    }
  }

  @Command(name = "load", sortOptions = false,
    description = "Creates the profile's table, pre-split, if it is absent, and loads its rows.")
  static final class Load extends OfProfile {
    /** So much is loaded without being told how many rows. */
    private static final double MOST_BYTES_UNASKED = 10e9;

    @Option(names = "--regions", paramLabel = "N",
      description = "Regions of a new table. Default: 4 a region server, more for big data.")
    private String regions;

    @Override
    void override(Profile chosen) {
      set(chosen, Key.REGIONS, regions);
    }

    @Override
    void prepare(Profile chosen) {
      double bytes = new Footprint(chosen).diskBytes();
      if (bytes > MOST_BYTES_UNASKED && !chosen.isOverridden(Key.ROWS)) {
        throw ToolException.usage("all " + Units.count(chosen.insertCount()) + " rows of "
          + chosen.name() + " take about " + Units.bytes(bytes) + " of disk a replica: give --rows"
          + " N (--rows " + chosen.number(Key.ROWS) + " for all of it)");
      }
    }

    @Override
    public Integer call() {
      return execute(Benchmark::load);
    }
  }

  @Command(name = "run", sortOptions = false, description = "Runs a profile on a loaded table.")
  static final class Run extends OfProfile {
    @Option(names = "--operations", paramLabel = "N",
      description = "Operations in all. Default: the profile's; when --rows are fewer than the"
        + " profile's and no --minutes are given, in proportion fewer, but 10,000 at least.")
    private String operations;

    @Option(names = "--minutes", paramLabel = "N",
      description = "Ends after this time, if the operations don't end before.")
    private String minutes;

    @Option(names = "--distribution", paramLabel = "NAME",
      description = "How rows are chosen: uniform, zipfian, latest, hotspot, exponential or"
        + " sequential.")
    private String distribution;

    @Option(names = "--batch", paramLabel = "N", description = "Rows of a multiget.")
    private String batch;

    @Override
    void override(Profile chosen) {
      set(chosen, Key.OPERATIONS, operations);
      set(chosen, Key.DISTRIBUTION, distribution);
      set(chosen, Key.MULTIGET_BATCH, batch);
      if (minutes != null) {
        chosen.set(Key.SECONDS.text(), seconds(minutes), "--minutes");
      }
    }

    @Override
    void prepare(Profile chosen) {
      chosen.scaleOperations();
    }

    private static String seconds(String minutes) {
      try {
        BigDecimal seconds = new BigDecimal(minutes).multiply(BigDecimal.valueOf(60));
        if (seconds.compareTo(BigDecimal.ONE) >= 0) {
          return seconds.toBigInteger().toString();
        }
      } catch (NumberFormatException e) {
        // Falls through to what is allowed.
      }
      throw ToolException.usage("--minutes is '" + minutes + "', allowed: a number, such as 5 or"
        + " 0.5, of one second or more");
    }

    @Override
    public Integer call() {
      return execute(Benchmark::run);
    }
  }

  /** For programs: `dev-support/bin/bench pairs` uses it. */
  @Command(name = "slices", sortOptions = false, hidden = true,
    description = "Runs a profile on tables of the same rows, as its input asks line by line.")
  static final class InSlices implements Callable<Integer> {
    @ParentCommand
    private YcsbTool tool;

    @Parameters(paramLabel = "PROFILE", description = "A profile's name, or a path to a file.")
    private String profile;

    @Option(names = "--rows", paramLabel = "N", description = "Rows in each table.")
    private String rows;

    @Option(names = "--threads", paramLabel = "N", required = true,
      description = "The most client threads that will be asked for.")
    private String threads;

    @Option(names = "--tables", paramLabel = "NAME", required = true, split = ",",
      description = "The tables.")
    private List<String> tables;

    @Option(names = "-p", paramLabel = "KEY=VALUE",
      description = "Sets any key of a profile, or an hbase. or zookeeper. key of the client.")
    private Map<String, String> keys = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
      // As for load and run.
      HBaseConfiguration.create();
      Profile chosen = Profile.read(profile, profileFolders());
      OfProfile.set(chosen, Key.ROWS, rows);
      OfProfile.set(chosen, Key.THREADS, threads);
      keys.forEach((key, value) -> chosen.set(key, value, "-p"));
      chosen.check();
      for (Key key : List.of(Key.TARGET, Key.FULL_SCAN_THREADS)) {
        if (chosen.number(key) != 0) {
          throw ToolException.usage("profile " + chosen.name() + ": " + key.text() + " is "
            + chosen.number(key) + ", allowed in slices: 0");
        }
      }
      int most = (int) chosen.number(Key.THREADS);
      try (Slices slices = new Slices(tables, table -> {
        chosen.set(Key.TABLE, table);
        return new ProfileTable(chosen, most);
      }, most, tool.out)) {
        slices.serve(new BufferedReader(tool.in));
      }
      return 0;
    }
  }

  @Command(name = "profiles", description = "Lists the profiles.")
  static final class Profiles implements Callable<Integer> {
    @ParentCommand
    private YcsbTool tool;

    @Override
    public Integer call() throws IOException {
      List<Path> files = Profile.list(profileFolders());
      if (files.isEmpty()) {
        throw ToolException.usage("no profiles in " + profileFolders());
      }
      for (Path file : files) {
        tool.out.println(Profile.nameOf(file) + ": " + summary(file) + " (" + file + ")");
      }
      return 0;
    }

    /** A profile's first comment that isn't the licence's. */
    private static String summary(Path file) throws IOException {
      return Files.readAllLines(file).stream().filter(l -> l.startsWith("## "))
        .map(l -> l.substring(3)).findFirst().orElse("");
    }
  }
}
