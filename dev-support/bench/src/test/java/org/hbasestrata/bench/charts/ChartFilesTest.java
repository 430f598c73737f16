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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.ToolException;
import org.hbasestrata.tools.report.ShownFiles;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.w3c.dom.Element;

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

  @Test
  public void committedChartsAreThoseOfTheRecordedReports() throws IOException {
    ShownFiles.assertCommitted(ChartFiles.of(ChartsCommand.recorded(CHECKOUT)),
      ChartsCommand.images(CHECKOUT), "bench charts");
  }

  @Test
  public void textCanBeReadOnANarrowPage() {
    ShownFiles.assertReadable(ChartFiles.of(ChartsCommand.recorded(CHECKOUT)));
  }

  @Test
  public void pagesShowEachChartWithItsFigures() throws IOException {
    Map<String, String> descriptions = new HashMap<>();
    ChartFiles.of(ChartsCommand.recorded(CHECKOUT)).forEach((file, svg) -> descriptions
      .put(file.replaceAll("-(light|dark)\\.svg", ""),
        ShownFiles.text(ShownFiles.parse(svg), "desc")));
    ShownFiles.assertShown(CHECKOUT.root(), descriptions);
  }

  @Test
  public void chartsAreSmallAndSayInWordsWhatTheyShow() throws Exception {
    for (String svg : ChartFiles.of(ChartsCommand.recorded(CHECKOUT)).values()) {
      assertThat(svg).hasSizeLessThan(CHARACTERS);
      Element picture = ShownFiles.parse(svg);
      assertThat(ShownFiles.text(picture, "title")).isNotBlank();
      assertThat(ShownFiles.text(picture, "desc")).containsPattern("[0-9]\\.[0-9]{2}")
        .endsWith(".");
    }
  }

  @Test
  public void lightAndDarkChartsDifferInColoursOnly() throws IOException {
    ShownFiles.assertLightAndDark(ChartFiles.of(list(LIST, REPORT)), "one");
  }

  @Test
  public void sameReportsMakeTheSameBytes() throws IOException {
    assertThat(ChartFiles.of(list(LIST, REPORT))).isEqualTo(ChartFiles.of(list(LIST, REPORT)));
  }

  @Test
  public void textIsEscapedAndTheFiguresAreInTheDescription() throws Exception {
    Element picture = ShownFiles.parse(ChartFiles.of(list(LIST, REPORT)).get("one-light.svg"));
    assertThat(ShownFiles.text(picture, "title")).isEqualTo("One & <two>");
    assertThat(ShownFiles.text(picture, "desc")).isEqualTo("Ratios to old. Gets, new, against old:"
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
      "name is too long for the chart: PPP");
    assertWrong(LIST.replace("report.md", "raport.md"), "raport.md can't be read");
    assertWrong(LIST.replace("READ P99", "READ P9"), "0 rows are named 'READ P9'");
  }

  private void assertWrong(String list, String... parts) throws IOException {
    Path file = list(list, REPORT);
    assertThatThrownBy(() -> ChartFiles.of(file)).isInstanceOf(ToolException.class)
      .hasMessageContainingAll(parts);
  }
}
