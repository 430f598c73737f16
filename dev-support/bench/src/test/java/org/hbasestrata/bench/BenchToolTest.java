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
package org.hbasestrata.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class BenchToolTest {
  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int bench(String... args) {
    return new BenchTool().execute(new PrintStream(out, true, StandardCharsets.UTF_8),
      new PrintStream(err, true, StandardCharsets.UTF_8), args);
  }

  private String error() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  public void helpIsNoError() {
    assertThat(bench("--help")).isZero();
    assertThat(bench("report", "--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("report", "OUT");
  }

  @Test
  public void wrongCommandLineIsOneLine() {
    assertThat(bench()).isEqualTo(ToolException.USAGE);
    assertThat(bench("report")).isEqualTo(ToolException.USAGE);
    assertThat(bench("rapport")).isEqualTo(ToolException.USAGE);
    assertThat(error().lines()).hasSize(3).allMatch(line -> line.startsWith("bench: "));
  }

  @Test
  public void folderWithoutAComparisonIsNamed() {
    String path = folder.getRoot().toString();
    assertThat(bench("report", path)).isEqualTo(ToolException.USAGE);
    assertThat(error().lines()).containsExactly("bench: " + path
      + " holds no comparison: there is no comparison.json in it");
  }

  @Test
  public void brokenFilesAreNamed() throws IOException {
    assertThat(reportOf("{\"profile\": ")).contains("comparison.json (line 1)");
    assertThat(reportOf("{\"profil\": 1}")).contains("comparison.json (line 1)", "profil");
    assertThat(reportOf("{\"profile\": \"p\", \"command\": \"c\", \"state\": \"complete\","
      + " \"rounds\": 1}")).contains("arms has 0, allowed: 2 or more");
    assertThat(reportOf("{\"profile\": \"p\"}")).contains("command is missing");
  }

  @Test
  public void chartsGoWhereTheyAreToldTo() throws IOException {
    Path list = folder.newFile("charts.yaml").toPath();
    Path images = folder.getRoot().toPath().resolve("images");
    Files.writeString(list, "charts: {}");
    assertThat(bench("charts", list.toString(), "--out", images.toString())).isZero();
    assertThat(images).isEmptyDirectory();
    Files.writeString(list, "chart: {}");
    assertThat(bench("charts", list.toString(), "--out", images.toString()))
      .isEqualTo(ToolException.USAGE);
    assertThat(error().lines()).hasSize(1);
    assertThat(error()).startsWith("bench: " + list + " (line 1): ");
  }

  private String reportOf(String json) throws IOException {
    Path path = folder.newFolder().toPath();
    Files.writeString(path.resolve("comparison.json"), json);
    err.reset();
    assertThat(bench("report", path.toString())).isEqualTo(ToolException.USAGE);
    assertThat(error().lines()).hasSize(1);
    return error();
  }
}
