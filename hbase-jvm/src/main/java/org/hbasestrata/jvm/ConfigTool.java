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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.stream.Location;
import javax.xml.stream.XMLStreamException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.SettingsCheck;

/**
 * {@code hbase config check}: reads a server's configuration as the server does, without starting
 * one, and reports each value with which the server would not start.
 */
public final class ConfigTool extends ServerTool {
  private static final int REFUSED = 1;
  private static final int USAGE = 2;
  private static final int NOT_CHECKED = 3;
  private static final List<String> SITE_FILES =
    Arrays.asList("core-site.xml", "hdfs-site.xml", "hbase-site.xml");
  private static final String HELP =
    "Usage: hbase config check [DIR] [--role ROLE] [-D KEY=VALUE]... [-conf FILE]...\n"
      + "       hbase config check [DIR] --for-upstream\n"
      + "\n"
      + "Reads the configuration in DIR as a server does, starts nothing, and names each key\n"
      + "whose value a server would not start with, and what is allowed.\n"
      + "\n"
      + "  DIR           else that of --config or HBASE_CONF_DIR, else conf/\n"
      + "  --role ROLE   regionserver or master; by default both, and master alone if\n"
      + "                hbase.cluster.distributed is false, since it holds all then\n"
      + "  -D KEY=VALUE  wins over the files, as with a server\n"
      + "  -conf FILE    is read behind them, as with a server\n"
      + "  --for-upstream  names what has to change before the server goes back to upstream's\n"
      + "                jars, rather than what Strata's refuse\n"
      + "\n"
      + "Exit code: 0 no value is refused, 1 values are refused, 2 wrong options, or the\n"
      + "files can't be read, 3 they can, but the check itself failed.";

  private static final Pattern NOT_INCLUDED =
    Pattern.compile("Fetch fail on include for '(.*)' with no fallback while loading '(.*)'");

  private final Map<String, String> overrides = new TreeMap<>();
  private final List<String> files = new ArrayList<>();
  private final List<String> mastersOptions = new ArrayList<>();
  private boolean roleGiven;
  private boolean forUpstream;
  /** Whether what follows is for a server, which also has options that aren't of this tool. */
  private boolean ofServer;
  /** Whether the files have been read: later errors aren't theirs. */
  private boolean read;

  private ConfigTool(PrintStream out, PrintStream err, Map<String, String> environment) {
    super(out, err, environment);
  }

  public static void main(String[] args) {
    System.exit(run(System.out, System.err, System.getenv(), args));
  }

  /** Returns the exit code. */
  static int run(PrintStream out, PrintStream err, Map<String, String> environment,
    String... args) {
    ConfigTool tool = new ConfigTool(out, err, environment);
    try {
      return tool.run(Arrays.asList(args));
    } catch (JvmException e) {
      tool.error(e.getMessage());
      return REFUSED;
    } catch (RuntimeException | Error e) {
      if (tool.read) {
        tool.error("the configuration wasn't checked to its end: " + oneLine(e));
        return NOT_CHECKED;
      }
      // For example the configuration isn't XML.
      tool.error(unreadable(e));
      return USAGE;
    }
  }

  /** Returns which file can't be read and, if it isn't XML, at which line. */
  private static String unreadable(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof XMLStreamException) {
        Location place = ((XMLStreamException) cause).getLocation();
        if (place != null) {
          String problem = cause.getMessage().split("\\n")[0];
          return path(String.valueOf(place.getSystemId())) + ", line " + place.getLineNumber()
            + ": this isn't XML: " + problem;
        }
      }
      Matcher missing = NOT_INCLUDED.matcher(String.valueOf(cause.getMessage()));
      if (cause instanceof IOException && missing.matches()) {
        return path(missing.group(2)) + " includes " + missing.group(1)
          + ", which isn't there: put it into the folder of the configuration, or remove the line";
      }
    }
    Throwable reason = thrown instanceof ExceptionInInitializerError ? thrown.getCause() : thrown;
    return "the configuration can't be read: " + oneLine(reason);
  }

  private static String path(String uri) {
    return uri.startsWith("file:") ? Paths.get(URI.create(uri)).toString() : uri;
  }

  private int run(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      out.println(HELP);
      return 0;
    }
    String wrong = parse(args.iterator());
    if (wrong != null) {
      error(wrong + " (see hbase config --help)");
      return USAGE;
    }
    if (!forUpstream) {
      VersionTool.verifyJars();
    }
    return check(Paths.get(confDir()));
  }

  /** Returns what is wrong with the arguments, or null. */
  private String parse(Iterator<String> args) {
    if (!args.hasNext() || !args.next().equals("check")) {
      return "config needs check";
    }
    while (args.hasNext()) {
      String name = args.next();
      if (name.equals("--")) {
        readOptions(args);
      } else if (name.equals("--for-upstream")) {
        forUpstream = true;
      } else if (name.equals("--server-options")) {
        ofServer = true;
      } else if (name.equals("--role")) {
        request.role = args.hasNext() ? args.next() : "";
        roleGiven = true;
        if (!Arrays.asList("regionserver", "master").contains(request.role)) {
          return "--role is '" + request.role + "': give regionserver or master";
        }
      } else if (name.startsWith("-D")) {
        String setting = name.length() > 2 ? name.substring(2) : args.hasNext() ? args.next() : "";
        int equals = setting.indexOf('=');
        if (equals > 0) {
          overrides.put(setting.substring(0, equals), setting.substring(equals + 1));
        } else if (!ofServer || setting.isEmpty()) {
          return "-D needs KEY=VALUE"; // a server skips it
        }
      } else if (name.equals("-conf") && args.hasNext()) {
        files.add(args.next());
      } else if (!ofServer) {
        return name.startsWith("-") ? "config check has no option '" + name + "'"
          : "config check takes one directory, and '" + name + "' is another";
      }
    }
    return null;
  }

  /**
   * Reads the JVM options of a region server, or of the role that is given. Behind another -- they
   * are those of a master.
   */
  private void readOptions(Iterator<String> args) {
    List<String> options = request.operator;
    while (args.hasNext()) {
      String option = args.next();
      if (option.equals("--")) {
        options = mastersOptions;
      } else {
        options.add(option);
      }
    }
  }

  private int check(Path folder) {
    Options.setProperties(request.operator);
    Configuration.addDefaultResource("hdfs-site.xml");
    Configuration conf = new Configuration();
    HBaseConfiguration.addHbaseResources(conf);
    files.forEach(file -> conf.addResource(new org.apache.hadoop.fs.Path(file)));
    overrides.forEach(conf::set);
    Map<String, Integer> keysOfFiles = keysOfFiles(conf);
    read = true;
    if (forUpstream) {
      return checkForUpstream(folder, conf);
    }
    boolean distributed = conf.getBoolean(HConstants.CLUSTER_DISTRIBUTED, false);
    List<String> roles = roleGiven ? Collections.singletonList(request.role)
      : distributed ? Arrays.asList("regionserver", "master") : Collections.singletonList("master");
    List<SiteFile> sites = sites(folder);
    sites.forEach(site -> site.files().forEach(
      file -> RepeatedKeys.of(file, conf).forEach(line -> error("warning: " + line))));
    Set<String> refusals = new LinkedHashSet<>();
    Set<String> warnings = new LinkedHashSet<>();
    checkPreset(refusals);
    if (roles.contains("regionserver") && !distributed) {
      refusals.add("no region server can be started on its own, since "
        + HConstants.CLUSTER_DISTRIBUTED + " is " + conf.get(HConstants.CLUSTER_DISTRIBUTED)
        + " in " + folder + ": start-hbase.sh starts one process that holds all; set it to true"
        + " for a cluster");
    }
    if (ServerJars.haveOurSettings()) {
      for (String role : roles) {
        request.role = role;
        if (!roleGiven && role.equals("master")) {
          request.operator = mastersOptions;
          Options.setProperties(request.operator);
        }
        refusals.addAll(refusals(conf, warnings));
      }
      warnings.addAll(SettingsCheck.warnings(conf));
      warnings.stream()
        .filter(line -> refusals.stream().noneMatch(refusal -> keyOf(refusal).equals(keyOf(line))))
        .forEach(line -> error("warning: " + withFile(line, sites)));
    } else {
      out.println("The HBase jars are upstream's, which have no rules to check values with.");
    }
    refusals.forEach(line -> error(withFile(line, sites)));
    String read = keysOfFiles.entrySet().stream()
      .map(file -> file.getValue() + (file.getValue() == 1 ? " key of " : " keys of ")
        + folder.resolve(file.getKey()) + included(folder.resolve(file.getKey()), sites))
      .collect(Collectors.joining(", "));
    out.println("Checked for a " + String.join(" and a ", roles) + ": "
      + (read.isEmpty() ? "no keys" : read)
      + (Files.exists(folder.resolve("hbase-site.xml")) ? "; "
        : ", and " + folder + " has no hbase-site.xml; ")
      + (refusals.isEmpty() ? "no value is refused." : refusals.size() + " refused."));
    return refusals.isEmpty() ? 0 : REFUSED;
  }

  private int checkForUpstream(Path folder, Configuration conf) {
    List<SiteFile> sites = sites(folder);
    Map<String, Path> fileOfKey = new TreeMap<>();
    sites.forEach(site -> fileOfKey.putAll(site.fileOfKey()));
    fileOfKey.keySet().removeAll(overrides.keySet());
    Long given = MemoryPlan.givenDirect(request, environment);
    Long direct = given == null ? MemoryPlan.givenHeap(request, environment) : given;
    List<String> lines = UpstreamRules.of(conf, direct, environment);
    for (String line : lines) {
      Path file = fileOfKey.get(keyOf(line));
      error(file == null ? line : line + " It is in " + file + ".");
    }
    out.println("Checked " + folder + " for upstream's jars: " + (lines.isEmpty()
      ? "nothing has to change."
      : lines.size() + " to change; \"Go back\" in docs/operators-guide.md has the steps."));
    return lines.isEmpty() ? 0 : REFUSED;
  }

  private List<SiteFile> sites(Path folder) {
    return Stream
      .concat(SITE_FILES.stream().map(folder::resolve), files.stream().map(Paths::get))
      .filter(Files::isRegularFile).map(SiteFile::new).collect(Collectors.toList());
  }

  /** Adds the file to a line that begins with a key of one that is included. */
  private String withFile(String line, List<SiteFile> sites) {
    Path file = null;
    for (SiteFile site : overrides.containsKey(keyOf(line)) ? Collections.<SiteFile>emptyList()
      : sites) {
      Path found = site.fileOfKey().get(keyOf(line));
      file = found == null ? file : found.equals(site.files().get(0)) ? null : found;
    }
    return file == null ? line : line + " It is in " + file + ".";
  }

  /** Returns the files that a file of the configuration includes, for the report. */
  private static String included(Path file, List<SiteFile> sites) {
    String names = sites.stream().filter(site -> site.files().get(0).equals(file))
      .flatMap(site -> site.files().stream().skip(1))
      .map(other -> file.toAbsolutePath().getParent().relativize(other).toString())
      .collect(Collectors.joining(" and "));
    return names.isEmpty() ? "" : " with " + names;
  }

  private static String keyOf(String line) {
    return line.substring(0, line.indexOf(' '));
  }

  /** @param warnings gets values that are refused only if the JVM has its default direct memory */
  private Set<String> refusals(Configuration conf, Set<String> warnings) {
    if (!request.isWithRegions(conf)) {
      return new LinkedHashSet<>(SettingsCheck.refusalsOfMaster(conf));
    }
    Set<String> refusals = new LinkedHashSet<>();
    Long direct = null;
    try {
      direct = direct(conf, warnings);
    } catch (JvmException e) {
      addLines(e, refusals);
    }
    refusals.addAll(SettingsCheck.refusals(conf, bytes(direct)));
    if (direct == null && variable(PRESET, "").isEmpty()) {
      Long heap = MemoryPlan.givenHeap(request, environment);
      warnings.addAll(SettingsCheck.refusals(conf, bytes(heap)));
      warnings.removeAll(refusals);
    }
    return refusals;
  }

  private void checkPreset(Set<String> refusals) {
    String preset = variable(PRESET, "");
    if (!preset.isEmpty()) {
      try {
        Preset.read(preset, Preset.folders(confDir(), variable("HBASE_HOME", "")));
      } catch (JvmException e) {
        addLines(e, refusals);
      }
    }
  }

  private static void addLines(JvmException problem, Set<String> lines) {
    lines.addAll(Arrays.asList(problem.getMessage().split("\n")));
  }

  private String confDir() {
    return environment.getOrDefault("HBASE_CONF_DIR", "conf");
  }

  private static long bytes(Long megabytes) {
    return megabytes == null ? Long.MAX_VALUE : megabytes << Sizes.BITS_OF_MB;
  }

  /**
   * Returns the direct memory that the server's JVM is known to allow, in MB; null if the JVM
   * chooses it, or if it may be set in a file that isn't read here.
   */
  private Long direct(Configuration conf, Set<String> warnings) {
    Long direct;
    if (variable(PRESET, "").isEmpty()) {
      direct = MemoryPlan.givenDirect(request, environment);
    } else {
      Machine here = Machine.read(Paths.get("/"), Runtime.getRuntime().availableProcessors());
      MemoryPlan plan = MemoryPlan.of(request, here, conf, environment);
      direct = plan.direct();
      if (plan.tooLittle() != null) {
        warnings.add(plan.tooLittle());
      }
    }
    return Options.nameFiles(request.operator) ? null : direct;
  }

  /** Returns the number of keys that each site file sets and no later file overrides. */
  private static Map<String, Integer> keysOfFiles(Configuration conf) {
    Map<String, Integer> keys = new TreeMap<>();
    for (Map.Entry<String, String> entry : conf) {
      String[] sources = conf.getPropertySources(entry.getKey());
      String last = sources == null ? "" : sources[sources.length - 1];
      if (SITE_FILES.contains(last)) {
        keys.merge(last, 1, Integer::sum);
      }
    }
    return keys;
  }
}
