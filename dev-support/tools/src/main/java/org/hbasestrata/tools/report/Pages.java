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
package org.hbasestrata.tools.report;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.samskivert.mustache.Escapers;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;

/** Fills templates: resources of a package, with parts of this one's. */
public final class Pages {
  private static final Mustache.Escaper MARKDOWN = Escapers.simple(new String[][] {
    { "\\", "\\\\" }, { "&", "&amp;" }, { "<", "&lt;" }, { ">", "&gt;" }, { "|", "\\|" },
    { "*", "\\*" }, { "_", "\\_" }, { "`", "\\`" }, { "[", "\\[" }, { "]", "\\]" },
    { "\n", " " } });

  private final Class<?> home;

  /** @param home its package has what this one lacks */
  public Pages(Class<?> home) {
    this.home = home;
  }

  /**
   * Writes report.json for programs, report.md for a commit, and a page for people.
   * @param page     the page's name
   * @param template the name of the templates, without their ending
   * @param view     what the templates show
   * @param json     what report.json holds
   * @param data     what the page's charts show
   * @return the page
   */
  public Path write(Path folder, String page, String template, String heading, Object view,
    Object json, Object data) {
    Json.write(folder.resolve("report.json"), json);
    return writePage(folder, "report.md", page, template, heading, view, data);
  }

  /** Writes a text and a page alone. */
  public Path writePage(Path folder, String text, String page, String template, String heading,
    Object view, Object data) {
    try {
      Files.writeString(folder.resolve(text), markdown(template, heading, view));
      return Files.writeString(folder.resolve(page), html(template, heading, view, data));
    } catch (IOException e) {
      throw ToolException.failed(folder + " can't be written: " + ToolException.oneLine(e), e);
    }
  }

  /**
   * Returns a text for a commit.
   * @param template its name, without the ending
   * @param view     what the template shows
   */
  private String markdown(String template, String heading, Object view) throws IOException {
    return compiler().withEscaper(MARKDOWN).compile(resource(template + ".md.mustache"))
      .execute(Map.of("view", view, "heading", heading));
  }

  /**
   * Returns a page with charts.
   * @param data what the charts show, for report.js
   */
  private String html(String template, String heading, Object view, Object data)
    throws IOException {
    String json = Json.MAPPER.writer().without(SerializationFeature.INDENT_OUTPUT)
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
    return Mustache.compiler().emptyStringIsFalse(true).zeroIsFalse(true).nullValue("")
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
    InputStream in = Pages.class.getResourceAsStream(name);
    if (in == null) {
      in = home.getResourceAsStream(name);
    }
    if (in == null) {
      throw new IOException(name + " is not on the class path");
    }
    return in;
  }
}
