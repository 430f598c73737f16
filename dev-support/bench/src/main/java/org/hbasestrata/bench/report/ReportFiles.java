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
package org.hbasestrata.bench.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.hbasestrata.bench.Arm;
import org.hbasestrata.bench.BenchException;
import org.hbasestrata.bench.ComparisonFolder;

/** Writes a report: for people, for a commit, and for programs. */
final class ReportFiles {
  static final String PAGE = "index.html";
  static final String TEXT = "report.md";
  static final String DATA = "report.json";
  static final String ALLOCATION_PAGE = "allocation.html";
  static final String ALLOCATION_TEXT = "allocation.md";

  private static final Mustache.Escaper MARKDOWN = Escapers.simple(new String[][] {
    { "\\", "\\\\" }, { "&", "&amp;" }, { "<", "&lt;" }, { ">", "&gt;" }, { "|", "\\|" },
    { "*", "\\*" }, { "_", "\\_" }, { "`", "\\`" }, { "[", "\\[" }, { "]", "\\]" },
    { "\n", " " } });

  private ReportFiles() {
  }

  /** Makes the comparison's folder for it if that isn't there. */
  static void write(Report report, ComparisonFolder comparison) {
    View view = View.of(report);
    Path folder = comparison.report();
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(DATA),
        ComparisonFolder.JSON.writeValueAsString(ReportJson.of(report)) + '\n');
      Files.writeString(folder.resolve(TEXT), markdown("report", view.title(), view));
      Files.writeString(folder.resolve(PAGE), page("report", view.title(), report, view));
      String allocation = "Allocation: " + view.title();
      Files.writeString(folder.resolve(ALLOCATION_TEXT), markdown("allocation", allocation, view));
      Files.writeString(folder.resolve(ALLOCATION_PAGE),
        page("allocation", allocation, report, view));
      for (RunReading run : report.runs()) {
        if (run.allocations() != null) {
          FlameGraph.write(comparison.run(run.round(), run.arm()).resolve("server.jfr"), run,
            folder);
        }
      }
    } catch (IOException e) {
      throw BenchException.failed(folder + " can't be written: " + BenchException.oneLine(e), e);
    }
  }

  private static String markdown(String template, String heading, View view) throws IOException {
    return compiler().withEscaper(MARKDOWN).compile(resource(template + ".md.mustache"))
      .execute(Map.of("view", view, "heading", heading));
  }

  private static String page(String template, String heading, Report report, View view)
    throws IOException {
    List<String> arms = report.comparison().arms().stream().map(Arm::name).toList();
    String data = ComparisonFolder.JSON.writer().without(SerializationFeature.INDENT_OUTPUT)
      .writeValueAsString(Map.of("arms", arms, "charts", report.charts()));
    return compiler().escapeHTML(true).compile(resource(template + ".html.mustache"))
      .execute(Map.of("view", view, "heading", heading,
        // In a script element nothing but the start of a tag means anything.
        "data", data.replace("<", "\\u003c"), "style", resource("report.css"), "script",
        resource("report.js"), "echarts", echarts()));
  }

  private static Mustache.Compiler compiler() {
    return Mustache.compiler().emptyStringIsFalse(true).nullValue("")
      .withLoader(name -> new StringReader(resource(name)));
  }

  private static String echarts() throws IOException {
    Properties maven = new Properties();
    try (InputStream in = open("/META-INF/maven/org.webjars/echarts/pom.properties")) {
      maven.load(in);
    }
    return resource("/META-INF/resources/webjars/echarts/" + maven.getProperty("version")
      + "/echarts.common.min.js");
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream open(String name) throws IOException {
    InputStream in = ReportFiles.class.getResourceAsStream(name);
    if (in == null) {
      throw new IOException(name + " is not on the class path");
    }
    return in;
  }
}
