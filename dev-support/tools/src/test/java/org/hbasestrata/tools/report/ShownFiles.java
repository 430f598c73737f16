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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** What holds for all pictures and charts that pages show, by the tool that makes them. */
public final class ShownFiles {
  /** The width of a narrow page, and what can be read there, in pixels. */
  private static final double NARROW = 400;
  private static final double LEAST_FONT = 11;

  private static final Pattern FONT_SIZE = Pattern.compile("\\b(\\d+(?:\\.\\d+)?)px");
  private static final Pattern SHOWN = Pattern.compile("<picture>\\s*<source media=\""
    + "\\(prefers-color-scheme: dark\\)\" srcset=\"[^\"]*\\bimages/([a-z-]+)-dark\\.svg\">\\s*"
    + "<img alt=\"([^\"]*)\"\\s+src=\"[^\"]*\\bimages/\\1-light\\.svg\">\\s*</picture>");

  private ShownFiles() {
  }

  /** Returns the root of a picture. */
  public static Element parse(String svg) {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg))).getDocumentElement();
    } catch (Exception e) {
      throw new AssertionError(svg, e);
    }
  }

  /** Returns the text of the first element of a kind. */
  public static String text(Element picture, String tag) {
    return picture.getElementsByTagName(tag).item(0).getTextContent();
  }

  /**
   * Fails if a folder hasn't the files that a command makes, or others that say they are its.
   * @param command without {@code dev-support/bin/}
   */
  public static void assertCommitted(Map<String, String> files, Path folder, String command)
    throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path committed = folder.resolve(file.getKey());
      String message = committed + " isn't what is made now; run: dev-support/bin/" + command;
      assertThat(committed).as(message).exists();
      assertThat(Files.readString(committed)).as(message).isEqualTo(file.getValue());
    }
    List<String> made = new ArrayList<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.toList()) {
        if (Files.readString(file).contains("Made by dev-support/bin/" + command + ".")) {
          made.add(file.getFileName().toString());
        }
      }
    }
    assertThat(made).containsExactlyInAnyOrderElementsOf(files.keySet());
  }

  /** Fails if a picture has text that can't be read on a narrow page. */
  public static void assertReadable(Map<String, String> files) {
    assertThat(files).isNotEmpty().allSatisfy((name, svg) -> {
      Element picture = parse(svg);
      double width = Double.parseDouble(picture.getAttribute("width"));
      List<Double> sizes = FONT_SIZE.matcher(text(picture, "style")).results()
        .map(size -> Double.valueOf(size.group(1))).toList();
      assertThat(sizes).as(name).isNotEmpty()
        .allSatisfy(size -> assertThat(size * NARROW / width).isGreaterThanOrEqualTo(LEAST_FONT));
      assertThat(svg).as(name).doesNotContain("font-size");
    });
  }

  /** Fails unless there is one picture, light and dark, which differ in colours alone. */
  public static void assertLightAndDark(Map<String, String> files, String name) {
    assertThat(files).containsOnlyKeys(name + "-light.svg", name + "-dark.svg");
    String colour = "#[0-9a-f]{6}";
    String light = files.get(name + "-light.svg");
    String dark = files.get(name + "-dark.svg");
    assertThat(light).isNotEqualTo(dark);
    assertThat(light.replaceAll(colour, "")).isEqualTo(dark.replaceAll(colour, ""));
  }

  /**
   * Fails unless each picture is on a page, with what it shows in words.
   * @param root         of the checkout
   * @param descriptions by the picture's name
   */
  public static void assertShown(Path root, Map<String, String> descriptions) throws IOException {
    Map<String, String> shown = new TreeMap<>();
    for (Path page : pages(root)) {
      SHOWN.matcher(Files.readString(page)).results()
        .filter(picture -> descriptions.containsKey(picture.group(1)))
        .forEach(picture -> {
          String name = picture.group(1);
          shown.put(name, picture.group(2).replaceAll("\\s+", " "));
          assertThat(shown.get(name)).as("alt of " + name + " on " + page)
            .isEqualTo(descriptions.get(name));
        });
    }
    assertThat(shown).containsOnlyKeys(descriptions.keySet());
  }

  private static List<Path> pages(Path root) throws IOException {
    List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md")));
    for (String parent : List.of("docs", "patches", "dev-support/seams")) {
      try (Stream<Path> files = Files.walk(root.resolve(parent), 2)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages;
  }
}
