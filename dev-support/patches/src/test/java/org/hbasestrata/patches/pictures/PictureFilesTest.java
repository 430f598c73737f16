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
package org.hbasestrata.patches.pictures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.hbasestrata.patches.pictures.Picture.Drawing;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The pictures of the documents, and the pages that show them. */
public class PictureFilesTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final String MADE_BY = "Made by dev-support/bin/patches pictures.";

  /** The width of a narrow page, and what can be read there, in pixels. */
  private static final double NARROW = 400;
  private static final double LEAST_FONT = 11;

  private static final Pattern FONT_SIZE = Pattern.compile("\\b(\\d+(?:\\.\\d+)?)px");
  private static final Pattern SHOWN = Pattern.compile("<picture>\\s*<source media=\""
    + "\\(prefers-color-scheme: dark\\)\" srcset=\"[^\"]*docs/images/([a-z-]+)-dark\\.svg\">\\s*"
    + "<img alt=\"([^\"]*)\"\\s+src=\"[^\"]*docs/images/([a-z-]+)-light\\.svg\">\\s*</picture>");
  private static final Pattern GIGABYTES = Pattern.compile("\\d+(?:\\.\\d+)? GB");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private static Element parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder()
      .parse(new InputSource(new StringReader(svg))).getDocumentElement();
  }

  private Map<String, String> pictures(String column, String more) throws IOException {
    Path root = folder.newFolder().toPath();
    Path source = Files.createDirectories(root.resolve("dev-support/patches/pictures"));
    Files.writeString(source.resolve("pump.yaml"), "title: A & <b>\ndescription: All of it.\n"
      + "column:\n" + column.indent(2) + more);
    return PictureFiles.of(root);
  }

  private static String everyPage() throws IOException {
    StringBuilder text = new StringBuilder();
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    for (String parent : List.of("docs", "patches", "dev-support/seams")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(parent), 2)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    for (Path page : pages) {
      // Pages in docs/ name the folder beside them.
      text.append(Files.readString(page).replace("\"images/", "\"docs/images/"));
    }
    return text.toString();
  }

  @Test
  public void committedPicturesAreThoseOfTheirFiles() throws IOException {
    Map<String, String> pictures = PictureFiles.of(ROOT);
    for (Map.Entry<String, String> picture : pictures.entrySet()) {
      Path file = PictureFiles.images(ROOT).resolve(picture.getKey());
      String message = file + " isn't what its file says; run: dev-support/bin/patches pictures";
      assertThat(file).as(message).exists();
      assertThat(Files.readString(file)).as(message).isEqualTo(picture.getValue());
    }
    List<String> made = new ArrayList<>();
    try (Stream<Path> files = Files.list(PictureFiles.images(ROOT))) {
      for (Path file : files.toList()) {
        if (Files.readString(file).contains(MADE_BY)) {
          made.add(file.getFileName().toString());
        }
      }
    }
    assertThat(made).containsExactlyInAnyOrderElementsOf(pictures.keySet());
  }

  @Test
  public void textCanBeReadOnANarrowPage() throws Exception {
    for (Map.Entry<String, String> picture : PictureFiles.of(ROOT).entrySet()) {
      Element svg = parse(picture.getValue());
      double width = Double.parseDouble(svg.getAttribute("width"));
      List<Double> sizes = FONT_SIZE.matcher(svg.getElementsByTagName("style").item(0)
        .getTextContent()).results().map(size -> Double.valueOf(size.group(1))).toList();
      assertThat(sizes).as(picture.getKey()).isNotEmpty()
        .allSatisfy(size -> assertThat(size * NARROW / width).isGreaterThanOrEqualTo(LEAST_FONT));
      assertThat(picture.getValue()).doesNotContain("font-size");
    }
    assertThat(Font.SIZE * NARROW / Picture.WIDTH).isGreaterThanOrEqualTo(LEAST_FONT);
  }

  @Test
  public void textFits() throws IOException {
    for (Path source : PictureFiles.sources(ROOT)) {
      Drawing drawing = Picture.read(source).draw();
      assertThat(drawing.problems()).as(source.toString()).isEmpty();
      assertThat(drawing.labels()).hasSizeGreaterThan(5);
    }
  }

  @Test
  public void pagesShowEachPictureWithItsDescription() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    Map<String, String> descriptions = PictureFiles.sources(ROOT).stream()
      .collect(Collectors.toMap(PictureFiles::name, file -> Picture.read(file).description()));
    Matcher picture = SHOWN.matcher(everyPage());
    while (picture.find()) {
      String description = descriptions.get(picture.group(1));
      if (description != null) {
        shown.add(picture.group(1));
        if (
          !picture.group(3).equals(picture.group(1))
            || !picture.group(2).replaceAll("\\s+", " ").equals(description)
        ) {
          wrong.add(picture.group(1));
        }
      }
    }
    assertThat(shown).containsAll(descriptions.keySet());
    assertThat(wrong).as("alt isn't the description").isEmpty();
  }

  @Test
  public void theMemoryIsThatOfTheGuidesExample() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/operators-guide.md"));
    String example = guide.substring(guide.indexOf("For a region server with 16 processors"));
    example = example.substring(0, example.indexOf("In hbase-env.sh:"));
    Picture memory = Picture.read(ROOT.resolve("dev-support/patches/pictures/memory.yaml"));
    List<String> sizes = memory.draw().labels().stream().map(Canvas.Label::text)
      .flatMap(text -> GIGABYTES.matcher(text).results()).map(size -> size.group()).toList();
    assertThat(sizes).hasSizeGreaterThan(5);
    assertThat(example).contains(sizes);
  }

  @Test
  public void lightAndDarkPicturesDifferInColoursOnly() throws IOException {
    Map<String, String> pictures = pictures("- {title: Pump}", "");
    assertThat(pictures).containsOnlyKeys("pump-light.svg", "pump-dark.svg");
    String colour = "#[0-9a-f]{6}";
    assertThat(pictures.get("pump-light.svg")).isNotEqualTo(pictures.get("pump-dark.svg"));
    assertThat(pictures.get("pump-light.svg").replaceAll(colour, ""))
      .isEqualTo(pictures.get("pump-dark.svg").replaceAll(colour, ""));
  }

  @Test
  public void textIsEscapedAndWrapped() throws Exception {
    Element svg = parse(pictures("""
      - {title: "< & >", text: "%s"}
      """.formatted("water ".repeat(20)), "").get("pump-light.svg"));
    assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("A & <b>");
    NodeList texts = svg.getElementsByTagName("text");
    assertThat(texts.item(0).getTextContent()).isEqualTo("< & >");
    assertThat(texts.getLength()).isEqualTo(3);
  }

  @Test
  public void whatDoesNotFitIsNamed() {
    assertWrong("- row: [{title: %s}, {title: b}]".formatted("W".repeat(20)), "",
      "no room for: WWW");
    assertWrong("- bytes: [{name: a, size: 9}, {name: b, size: 8}]", "",
      "b doesn't end with a line of 16 bytes");
    assertWrong("- {scale: 10, bar: [{group: g, title: thin, size: 1}]}", "",
      "no room for: thin");
    assertWrong("- row: [{id: a, title: a}, {id: b, title: b}]",
      "arrows: [{from: a, to: b, label: much too long}]", "no room for: much too long");
    assertWrong("- {id: a, title: a}\n- {title: between}\n- {id: b, title: b}",
      "arrows: [{from: a, to: b}]", "between (at ", "is over an arrow");
    assertWrong("- {id: a, title: a}", "arrows: [{from: a, to: c}]", "no shape is c");
    assertWrong("- {title: a, texte: b}", "", "texte");
  }

  private void assertWrong(String column, String more, String... parts) {
    assertThatThrownBy(() -> pictures(column, more)).isInstanceOf(ToolException.class)
      .hasMessageContaining("pump.yaml").hasMessageContainingAll(parts);
  }
}
