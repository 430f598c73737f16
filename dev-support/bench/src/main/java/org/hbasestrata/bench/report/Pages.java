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
import java.util.Map;
import java.util.Properties;
import org.hbasestrata.bench.ComparisonFolder;

/** Fills templates: resources of a package, with parts of this one's. */
public final class Pages {
  private static final Mustache.Escaper MARKDOWN = Escapers.simple(new String[][] {
    { "\\", "\\\\" }, { "&", "&amp;" }, { "<", "&lt;" }, { ">", "&gt;" }, { "|", "\\|" },
    { "*", "\\*" }, { "_", "\\_" }, { "`", "\\`" }, { "[", "\\[" }, { "]", "\\]" },
    { "\n", " " } });

  private final Class<?> home;

  /** @param home its package is looked in first */
  public Pages(Class<?> home) {
    this.home = home;
  }

  /**
   * Returns a text for a commit.
   * @param template its name, without the ending
   * @param view     what the template shows
   */
  public String markdown(String template, String heading, Object view) throws IOException {
    return compiler().withEscaper(MARKDOWN).compile(resource(template + ".md.mustache"))
      .execute(Map.of("view", view, "heading", heading));
  }

  /**
   * Returns a page with charts.
   * @param data what the charts show, for report.js
   */
  public String html(String template, String heading, Object view, Object data)
    throws IOException {
    String json = ComparisonFolder.JSON.writer().without(SerializationFeature.INDENT_OUTPUT)
      .writeValueAsString(data);
    return compiler().escapeHTML(true).compile(resource(template + ".html.mustache"))
      .execute(Map.of("view", view, "heading", heading,
        // In a script element nothing but the start of a tag means anything.
        "data", json.replace("<", "\\u003c"), "style", resource("report.css"), "script",
        resource("report.js"), "echarts", echarts()));
  }

  /**
   * Returns a picture.
   * @param template its name, without the ending
   * @param context  what the template shows
   */
  public String svg(String template, Object context) throws IOException {
    return compiler().escapeHTML(true).compile(resource(template + ".svg.mustache"))
      .execute(context);
  }

  private Mustache.Compiler compiler() {
    return Mustache.compiler().emptyStringIsFalse(true).nullValue("")
      .withLoader(name -> new StringReader(resource(name)));
  }

  private String echarts() throws IOException {
    Properties maven = new Properties();
    try (InputStream in = open("/META-INF/maven/org.webjars/echarts/pom.properties")) {
      maven.load(in);
    }
    return resource("/META-INF/resources/webjars/echarts/" + maven.getProperty("version")
      + "/echarts.common.min.js");
  }

  private String resource(String name) throws IOException {
    try (InputStream in = open(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private InputStream open(String name) throws IOException {
    InputStream in = home.getResourceAsStream(name);
    if (in == null) {
      in = Pages.class.getResourceAsStream(name);
    }
    if (in == null) {
      throw new IOException(name + " is not on the class path");
    }
    return in;
  }
}
