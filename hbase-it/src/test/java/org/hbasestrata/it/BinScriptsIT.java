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
package org.hbasestrata.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeFalse;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.junit.runner.RunWith;

/**
 * The scripts in bin/ of the unpacked distribution. Java is a shell script here that prints its
 * arguments or lives until it is stopped, so that nearly no test starts a JVM; what servers do is
 * for other tests.
 */
@RunWith(SideBySide.class)
public class BinScriptsIT {

  private static final Path DIST = Packages.dist();

  /** Of a script. */
  private static final int SECONDS_AT_MOST = 300;

  /** Files of bin/ that scripts read, and nobody runs. */
  private static final List<String> FUNCTIONS = List.of("hbase-config.sh", "local-functions.sh");

  /** Shell commands of a java that says that the configuration is a cluster's, and well. */
  private static final String DISTRIBUTED =
    "case \"$*\" in *HBaseConfTool*) echo true; exit ;; *ConfigTool* | *PortCheck*) exit ;; esac; ";

  /** Begins those of one that is asked for a preset's options; to end with ;; esac. */
  private static final String PRESET = "case \"$*\" in *JvmTool*) ";

  /** Of one whose servers live until they are told to end, too. */
  private static final String UNTIL_STOPPED = "while :; do sleep 0.1; done";
  private static final String LIVING = DISTRIBUTED + UNTIL_STOPPED;

  /** Exit code of what is done, but a server had to be killed, or doesn't serve yet. */
  private static final int KILLED = 3;
  private static final int NOT_SERVING = 4;

  /** What a script's process left behind. */
  private record Result(int code, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Map<String, String> environment = new TreeMap<>();
  private Path conf;
  private Path pids;
  private Path logs;

  @Before
  public void separateFromTheMachine() throws IOException {
    Path root = folder.getRoot().toPath();
    conf = Files.createDirectory(root.resolve("a conf"));
    pids = root.resolve("pids");
    logs = root.resolve("logs");
    environment.put("HBASE_CONF_DIR", conf.toString());
    environment.put("HBASE_PID_DIR", pids.toString());
    environment.put("HBASE_LOG_DIR", logs.toString());
    environment.put("HBASE_IDENT_STRING", "it");
    useJava("17.0.15", "");
  }

  @Test
  public void everyScriptHasHelp() throws Exception {
    for (String script : scripts()) {
      Result result = run(script, "--help");
      assertThat(result.code).as(script).isZero();
      assertThat(result.out).as(script).startsWith("Usage: ");
      assertThat(result.err).as(script).isEmpty();
    }
  }

  @Test
  public void wrongUseIsExitCode2AndOneLine() throws Exception {
    List<String[]> uses = List.of(new String[] { "hbase", "nosuchcommand" },
      new String[] { "hbase-daemon.sh", "dance", "master" },
      new String[] { "hbase-daemon.sh", "start", "janitor" },
      new String[] { "local-regionservers.sh", "start", "0" },
      new String[] { "graceful_stop.sh", "--maxthreads", "none", "localhost" },
      new String[] { "gc-log-copy", "1", "/nonexistent", "gc.log" },
      new String[] { "jvm-train", "--rows", "none" },
      new String[] { "hbase", "jvm", "train", "--seconds", "1" },
      new String[] { "rolling-restart.sh", "--rs-only", "--master-only" });
    for (String[] use : uses) {
      Result result = run(use);
      assertThat(result.code).as(String.join(" ", use)).isEqualTo(2);
      assertThat(result.err.lines()).as(String.join(" ", use)).hasSize(1);
    }
  }

  @Test
  public void missingConfigurationDirectoryIsNamed() throws Exception {
    assertOneLineError(run("hbase", "--config", "/nonexistent/conf", "classpath"),
      "/nonexistent/conf", "--config");
  }

  @Test
  public void javaHomeWithoutJavaIsNamed() throws Exception {
    environment.put("JAVA_HOME", "/nonexistent/jdk");
    assertOneLineError(run("hbase", "version"), "JAVA_HOME=/nonexistent/jdk", "JDK");
  }

  @Test
  public void javaThatDoesNotRunIsNamed() throws Exception {
    Path java = writeJava("echo 'cannot execute' >&2; exit 126");
    assertOneLineError(run("hbase", "version"), java.toString(), "cannot execute");
  }

  @Test
  public void tooOldJavaIsNamedWithItsVersion() throws Exception {
    Path java = useJava("1.7.0_80", "");
    assertOneLineError(run("hbase", "version"), java.toString(), "Java 7", "JAVA_HOME");
  }

  @Test
  public void versionIsReadFromTheReleaseFileWhenThereIsOne() throws Exception {
    Path java = useJava("17.0.15", "");
    Files.writeString(java.getParent().resolveSibling("release"), "JAVA_VERSION=\"1.7.0_80\"\n");
    assertOneLineError(run("hbase", "version"), "Java 7");
  }

  @Test
  public void javaThatThisHadoopCannotRunOnIsNamed() throws Exception {
    if (isHadoop35()) {
      useJava("11.0.13", "");
      assertOneLineError(run("hbase", "version"), "Java 11", "17");
    } else {
      useJava("25.0.3", "");
      assertOneLineError(run("hbase", "version"), "Java 25", "hadoop-3.5");
    }
  }

  @Test
  public void ycsbNeedsJava17() throws Exception {
    assumeFalse(isHadoop35());
    useJava("11.0.13", "");
    assertOneLineError(run("hbase", "ycsb", "run", "point-get"), "ycsb", "Java 17", "Java 11");
  }

  @Test
  public void cacheIsNoServerAndGetsItsArguments() throws Exception {
    environment.put("HBASE_REGIONSERVER_OPTS", "-Drole=1");
    assertThat(arguments("hbase", "cache", "--json", "host:16030"))
      .contains("-Dhbase.root.logger=ERROR,console").doesNotContain("-Drole=1", "-XX:+UseG1GC")
      .endsWith("org.apache.hadoop.hbase.io.hfile.mrc.CacheSizingTool", "--json", "host:16030");
  }

  @Test
  public void unknownNewerJavaIsWarnedAboutAndUsed() throws Exception {
    assumeTrue(isHadoop35());
    useJava("99", "");
    Result result = run("hbase", "version");
    assertThat(result.code).isZero();
    assertThat(result.err).contains("Java 99");
  }

  @Test
  public void modulesAreOpenedFromJava9On() throws Exception {
    assertThat(arguments("hbase", "version"))
      .contains("--add-opens=java.base/java.nio=ALL-UNNAMED")
      .doesNotContain("-Djava.security.manager=allow", "--enable-native-access=ALL-UNNAMED");
    useJava("21.0.8", "");
    assertThat(arguments("hbase", "version")).contains("-Djava.security.manager=allow");
    if (isHadoop35()) {
      useJava("25", "");
      assertThat(arguments("hbase", "version"))
        .contains("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow")
        .doesNotContain("-Djava.security.manager=allow")
        .noneMatch(option -> option.contains("sun.security.action"));
    } else {
      useJava("1.8.0_472", "");
      assertThat(arguments("hbase", "version")).noneMatch(option -> option.startsWith("--"));
    }
  }

  @Test
  public void operatorsOptionsComeLastAndTheRolesAfterTheCommonOnes() throws Exception {
    environment.put("HBASE_HEAPSIZE", "1g");
    environment.put("HBASE_OFFHEAPSIZE", "700");
    environment.put("HBASE_OPTS", "-Dcommon=1  -Xss512k");
    environment.put("HBASE_REGIONSERVER_OPTS", "-Drole=1");
    environment.put("HBASE_MASTER_OPTS", "-Dother=1");
    assertThat(arguments("hbase", "regionserver", "start"))
      .startsWith("-Dproc_regionserver")
      .contains("-XX:+UseG1GC")
      .doesNotContain("-Dother=1")
      .containsSubsequence("-Xmx1g", "-XX:MaxDirectMemorySize=700m", "-Dhbase.id.str=it",
        "-Dcommon=1", "-Xss512k", "-Drole=1",
        "org.apache.hadoop.hbase.regionserver.HRegionServer", "start");
  }

  @Test
  public void stopAndClearAreNoServers() throws Exception {
    environment.put("HBASE_MASTER_OPTS", "-Drole=1");
    environment.put("HBASE_REGIONSERVER_OPTS", "-Drole=1");
    environment.put("HBASE_SERVER_JAAS_OPTS", "-Djaas=1");
    environment.put("SERVER_GC_OPTS", "-Xlog:gc");
    for (String[] use : List.of(new String[] { "hbase", "master", "stop", "--shutDownCluster" },
      new String[] { "hbase", "master", "clear" },
      new String[] { "hbase", "regionserver", "stop" })) {
      assertThat(arguments(use)).as(String.join(" ", use)).contains("-Djaas=1")
        .doesNotContain("-Drole=1", "-Xlog:gc", "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError");
    }
    assertThat(arguments("hbase", "master", "start")).contains("-Drole=1", "-Djaas=1", "-Xlog:gc");
  }

  @Test
  public void operatorsGcLogIsWrittenInTheForegroundToo() throws Exception {
    environment.put("SERVER_GC_OPTS", "-XX:+UseZGC -Xlog:gc*:file=<FILE-PATH>");
    assertThat(arguments("hbase", "regionserver", "start"))
      .contains("-XX:+UseZGC").doesNotContain("-XX:+UseG1GC")
      .anyMatch(option -> option.startsWith("-Xlog:gc*:file=" + logs + "/hbase-it-regionserver-"));
    assertThat(logs).isDirectory();
  }

  @Test
  public void hbckTakesTheJarOfHbck2() throws Exception {
    assertThat(arguments("hbase", "hbck", "-details"))
      .endsWith("org.apache.hadoop.hbase.util.HBaseFsck", "-details");
    Path jar = folder.newFile("hbck2.jar").toPath();
    useJava("17", "echo \"$CLASSPATH\"; printf '%s\\n' \"$@\"");
    List<String> lines = arguments("hbase", "hbck", "-j", jar.toString(), "assigns", "region");
    assertThat(lines.get(0)).startsWith(jar + ":");
    assertThat(lines).endsWith("org.apache.hbase.HBCK2", "assigns", "region");
    assertOneLineError(run("hbase", "hbck", "-j", "/nonexistent.jar"), "/nonexistent.jar");
  }

  @Test
  public void collectorThatTheOperatorNamesIsTheOnlyOne() throws Exception {
    environment.put("HBASE_REGIONSERVER_OPTS", "-XX:+UseParallelGC");
    assertThat(arguments("hbase", "regionserver", "start")).doesNotContain("-XX:+UseG1GC");
  }

  @Test
  public void sizeThatIsNoneIsNamed() throws Exception {
    environment.put("HBASE_HEAPSIZE", "lots");
    assertOneLineError(run("hbase", "version"), "HBASE_HEAPSIZE=lots");
  }

  @Test
  public void withoutAPresetNothingIsAddedButG1() throws Exception {
    useJava("17", PRESET + "exit 1 ;; esac; printf '%s\\n' \"$@\"");
    assertThat(arguments("hbase", "regionserver", "start")).contains("-XX:+UseG1GC")
      .noneMatch(option -> option.startsWith("-Xm") || option.startsWith("-Xlog")
        || option.contains("MaxDirectMemorySize"));
  }

  @Test
  public void withoutAPresetADaemonHasAGcLogAndSaysWhereItCrashes() throws Exception {
    environment.put("HBASE_GC_LOG", "/a b/x.gc.log");
    String crash = "-XX:ErrorFile=" + logs + "/hs_err_pid%p.log";
    String log = "-Xlog:gc*,safepoint:file=\"/a b/x.gc.log\":time,uptime,level,tags"
      + ":filecount=10,filesize=20m";
    assertThat(arguments("hbase", "regionserver", "start")).contains(crash, log, "-Xlog:async");
    assertThat(arguments("hbase", "version")).doesNotContain(crash, log);
    if (!isHadoop35()) {
      useJava("11", "");
      assertThat(arguments("hbase", "master", "start")).contains(crash, log)
        .doesNotContain("-Xlog:async");
      useJava("1.8.0_472", "");
      assertThat(arguments("hbase", "master", "start")).contains(crash, "-Xloggc:/a b/x.gc.log",
        "-XX:+UseGCLogFileRotation", "-XX:NumberOfGCLogFiles=10");
      useJava("17", "");
    }
    environment.put("HBASE_GC_LOG", logs + "/x.gc.log");
    environment.put("SERVER_GC_OPTS", "-Xlog:gc:file=<FILE-PATH>");
    assertThat(arguments("hbase", "regionserver", "start"))
      .contains(crash, "-Xlog:gc:file=" + logs + "/x.gc.log")
      .doesNotContain("-Xlog:async");
  }

  @Test
  public void withoutAPresetDirectMemoryThatIsTooSmallIsNamed() throws Exception {
    environment.put("HBASE_OFFHEAPSIZE", "1g");
    environment.put("HBASE_BUCKETCACHE_MB", "0900");
    environment.put("HBASE_OFFHEAP_MEMSTORE_MB", "125");
    Result warned = run("hbase", "regionserver", "start");
    assertThat(warned.code).isZero();
    assertThat(warned.err).contains("HBASE_OFFHEAPSIZE=1g", "HBASE_BUCKETCACHE_MB=0900", "1025 MB");
    environment.put("HBASE_OPTS", "-XX:MaxDirectMemorySize=2g");
    assertThat(run("hbase", "regionserver", "start").err).isEmpty();
    environment.remove("HBASE_OPTS");
    environment.put("HBASE_OFFHEAP_MEMSTORE_MB", "124");
    assertThat(arguments("hbase", "regionserver", "start"))
      .contains("-XX:MaxDirectMemorySize=1g");
    environment.put("HBASE_BUCKETCACHE_MB", "9000");
    assertThat(arguments("hbase", "zookeeper", "start")).contains("-XX:MaxDirectMemorySize=1g");
  }

  @Test
  public void aServersPresetIsAskedForAndTheOperatorsOptionsComeBehindIt() throws Exception {
    useJava("17", PRESET + "printf '%s\\n' \"$@\" >" + folder.getRoot() + "/asked;"
      + " printf '%s\\n'"
      + " 'env HBASE_BUCKETCACHE_MB=77' 'flag -Xmx5m' 'flag -XX:ErrorFile=/a b/x'; exit ;; esac;"
      + " echo \"$HBASE_BUCKETCACHE_MB\"; printf '%s\\n' \"$@\"");
    environment.put("HBASE_JVM_PRESET", "g1");
    environment.put("HBASE_HEAPSIZE", "1g");
    environment.put("HBASE_REGIONSERVER_OPTS", "-Drole=1 -XX:+UseParallelGC");
    environment.put("SERVER_GC_OPTS", "-Xlog:gc:file=<FILE-PATH>");
    List<String> lines = arguments("hbase", "regionserver", "start");
    assertThat(lines.get(0)).isEqualTo("77");
    assertThat(lines).containsSubsequence("-Xmx5m", "-XX:ErrorFile=/a b/x", "-Drole=1",
      "-XX:+UseParallelGC").doesNotContain("-Xmx1g", "-XX:+UseG1GC");
    assertThat(folder.getRoot().toPath().resolve("asked")).content()
      .contains("--role\nregionserver\n", "--log-dir\n" + logs + "\n", "--start\n")
      .containsPattern("--\n-Xlog:gc:file=" + logs + "/.*gc.log\n-Drole=1\n-XX:.UseParallelGC\n");
    // Clients and tools have none.
    assertThat(arguments("hbase", "version")).contains("-Xmx1g").doesNotContain("-Xmx5m");
  }

  @Test
  public void thePresetSeesWhatIsSetWithoutExportAndNoOptionsOfTheServersJvm() throws Exception {
    List<String> variables = List.of("HBASE_HEAPSIZE", "HBASE_OFFHEAPSIZE", "HBASE_GC_LOG_TMPFS",
      "HBASE_BUCKETCACHE_MB", "HBASE_OFFHEAP_MEMSTORE_MB", "HBASE_MEMSTORE_FLUSH_SIZE");
    Files.writeString(conf.resolve("hbase-env.sh"),
      String.join("=77\n", variables) + "=77\nHBASE_JVM_PRESET=g1\n");
    List<String> options = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");
    options.forEach(name -> environment.put(name, "-Xms1g"));
    useJava("17", PRESET + "env >" + folder.getRoot() + "/asked; echo 'flag -Xmx5m'; exit ;; esac;"
      + " env; printf '%s\\n' \"$@\"");
    assertThat(arguments("hbase", "regionserver", "start")).contains("-Xmx5m")
      .containsAll(options.stream().map(name -> name + "=-Xms1g").toList());
    assertThat(Files.readAllLines(folder.getRoot().toPath().resolve("asked")))
      .contains("HBASE_JVM_PRESET=g1")
      .containsAll(variables.stream().map(name -> name + "=77").toList())
      .noneMatch(line -> line.endsWith("=-Xms1g"));
  }

  @Test
  public void aServerThatStartsFromAnArchiveHasTheClassPathForIt() throws Exception {
    environment.put("HBASE_JVM_PRESET", "g1");
    environment.put("HBASE_CLASSPATH_PREFIX", "/before");
    environment.put("HBASE_CLASSPATH", "/behind/*");
    String asked = PRESET + "printf '%s\\n' \"$@\" >" + folder.getRoot() + "/asked; ";
    useJava("17", asked + "echo 'flag -XX:SharedArchiveFile=/a b';"
      + " echo 'class-path /a b/x.jar:/conf'; exit ;; esac;"
      + " echo \"$CLASSPATH\"; printf '%s\\n' \"$@\"");
    List<String> lines = arguments("hbase", "regionserver", "start");
    assertThat(lines.get(0)).isEqualTo("/a b/x.jar:/conf");
    assertThat(lines).contains("-XX:SharedArchiveFile=/a b");
    assertThat(folder.getRoot().toPath().resolve("asked")).content()
      .contains("\n--class-path\n/before:" + conf + ":" + DIST + ":" + DIST + "/lib/*\n",
        "\n--class-path-rest\n/behind/*\n")
      .containsPattern("\n--modules\n.*--add-opens=java.base/java.nio=ALL-UNNAMED .*\n");
    useJava("17", asked + "echo 'flag -Xmx5m'; exit ;; esac; echo \"$CLASSPATH\"");
    assertThat(arguments("hbase", "regionserver", "start"))
      .containsExactly("/before:" + conf + ":" + DIST + ":" + DIST + "/lib/*:/behind/*");
  }

  @Test
  public void anArchiveIsUsedInTheFolderThatShips() throws Exception {
    Files.copy(DIST.resolve("conf/hbase-env.sh"), conf.resolve("hbase-env.sh"));
    useJava("17", PRESET + "echo \"flag -Din=$HBASE_JVM_ARCHIVE_DIR\"; exit ;; esac;"
      + " printf '%s\\n' \"$@\"");
    assertThat(arguments("hbase", "regionserver", "start"))
      .contains("-Din=" + DIST + "/data/jvm-archive");
    environment.put("HBASE_JVM_ARCHIVE_DIR", "");
    assertThat(arguments("hbase", "regionserver", "start")).contains("-Din=");
  }

  @Test
  public void trainingThatCannotHelpStartsNothing() throws Exception {
    Path archives = folder.getRoot().toPath().resolve("archives");
    assertOneLineError(run("hbase", "jvm", "train"), "HBASE_JVM_PRESET");
    environment.put("HBASE_JVM_PRESET", "g1");
    assertOneLineError(run("hbase", "jvm", "train"), "HBASE_JVM_ARCHIVE_DIR");
    environment.put("HBASE_JVM_ARCHIVE_DIR", "/proc/archives");
    assertOneLineError(run("hbase", "jvm", "train"), "HBASE_JVM_ARCHIVE_DIR=/proc/archives");
    environment.put("HBASE_JVM_ARCHIVE_DIR", archives.toString());
    if (!isHadoop35()) {
      useJava("11", "");
      assertOneLineError(run("hbase", "jvm", "train"), "Java 11", "17");
      assertThat(archives).doesNotExist();
    }
    // Its server ends at once: what was made for it is removed.
    useJava("17", PRESET + "exit ;; esac; echo 'no server' >&2; exit 1");
    Result result = run("hbase", "jvm", "train");
    assertThat(result.code).isEqualTo(1);
    assertThat(result.err).contains("jvm train: the server ended while starting");
    assertThat(archives).isEmptyDirectory();
  }

  /** An archive is of what was hot, so it must be trained on the paths that servers ship with. */
  @Test
  public void theServerOfATrainingHasTheKeysThatShip() throws Exception {
    Path seen = folder.getRoot().toPath().resolve("seen");
    environment.put("HBASE_JVM_PRESET", "g1");
    environment.put("HBASE_JVM_ARCHIVE_DIR", folder.getRoot() + "/archives");
    useJava("17", PRESET + "echo 'flag -Xmx5m'; exit ;; esac;"
      + " cp -r \"$HBASE_CONF_DIR\" '" + seen + "'; exit 1");
    assertThat(run("hbase", "jvm", "train").code).isEqualTo(1);
    assertThat(DIST.resolve("conf/hbase-site.xml")).content()
      .contains("<xi:include href=\"profiles/memory.xml\"/>");
    assertThat(seen.resolve("hbase-site.xml")).content()
      .contains("<xi:include href=\"hbase-site-memory.xml\"/>");
    Path profile = DIST.resolve("conf/profiles/memory.xml");
    assertThat(seen.resolve("hbase-site-memory.xml")).hasSameTextualContentAs(profile);
    assertThat(keys(seen.resolve("hbase-site.xml"))).doesNotContainAnyElementsOf(keys(profile));
    assertThat(keys(seen.resolve("hbase-site-training.xml"))).isNotEmpty()
      .doesNotContainAnyElementsOf(keys(profile));
  }

  private static List<String> keys(Path site) throws IOException {
    return Pattern.compile("<name>([^<]+)</name>").matcher(Files.readString(site)).results()
      .map(match -> match.group(1)).toList();
  }

  /** Whoever reaches it could have it load code of his, which runs as the servers' user. */
  @Test
  public void theServerOfATrainingServesOnlyWhoKnowsTheSecret() throws Exception {
    Path root = folder.getRoot().toPath();
    Path archives = root.resolve("archives");
    environment.put("HBASE_JVM_PRESET", "g1");
    environment.put("HBASE_JVM_ARCHIVE_DIR", archives.toString());
    useJava("17", PRESET + "echo 'flag -Xmx5m'; exit ;; esac;"
      + " cp -r \"$HBASE_CONF_DIR\" '" + root + "/seen';"
      + " ls -ld '" + archives + "'/training-* > '" + root + "/mode';"
      + " env > '" + root + "/env'; printf '%s\\n' \"$@\" > '" + root + "/options'; exit 1");
    List<String> secrets = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Packages.run(root, "rm", "-rf", "seen");
      assertThat(run("hbase", "jvm", "train").code).isEqualTo(1);
      String site = Files.readString(root.resolve("seen/hbase-site.xml"));
      String secret = site.replaceAll("(?s).*default.acl</name><value>([^<]*)<.*", "$1");
      assertThat(secret).matches("t[0-9a-f]{32}");
      secrets.add(secret);
      assertThat(site).contains("<name>hadoop.security.authorization</name><value>true<",
        "<name>hbase.master.port</name><value>0<", "<name>hbase.regionserver.port</name><value>0<",
        "<name>hbase.zookeeper.property.clientPortAddress</name><value>127.0.0.1<");
      assertThat(root.resolve("seen/jaas.conf")).content()
        .contains("user_training=\"" + secret + "\"", "password=\"" + secret + "\"");
      assertThat(root.resolve("env")).content().contains("HADOOP_USER_NAME=" + secret,
        "-Djava.security.auth.login.config=" + archives);
      assertThat(root.resolve("options")).content()
        .contains("-Dzookeeper.sessionRequireClientSASLAuth=true").doesNotContain(secret);
      assertThat(root.resolve("mode")).content().startsWith("drwx------");
    }
    assertThat(secrets).doesNotHaveDuplicates();

    for (String permissions : List.of("rwxrwxr-x", "rwxr-xrwx")) {
      Files.setPosixFilePermissions(archives, PosixFilePermissions.fromString(permissions));
      assertOneLineError(run("hbase", "jvm", "train"), archives + " can be written to by other");
    }
  }

  @Test
  public void withoutThePresetsOptionsNoServerStarts() throws Exception {
    environment.put("HBASE_JVM_PRESET", "g1");
    useJava("17", PRESET + "echo 'hbase: too small' >&2; exit 1 ;; esac; echo started");
    assertOneLineError(run("hbase", "regionserver", "start"), "hbase: too small");
    useJava("17", PRESET + "echo nonsense; exit ;; esac; echo started");
    assertOneLineError(run("hbase", "regionserver", "start"), "HBASE_JVM_PRESET=g1", "nonsense");
    useJava("17", PRESET + "exit ;; esac; echo started");
    assertOneLineError(run("hbase", "regionserver", "start"), "HBASE_JVM_PRESET=g1");
  }

  @Test
  public void theShippedPresetIsG1AndCanBeUnset() throws Exception {
    Files.copy(DIST.resolve("conf/hbase-env.sh"), conf.resolve("hbase-env.sh"));
    useJava("17", PRESET + "echo \"flag -Dpreset=$HBASE_JVM_PRESET\"; exit ;; esac;"
      + " printf '%s\\n' \"$@\"");
    assertThat(arguments("hbase", "regionserver", "start")).contains("-Dpreset=g1");
    environment.put("HBASE_JVM_PRESET", "zgc");
    assertThat(arguments("hbase", "master", "start")).contains("-Dpreset=zgc");
    environment.put("HBASE_JVM_PRESET", "");
    assertThat(arguments("hbase", "regionserver", "start")).contains("-XX:+UseG1GC")
      .noneMatch(option -> option.startsWith("-Dpreset"));
  }

  @Test
  public void whatShipsIsComputedAndItsErrorsAreOneLine() throws Exception {
    Files.copy(DIST.resolve("conf/hbase-env.sh"), conf.resolve("hbase-env.sh"));
    Files.copy(DIST.resolve("conf/hbase-site.xml"), conf.resolve("hbase-site.xml"));
    Files.copy(DIST.resolve("conf/profiles/memory.xml"),
      Files.createDirectory(conf.resolve("profiles")).resolve("memory.xml"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("HBASE_HEAPSIZE", "600m");
    environment.put("HBASE_OFFHEAPSIZE", "512m");
    environment.put("JAVA_TOOL_OPTIONS", "-Xms1g -XX:+UseParallelGC");
    Result jvm = run("hbase", "jvm", "--flags");
    assertThat(jvm.code).as(jvm.err).isZero();
    assertThat(jvm.err).doesNotContain("Picked up");
    assertThat(jvm.lines()).contains("-Xmx600m", "-XX:MaxDirectMemorySize=512m",
      "-XX:HeapDumpPath=" + logs);
    assertThat(run("hbase", "jvm", "--list").out).contains("cms-small-heap", "8 to 13");
    environment.put("HBASE_OFFHEAPSIZE", "111m");
    assertOneLineError(run("hbase", "regionserver", "start"), "111 MB", "112m");
    environment.put("HBASE_OFFHEAPSIZE", "512m");
    environment.put("HBASE_BUCKETCACHE_MB", "600");
    assertOneLineError(run("hbase", "regionserver", "start"), "HBASE_OFFHEAPSIZE of 512 MB",
      "block cache 600 MB");
    Files.writeString(conf.resolve("hbase-site.xml"), "<configuration><property");
    assertOneLineError(run("hbase", "regionserver", "start"), "hbase-site.xml");
  }

  @Test
  public void aGcLogInMemoryIsCopiedToItsEndAndRemoved() throws Exception {
    Path memory = folder.getRoot().toPath().resolve("hbase-gc-1");
    useJava("17", DISTRIBUTED + PRESET + "mkdir " + memory + ";"
      + " echo 'copy-log-from " + memory + "'; exit ;; esac;"
      + " cd " + memory + "; trap 'echo two >>server.gc.log;"
      + " mv server.gc.log server.gc.log.0; echo three >server.gc.log; exit' TERM;"
      + " echo one >server.gc.log; " + UNTIL_STOPPED);
    environment.put("HBASE_JVM_PRESET", "g1");
    try {
      assertThat(run("hbase-daemon.sh", "start", "regionserver").code).isZero();
      awaitPresence(memory.resolve(".copier"));
      awaitPresence(memory.resolve("server.gc.log"));
    } finally {
      run("hbase-daemon.sh", "stop", "regionserver");
    }
    awaitAbsence(memory);
    assertThat(gcLogs().map(BinScriptsIT::read)).containsExactlyInAnyOrder("one\ntwo\n",
      "three\n");
  }

  @Test
  public void withoutUtilLinuxAndHostnameAServerRunsAndItsGcLogIsCopied() throws Exception {
    environment.put("PATH", programsWithout("flock", "hostname").toString());
    aGcLogInMemoryIsCopiedToItsEndAndRemoved();
  }

  /** A folder of all programs of the machine but some. */
  private Path programsWithout(String... names) throws IOException {
    Path programs = folder.newFolder().toPath();
    for (String directory : List.of("/usr/local/bin", "/usr/bin", "/bin")) {
      for (Path program : Packages.list(Path.of(directory))) {
        Path link = programs.resolve(program.getFileName());
        if (!List.of(names).contains(link.getFileName().toString()) && !Files.exists(link)
          && Files.isExecutable(program)) {
          Files.createSymbolicLink(link, program);
        }
      }
    }
    return programs;
  }

  @Test
  public void whatAKilledServerLeftInMemoryIsCopiedByTheNextOne() throws Exception {
    // As in a container that was started again: the process id is that of a live process.
    Path left = folder.newFolder("hbase-gc-" + ProcessHandle.current().pid() + ".1").toPath();
    Path memory = folder.newFolder("hbase-gc-999999998.2").toPath();
    Path alive = folder.newFolder("hbase-gc-999999999.3").toPath();
    Path others = folder.newFolder("hbase-gc-999999997.4").toPath();
    for (Path each : List.of(left, memory, alive)) {
      Files.writeString(each.resolve("x.gc.log.0.current"), each.getFileName().toString());
    }
    Files.writeString(others.resolve("y.gc.log"), "another server's");
    Files.createDirectory(logs);
    for (int i = 10; i < 40; i++) {
      Path old = Files.createFile(logs.resolve("x.gc.log.20200101-0000" + i + ".00"));
      Files.setLastModifiedTime(old, FileTime.fromMillis(i * 1000));
    }
    // It was killed when it had copied a part.
    Path begun = Files.writeString(logs.resolve("x.gc.log.20200102-000000.00"), "hbase");
    Files.writeString(left.resolve(".copies"),
      Files.getAttribute(left.resolve("x.gc.log.0.current"), "unix:ino") + " " + begun + "\n");
    Process copier = new ProcessBuilder("sh", "-c", "mkfifo $0; exec 3<>$0; echo; read end",
      alive.resolve(".copier").toString()).start();
    try {
      assertThat(copier.getInputStream().read()).isEqualTo('\n'); // it holds the pipe
      Result result =
        run("gc-log-copy", "999999998", memory.toString(), logs.resolve("x.gc.log").toString());
      assertThat(result.code).as(result.err).isZero();
    } finally {
      copier.getOutputStream().close();
      copier.waitFor();
    }
    assertThat(left).doesNotExist();
    assertThat(memory).doesNotExist();
    assertThat(alive).exists();
    assertThat(others).exists();
    assertThat(begun).content().isEqualTo(left.getFileName().toString());
    assertThat(gcLogs().map(BinScriptsIT::read).filter(text -> !text.isEmpty()))
      .containsExactlyInAnyOrder(left.getFileName().toString(), "hbase-gc-999999998.2");
    assertThat(gcLogs()).hasSize(20);
  }

  private Stream<Path> gcLogs() throws IOException {
    try (Stream<Path> files = Files.list(logs)) {
      return files.filter(file -> file.getFileName().toString().contains(".gc.log")).toList()
        .stream();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitPresence(Path path) throws Exception {
    Await.until(path + " isn't there", () -> Files.exists(path));
  }

  private static void awaitAbsence(Path path) throws Exception {
    Await.until(path + " is still there", () -> !Files.exists(path));
  }

  @Test
  public void environmentFileIsReadOnceHoweverManyScriptsAreInvolved() throws Exception {
    Files.writeString(conf.resolve("hbase-env.sh"),
      "export HBASE_OPTS=\"$HBASE_OPTS -Dfrom.env.file=1\"\n");
    useJava("17", LIVING);
    try {
      assertThat(run("local-regionservers.sh", "start", "1").code).isZero();
      long pid = pid("hbase-it-1-regionserver");
      awaitJava(pid);
      assertThat(commandLine(pid)).containsOnlyOnce("-Dfrom.env.file=1")
        .contains("hbase.regionserver.port=16201", "hbase.regionserver.info.port=16301");
    } finally {
      run("local-regionservers.sh", "stop", "1");
    }
  }

  @Test
  public void furtherRegionServersHaveFilesOfTheirOwnForTheBlockCache() throws Exception {
    useJava("17", "case \"$*\" in *HBaseConfTool*l1.ioengine) echo offheap; exit ;;"
      + " *HBaseConfTool*l2.ioengine) echo 'direct:/a b/cache,/c/cache'; exit ;;"
      + " *HBaseConfTool*l2.persistent.path) echo '/a b/cache.map'; exit ;;"
      + " *HBaseConfTool*bucketcache*) echo null; exit ;; esac; " + LIVING);
    try {
      Result start = run("local-regionservers.sh", "start", "1", "2");
      assertThat(start.code).isZero();
      assertThat(start.out).contains("regionserver 1: starting", "regionserver 2: starting");
      for (int i = 1; i <= 2; i++) {
        assertThat(commandLine(pid("hbase-it-" + i + "-regionserver")))
          .contains("hbase.bucketcache.l2.ioengine=direct:/a b/cache." + i + ",/c/cache." + i,
            "hbase.bucketcache.l2.persistent.path=/a b/cache.map." + i)
          .doesNotContain("hbase.bucketcache.l1", "hbase.bucketcache.ioengine",
            "hbase.bucketcache.persistent");
      }
    } finally {
      run("local-regionservers.sh", "stop", "1", "2");
    }
  }

  @Test
  public void classPathStartsWithTheConfigurationAndEndsWithTheOperators() throws Exception {
    environment.put("HBASE_CLASSPATH", "/x/last.jar");
    assertThat(classPath()).isEqualTo(
      String.join(":", conf.toString(), DIST.toString(), DIST + "/lib/*", "/x/last.jar"));
    environment.put("HBASE_CLASSPATH_PREFIX", "/x/first.jar");
    assertThat(classPath()).startsWith("/x/first.jar:" + conf + ":");
  }

  @Test
  public void anotherHadoopIsOnlyMixedInWhenAskedFor() throws Exception {
    Path hadoop = Files.createDirectories(folder.getRoot().toPath().resolve("hadoop/bin"));
    writeScript(hadoop.resolve("hadoop"), "echo /x/hadoop/lib");
    environment.put("HADOOP_HOME", hadoop.getParent().toString());
    assertThat(classPath()).doesNotContain("/x/hadoop/lib");
    environment.put("HBASE_DISABLE_HADOOP_CLASSPATH_LOOKUP", "false");
    assertThat(classPath()).endsWith(":/x/hadoop/lib");
  }

  @Test
  public void scriptsWorkThroughLinksFromAnyDirectory() throws Exception {
    Path link = folder.getRoot().toPath().resolve("a link");
    Path second = folder.getRoot().toPath().resolve("second");
    Files.createSymbolicLink(link, DIST.resolve("bin/hbase"));
    Files.createSymbolicLink(second, Path.of("a link"));
    Result result = run(folder.getRoot(), List.of(second.toString(), "classpath"));
    assertThat(result.out).contains(DIST + "/lib/*");
  }

  @Test
  public void daemonStartsOnceAndStops() throws Exception {
    useJava("17", DISTRIBUTED + "echo started; " + LIVING);
    try {
      assertThat(run("hbase-daemon.sh", "status", "regionserver").code).isEqualTo(1);
      Result start = run("hbase-daemon.sh", "start", "regionserver", "-D", "some.key=1");
      assertThat(start.code).as(start.err).isZero();
      long pid = pid("hbase-it-regionserver");
      awaitJava(pid);
      assertThat(commandLine(pid)).contains("-Dproc_regionserver", "-Dhbase.root.logger=INFO,RFA",
        "-D some.key=1 start", "-Xlog:gc*", "-XX:ErrorFile=" + logs).doesNotContain("HeapDump");
      assertThat(run("hbase-daemon.sh", "status", "regionserver").out).contains("process " + pid);
      assertOneLineError(run("hbase-daemon.sh", "start", "regionserver"), "process " + pid);
      Path out = onlyFile(logs, ".out");
      Await.until("it hasn't said so", () -> Files.readString(out).equals("started\n"));
    } finally {
      assertThat(run("hbase-daemon.sh", "stop", "regionserver").code).isZero();
    }
    assertThat(run("hbase-daemon.sh", "status", "regionserver").code).isEqualTo(1);
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void serverThatIsStillStartingIsKnown() throws Exception {
    // bin/hbase asks java for its version before it becomes java.
    Path checked = folder.getRoot().toPath().resolve("checked");
    writeJava("if [ \"$1\" = -version ]; then"
      + " if [ -e " + checked + " ]; then sleep 120; fi; echo 'version \"17\"'; exit; fi;"
      + " case \"$*\" in *PortCheck*) touch " + checked + " ;; esac; " + LIVING);
    try {
      assertThat(run("hbase-daemon.sh", "start", "master").code).isZero();
      assertThat(commandLine(pid("hbase-it-master"))).doesNotContain("-Dproc_");
      assertThat(run("hbase-daemon.sh", "status", "master").code).isZero();
      assertThat(run("hbase-daemon.sh", "status", "regionserver").code).isEqualTo(1);
    } finally {
      assertThat(run("hbase-daemon.sh", "stop", "master").out).contains("stopping");
    }
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void ofTwoStartsAtOnceOneIsRefused() throws Exception {
    useJava("17", LIVING);
    try {
      CompletableFuture<Result> other =
        runInBackground("hbase-daemon.sh", "start", "regionserver");
      int one = run("hbase-daemon.sh", "start", "regionserver").code;
      assertThat(List.of(one, other.get().code)).containsExactlyInAnyOrder(0, 1);
    } finally {
      run("hbase-daemon.sh", "stop", "regionserver");
    }
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void hostThatCannotBeReachedKeepsNobodyElseFromStartingOrStopping() throws Exception {
    Path commands = folder.newFolder("commands").toPath();
    writeScript(commands.resolve("ssh"), "echo 'No route to host' >&2; exit 255");
    environment.put("PATH", commands + ":" + System.getenv("PATH"));
    environment.put("HBASE_MANAGES_ZK", "false");
    environment.put("HBASE_STOP_TIMEOUT", "1");
    useJava("17", "case \"$*\" in *' stop '*) exit 1 ;; esac; " + LIVING);
    Files.writeString(conf.resolve("regionservers"), "elsewhere.invalid\nlocalhost\n");
    Files.writeString(conf.resolve("backup-masters"), "elsewhere.invalid\n");
    try {
      Result start = run("start-hbase.sh");
      assertThat(start.code).isEqualTo(1);
      assertThat(start.out).contains("elsewhere.invalid: No route to host");
      for (String role : List.of("master", "regionserver")) {
        assertThat(run("hbase-daemon.sh", "status", role).code).as(role).isZero();
      }
    } finally {
      Result stop = run("stop-hbase.sh");
      assertThat(stop.code).isEqualTo(1);
      assertThat(stop.out).contains("elsewhere.invalid: No route to host");
    }
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void tarballThatThisJavaCanRunIsTaken() throws Exception {
    Path target = folder.newFolder("checkout", "hbase-assembly", "target").toPath();
    Path usual = Files.createFile(target.resolve("hbase-strata-1-bin.tar.gz"));
    Path newer = Files.createFile(target.resolve("hbase-strata-1-hadoop-3.5-bin.tar.gz"));
    Files.setLastModifiedTime(usual, FileTime.fromMillis(1000));
    for (Map.Entry<String, Path> choice : Map.of("8", usual, "11", usual, "17", newer, "25", newer)
      .entrySet()) {
      Result result = run(folder.getRoot(), List.of("bash", "-c",
        "BIN=$1; . \"$BIN/local-functions.sh\"; JAVA_MAJOR=$2; find_tarball checkout", "bash",
        DIST.resolve("bin").toString(), choice.getKey()));
      assertThat(result.out).as(choice.getKey())
        .endsWith("/" + choice.getValue().getFileName() + "\n");
    }
  }

  @Test
  public void inACheckoutTheFirstUseUnpacksWhatWasBuilt() throws Exception {
    Path checkout = folder.newFolder("a checkout").toPath();
    Packages.run(checkout, "cp", "-a", DIST.resolve("bin").toString(), checkout.toString());
    String hbase = checkout.resolve("bin/hbase").toString();
    assertOneLineError(run(folder.getRoot(), List.of(hbase, "jvm", "--list")),
      "mvn -B -DskipTests package", checkout.toString());
    Path target = Files.createDirectories(checkout.resolve("hbase-assembly/target"));
    Path tarball = target.resolve(Packages.binTarball().getFileName());
    Files.createSymbolicLink(tarball, Packages.binTarball());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    Result first = run(folder.getRoot(), List.of(hbase, "jvm", "--list"));
    assertThat(first.code).as(first.err).isZero();
    assertThat(first.out).contains("g1-read");
    Path dist = checkout.resolve("target").resolve(DIST.getFileName());
    assertThat(dist.resolve("lib")).isDirectory();
    Files.setLastModifiedTime(dist.resolve(".unpacked"), FileTime.fromMillis(1000));
    assertThat(run(folder.getRoot(), List.of(hbase, "classpath")).err).contains("older");
  }

  @Test
  public void serverThatEndsAtOnceIsAFailedStartAndItsLastWordsAreShown() throws Exception {
    useJava("17", DISTRIBUTED + "echo 'port 16020 is taken' >&2; exit 3");
    Result result = run("hbase-daemon.sh", "start", "regionserver");
    for (int tries = 1; result.code == 0; tries++) {
      // A busy machine doesn't get as far within the seconds that a start looks.
      assertThat(tries).isLessThan(20);
      awaitAbsence(pids.resolve("hbase-it-regionserver.pid"));
      result = run("hbase-daemon.sh", "start", "regionserver");
    }
    assertThat(result.code).isEqualTo(1);
    assertThat(result.err).contains("port 16020 is taken", ".out");
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void configurationIsCheckedBeforeAnythingIsStartedOrStopped() throws Exception {
    useJava("17", "case \"$*\" in *ConfigTool*'--server-options -D a.key=1 --'*)"
      + " echo said; echo 'hbase: a.key is 1. Give 2.' >&2; exit 1 ;; esac; " + LIVING);
    for (String action : List.of("start", "restart", "foreground_start")) {
      Result result = run("hbase-daemon.sh", action, "regionserver", "-D", "a.key=1");
      assertOneLineError(result, "hbase: a.key is 1. Give 2.");
      assertThat(result.out).isEmpty();
    }
    assertThat(pids).doesNotExist();
  }

  @Test
  public void aServerThatWouldNotFitIntoTheMemoryIsNotStoppedForARestart() throws Exception {
    Files.writeString(conf.resolve("hbase-site.xml"), """
      <configuration>
        <property><name>hbase.cluster.distributed</name><value>true</value></property>
      </configuration>
      """);
    useJava("17", LIVING);
    try {
      assertThat(run("hbase-daemon.sh", "start", "regionserver").code).isZero();
      long pid = pid("hbase-it-regionserver");
      useJavaOfThisTest();
      environment.put("HBASE_JVM_PRESET", "default");
      environment.put("HBASE_HEAPSIZE", "600m");
      environment.put("HBASE_OFFHEAPSIZE", "9000g");
      Result result = run("hbase-daemon.sh", "restart", "regionserver");
      assertThat(result.code).as(result.out + result.err).isEqualTo(1);
      assertThat(result.err).contains("no server would start with this", "HBASE_OFFHEAPSIZE");
      assertThat(result.out).isEmpty();
      assertThat(ProcessHandle.of(pid)).isPresent();
      assertThat(pid("hbase-it-regionserver")).isEqualTo(pid);
    } finally {
      run("hbase-daemon.sh", "stop", "regionserver");
    }
  }

  @Test
  public void valueThatIsNotAllowedEndsAStartWithItsLine() throws Exception {
    useJavaOfThisTest();
    Files.writeString(conf.resolve("hbase-site.xml"), """
      <configuration>
        <property><name>hbase.bucketcache.ioengine</name><value>offheap</value></property>
        <property><name>hbase.bucketcache.size</name><value>1g</value></property>
      </configuration>
      """);
    String line = "hbase: hbase.bucketcache.size is 1g. Give MB";
    long start = System.nanoTime();
    assertOneLineError(run("hbase-daemon.sh", "start", "master"), line);
    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(120);
    assertThat(pids).doesNotExist();
    assertThat(logs).doesNotExist();
    assertOneLineError(run("hbase", "config", "check"), line);
    assertOneLineError(run("hbase", "jvm", "--preset", DIST + "/conf/jvm/default.preset"), line);
    assertOneLineError(run("hbase-daemon.sh", "start", "regionserver", "-D",
      "hbase.bucketcache.size=64"), "hbase.cluster.distributed is false", conf.toString());
  }

  @Test
  public void configurationIsReadWithTheSystemPropertiesOfTheServer() throws Exception {
    useJavaOfThisTest();
    Files.writeString(conf.resolve("hbase-site.xml"), """
      <configuration>
        <property><name>hbase.cluster.distributed</name><value>true</value></property>
        <property><name>hbase.regionserver.port</name><value>${rs.port}</value></property>
        <property><name>hbase.regionserver.info.port</name><value>${info.port}</value></property>
        <property><name>hbase.regionserver.handler.count</name><value>${count}</value></property>
        <property><name>hbase.master.port</name><value>${m.port}</value></property>
        <property><name>hbase.bucketcache.ioengine</name>
          <value>direct:${hbase.log.dir}/cache</value></property>
        <property><name>hbase.bucketcache.size</name><value>64</value></property>
      </configuration>
      """);
    Files.createDirectories(logs);
    assertThat(run("hbase", "config", "check").err.lines()).hasSize(4);
    environment.put("HBASE_REGIONSERVER_OPTS", "-Drs.port=16020");
    environment.put("JAVA_TOOL_OPTIONS", "-Drs.port=no -Dinfo.port='16030' -Dm.port=no");
    environment.put("HBASE_MASTER_OPTS", "-Dm.port=no");
    environment.put("_JAVA_OPTIONS", "-Dcount=30");
    Result checked = run("hbase", "config", "check");
    assertThat(checked.code).isEqualTo(1);
    assertThat(checked.err.lines()).anyMatch(
      line -> line.startsWith("hbase: hbase.master.port is no."));
    assertThat(checked.err).doesNotContain("hbase: hbase.regionserver.port");
    environment.put("_JAVA_OPTIONS", "-Dcount=30 -Dm.port=16000");
    for (String command : List.of("config check", "config check --role master",
      "jvm --preset default")) {
      Result result = run(("hbase " + command).split(" "));
      assertThat(result.code).as(result.err).isZero();
    }
    environment.put("JAVA_TOOL_OPTIONS", "-XX:MaxDirectMemorySize=6g");
    environment.put("HBASE_HEAPSIZE", "2g");
    environment.put("_JAVA_OPTIONS", "-Dcount=30 -Drs.port=0 -Dinfo.port=0 -Dm.port=0");
    String[] offheap = { "hbase", "config", "check", "-D",
      "hbase.bucketcache.ioengine=offheap", "-D", "hbase.bucketcache.size=4096" };
    Result unknown = run(offheap);
    assertThat(unknown.code).as(unknown.err).isZero();
    assertThat(unknown.err).contains("hbase: warning: hbase.bucketcache.size is 4096", "2048 MB");
    environment.put("SERVER_GC_OPTS", "-XX:MaxDirectMemorySize=6g");
    assertThat(run(offheap).err).isEmpty();
    environment.put("SERVER_GC_OPTS", "-XX:MaxDirectMemorySize=3g");
    assertOneLineError(run(offheap), "hbase.bucketcache.size is 4096", "3072 MB");
  }

  @Test
  public void configurationOfADirectoryIsChecked() throws Exception {
    useJavaOfThisTest();
    Result shipped = run("hbase", "config", "check", DIST + "/conf");
    assertThat(shipped.code).as(shipped.err).isZero();
    assertThat(shipped.out).contains(DIST + "/conf/hbase-site.xml", "no value is refused");
    assertThat(shipped.err).isEmpty();
    Files.writeString(conf.resolve("hbase-site.xml"), "<configuration>\n<property>\n");
    Result broken = run("hbase", "config", "check");
    assertThat(broken.code).isEqualTo(2);
    assertThat(broken.err.lines()).singleElement().asString()
      .contains(conf + "/hbase-site.xml, line 3");
    for (String options : List.of("--role master DIR", "-D a.key=1 DIR --role master",
      "DIR -conf " + DIST + "/conf/hdfs-site.xml")) {
      Result other =
        run(("hbase config check " + options.replace("DIR", DIST + "/conf")).split(" "));
      assertThat(other.code).as(other.err).isZero();
      assertThat(other.out).contains(DIST + "/conf/hbase-site.xml");
    }
    for (String noConfiguration : List.of("/none", "/hbase-site.xml", "/..")) {
      Result refused = run("hbase", "config", "check", conf + noConfiguration);
      assertThat(refused.code).isEqualTo(2);
      assertThat(refused.err).contains(conf + noConfiguration);
    }
    Files.writeString(conf.resolve("hbase-site.xml"), "<configuration/>");
    Files.writeString(conf.resolve("hbase-env.sh"), "export HBASE_HEAPSIZE=(1g\nif\n");
    Result faulty = run("hbase", "config", "check");
    Files.delete(conf.resolve("hbase-env.sh"));
    assertThat(faulty.code).isEqualTo(1);
    assertThat(faulty.err).contains(conf + "/hbase-env.sh: line ", "can't be read by bash");
    assertThat(run("hbase", "config").code).isEqualTo(2);
  }

  @Test
  public void foregroundServerHandsOnItsExitCode() throws Exception {
    useJava("17", DISTRIBUTED + "exit 3");
    assertThat(run("hbase-daemon.sh", "foreground_start", "master").code).isEqualTo(3);
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void pidThatBelongsToAnotherProgramNowIsLeftAlone() throws Exception {
    Process other = new ProcessBuilder("sleep", "600").start();
    try {
      Files.createDirectory(pids);
      Path pidFile = pids.resolve("hbase-it-master.pid");
      Files.writeString(pidFile, other.pid() + "\n");
      Result status = run("hbase-daemon.sh", "status", "master");
      assertThat(status.code).isEqualTo(1);
      assertThat(status.out).contains("stale");
      Result stop = run("hbase-daemon.sh", "stop", "master");
      assertThat(stop.code).isZero();
      assertThat(stop.out).contains("stale");
      assertThat(other.isAlive()).isTrue();
      assertThat(pidFile).doesNotExist();
    } finally {
      other.destroyForcibly().waitFor();
    }
  }

  /** As after a crash: a pid file whose number has gone to a process that looks like the server. */
  private Process leaveStalePid(String commandLine, String noted) throws Exception {
    Process other =
      new ProcessBuilder("bash", "-c", "exec -a \"$0\" sleep 600", commandLine).start();
    Path cmdline = Path.of("/proc", Long.toString(other.pid()), "cmdline");
    Await.until("not " + commandLine, () -> Files.readString(cmdline).startsWith(commandLine));
    Files.createDirectories(pids);
    Files.writeString(pids.resolve("hbase-it-master.pid"), other.pid() + "\n");
    if (noted != null) {
      Files.writeString(pids.resolve("hbase-it-master.start"), noted);
    }
    return other;
  }

  private static String jvm(Path home) {
    return "java -Dproc_master -Dhbase.home.dir=" + home + " -Dhbase.id.str=it -Dlast";
  }

  @Test
  public void pidThatBelongsToALaterServerIsLeftAlone() throws Exception {
    for (String commandLine : List.of(jvm(DIST), DIST + "/bin/hbase-daemon.sh start master ")) {
      Process other = leaveStalePid(commandLine, "12345\n");
      try {
        assertThat(run("hbase-daemon.sh", "status", "master").out).contains("stale");
        assertThat(run("hbase-daemon.sh", "stop", "master").out).contains("stale");
        assertThat(other.isAlive()).isTrue();
        assertThat(pids).isEmptyDirectory();
      } finally {
        other.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  public void pidWithoutNoteIsThatOfAServerOfThisInstallationOnly() throws Exception {
    Process other = leaveStalePid(jvm(Path.of("/opt/other")), null);
    try {
      assertThat(run("hbase-daemon.sh", "status", "master").out).contains("stale", "/opt/other");
      assertOneLineError(run("hbase-daemon.sh", "stop", "master"), "/opt/other");
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroyForcibly().waitFor();
    }
    Process script = leaveStalePid(DIST + "/bin/hbase-daemon.sh start master ", null);
    try {
      assertThat(run("hbase-daemon.sh", "stop", "master").out).contains("stale");
      assertThat(script.isAlive()).isTrue();
    } finally {
      script.destroyForcibly().waitFor();
    }
    Process ours = leaveStalePid(jvm(DIST), null);
    try {
      assertThat(run("hbase-daemon.sh", "stop", "master").code).isZero();
      assertThat(ours.waitFor(300, TimeUnit.SECONDS)).isTrue();
    } finally {
      ours.destroyForcibly().waitFor();
    }
  }

  @Test
  public void onlyTheServerThatWasFoundIsWaitedForAndKilled() throws Exception {
    Path ready = folder.getRoot().toPath().resolve("ready");
    Path asked = folder.getRoot().toPath().resolve("asked");
    useJava("17", DISTRIBUTED + "trap 'touch " + asked + "' TERM; touch " + ready + "; "
      + UNTIL_STOPPED);
    environment.put("HBASE_STOP_TIMEOUT", "300");
    assertThat(run("hbase-daemon.sh", "start", "master").code).isZero();
    awaitPresence(ready);
    ProcessHandle server = ProcessHandle.of(pid("hbase-it-master")).orElseThrow();
    CompletableFuture<Result> stop = runInBackground("hbase-daemon.sh", "stop", "master");
    awaitPresence(asked);
    Process next = leaveStalePid(jvm(DIST), null);
    try {
      server.destroyForcibly();
      assertThat(stop.get().err).isEmpty();
      assertThat(next.isAlive()).isTrue();
    } finally {
      next.destroyForcibly().waitFor();
    }
  }

  @Test
  public void whatEndsOfLogsShowIsTheReason() throws Exception {
    Path log = folder.newFile("x.log").toPath();
    Path out = folder.newFile("x.out").toPath();
    String info = "2026-01-01T00:00:00,000 INFO  [main] Server: all is well\n";
    Files.writeString(log, "2026-01-01T00:00:00,000 WARN  [main] Server: of before\n"
      + "Thu Jan  1 starting master on host\n" + info);
    Files.writeString(out, "Unrecognized VM option 'x'\n");
    assertThat(endOfLog(log, out)).contains("Unrecognized", "x.out")
      .doesNotContain("well", "before");
    Files.writeString(out, "");
    assertThat(endOfLog(log, out)).contains("all is well").doesNotContain("before");
  }

  private String endOfLog(Path... files) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c",
      ". \"$0/hbase-config.sh\"; hbase_end_of_log \"$@\"", DIST.resolve("bin").toString()));
    Stream.of(files).map(Path::toString).forEach(command::add);
    return run(folder.getRoot(), command).out;
  }

  /**
   * Has servers run that don't end when they are told to, and stops that wait for a second.
   * @return a file that each of them makes when it is as far, which may be after its start
   */
  private Path useDeafJava() throws IOException {
    Path deaf = folder.getRoot().toPath().resolve("deaf");
    useJava("17", DISTRIBUTED + "trap '' TERM; touch '" + deaf + "'; " + UNTIL_STOPPED);
    environment.put("HBASE_STOP_TIMEOUT", "1");
    return deaf;
  }

  private static void awaitAndDelete(Path file) throws Exception {
    awaitPresence(file);
    Files.delete(file);
  }

  @Test
  public void serverThatDoesNotEndInTimeIsKilled() throws Exception {
    Path deaf = useDeafJava();
    assertThat(run("hbase-daemon.sh", "start", "regionserver").code).isZero();
    long pid = pid("hbase-it-regionserver");
    awaitAndDelete(deaf);
    Result stop = run("hbase-daemon.sh", "stop", "regionserver");
    assertThat(stop.code).isEqualTo(KILLED);
    assertThat(stop.err).contains("HBASE_STOP_TIMEOUT=1");
    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void scriptsForSeveralServersSayThatOneHadToBeKilledAndGoOn() throws Exception {
    Path deaf = useDeafJava();
    Files.writeString(conf.resolve("regionservers"), "localhost\n");
    assertThat(run("hbase-daemons.sh", "start", "regionserver").code).isZero();
    awaitAndDelete(deaf);
    assertThat(run("hbase-daemons.sh", "stop", "regionserver").code).isEqualTo(KILLED);
    assertThat(run("local-regionservers.sh", "start", "1").code).isZero();
    awaitAndDelete(deaf);
    assertThat(run("local-regionservers.sh", "stop", "1").code).isEqualTo(KILLED);
    assertThat(run("hbase-daemon.sh", "start", "regionserver").code).isZero();
    awaitAndDelete(deaf);
    long before = pid("hbase-it-regionserver");
    assertThat(run("hbase-daemon.sh", "restart", "regionserver").code).isEqualTo(KILLED);
    assertThat(pid("hbase-it-regionserver")).isNotEqualTo(before);
    awaitAndDelete(deaf);
    environment.put("HBASE_MANAGES_ZK", "false");
    Result stop = run("stop-hbase.sh");
    assertThat(stop.code).as(stop.out + stop.err).isEqualTo(KILLED);
    assertThat(pids).isEmptyDirectory();
  }

  /** Of a server that lives; its log is what the variables say. */
  private static String logging(String line) {
    return "while [ $# -gt 0 ]; do case $1 in -Dhbase.log.dir=*) d=${1#*=} ;;"
      + " -Dhbase.log.file=*) f=${1#*=} ;; esac; shift; done;"
      + " echo '" + line + "' >>\"$d/$f\"; ";
  }

  @Test
  public void startWaitsUntilTheServerServes() throws Exception {
    String serving = "INFO Server: Serving as h,1,2, RpcServer on h/1, sessionid=0x1";
    Path go = folder.getRoot().toPath().resolve("go");
    useJava("17", DISTRIBUTED + "until [ -e " + go + " ]; do sleep 0.1; done; "
      + logging(serving) + "exec sleep 600");
    Files.createDirectories(logs);
    // Of a start before.
    Files.writeString(logs.resolve("hbase-it-regionserver-" + hostname() + ".log"), serving + "\n");
    Result early = run("hbase-daemon.sh", "start", "--wait", "1", "regionserver");
    assertThat(early.code).as(early.err).isEqualTo(NOT_SERVING);
    assertThat(early.err).contains("within 1 s", ".log", "left running");
    assertThat(run("hbase-daemon.sh", "status", "regionserver").code).isZero();
    run("hbase-daemon.sh", "stop", "regionserver");
    CompletableFuture<Result> start =
      runInBackground("hbase-daemon.sh", "start", "regionserver", "--wait", "-D", "some.key=1");
    awaitPresence(pids.resolve("hbase-it-regionserver.pid"));
    assertThat(start).isNotDone();
    Files.createFile(go);
    try {
      assertThat(start.get().out).contains("regionserver serves");
      assertThat(start.get().code).isZero();
    } finally {
      run("hbase-daemon.sh", "stop", "regionserver");
    }
  }

  @Test
  public void startThatWaitsFailsWhenTheServerEnds() throws Exception {
    useJava("17", DISTRIBUTED + logging("starting") + "sleep 4; echo 'out of luck' >&2; exit 1");
    Result start = run("hbase-daemon.sh", "start", "--wait", "250", "master");
    assertThat(start.code).isEqualTo(1);
    assertThat(start.err).contains("out of luck");
    environment.put("HBASE_ROOT_LOGGER", "WARN,RFA");
    assertOneLineError(run("hbase-daemon.sh", "start", "--wait", "master"), "HBASE_ROOT_LOGGER");
    assertThat(run("hbase-daemon.sh", "start", "--wait", "soon", "master").code).isEqualTo(2);
    assertThat(run("hbase-daemon.sh", "stop", "--wait", "master").code).isEqualTo(2);
  }

  @Test
  public void portThatIsTakenIsNamedWithItsKeyBeforeAServerIsStarted() throws Exception {
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    int free = ShellIT.freePort();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertOneLineError(run("hbase-daemon.sh", "start", "master", "-D",
        "hbase.master.info.port=-1", "-D", "hbase.regionserver.info.port=-1", "-D",
        "hbase.zookeeper.property.clientPort=" + free, "-D", "hbase.master.ipc.address=127.0.0.1",
        "-D", "hbase.master.port=" + taken.getLocalPort()),
        "hbase.master.port=" + taken.getLocalPort(), "127.0.0.1");
    }
    assertThat(pids).isEmptyDirectory();
  }

  @Test
  public void pathsBeyondAsciiAreReadUnderLcAllC() throws Exception {
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("LC_ALL", "C");
    // By a shell: the locale of this JVM may be C itself.
    String copy = "d=$(printf 'gr\\303\\266\\303\\237e'); mkdir \"$d\"; cp -al '" + DIST
      + "' \"$d/dist\"; \"$d/dist/bin/hbase\" --config '" + DIST + "/conf' version";
    Result version = run(folder.getRoot(), List.of("bash", "-c", copy));
    assertThat(version.code).as(version.err).isZero();
    assertThat(version.out).startsWith("HBase " + Packages.VERSION);
  }

  @Test
  public void anotherUserIsToldWhoseServersTheyAre() throws Exception {
    assumeTrue("needs root, to be another user", Files.isWritable(Path.of("/proc/1/environ"))
      && Packages.run(folder.getRoot().toPath(), "setpriv", "--version").exitCode() == 0);
    useJava("17", LIVING);
    Path root = folder.getRoot().toPath();
    for (Path read : List.of(root, Path.of(environment.get("JAVA_HOME")))) {
      Files.setPosixFilePermissions(read, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    List<String> asNobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    List<String> probe = new ArrayList<>(asNobody);
    probe.addAll(List.of("test", "-r", DIST.resolve("bin/hbase").toString()));
    assumeTrue("the distribution is where others can't read it",
      run(folder.getRoot(), probe).code == 0);
    try {
      assertThat(run("hbase-daemon.sh", "start", "master").code).isZero();
      for (String use : List.of("stop-hbase.sh", "hbase-daemon.sh stop master",
        "hbase-daemon.sh start master", "hbase-daemon.sh status master")) {
        List<String> command = new ArrayList<>(asNobody);
        command.addAll(List.of((DIST + "/bin/" + use).split(" ")));
        assertOneLineError(run(folder.getRoot(), command), "HBASE_PID_DIR=" + pids);
      }
      assertThat(run("hbase-daemon.sh", "status", "master").code).isZero();
    } finally {
      run("hbase-daemon.sh", "stop", "master");
    }
  }

  @Test
  public void pidFileThatIsALinkIsNotWrittenThrough() throws Exception {
    Path precious = folder.newFile("precious").toPath();
    Files.writeString(precious, "precious");
    Files.createDirectory(pids);
    Files.createSymbolicLink(pids.resolve("hbase-it-master.pid"), precious);
    assertOneLineError(run("hbase-daemon.sh", "start", "master"), "symbolic link",
      "HBASE_PID_DIR");
    assertThat(precious).content().isEqualTo("precious");
  }

  @Test
  public void aGcLogThatIsALinkIsNotWrittenThrough() throws Exception {
    Path precious = folder.newFile("precious").toPath();
    Files.createDirectory(logs);
    Path link = logs.resolve("hbase-it-master-" + hostname() + ".gc.log");
    Files.createSymbolicLink(link, precious);
    assertOneLineError(run("hbase-daemon.sh", "start", "master"), "symbolic link", link.toString());
    Files.delete(link);
    Files.createSymbolicLink(Path.of(link + ".0.current"), precious);
    assertOneLineError(run("hbase-daemon.sh", "start", "master"), "symbolic link");
    assertThat(precious).isEmptyFile();
  }

  @Test
  public void aCopyOfAGcLogIsNotWrittenThroughALink() throws Exception {
    Path memory = folder.newFolder("hbase-gc-999999998.1").toPath();
    Files.writeString(memory.resolve("x.gc.log"), "a pause");
    Path precious = folder.getRoot().toPath().resolve("precious");
    Files.createDirectory(logs);
    // Its name has the time in it; of more than 20 the oldest would be removed.
    LocalDateTime now = LocalDateTime.now();
    for (int i = 0; i < 19; i++) {
      Files.createSymbolicLink(logs.resolve("x.gc.log."
        + DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").format(now.plusSeconds(i)) + ".00"),
        precious);
    }
    Result result =
      run("gc-log-copy", "999999998", memory.toString(), logs.resolve("x.gc.log").toString());
    assertThat(result.code).as(result.err).isZero();
    assertThat(precious).doesNotExist();
    assertThat(gcLogs().filter(file -> !Files.isSymbolicLink(file)).map(BinScriptsIT::read))
      .containsExactly("a pause");
  }

  @Test
  public void onlyAFolderMadeForAGcLogIsRemoved() throws Exception {
    Path precious =
      Files.writeString(folder.newFolder("mine").toPath().resolve("precious"), "data");
    assertThat(run("gc-log-copy", "999999998", precious.getParent().toString(),
      folder.getRoot().toPath().resolve("x.gc.log").toString()).code).isEqualTo(2);
    assertThat(precious).content().isEqualTo("data");
  }

  @Test
  public void trainingWritesOverNoFileThatIsNotKnownToBeAnArchiveOfIts() throws Exception {
    Path archive = folder.newFolder("archives").toPath().resolve("server.jsa");
    Files.writeString(archive, "another program's");
    environment.put("HBASE_JVM_PRESET", "g1");
    environment.put("HBASE_JVM_ARCHIVE_DIR", archive.getParent().toString());
    useJava("17", PRESET + "exit ;; esac; echo 'no server' >&2; exit 1");
    assertOneLineError(run("hbase", "jvm", "train"), archive.toString(), "has no record");
    Files.createFile(archive.resolveSibling("server.jsa.record"));
    assertThat(run("hbase", "jvm", "train").err).contains("the server ended while starting");
  }

  @Test
  public void thePidFileIsItsOwnersOnly() throws Exception {
    useJava("17", LIVING);
    try {
      assertThat(run("hbase-daemon.sh", "start", "master").code).isZero();
      assertThat(mode(pids.resolve("hbase-it-master.pid"))).isEqualTo("rw-------");
      assertThat(mode(pids)).isEqualTo("rwxr-x---");
      assertThat(mode(logs)).isEqualTo("rwxr-x---");
      assertThat(mode(onlyFile(logs, ".out"))).isEqualTo("rw-r-----");
    } finally {
      run("hbase-daemon.sh", "stop", "master");
    }
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static String hostname() throws IOException {
    Process process = new ProcessBuilder("hostname").start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
  }

  @Test
  public void gracefulStopRestartsAUnitBetweenMovingItsRegions() throws Exception {
    Path steps = folder.getRoot().toPath().resolve("steps");
    useJava("17.0.15", """
      case "$*" in
        *HBaseConfTool*) echo 16020 ;;
        *ConfigTool*check*)
          echo check >> '%1$s'
          echo 'hbase.a.key is wrong' >&2
          exit "$(cat '%1$s-code')" ;;
        *JvmTool*)
          echo memory >> '%1$s'
          echo 'hbase: too much' >&2
          exit "$(cat '%1$s-memory')" ;;
        *jruby*)
          case $(cat) in
            status*) printf '1 live servers\\n    localhost:16020 1\\n        maxHeapMB=9\\n' ;;
            *) echo 'Previous balancer state : false' ;;
          esac ;;
        *RegionMover*'--operation unload'*)
          echo unload >> '%1$s'
          [ ! -e '%1$s-stays' ] ;;
        *RegionMover*'--operation load'*) echo load >> '%1$s' ;;
      esac""".formatted(steps));
    Path programs = folder.newFolder().toPath();
    writeScript(programs.resolve("systemctl"), "echo \"$*\" >> '" + steps + "'");
    environment.put("PATH", programs + ":" + System.getenv("PATH"));
    Result result = run("graceful_stop.sh", "--reload", "--systemd", "localhost");
    assertThat(result.code).as(result.out + result.err).isZero();
    assertThat(result.out).startsWith("asking the master for localhost:16020;");
    assertThat(steps).content().isEqualTo("""
      --quiet is-active hbase-regionserver
      unload
      stop hbase-regionserver
      start hbase-regionserver
      load
      """);

    Files.delete(steps);
    Files.writeString(Path.of(steps + "-code"), "1");
    result = run("graceful_stop.sh", "--reload", "localhost");
    assertThat(result.code).isEqualTo(1);
    assertThat(result.err).contains("hbase.a.key is wrong", "it is left running");
    assertThat(steps).content().isEqualTo("check\n");

    Files.writeString(Path.of(steps + "-code"), "0");
    Files.writeString(Path.of(steps + "-memory"), "1");
    result = run("graceful_stop.sh", "--reload", "localhost");
    assertThat(result.code).isEqualTo(1);
    assertThat(result.err).contains("hbase: too much", "it is left running");
    assertThat(steps).content().isEqualTo("check\ncheck\nmemory\n");

    Files.writeString(Path.of(steps + "-code"), "3");
    Files.writeString(Path.of(steps + "-memory"), "2");
    Files.createFile(Path.of(steps + "-stays"));
    result = run("graceful_stop.sh", "--reload", "localhost");
    assertThat(result.err).contains("not all regions could be moved off")
      .doesNotContain("hbase: too much");
    assertThat(steps).content().isEqualTo("check\ncheck\nmemory\ncheck\nmemory\nunload\n");

    writeScript(programs.resolve("systemctl"), "exit 3");
    assertOneLineError(run("graceful_stop.sh", "--reload", "--systemd", "localhost"),
      "no unit hbase-regionserver", "--systemd");
  }

  /** Where the master has switched it off, and the script hasn't heard yet what it was. */
  @Test
  public void gracefulStopThatIsInterruptedSwitchesTheBalancerOnAgain() throws Exception {
    Path steps = folder.getRoot().toPath().resolve("steps");
    useJava("17.0.15", """
      case "$*" in
        *HBaseConfTool*) echo 16020 ;;
        *ConfigTool*check*) ;;
        *jruby*)
          commands=$(cat)
          case $commands in
            status*)
              printf '1 live servers\\n    localhost:16020 1\\n        maxHeapMB=9\\n'
              echo true ;;
            *false)
              echo "$commands" >> '%1$s'
              process=$$
              while [ "$process" -gt 1 ]; do
                if grep -q graceful_stop "/proc/$process/cmdline"; then script=$process; fi
                process=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$process/status")
              done
              kill -%2$s "$script"
              exit 1 ;;
            *) echo "$commands" >> '%1$s'; echo 'Previous balancer state : false' ;;
          esac ;;
      esac""".formatted(steps, "TERM"));
    Result result = run("graceful_stop.sh", "localhost");
    assertThat(result.code).as(result.out + result.err).isEqualTo(143);
    assertThat(steps).content().isEqualTo("balance_switch false\nbalance_switch true\n");
  }

  /** The master may see a killed server until its session ends, and then has to split its log. */
  @Test
  public void rollingRestartGoesOnWhenAKilledServersLogIsSplit() throws Exception {
    rollingRestartLooksFourTimes("""
      start=1 ended=0
      case $looks in
        1 | 2) ;;
        3) start=2 ended=1 ;;
        *) start=2 ;;
      esac
      printf 'active master:  m:16000 1\\n0 backup masters\\n1 live servers\\n'
      printf '    localhost:16020 %s\\n        a load\\n0 dead servers\\n0 row(s)\\n' "$start"
      echo "$ended ended servers"
      """);
  }

  /** Nobody ends then, and one more is up: the next server isn't restarted before it is. */
  @Test
  public void rollingRestartStartsAServerThatWasDownAndWaitsUntilItIsUp() throws Exception {
    environment.put("HBASE_STOP_TIMEOUT", "60");
    rollingRestartLooksFourTimes("""
      live=1
      if [ "$looks" -gt 3 ]; then live=2; fi
      echo "$live live servers"
      printf '    other:16020 1\\n        a load\\n'
      if [ "$live" = 2 ]; then printf '    localhost:16020 7\\n        a load\\n'; fi
      printf '0 dead servers\\n0 row(s)\\n0 ended servers\\n'
      """);
  }

  /** @param cluster shell commands that print what the script is told at its look $looks */
  private void rollingRestartLooksFourTimes(String cluster) throws Exception {
    Path looks = folder.getRoot().toPath().resolve("looks");
    Files.writeString(conf.resolve("regionservers"), "localhost\n");
    useJava("17.0.15", DISTRIBUTED + """
      case "$*" in *jruby*)
        cat > /dev/null
        echo x >> '%1$s'
        looks=$(wc -l < '%1$s')
        %2$s
        exit ;;
      esac
      """.formatted(looks, cluster) + UNTIL_STOPPED);
    try {
      Result result = run("rolling-restart.sh", "--rs-only");
      assertThat(result.code).as(result.out + result.err).isZero();
      assertThat(looks).content().hasLineCount(4);
    } finally {
      run("hbase-daemon.sh", "stop", "regionserver");
    }
  }

  /** The shell is Ruby's irb, which looks there, too. */
  @Test
  public void theShellRunsNoStartFileOfTheCurrentFolder() throws Exception {
    Path folderOfOthers = folder.newFolder("others").toPath();
    Files.writeString(folderOfOthers.resolve(".irbrc"), "puts 'file of others'");
    String path = String.join(":", List.of(DIST + "/lib/shell-patches", DIST + "/lib/ruby/*",
      DIST + "/lib/*"));
    Files.createDirectory(folderOfOthers.resolve("?"));
    Files.copy(folderOfOthers.resolve(".irbrc"), folderOfOthers.resolve("?/.irbrc"));
    Map<String, String> startFiles = Map.of("/a home", "/a home/.irbrc", "?",
      "/nonexistent/.irbrc");
    for (Map.Entry<String, String> one : startFiles.entrySet()) {
      List<String> command = List.of(System.getProperty("java.home") + "/bin/java",
        "-XX:TieredStopAtLevel=1", "-Duser.home=" + one.getKey(), "-cp", path, "org.jruby.Main",
        "-r", "uri:classloader:shell_patches.rb", "-e",
        "IRB.setup(nil); puts \"started by #{IRB.rc_file}\"");
      Result result = run(folderOfOthers.toFile(), command);
      assertThat(result.out).as(result.err).doesNotContain("file of others")
        .contains("started by " + one.getValue());
    }
  }

  @Test
  public void versionIsThatOfTheDistribution() throws Exception {
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    Result result = run("hbase", "version");
    assertThat(result.code).as(result.err).isZero();
    assertThat(result.out).startsWith("HBase " + Packages.VERSION);
  }

  @Test
  public void aFolderOfLogsThatACommandMakesIsNotForAll() throws Exception {
    assertThat(run("hbase", "version").code).isZero();
    assertThat(mode(logs)).isEqualTo("rwxr-x---");
  }

  /** Names of the scripts in bin/ that are for running. */
  private static List<String> scripts() throws IOException {
    try (Stream<Path> files = Files.list(DIST.resolve("bin"))) {
      return files.map(file -> file.getFileName().toString())
        .filter(name -> !FUNCTIONS.contains(name)).sorted().toList();
    }
  }

  private static boolean isHadoop35() throws IOException {
    try (Stream<Path> jars = Files.list(DIST.resolve("lib"))) {
      return jars.anyMatch(jar -> jar.getFileName().toString().startsWith("hadoop-common-3.5"));
    }
  }

  /**
   * Puts a java of this version into JAVA_HOME that runs the shell commands or, when there are
   * none, prints its arguments, one a line.
   */
  private void useJavaOfThisTest() {
    environment.put("JAVA_HOME", System.getProperty("java.home"));
  }

  private Path useJava(String version, String commands) throws IOException {
    return writeJava("if [ \"$1\" = -version ]; then echo 'openjdk version \"" + version
      + "\"' >&2; exit; fi\n" + (commands.isEmpty() ? "printf '%s\\n' \"$@\"" : commands));
  }

  private Path writeJava(String commands) throws IOException {
    Path home = folder.newFolder().toPath();
    environment.put("JAVA_HOME", home.toString());
    return writeScript(Files.createDirectory(home.resolve("bin")).resolve("java"), commands);
  }

  private static Path writeScript(Path file, String commands) throws IOException {
    Files.writeString(file, "#!/usr/bin/env bash\n" + commands + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static void assertOneLineError(Result result, String... parts) {
    assertThat(result.code).as(result.out + result.err).isEqualTo(1);
    assertThat(result.err.lines()).hasSize(1);
    assertThat(result.err).contains(parts);
  }

  private List<String> arguments(String... command) throws Exception {
    Result result = run(command);
    assertThat(result.code).as(result.err).isZero();
    return result.lines();
  }

  private String classPath() throws Exception {
    return arguments("hbase", "classpath").get(0);
  }

  private long pid(String name) throws IOException {
    return Long.parseLong(Files.readString(pids.resolve(name + ".pid")).trim());
  }

  /** A start doesn't wait for that on a busy machine. */
  private static void awaitJava(long pid) throws Exception {
    Await.until("bin/hbase isn't java yet", () -> commandLine(pid).contains(" -Dproc_"));
  }

  private static String commandLine(long pid) throws IOException {
    return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).replace('\0', ' ');
  }

  private static Path onlyFile(Path directory, String suffix) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      List<Path> found = files.filter(file -> file.toString().endsWith(suffix)).toList();
      assertThat(found).hasSize(1);
      return found.get(0);
    }
  }

  private CompletableFuture<Result> runInBackground(String... command) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return run(command);
      } catch (Exception e) {
        throw new CompletionException(e);
      }
    });
  }

  private Result run(String... command) throws Exception {
    List<String> words = new ArrayList<>(List.of(command));
    words.set(0, DIST.resolve("bin").resolve(command[0]).toString());
    return run(folder.getRoot(), words);
  }

  private Result run(File directory, List<String> command) throws Exception {
    File out = folder.newFile();
    File err = folder.newFile();
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory).redirectOutput(out)
      .redirectError(err).redirectInput(new File("/dev/null"));
    builder.environment().keySet()
      .removeIf(key -> key.startsWith("HBASE_") || key.equals("HADOOP_HOME"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(SECONDS_AT_MOST, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(command + " did not end within " + SECONDS_AT_MOST + " s");
    }
    return new Result(process.exitValue(), Files.readString(out.toPath(), StandardCharsets.UTF_8),
      Files.readString(err.toPath(), StandardCharsets.UTF_8));
  }
}
