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

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.BenchException;

/** What a run writes: for people report.html and report.md, for programs report.json. */
final class Report {
  private static final JsonMapper JSON =
    JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
  private static final Mustache.Escaper MARKDOWN = Escapers.simple(new String[][] {
    { "&", "&amp;" }, { "<", "&lt;" }, { ">", "&gt;" }, { "|", "\\|" }, { "*", "\\*" },
    { "_", "\\_" }, { "`", "\\`" }, { "[", "\\[" }, { "]", "\\]" }, { "\n", " " } });
  private static final List<String> COLUMNS =
    List.of("injected", "survived", "operations", "wrong", "lost", "errors");

  private Report() {
  }

  static void write(Path folder, List<Outcome> outcomes, Amounts amounts) {
    List<Map<String, Object>> views = outcomes.stream().map(Report::view).toList();
    boolean passed = outcomes.stream().noneMatch(outcome -> outcome.verdict().equals("FAILED"));
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("passed", passed);
    all.put("brief", amounts.brief());
    all.put("faults", views);
    try {
      Files.writeString(folder.resolve("report.json"), JSON.writeValueAsString(all) + '\n');
      Files.writeString(folder.resolve("report.md"), Mustache.compiler().withEscaper(MARKDOWN)
        .nullValue("").compile(resource("report.md.mustache")).execute(all));
      Files.writeString(folder.resolve("report.html"), Mustache.compiler().nullValue("")
        .compile(resource("report.html.mustache")).execute(all));
    } catch (IOException e) {
      throw BenchException.failed("no report: " + BenchException.oneLine(e), e);
    }
  }

  private static Map<String, Object> view(Outcome outcome) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", outcome.name());
    view.put("about", outcome.about());
    view.put("verdict", outcome.verdict());
    view.put("skipped", outcome.skipped());
    view.put("seconds", Math.round(outcome.seconds()));
    view.put("counts", outcome.counts());
    Map<String, Object> more = new LinkedHashMap<>(outcome.counts());
    more.keySet().removeAll(COLUMNS);
    view.put("more", more.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList());
    if (!outcome.rows().isEmpty()) {
      view.put("parts", Map.of("columns", outcome.columns(), "rows",
        outcome.rows().stream().map(row -> Map.of("cells", row)).toList()));
    }
    view.put("failures", outcome.failures());
    view.put("notes", outcome.notes());
    view.put("log", outcome.lines());
    return view;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
