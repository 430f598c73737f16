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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.cluster.ClusterScript;
import org.hbasestrata.tools.cluster.Daemon;
import org.hbasestrata.tools.cluster.Jmx;

/** The cluster that faults are run on: HDFS, ZooKeeper, a master and two region servers. */
final class Scene implements AutoCloseable {
  /** What the servers run with. */
  enum Setting {
    /** A block cache of two tiers in each region server, L2 of both on one device. */
    TIERS("--conf", "conf"),
    /** As TIERS, with a region server more, and L2 in plain files. */
    THREE_SERVERS("--conf", "conf"),
    /** Upstream's jars and a configuration that they understand; the cache is in a plain file. */
    STOCK("--stock", "--only-conf", "conf-stock"),
    /** Phoenix on each server, and a small block cache of two tiers. */
    PHOENIX("--only-conf", "conf-phoenix"),
    /** The same with a cache in a plain file. */
    PHOENIX_FILE("--only-conf", "conf-phoenix"),
    /** The same with a cache in a file of direct I/O. */
    PHOENIX_DIRECT("--only-conf", "conf-phoenix"),
    /** The same with a cache in a plain file, and cells that throw when they are used too late. */
    PHOENIX_GUARDED("--only-conf", "conf-phoenix"),
    /** The same on upstream's jars; the cache is in a plain file. */
    PHOENIX_ON_STOCK("--stock", "--only-conf", "conf-phoenix"),
    /** This tool's classes on each server, few buffers, and a cache in a plain file. */
    LATE_CELLS("--only-conf", "conf-late-cells"),
    /** The same on upstream's jars. */
    LATE_CELLS_ON_STOCK("--stock", "--only-conf", "conf-late-cells"),
    /** Kerberos with each protection, TLS beside plain connections, rights and labels. */
    SECURE("--secure", "tls", "--protection", "privacy,integrity,authentication", "--conf",
      "conf-secure"),
    /** As STOCK, with Kerberos, encrypted RPC and rights. */
    SECURE_STOCK("--secure", "kerberos", "--protection", "privacy", "--rights", "access",
      "--stock", "--only-conf", "conf-stock");

    private final List<String> options;

    Setting(String... options) {
      this.options = List.of(options);
    }

    private boolean isStock() {
      return options.contains("--stock");
    }

    private boolean isSecure() {
      return options.contains("--secure");
    }

    private boolean hasPhoenix() {
      return name().startsWith(PHOENIX.name());
    }

    /** What the configuration reads of the environment. */
    private Map<String, String> environment() {
      return switch (this) {
        case THREE_SERVERS -> Map.of("FAULTS_L2", "file");
        case PHOENIX -> Map.of("FAULTS_L1", "offheap");
        case PHOENIX_DIRECT -> Map.of("FAULTS_ENGINE", "direct");
        case LATE_CELLS, LATE_CELLS_ON_STOCK -> Map.of("HBASE_CLASSPATH",
          Program.classesOf(Scene.class).toString());
        default -> Map.of();
      };
    }

    /** Of the daemons, which are tested as nobody else runs them. */
    private String jvmOptions() {
      return switch (this) {
        case PHOENIX_GUARDED -> " -Dcoprocessor.cells.guarded=true";
        case SECURE -> " -Dmultiget.parallel.spread.all=true";
        default -> "";
      };
    }

    /** For `cluster up`; the last one is the configuration's folder. */
    private List<String> options(Checkout checkout) {
      List<String> words = new ArrayList<>(options);
      words.add(checkout.root().resolve("dev-support/faults").resolve(words.remove(
        words.size() - 1)).toString());
      return words;
    }
  }

  static final String TABLE = "usertable";
  /** Of Kerberos, where Java finds it. */
  private static final String TICKETS = "KRB5CCNAME";
  /** For a load to begin. */
  static final int START_SECONDS = 180;
  /** Of a line of a log. */
  private static final Pattern TIME =
    Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d,\\d{3}");
  private static final int TIME_CHARS = 23;
  private static final String PROFILE = "point-get";
  private static final String METRICS = "Hadoop:service=HBase,name=RegionServer,sub=";
  /** Hadoop adds it to all metrics; an MBean that it has just registered again has none of them. */
  private static final String TAG_OF_METRICS = "tag.Hostname";
  private static final String METRICS_OF_MASTER = "Hadoop:service=HBase,name=Master,sub=Server";
  private static final String METRICS_OF_TABLE = "Namespace_default_table_" + TABLE + "_region_";
  private static final int POLL_MILLIS = 200;
  private static final int READ_TARGET = 4_000;
  /** Where nothing depends on what a cache holds. */
  private static final int SECURED_ROWS = 10_000;
  /** More than can be done. */
  private static final int FAST_TARGET = 40_000;
  /** Half of what dev-support/faults/conf has. */
  private static final long WARM_BYTES = 12L << 20;
  /** The load is well under way then. */
  private static final int READS_OF_A_LOAD = 100;

  /** Of this process, so that each has files of its own. */
  private static int loads;

  private final Checkout checkout;
  private final Path folder;
  private final Amounts amounts;
  private final Setting setting;
  private final Path log;
  private final ClusterScript script;
  private final Device device;
  private final Map<String, String> environment = new HashMap<>();
  private final List<Child> children = Collections.synchronizedList(new ArrayList<>());
  private Throttle throttle;
  private boolean up;
  private boolean loaded;
  /** Tables whose regions were spread evenly, and no daemon was killed or restarted since. */
  private final Set<String> spread = new HashSet<>();
  private int startsAgain;

  Scene(Checkout checkout, Path folder, Amounts amounts, Setting setting) {
    this.checkout = checkout;
    this.folder = folder;
    this.amounts = amounts;
    this.setting = setting;
    log = folder.resolve("cluster.log");
    script = new ClusterScript(checkout, folder.resolve("cluster"), log);
    device = new Device(folder.resolve("device"), folder.resolve("device.img"), log);
    environment.put("HBASE_HEAPSIZE", "700m");
    environment.put("HBASE_OFFHEAPSIZE", "400m");
    environment.put("HBASE_OPTS", jvmOptions() + setting.jvmOptions());
    environment.put("FAULTS_DEVICE", folder.resolve("device").toString());
    environment.putAll(setting.environment());
    if (setting == Setting.TIERS) {
      environment.putAll(amounts.engine().environment());
    }
    if (setting.hasPhoenix()) {
      environment.put("HBASE_CLASSPATH", phoenix());
    }
  }

  Amounts amounts() {
    return amounts;
  }

  Setting setting() {
    return setting;
  }

  Checkout checkout() {
    return checkout;
  }

  Device device() {
    return device;
  }

  Path folder() {
    return folder;
  }

  /** Brings it up, with an empty cache. */
  void up() throws InterruptedException {
    up = true;
    try {
      if (setting == Setting.TIERS) {
        device.mount();
      } else {
        Files.createDirectories(folder.resolve("device"));
      }
    } catch (IOException e) {
      throw ToolException.failed("no device: " + ToolException.oneLine(e), e);
    }
    List<String> words = new ArrayList<>(List.of("up", "--regionservers",
      setting == Setting.THREE_SERVERS ? "3" : "2"));
    words.addAll(setting.options(checkout));
    words.add(conf(words.remove(words.size() - 1)));
    cluster(words.toArray(String[]::new));
  }

  /** Returns the folder of a configuration, with the settings that were asked for. */
  private String conf(String conf) {
    if (amounts.settings().isEmpty()) {
      return conf;
    }
    try {
      Path with = folder.resolve("conf-with-settings");
      Folders.delete(with);
      Folders.copy(Path.of(conf), with);
      Site.read(with.resolve("hbase-site.xml")).with(amounts.settings());
      return with.toString();
    } catch (IOException e) {
      throw ToolException.failed("settings can't be added to " + conf + ": "
        + ToolException.oneLine(e), e);
    }
  }

  /** Holds up what a region server reads from and writes to the device. */
  void throttle(int server, long perSecond) throws IOException, InterruptedException {
    throttle = Throttle.on(device.number(), regionServer(server).pid());
    throttle.limit(perSecond);
  }

  /** What it has read since. */
  long throttledReads() throws IOException {
    return throttle.reads();
  }

  /** What was held up goes on; else its process couldn't end. */
  void unthrottle() throws IOException {
    if (throttle != null) {
      throttle.close();
      throttle = null;
    }
  }

  private int rows() {
    return setting.isSecure() ? SECURED_ROWS : amounts.rows();
  }

  /** Loads the table that most faults are run under, once. */
  void load() throws InterruptedException {
    if (!loaded) {
      Child.run("ycsb", hbase(home(), "ycsb", "load", PROFILE, "--rows",
        Integer.toString(rows()), "--regions", "4", "--threads", "4"), client(), log);
      loaded = true;
    }
  }

  /** A load that reads rows and compares each byte. */
  final class Load implements AutoCloseable {
    private static final Pattern DONE = Pattern.compile("^run: [1-9]", Pattern.MULTILINE);

    private final Path json;
    private final Path file;
    private final Child child;

    private Load(String name, Path home, int seconds, int target, String... options) {
      json = folder.resolve(name + ".json");
      file = folder.resolve(name + ".log");
      List<String> words = hbase(home, "ycsb", "run", PROFILE, "--rows",
        Integer.toString(rows()), "--minutes", Double.toString(seconds / 60.0),
        "--target", Integer.toString(target), "--verify", "--json", json.toString());
      words.addAll(List.of(options));
      if (!words.contains("--threads")) {
        words.addAll(List.of("--threads", "4"));
      }
      child = started(words, client(), file);
    }

    boolean isAlive() {
      return child.isAlive();
    }

    /** Whether it has told of operations that were done. */
    boolean hasOperations() {
      try {
        return Files.exists(file) && DONE.matcher(Files.readString(file)).find();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Waits until it has done some: before, it has no results. */
    void awaitOperations() throws IOException, InterruptedException {
      await(START_SECONDS, () -> !isAlive() || hasOperations());
      if (!isAlive()) {
        throw new IOException("the load ended; see " + log());
      }
      if (!hasOperations()) {
        throw new IOException("the load did nothing in " + START_SECONDS + " s; see " + log());
      }
    }

    /** Waits until it reaches a region server. */
    void awaitReads(Daemon server) throws IOException, InterruptedException {
      Scene.this.awaitReads(server, this::isAlive);
      if (!isAlive()) {
        throw new IOException("the load ended; see " + log());
      }
    }

    /** Ends it before its time. */
    JsonNode stop() throws IOException {
      close();
      return results();
    }

    /** Ends it before its time, unless it has ended. */
    @Override
    public void close() {
      child.end();
    }

    JsonNode results() throws IOException {
      if (!Files.exists(json) || Files.size(json) == 0) {
        throw new IOException("ycsb ended without results; see " + log());
      }
      return Json.MAPPER.readTree(json.toFile());
    }

    private String log() {
      return file.getFileName().toString();
    }

    /** Ends it before its time, and counts what it found. */
    void stop(Outcome outcome) throws IOException {
      count(stop(), outcome);
    }

    /** Waits for its end and counts what it found. */
    void end(Outcome outcome) throws IOException, InterruptedException {
      int code = child.await();
      outcome.expect(code == 0, "the load ended with exit code " + code);
      count(results(), outcome);
    }

    private void count(JsonNode result, Outcome outcome) {
      JsonNode verified = result.path("verified");
      outcome.expect(verified.path("rows").asLong() > 0, "the load verified no rows");
      outcome.count("wrong", verified.path("wrong").asLong());
      outcome.count("lost", verified.path("missing").asLong());
      JsonNode phase = result.path("phases").path(0);
      outcome.count("operations", phase.path("operations").asLong());
      outcome.count("errors", phase.path("failed").asLong());
      long rows = phase.path("series").path("MULTIGET").path("rows").asLong();
      if (rows > 0) {
        outcome.count("rows", rows);
      }
      phase.path("series").properties().iterator().forEachRemaining(series -> {
        if (!series.getKey().contains("INTENDED")) {
          outcome.note(series.getKey() + ": P99 " + millis(series.getValue().path("p99_us"))
            + ", longest " + millis(series.getValue().path("max_us")));
        }
      });
    }
  }

  private static String millis(JsonNode micros) {
    return String.format(Locale.ROOT, "%,.1f ms", micros.asDouble() / 1000);
  }

  Load startLoad(int seconds, String... options) {
    return new Load("ycsb-" + ++loads, home(), seconds, amounts.target(), options);
  }

  /** The same, as fast as it can. */
  Load startFastLoad(int seconds, String... options) {
    return new Load("ycsb-" + ++loads, home(), seconds, FAST_TARGET, options);
  }

  /** The same with another client, its files named otherwise. */
  Load startLoad(String name, Path home, int seconds, int target, String... options) {
    return new Load(name, home, seconds, target, options);
  }

  /** Chains of rows are written to a table of a name that begins so, read back and flushed. */
  ChainLoad startChains(String name, int pauseMillis) {
    return new ChainLoad(this, name + "-" + ++loads, home(), pauseMillis);
  }

  /** Reads all for some seconds, so that what fits is in the cache. */
  void read() throws IOException, InterruptedException {
    load();
    Outcome ignored = new Outcome("warm", "");
    startLoad("ycsb-" + ++loads, home(), amounts.brief() ? 3 : 10, READ_TARGET).end(ignored);
  }

  /** The same, unless both servers' L2 is half full already. */
  void warm() throws IOException, InterruptedException {
    for (Daemon server : regionServers()) {
      if (metrics(server, "BlockCacheTiers").path("l2DataSize").asLong() < WARM_BYTES) {
        read();
        return;
      }
    }
  }

  /** What daemons and clients read. */
  Path site() {
    return script.conf().resolve("hbase-site.xml");
  }

  /** The block cache's file of a region server. */
  Path cacheFile(int server) {
    return device.file("regionserver-" + server);
  }

  List<String> cluster(String... arguments) throws InterruptedException {
    spread.clear();
    return script.run(environment, List.of(arguments));
  }

  /** As {@link #cluster}, in a region server's environment with more. */
  void restartRegionServer(int server, Map<String, String> more) throws InterruptedException {
    restart(more, "regionserver", Integer.toString(server));
  }

  /** The same with any daemon, as `cluster restart` has it. */
  void restart(Map<String, String> more, String... daemon) throws InterruptedException {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(more);
    spread.clear();
    List<String> words = new ArrayList<>(List.of("restart"));
    words.addAll(List.of(daemon));
    script.run(all, words);
  }

  /** The script of this cluster, as {@link #cluster} runs it. */
  ClusterScript script() {
    return script;
  }

  /** A cluster of its own beside this one, which isn't up. */
  ClusterScript another(String name) {
    return new ClusterScript(checkout, folder.resolve(name), log);
  }

  /** What daemons find in their environment. */
  Map<String, String> environment() {
    return Map.copyOf(environment);
  }

  /** Runs a class of this tool with the cluster's client. */
  Child start(Class<?> program, Path output, String... arguments) {
    return start(home(), program, output, arguments);
  }

  /** The same with the client of an install. */
  Child start(Path home, Class<?> program, Path output, String... arguments) {
    Map<String, String> with = client();
    with.put("HBASE_CLASSPATH", programs() + (setting.hasPhoenix() ? ":" + phoenix() : ""));
    List<String> command = hbase(home, program.getName());
    command.addAll(List.of(arguments));
    return started(command, with, output);
  }

  /** The class path of programs, some of which use what tools share. */
  static String programs() {
    return Program.classesOf(Scene.class) + ":" + Program.classesOf(Program.class);
  }

  /** The same as a user of a secured cluster. */
  Child startProgramAs(String user, Class<?> program, Path output, String... arguments) {
    return startProgramAs(user, Map.of(), program, output, arguments);
  }

  /** The same, in whose environment there is more. */
  Child startProgramAs(String user, Map<String, String> more, Class<?> program, Path output,
    String... arguments) {
    Map<String, String> all = new HashMap<>(more);
    all.put("HBASE_CLASSPATH", programs());
    List<String> words = new ArrayList<>(List.of(program.getName()));
    Collections.addAll(words, arguments);
    return startAs(user, all, output, "hbase", words.toArray(String[]::new));
  }

  private Child started(List<String> command, Map<String, String> with, Path output) {
    Child child = Child.start(command, with, output, line -> {
    });
    children.add(child);
    return child;
  }

  /**
   * A restarted server comes back without regions: has both serve those of some tables. Does
   * nothing when they do since it was last called.
   */
  void spread(String... tables) throws IOException, InterruptedException {
    if (spread.containsAll(List.of(tables))) {
      return;
    }
    List<String> arguments = new ArrayList<>(List.of("2"));
    Collections.addAll(arguments, tables);
    int code = start(Spread.class, folder.resolve("spread.log"), arguments.toArray(String[]::new))
      .await();
    if (code != 0) {
      throw new IOException("regions can't be spread; see spread.log");
    }
    Collections.addAll(spread, tables);
  }

  /** For who moved some: {@link #spread} has to look where they are. */
  void regionsMoved() {
    spread.clear();
  }

  /** Runs bin/hbase as a user of a secured cluster, null for one without a ticket. */
  Child startAs(String user, Path output, String... arguments) {
    return startAs(user, Map.of(), output, "hbase", arguments);
  }

  /** The same with another script of bin, in whose environment there is more. */
  Child startAs(String user, Map<String, String> more, Path output, String name,
    String... arguments) {
    Map<String, String> with = client();
    with.put(TICKETS, secure().resolve("tickets").resolve(user == null ? "none" : user).toString());
    with.putAll(more);
    List<String> words = new ArrayList<>(List.of(home().resolve("bin").resolve(name).toString()));
    Collections.addAll(words, arguments);
    return started(words, with, output);
  }

  /** Keys, tickets and certificates of a secured cluster. */
  Path secure() {
    return folder.resolve("cluster/secure");
  }

  /** What `bin/hbase version` of an install says. */
  String clientVersion(Path home) throws InterruptedException {
    return Child.run("hbase", hbase(home, "version"), client(), log).stream()
      .filter(line -> line.startsWith("HBase ")).map(line -> line.split(" ")[1]).findFirst()
      .orElse("none");
  }

  /** Its jars and what they need beside HBase's; the build has put them there. */
  private String phoenix() {
    return checkout.root().resolve("dev-support/phoenix/target/lib").toString() + "/*";
  }

  private static List<String> hbase(Path home, String... arguments) {
    List<String> words = new ArrayList<>();
    words.add(home.resolve("bin/hbase").toString());
    Collections.addAll(words, arguments);
    return words;
  }

  private Path home() {
    return setting.isStock() ? stockHome() : strataHome();
  }

  /** The unpacked tarball. */
  Path strataHome() {
    return script.dist();
  }

  /** The same with upstream's jars, where the setting has them. */
  Path stockHome() {
    return folder.resolve("cluster/homes/stock");
  }

  private static String jvmOptions() {
    return System.getenv().getOrDefault("HBASE_OPTS", "");
  }

  private Map<String, String> client() {
    Map<String, String> with = new HashMap<>();
    with.put("HBASE_CONF_DIR", script.conf().toString());
    if (setting.isSecure()) {
      with.put(TICKETS, secure().resolve("tickets/hbase").toString());
    }
    with.put("HBASE_HEAPSIZE", setting.isSecure() ? "700m" : "3g");
    with.put("HBASE_OFFHEAPSIZE", "1g");
    with.put("HBASE_OPTS", jvmOptions() + " -XX:+ExitOnOutOfMemoryError");
    return with;
  }

  /** @param name as `cluster status` has it */
  Daemon daemon(String name) throws InterruptedException {
    return script.daemon(name);
  }

  /** The master and the region servers that aren't up. */
  List<Ended> ended() throws IOException, InterruptedException {
    List<Ended> ended = new ArrayList<>();
    for (String line : script.status()) {
      if (line.matches("(master|regionserver-\\d) +- .*")) {
        String server = line.split(" ")[0];
        ended.add(Ended.of(server, logSince(server, 0)));
      }
    }
    return ended;
  }

  /** Starts one of them, as a supervisor does, and doesn't wait until it serves. */
  void startAgain(Ended server) throws IOException, InterruptedException {
    // A start empties the file that a JVM without memory told of it in.
    Path printed = script.logs().resolve(server.server() + ".out");
    if (Files.exists(printed)) {
      Files.move(printed, printed.resolveSibling(printed.getFileName() + "." + ++startsAgain));
    }
    List<String> words = new ArrayList<>(List.of("restart"));
    Collections.addAll(words, server.server().split("-"));
    // The master needs a region server to be ready, and they need it.
    words.add("--no-wait");
    cluster(words.toArray(String[]::new));
  }

  /** Whether the master and both region servers are up, and it knows these ones as live. */
  boolean serves() throws InterruptedException {
    try {
      List<String> live = List.of(bean(daemon("master"), METRICS_OF_MASTER)
        .path("tag.liveRegionServers").asText().split(";"));
      for (Daemon server : regionServers()) {
        if (!live.contains(metrics(server, "Server").path("tag.serverName").asText("unknown"))) {
          return false;
        }
      }
      return true;
    } catch (ToolException e) {
      // One isn't up.
      return false;
    }
  }

  List<Daemon> regionServers() throws InterruptedException {
    return List.of(regionServer(1), regionServer(2));
  }

  Daemon regionServer(int server) throws InterruptedException {
    return daemon("regionserver-" + server);
  }

  /** The metrics of a region server; a missing node while there are none. */
  JsonNode metrics(Daemon server, String set) throws InterruptedException {
    return new Jmx(server.webPort()).metrics(METRICS + set, bean -> bean.has(TAG_OF_METRICS));
  }

  JsonNode bean(Daemon server, String name) throws InterruptedException {
    return new Jmx(server.webPort()).metrics(name, bean -> true);
  }

  /** Where the log of a region server ends now. */
  long logEnd(int server) throws IOException {
    Path file = logFile("regionserver-" + server);
    return Files.exists(file) ? Files.size(file) : 0;
  }

  /** Where the logs of the master and the region servers end now. */
  Map<String, Long> logEnds() throws IOException {
    Map<String, Long> ends = new HashMap<>();
    for (String server : List.of("master", "regionserver-1", "regionserver-2")) {
      ends.put(server, Files.size(logFile(server)));
    }
    return ends;
  }

  /**
   * Whether each server has logged such a line since.
   * @param logs where its log ended then, by its name
   */
  boolean allLog(Pattern line, Map<String, Long> logs) throws IOException {
    for (Map.Entry<String, Long> log : logs.entrySet()) {
      if (logSince(log.getKey(), log.getValue()).stream().noneMatch(line.asPredicate())) {
        return false;
      }
    }
    return true;
  }

  /** What a region server logged since. */
  List<String> logSince(int server, long from) throws IOException {
    return logSince("regionserver-" + server, from);
  }

  private List<String> logSince(String server, long from) throws IOException {
    byte[] bytes = Files.readAllBytes(logFile(server));
    int start = (int) Math.min(from, bytes.length);
    return new String(bytes, start, bytes.length - start, StandardCharsets.UTF_8).lines().toList();
  }

  /** When a server first logged a line with a text since. */
  Optional<LocalDateTime> firstTime(String server, Map<String, Long> logs, String text) {
    try {
      return logSince(server, logs.get(server)).stream()
        .filter(line -> line.contains(text) && TIME.matcher(line).lookingAt())
        .map(line -> LocalDateTime.parse(line.substring(0, TIME_CHARS).replace(',', '.')))
        .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What JVMs of servers have left that crashed or had no memory. */
  Set<String> crashes() throws IOException {
    Set<String> crashes = new TreeSet<>();
    for (Path file : Folders.list(script.logs(), "*")) {
      String name = file.getFileName().toString();
      if (name.startsWith("hs_err")) {
        crashes.add(name);
      } else if (name.matches("(master|regionserver-\\d)\\.(log|out).*")) {
        try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
          lines.filter(line -> line.contains("java.lang.OutOfMemoryError")).forEach(crashes::add);
        }
      }
    }
    return crashes;
  }

  /** What a region server's scripts and JVM printed. */
  List<String> printed(int server) throws IOException {
    return Files.readAllLines(script.logs().resolve("regionserver-" + server + ".out"));
  }

  private Path logFile(String server) {
    return script.logs().resolve(server + ".log");
  }

  /** Waits until a load has read more from a region server. */
  void awaitReads(Daemon server) throws IOException, InterruptedException {
    awaitReads(server, () -> true);
  }

  private void awaitReads(Daemon server, BooleanSupplier alive)
    throws IOException, InterruptedException {
    long[] least = { Long.MAX_VALUE };
    double waited = await(START_SECONDS, () -> {
      if (!alive.getAsBoolean()) {
        return true;
      }
      OptionalLong reads = reads(server);
      // Regions that leave the server take their counts with them.
      least[0] = Math.min(least[0], reads.orElse(Long.MAX_VALUE));
      return reads.isPresent() && reads.getAsLong() - least[0] > READS_OF_A_LOAD;
    });
    if (waited < 0) {
      throw new IOException("no load after " + START_SECONDS + " s on the server of port "
        + server.port() + ", or it has no region of " + TABLE);
    }
  }

  /** Of the loads' table: chains read others. Empty while the server has no metrics. */
  private OptionalLong reads(Daemon server) {
    try {
      JsonNode regions = metrics(server, "Regions");
      return regions.has(TAG_OF_METRICS) ? OptionalLong.of(regions.properties().stream()
        .filter(metric -> metric.getKey().startsWith(METRICS_OF_TABLE)
          && metric.getKey().endsWith("_metric_readRequestCount"))
        .mapToLong(metric -> metric.getValue().asLong()).sum()) : OptionalLong.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalLong.empty();
    }
  }

  /**
   * Waits for a condition, and returns the seconds that took, or -1 if it didn't come. A look at
   * it may take long: the last one begins when the time is over.
   */
  static double await(int seconds, BooleanSupplier condition) throws InterruptedException {
    long begin = System.nanoTime();
    boolean over = false;
    while (!condition.getAsBoolean()) {
      if (over) {
        return -1;
      }
      Thread.sleep(POLL_MILLIS);
      over = System.nanoTime() - begin > seconds * 1_000_000_000L;
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private void keepLogs() throws IOException {
    Path logs = script.logs();
    String name = "logs-" + setting.name().toLowerCase(Locale.ROOT);
    Path kept = folder.resolve(name);
    for (int i = 2; Files.exists(kept); i++) {
      kept = folder.resolve(name + '-' + i);
    }
    if (Files.isDirectory(logs)) {
      Files.move(logs, kept);
    }
  }

  /** Ends all of it, and erases its data, not its logs. */
  @Override
  public void close() {
    if (!up) {
      return;
    }
    try {
      unthrottle();
    } catch (IOException e) {
      System.err.println("faults: a server may hang: " + ToolException.oneLine(e));
    }
    children.forEach(Child::end);
    try {
      script.kill("regionserver", "1");
      script.kill("regionserver", "2");
      script.kill("master");
      cluster("down");
      keepLogs();
      cluster("down", "--purge");
      up = false;
    } catch (IOException | ToolException e) {
      System.err.println("faults: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      try {
        device.close();
      } catch (ToolException e) {
        System.err.println("faults: " + ToolException.oneLine(e));
      }
      try {
        Files.deleteIfExists(folder.resolve("device.img"));
      } catch (IOException e) {
        System.err.println("faults: " + ToolException.oneLine(e));
      }
    }
  }
}
