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
package org.hbasestrata.bench.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

public class ChartFilesTest {
  private static final Checkout CHECKOUT =
    new Checkout(Path.of("../..").toAbsolutePath().normalize());
  private static final int CHARACTERS = 20_000;

  private static final String LIST = """
    charts:
      one:
        title: One & <two>
        subtitle: Ratios to old
        groups:
          - title: Gets
            compared: new, against old
            report: report.md
            arm: new
            against: old
            figures:
              - {name: throughput, row: Operations, better: higher}
              - {name: P99, row: READ P99}
    """;

  private static final String REPORT = """
    | | old | new | ratio | |
    |:--|--:|--:|--:|:--|
    | Operations, ops/s | **10** 9\u201311 | **20** 19\u201321 | **2.00** 1.80\u20132.20 | better |
    | READ P99, ms | **10** 9\u201311 | **20** 19\u201321 | **2.00** 1.80\u20132.20 | worse |

    - Rounds: 2
    """;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path list(String list, String report) throws IOException {
    Path path = folder.newFolder().toPath();
    Files.writeString(path.resolve("report.md"), report);
    return Files.writeString(path.resolve("charts.yaml"), list);
  }

  private static Element parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder()
      .parse(new InputSource(new StringReader(svg))).getDocumentElement();
  }

  private static String text(Element picture, String tag) {
    return picture.getElementsByTagName(tag).item(0).getTextContent();
  }

  /** Names of the files in docs/images that aren't made by dev-support/bin/patches pictures. */
  private static List<String> madeByCharts() throws IOException {
    List<String> names = new ArrayList<>();
    try (Stream<Path> files = Files.list(ChartsCommand.images(CHECKOUT))) {
      for (Path file : files.toList()) {
        if (!Files.readString(file).contains("Made by dev-support/bin/patches pictures.")) {
          names.add(file.getFileName().toString());
        }
      }
    }
    return names;
  }

  @Test
  public void committedChartsAreThoseOfTheRecordedReports() throws IOException {
    Map<String, String> charts = ChartFiles.of(ChartsCommand.recorded(CHECKOUT));
    for (Map.Entry<String, String> chart : charts.entrySet()) {
      Path file = ChartsCommand.images(CHECKOUT).resolve(chart.getKey());
      String message = file + " isn't what the recorded reports make of it; run:"
        + " dev-support/bin/bench charts";
      assertThat(file).as(message).exists();
      assertThat(Files.readString(file)).as(message).isEqualTo(chart.getValue());
    }
    assertThat(madeByCharts())
      .as("what is in docs/images, and what dev-support/bin/bench charts makes")
      .containsExactlyInAnyOrderElementsOf(charts.keySet());
  }

  @Test
  public void chartsAreSmallAndSayInWordsWhatTheyShow() throws Exception {
    for (String svg : ChartFiles.of(ChartsCommand.recorded(CHECKOUT)).values()) {
      assertThat(svg).hasSizeLessThan(CHARACTERS);
      Element picture = parse(svg);
      assertThat(text(picture, "title")).isNotBlank();
      assertThat(text(picture, "desc")).containsPattern("[0-9]\\.[0-9]{2}").endsWith(".");
    }
  }

  @Test
  public void lightAndDarkChartsDifferInColoursOnly() throws IOException {
    Map<String, String> charts = ChartFiles.of(list(LIST, REPORT));
    assertThat(charts).containsOnlyKeys("one-light.svg", "one-dark.svg");
    String colour = "#[0-9a-f]{6}";
    assertThat(charts.get("one-light.svg")).isNotEqualTo(charts.get("one-dark.svg"));
    assertThat(charts.get("one-light.svg").replaceAll(colour, ""))
      .isEqualTo(charts.get("one-dark.svg").replaceAll(colour, ""));
  }

  @Test
  public void sameReportsMakeTheSameBytes() throws IOException {
    assertThat(ChartFiles.of(list(LIST, REPORT))).isEqualTo(ChartFiles.of(list(LIST, REPORT)));
  }

  @Test
  public void textIsEscapedAndTheFiguresAreInTheDescription() throws Exception {
    Element picture = parse(ChartFiles.of(list(LIST, REPORT)).get("one-light.svg"));
    assertThat(text(picture, "title")).isEqualTo("One & <two>");
    assertThat(text(picture, "desc")).isEqualTo("Ratios to old. Gets, new, against old:"
      + " throughput 2.00 (1.80 to 2.20), P99 2.00 (1.80 to 2.20), worse.");
  }

  @Test
  public void chartsAreWritten() throws IOException {
    Path images = folder.getRoot().toPath().resolve("docs/images");
    assertThat(ChartFiles.write(Map.of("one-light.svg", "<svg/>"), images))
      .containsExactly(images.resolve("one-light.svg"));
    assertThat(images.resolve("one-light.svg")).hasContent("<svg/>");
  }

  @Test
  public void whatIsWrongWithTheListIsNamed() throws IOException {
    assertWrong(LIST.replace("arm: new", "arm: ''"), "charts.yaml (line ", "arm is missing");
    assertWrong(LIST.replace("better: higher", "beter: higher"), "charts.yaml (line ", "beter");
    assertWrong(LIST.replace("{name: P99", "{name: " + "P".repeat(40)),
      "name has 40 characters, allowed: 28");
    assertWrong(LIST.replace("report.md", "raport.md"), "raport.md can't be read");
    assertWrong(LIST.replace("READ P99", "READ P9"), "0 rows are named 'READ P9'");
  }

  private void assertWrong(String list, String... parts) throws IOException {
    Path file = list(list, REPORT);
    assertThatThrownBy(() -> ChartFiles.of(file)).isInstanceOf(ToolException.class)
      .hasMessageContainingAll(parts);
  }
}
