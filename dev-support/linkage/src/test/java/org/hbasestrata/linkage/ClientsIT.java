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
package org.hbasestrata.linkage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.BeforeClass;
import org.junit.Test;
import org.yaml.snakeyaml.Yaml;

/** The jars of other projects, against ours and against upstream's. */
public class ClientsIT {
  private static final Path TARGET = Path.of("target");
  private static final Path CLIENTS = TARGET.resolve("clients");
  private static final String PATCHED = "hbase-(common|client|server)-[0-9].*\\.jar";

  /** What a jar lacks. */
  private record Result(int classes, int references, Map<String, Set<String>> lacking) {
  }

  private static final Map<String, Result> OURS = new TreeMap<>();
  private static final Map<String, Result> UPSTREAM = new TreeMap<>();

  @BeforeClass
  public static void check() throws IOException {
    List<Path> ours = new ArrayList<>();
    for (String path : Files.readString(TARGET.resolve("class-path")).split(File.pathSeparator)) {
      ours.add(Path.of(path));
    }
    assertThat(ours).filteredOn(ClientsIT::isPatched).hasSize(3);
    List<Path> upstream = new ArrayList<>(ours);
    upstream.removeIf(ClientsIT::isPatched);
    upstream.addAll(jars(TARGET.resolve("upstream")));
    check(ours, OURS);
    check(upstream, UPSTREAM);
    Files.writeString(TARGET.resolve("linkage.md"), table());
  }

  private static boolean isPatched(Path jar) {
    return jar.getFileName().toString().matches(PATCHED);
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  private static void check(List<Path> hbase, Map<String, Result> results) throws IOException {
    List<Path> clients = jars(CLIENTS);
    List<Path> all = new ArrayList<>(hbase);
    all.addAll(clients);
    for (Path client : clients) {
      try (Linkage linkage = new Linkage(all)) {
        linkage.check(client);
        results.put(client.getFileName().toString(),
          new Result(linkage.classes(), linkage.references(), linkage.lacking()));
      }
    }
  }

  private static String table() {
    StringBuilder text = new StringBuilder(
      "| jar | classes | references to HBase | not in ours | not in upstream's |\n"
        + "|---|---|---|---|---|\n");
    OURS.forEach((jar, result) -> text.append(String.format("| %s | %,d | %,d | %d | %d |%n", jar,
      result.classes, result.references, result.lacking.size(),
      UPSTREAM.get(jar).lacking.size())));
    OURS.forEach((jar, result) -> {
      Set<String> all = new TreeSet<>(result.lacking.keySet());
      all.addAll(UPSTREAM.get(jar).lacking.keySet());
      if (!all.isEmpty()) {
        text.append('\n').append(jar).append('\n');
      }
      for (String what : all) {
        text.append("- ").append(what).append(result.lacking.containsKey(what) ? "" : " (upstream)")
          .append(": ").append(result.lacking.getOrDefault(what,
            UPSTREAM.get(jar).lacking.get(what))).append('\n');
      }
    });
    return text.toString();
  }

  /** What upstream's jars lack too, by jar. */
  @SuppressWarnings("unchecked")
  private static Map<String, Set<String>> known() throws IOException {
    Map<String, Set<String>> known = new TreeMap<>();
    try (Reader file = Files.newBufferedReader(Path.of("lacking.yaml"))) {
      for (Map<String, Object> entry : (List<Map<String, Object>>) new Yaml().load(file)) {
        assertThat((String) entry.get("why")).isNotBlank();
        known.computeIfAbsent((String) entry.get("jar"), key -> new TreeSet<>())
          .addAll((List<String>) entry.get("lacks"));
      }
    }
    return known;
  }

  @Test
  public void whatIsLackingIsKnown() throws IOException {
    Map<String, Set<String>> lacking = new TreeMap<>();
    OURS.forEach((jar, result) -> {
      assertThat(result.references).as(jar).isPositive();
      if (!result.lacking.isEmpty()) {
        lacking.put(jar, result.lacking.keySet());
      }
    });
    assertThat(lacking).isEqualTo(known());
  }

  @Test
  public void nothingIsLackingThatUpstreamHas() {
    OURS.forEach((jar, result) -> assertThat(UPSTREAM.get(jar).lacking.keySet()).as(jar)
      .containsAll(result.lacking.keySet()));
  }

  @Test
  public void whatWasGivenBackIsLackingUpstream() {
    assertThat(UPSTREAM.entrySet()).filteredOn(client -> client.getKey().startsWith("phoenix"))
      .flatExtracting(client -> client.getValue().lacking.keySet())
      .contains("org.apache.hadoop.hbase.regionserver.StoreFileInfo"
        + ".<init>(Configuration, FileSystem, Path, boolean) void");
  }
}
