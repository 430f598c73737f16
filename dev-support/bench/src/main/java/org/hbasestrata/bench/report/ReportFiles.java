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

  private static final Mustache.Escaper MARKDOWN = Escapers.simple(new String[][] {
    { "\\", "\\\\" }, { "&", "&amp;" }, { "<", "&lt;" }, { ">", "&gt;" }, { "|", "\\|" },
    { "*", "\\*" }, { "_", "\\_" }, { "`", "\\`" }, { "[", "\\[" }, { "]", "\\]" },
    { "\n", " " } });

  private ReportFiles() {
  }

  /** Makes {@code folder} if it isn't there. */
  static void write(Report report, Path folder) {
    View view = View.of(report);
    try {
      Files.createDirectories(folder);
      Files.writeString(folder.resolve(DATA),
        ComparisonFolder.JSON.writeValueAsString(ReportJson.of(report)) + '\n');
      Files.writeString(folder.resolve(TEXT), markdown(view));
      Files.writeString(folder.resolve(PAGE), page(report, view));
    } catch (IOException e) {
      throw BenchException.failed(folder + " can't be written: " + BenchException.oneLine(e), e);
    }
  }

  private static String markdown(View view) throws IOException {
    return Mustache.compiler().emptyStringIsFalse(true).nullValue("").withEscaper(MARKDOWN)
      .compile(resource("report.md.mustache")).execute(view);
  }

  private static String page(Report report, View view) throws IOException {
    List<String> arms = report.comparison().arms().stream().map(Arm::name).toList();
    String data = ComparisonFolder.JSON.writer().without(SerializationFeature.INDENT_OUTPUT)
      .writeValueAsString(Map.of("arms", arms, "charts", report.charts()));
    return Mustache.compiler().escapeHTML(true).emptyStringIsFalse(true).nullValue("")
      .compile(resource("report.html.mustache")).execute(Map.of("view", view,
        // In a script element nothing but the start of a tag means anything.
        "data", data.replace("<", "\\u003c"), "style", resource("report.css"), "script",
        resource("report.js"), "echarts", echarts()));
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
