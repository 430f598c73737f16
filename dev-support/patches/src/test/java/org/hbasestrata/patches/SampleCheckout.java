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
 * A small repository of the same shape as this one, over a small upstream. Its patch HBASE-1 has a
 * class, a test, a seam and a key; HBASE-2, which requires it, a class and a seam in the same file.
 */
final class SampleCheckout {
  static final String PACKAGE = "src/main/java/org/apache/hadoop/hbase/";
  static final String TESTS = "src/test/java/org/apache/hadoop/hbase/";
  static final String TANK = "org/apache/hadoop/hbase/Tank.java";
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
    Files.createDirectories(root.resolve("dev-support/patches"));
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
    manifest("HBASE-1", "A pump for the tank", """
        classes: [Pump]
        tests: [TestPump]
        keys:
          - name: hbase.pump.{left,right}.speed
            value: "7"
            reload: true
            text: Litres & more in a `second`.
          - name: hbase.pump.side
            unset: the left one
            text: Which one.
        """);
    seam("HBASE-1", "A pump for the tank", "level", "if (Pump.ON) { return 3; }");
    ours("Pump", "class Pump { static final boolean ON = true;\n"
      + "  static final String SPEED_KEY = PumpSettings.PREFIX + \"left.speed\";\n"
      + "  static final int SPEED_DEFAULT = 7; }\n");
    ours("PumpSettings", "class PumpSettings { static final String PREFIX = \"hbase.pump.\";\n"
      + "  static final String RIGHT_SPEED = \"right.speed\";\n"
      + "  static final String SIDE = \"side\"; }\n");
    write("dev-support/patches/HBASE-1.yaml",
      read("dev-support/patches/HBASE-1.yaml").replace("[Pump]", "[Pump, PumpSettings]"));
    test("TestPump", "public class TestPump {\n  @org.junit.Test\n  public void pumps() {\n"
      + "    org.junit.Assert.assertEquals(3, new Tank().level());\n  }\n}\n");
    manifest("HBASE-2", "A gauge for the pump", "requires: [HBASE-1]\nclasses: [Gauge]\n");
    seam("HBASE-2", "A gauge for the pump", "size", "Gauge.read();");
    ours("Gauge", "class Gauge { static boolean read() { return Pump.ON; } }\n");
    manifest("STRATA-1", "Never leaves", "classes: [StrataBadge]\n");
    manifest("STRATA-2", "A lid for the tank", "upstream: No JIRA.\ntests: [Lid]\n");
    test("Lid", "class Lid { }\n");
    ours("StrataBadge", "class StrataBadge { }\n");
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

  /** Writes a manifest with a title, a reason, and these lines. */
  void manifest(String id, String title, String lines) throws IOException {
    write("dev-support/patches/" + id + ".yaml", "title: " + title
      + "\nwhy: It is wanted.\n" + (id.startsWith("HBASE") ? "upstream: Unknown.\n" : "") + lines);
  }

  /** Writes a seam file with one seam, at the start of a method of Tank. */
  void seam(String id, String title, String method, String insert) throws IOException {
    write("hbase-server/src/main/seams/" + id + ".yaml", """
        title: %s
        seams:
          - class: org.apache.hadoop.hbase.Tank
            method: %s
            at: start
            why: A reason.
            insert: "%s"
        """.formatted(title, method, insert));
  }

  void ours(String name, String text) throws IOException {
    write("hbase-server/" + PACKAGE + name + ".java",
      "package org.apache.hadoop.hbase;\n\n" + text);
  }

  void test(String name, String text) throws IOException {
    write("hbase-server/" + TESTS + name + ".java",
      "package org.apache.hadoop.hbase;\n\n" + text);
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
