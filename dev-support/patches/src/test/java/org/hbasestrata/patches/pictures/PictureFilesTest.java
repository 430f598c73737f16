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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hbasestrata.patches.pictures.Picture.Drawing;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.report.ShownFiles;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The pictures of the documents, and the pages that show them. */
public class PictureFilesTest {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
  private static final Pattern GIGABYTES = Pattern.compile("\\d+(?:\\.\\d+)? GB");

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Map<String, String> pictures(String column, String more) throws IOException {
    Path root = folder.newFolder().toPath();
    Path source = Files.createDirectories(root.resolve("dev-support/patches/pictures"));
    Files.writeString(source.resolve("pump.yaml"), "title: A & <b>\ndescription: All of it.\n"
      + "column:\n" + column.indent(2) + more);
    return PictureFiles.of(root);
  }

  @Test
  public void committedPicturesAreThoseOfTheirFiles() throws IOException {
    ShownFiles.assertCommitted(PictureFiles.of(ROOT), PictureFiles.images(ROOT),
      "patches pictures");
  }

  @Test
  public void textCanBeReadOnANarrowPage() throws IOException {
    ShownFiles.assertReadable(PictureFiles.of(ROOT));
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
    ShownFiles.assertShown(ROOT, PictureFiles.sources(ROOT).stream()
      .collect(Collectors.toMap(PictureFiles::name, file -> Picture.read(file).description())));
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
    ShownFiles.assertLightAndDark(pictures("- {title: Pump}", ""), "pump");
  }

  @Test
  public void textIsEscapedAndWrapped() throws IOException {
    Element svg = ShownFiles.parse(pictures("""
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
