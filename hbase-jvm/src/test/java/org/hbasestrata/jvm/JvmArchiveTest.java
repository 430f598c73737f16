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

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Archives that the JVM of the test makes, and then is asked about. */
public class JvmArchiveTest {
  private static final String MODULES = "--add-opens=java.base/java.nio=ALL-UNNAMED";
  private static final List<String> G1 = Arrays.asList("-XX:+UseG1GC", "-Xmx64m");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final Jvm jvm = new Jvm();
  private Path home;
  private JvmArchive archive;
  private ServerClassPath path;

  @Before
  public void makeAnArchive() throws Exception {
    assumeTrue("archives are made from JDK 17 on", jvm.major() >= 17);
    home = folder.getRoot().toPath();
    Files.createFile(folder.newFolder("conf").toPath().resolve("hbase-site.xml"));
    ArchiveRecordTest.writeJar(folder.newFolder("lib").toPath().resolve("a.jar"), "a.xml", "a");
    path = new ServerClassPath(front(), "");
    archive = new JvmArchive(folder.newFolder("archives").toPath().toRealPath(), jvm);
    assertThat(archive.isMade()).isFalse();
    Path made = home.resolve("made");
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(G1);
    command.addAll(Arrays.asList(MODULES, JvmArchive.makingOption(jvm, made.toString()), "-cp",
      path.ofJars(), "-version"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true)
      .redirectOutput(home.resolve("out").toFile()).start();
    assertThat(process.waitFor()).as(Files.readAllLines(home.resolve("out")).toString()).isZero();
    archive.put(made, path);
    assertThat(archive.isMade()).isTrue();
  }

  private String front() {
    return home + "/conf:" + home + ":" + home + "/lib/*";
  }

  private String misfit(List<String> options, String... operator) {
    List<String> all = Stream.concat(options.stream(), Stream.of(operator))
      .collect(Collectors.toList());
    return archive.misfit(all, Collections.singletonList(MODULES), Arrays.asList(operator), path,
      home);
  }

  @Test
  public void itFitsTheJvmThatMadeItWithAnotherHeapAndConfBehind() {
    assertThat(misfit(Arrays.asList("-XX:+UseG1GC", "-Xmx256m", "-Xms256m",
      "-XX:+AlwaysPreTouch", "-Xlog:gc*:file=" + home + "/gc.log"))).isNull();
    assertThat(home.resolve("gc.log")).doesNotExist();
  }

  @Test
  public void theJvmSaysWhatOfItsFlagsDoesNotFit() {
    assertThat(misfit(G1, "-XX:-UseCompressedOops")).startsWith("the JVM says: ")
      .contains("UseCompressedOops");
    assertThat(misfit(Arrays.asList("-XX:+UseZGC", "-Xmx64m"))).startsWith("the JVM says: ");
  }

  @Test
  public void anOptionOfTheOperatorsForAnArchiveWins() {
    for (String option : Arrays.asList("-Xshare:off", "-XX:SharedArchiveFile=/x")) {
      assertThat(misfit(G1, option)).isEqualTo(option + " is set");
    }
  }

  @Test
  public void whatIsNoArchiveIsLeftOut() throws Exception {
    Files.delete(archive.file());
    assertThat(misfit(G1)).startsWith("it can't be checked");
    Files.write(archive.file(), new byte[1000]);
    assertThat(misfit(G1)).contains("damaged");
  }

  /** Whoever may write to it decides what code the server runs. */
  @Test
  public void anArchiveThatOthersCanChangeIsLeftOut() throws Exception {
    Path archives = archive.file().getParent();
    Path record = Paths.get(archive.file() + ".record");
    for (Path file : Arrays.asList(archive.file(), record, archives)) {
      Set<PosixFilePermission> own = Files.getPosixFilePermissions(file);
      assertThat(own).doesNotContain(PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.OTHERS_WRITE);
      for (PosixFilePermission more : Arrays.asList(PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.OTHERS_WRITE)) {
        Set<PosixFilePermission> permissions = EnumSet.copyOf(own);
        permissions.add(more);
        Files.setPosixFilePermissions(file, permissions);
        assertThat(misfit(G1)).as(file + " " + more)
          .isEqualTo("other users may write to " + file.toRealPath() + " (chmod go-w)");
      }
      Files.setPosixFilePermissions(file, own);
    }
    assertThat(misfit(G1)).isNull();
  }

  /** Who may rename the folder above can put another in its place. */
  @Test
  public void anArchiveInAFolderThatOthersCanRenameIsLeftOut() throws Exception {
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertThat(misfit(G1)).contains("other users may write to " + home.toRealPath());
    // As /tmp, where these tests are.
    Files.setAttribute(home, "unix:mode", 01777);
    assertThat(misfit(G1)).isNull();
  }

  @Test
  public void anArchiveOfAnotherUserIsLeftOut() throws Exception {
    assumeTrue("needs root", "root".equals(System.getProperty("user.name")));
    Files.setAttribute(archive.file(), "unix:uid", 12345);
    assertThat(misfit(G1)).contains(archive.file().toRealPath() + " belongs to another user, ");
    // The owner of the installation decides what runs in any case.
    Files.setAttribute(home, "unix:uid", 12345);
    assertThat(misfit(G1)).isNull();
  }

  /** With a record that says that it is well: what the JVM itself makes of such a file. */
  @Test
  public void anArchiveThatTheJvmCannotReadIsLeftOut() throws Exception {
    Path made = home.resolve("made");
    Files.write(made, new byte[1000]);
    archive.put(made, path);
    assertThat(misfit(G1)).startsWith("the JVM says: ");
  }

  @Test
  public void trainingHasTheOptionsThatAnArchiveDependsOn() {
    Jvm withAot = new Jvm(home, "25.0.1");
    assertThat(JvmArchive.trainingOptions(withAot, Arrays.asList("-XX:+UseParallelGC", "-Dx=1",
      "-javaagent:/x.jar=9000", "-Dcom.sun.management.jmxremote.port=9001", "-Xmx31g",
      "-XX:+UseCompressedOops", "-XX:AOTCache=/x", "-XX:+AutoCreateSharedArchive",
      "-XX:HeapDumpPath=/x", "--add-opens=java.base/java.lang=ALL-UNNAMED"), false))
      .containsExactly("-XX:+UseParallelGC", "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-modules=java.instrument,jdk.management.agent", "-XX:-UseCompressedOops");
    assertThat(JvmArchive.trainingOptions(withAot, Collections.emptyList(), true)).isEmpty();
    assertThat(JvmArchive.trainingOptions(new Jvm(home, "24"), Collections.emptyList(), true))
      .containsExactly("-XX:TieredStopAtLevel=1");
  }

  private String out;
  private String err;

  private void start(Map<String, String> more, String... args) {
    Map<String, String> environment = new HashMap<>();
    environment.put("HBASE_CONF_DIR", Jvms.CONF.toString());
    environment.put("HBASE_HOME", home.toString());
    environment.put("HBASE_HEAPSIZE", "600m");
    environment.put("HBASE_OFFHEAPSIZE", "512m");
    environment.put("HBASE_JVM_ARCHIVE_DIR", archive.file().getParent().toString());
    environment.putAll(more);
    List<String> all = new ArrayList<>(Arrays.asList("--preset", "g1", "--gc-log",
      home + "/gc.log", "--log-dir", home.toString(), "--modules", MODULES, "--class-path",
      front(), "--class-path-rest", "/more/*"));
    all.addAll(Arrays.asList(args));
    ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
    ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
    int code = JvmTool.run(new PrintStream(outBytes), new PrintStream(errBytes), environment,
      all.toArray(new String[0]));
    out = outBytes.toString();
    err = errBytes.toString();
    assertThat(code).as(err).isZero();
  }

  @Test
  public void aServerIsStartedWithOneThatFits() {
    for (String role : Arrays.asList("regionserver", "master")) {
      start(Collections.emptyMap(), "--role", role, "--start", "1");
      assertThat(out.split("\n")).as(role).contains("flag " + archive.option(),
        "class-path " + home + "/lib/a.jar:" + home + "/conf:" + home + ":/more/*");
      assertThat(err).isEmpty();
    }
    start(Collections.emptyMap());
    assertThat(out).contains("jvm train", "\n" + archive.option());
  }

  /** What is checked is what is used, whatever becomes of a link. */
  @Test
  public void aServerIsStartedWithWhatLinksLedToWhenItWasChecked() throws Exception {
    Path link = Files.createSymbolicLink(home.resolve("link"), archive.file().getParent());
    start(Collections.singletonMap("HBASE_JVM_ARCHIVE_DIR", link.toString()), "--start", "1");
    assertThat(out.split("\n")).contains("flag " + archive.option());
    assertThat(err).isEmpty();
    JvmArchive byLink = new JvmArchive(link, jvm);
    assertThat(byLink.misfit(G1, Collections.singletonList(MODULES), Collections.emptyList(), path,
      home)).isEqualTo("links lead from " + byLink.file() + " to " + archive.file());
  }

  @Test
  public void oneThatDoesNotFitIsLeftOutWithALine() throws Exception {
    ArchiveRecordTest.writeJar(home.resolve("lib/b.jar"), "b.xml", "b");
    start(Collections.emptyMap(), "--start", "1");
    assertThat(out).contains("flag -XX:+UseG1GC").doesNotContain("class-path", "Archive", "AOT");
    assertThat(err.split("\n")).hasSize(1);
    assertThat(err).startsWith("hbase: JVM archive " + archive.file() + " is left out, because")
      .contains(home + "/lib/b.jar is new", "bin/hbase jvm train");
  }

  @Test
  public void withoutAFolderOrAnArchiveNothingIsSaid() throws Exception {
    start(Collections.singletonMap("HBASE_JVM_ARCHIVE_DIR", ""), "--start", "1");
    assertThat(out + err).doesNotContain("class-path", "rchive", "AOT");
    start(Collections.emptyMap(), "--role", "zookeeper", "--start", "1");
    assertThat(out + err).doesNotContain("class-path", "rchive", "AOT");
    String empty = folder.newFolder("empty").toString();
    start(Collections.singletonMap("HBASE_JVM_ARCHIVE_DIR", empty), "--start", "1");
    assertThat(out + err).doesNotContain("class-path", "rchive", "AOT");
  }

  @Test
  public void theServerOfATrainingHasJarsAlone() {
    start(Collections.singletonMap("HBASE_JVM_ARCHIVE_OUTPUT", "/out"), "--start", "1");
    assertThat(out.split("\n")).contains("flag " + JvmArchive.makingOption(jvm, "/out"),
      "class-path " + home + "/lib/a.jar");
  }
}
