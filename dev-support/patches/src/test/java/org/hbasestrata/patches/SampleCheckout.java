/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.patches;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.hbasestrata.tools.Git;

/**
 * A small repository of the same shape as this one, over a small upstream. Its patch HBASE-1 has
 * classes, a test, a seam and keys; HBASE-2, which requires it, a class and a seam in the same
 * file. These two and STRATA-2 use a class of the base.
 */
final class SampleCheckout {
  /** Folder, number and title of patches. */
  static final String PUMP = "pump HBASE-1 A pump for the tank";
  static final String GAUGE = "gauge HBASE-2 A gauge for the pump";
  static final String LID = "lid STRATA-2 A lid for the tank";
  static final String PACKAGE = "src/main/java/org/apache/hadoop/hbase/";
  static final String TESTS = "src/test/java/org/apache/hadoop/hbase/";
  static final String TANK = "org/apache/hadoop/hbase/Tank.java";
  private static final String HEAD = "package org.apache.hadoop.hbase;\n\n";
  static final String UPSTREAM_TANK = """
      package org.apache.hadoop.hbase;

      public class Tank {
        public int level() {
          return 1;
        }

        public int size() {
          return 2;
        }
      }
      """;

  static final String DEFAULTS = """
      <configuration>
        <property>
          <name>hbase.pump.power</name>
        </property>
        <property>
          <name>hbase.defaults.for.version</name>
          <value>@@@VERSION@@@</value>
        </property>
      </configuration>
      """;

  private final Path root;
  private final Map<String, String> sums = new LinkedHashMap<>();

  SampleCheckout(Path root) throws Exception {
    this.root = root;
    Path upstream = Files.createDirectories(root.resolve("dev-support/upstream/target/sources"));
    Files.createDirectories(root.resolve("dev-support/seams"));
    String version = new Upstream(root).version();
    jar(upstream.resolve("hbase-common-" + version + "-sources.jar"), Map.of("hbase-default.xml",
      DEFAULTS));
    jar(upstream.resolve("hbase-client-" + version + "-sources.jar"), Map.of());
    jar(upstream.resolve("hbase-server-" + version + "-sources.jar"), Map.of(TANK, UPSTREAM_TANK));
    write("dev-support/seams/upstream.sha256", sums.entrySet().stream()
      .map(e -> e.getValue() + "  " + e.getKey() + "\n").collect(Collectors.joining()));
    write("dev-support/upstream/target/class-path", Arrays
      .stream(System.getProperty("java.class.path").split(":"))
      .filter(p -> p.contains("junit") || p.contains("hamcrest")).collect(Collectors.joining(":")));
    git("init", "-q");
    git("config", "user.name", "A Developer");
    git("config", "user.email", "developer@example.org");
    patches();
    git("add", "-A");
    git("commit", "-q", "-m", "sample");
  }

  private void patches() throws IOException {
    patch(PUMP, seam("level", "if (Pump.ON) { return 3; }"));
    ours("pump", "Pump", "class Pump { static final boolean ON = true; Hose hose; }\n");
    ours("pump", "PumpSettings", """
        class PumpSettings {
          public static final Setting<Integer> SPEED =
            Setting.ofInt("hbase.pump.speed", 7, "Litres & more in"
              + " a `second`.").range(1, 9).live();
          public static final Setting<String> SIDE =
            Setting.ofText("hbase.pump.side", "Which one.").unset("the left one");
          private static final Setting<Integer> OF_OTHERS =
            Setting.ofInt(SPEED.key(), 7, "");
        }

        class Setting<T> {
          static Setting<Integer> ofInt(String key, int unset, String text) {
            return new Setting<>();
          }
          static Setting<String> ofText(String key, String text) {
            return new Setting<>();
          }
          Setting<T> unset(String words) {
            return this;
          }
          Setting<T> range(long from, long to) {
            return this;
          }
          Setting<T> live() {
            return this;
          }
          String key() {
            return null;
          }
        }
        """);
    test("pump", "TestPump", "public class TestPump {\n  @org.junit.Test\n  public void pumps() {\n"
      + "    org.junit.Assert.assertEquals(3, new Tank().level());\n  }\n}\n");
    patch(GAUGE, "requires: [HBASE-1]\n" + seam("size", "Gauge.read();"));
    ours("gauge", "Gauge",
      "class Gauge { static boolean read() { return Pump.ON; } Hose hose; }\n");
    patch("badge STRATA-1 Never leaves", "");
    ours("badge", "StrataBadge", "class StrataBadge { }\n");
    patch(LID, "upstream: No JIRA.\n");
    test("lid", "Lid", "class Lid { Hose hose; }\n");
    base("Hose", "class Hose { }\n");
  }

  Path root() {
    return root;
  }

  PatchSet read() throws IOException {
    return new PatchSet(root);
  }

  Upstream upstream() throws IOException {
    return new Upstream(root);
  }

  /**
   * Writes the file of a patch.
   * @param head  name of its folder, number and title
   * @param lines besides a reason
   */
  void patch(String head, String lines) throws IOException {
    String[] parts = head.split(" ", 3);
    write("patches/" + parts[0] + "/patch.yaml",
      "number: " + parts[1] + "\ntitle: " + parts[2] + "\nwhy: It is wanted.\n"
        + (parts[1].startsWith("HBASE") ? "upstream: Unknown.\n" : "") + lines);
  }

  /** Lines of one seam, at the start of a method of Tank. */
  static String seam(String method, String insert) {
    return "seams: {hbase-server: [{class: org.apache.hadoop.hbase.Tank, method: " + method
      + ", at: start,\n  why: A reason., insert: \"" + insert + "\"}]}\n";
  }

  /** Writes a class of a patch. */
  void ours(String patch, String name, String text) throws IOException {
    write("patches/" + patch + "/hbase-server/" + PACKAGE + name + ".java", HEAD + text);
  }

  void test(String patch, String name, String text) throws IOException {
    write("patches/" + patch + "/hbase-server/" + TESTS + name + ".java", HEAD + text);
  }

  /** Writes a class that several patches use. */
  void base(String name, String text) throws IOException {
    write("hbase-server/" + PACKAGE + name + ".java", HEAD + text);
  }

  void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  String read(String path) throws IOException {
    return Files.readString(root.resolve(path));
  }

  void git(String... arguments) throws Exception {
    Git.shielded(root, Map.of()).run(arguments);
  }

  private void jar(Path file, Map<String, String> entries) throws Exception {
    writeJar(file, entries);
    sums.put(file.getFileName().toString(), HexFormat.of()
      .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file))));
  }

  static void writeJar(Path file, Map<String, String> entries) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
      ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
