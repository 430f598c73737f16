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

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.Checks;
import org.hbasestrata.bench.report.Metric.Better;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.report.Font;

/**
 * Which figures of which recorded comparisons are shown where.
 * @param charts by the name that their files begin with
 */
record ChartList(Map<String, Chart> charts) {
  private static final YAMLMapper YAML = YAMLMapper.builder()
    .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  ChartList {
    charts = Checks.map(charts);
  }

  /** @param subtitle says what the ratios are to */
  record Chart(String title, String subtitle, List<Group> groups) {
    Chart {
      Checks.present("title", title);
      Checks.present("subtitle", subtitle);
      groups = Checks.list(groups);
    }
  }

  /**
   * Figures of one report.
   * @param title    what was done, such as a load
   * @param compared what was compared, in words
   * @param report   the report.md, relative to the list
   * @param arm      the arm whose ratio is shown, as the report names it
   * @param against  the arm that it is compared with
   * @param section  how the heading above the figures' table begins; null if there is one table
   */
  record Group(String title, String compared, String report, String arm, String against,
    String section, List<Figure> figures) {

    Group {
      Checks.present("title", title);
      Checks.present("compared", compared);
      Checks.present("report", report);
      Checks.present("arm", arm);
      Checks.present("against", against);
      figures = Checks.list(figures);
    }
  }

  /**
   * @param name   for people
   * @param row    the label of its row in the report, with or without the unit
   * @param better which ratios are better, lower ones when it isn't said
   */
  record Figure(String name, String row, Better better) {
    Figure {
      Checks.present("name", name);
      if (Font.TEXT.width(name) > ChartView.NAME) {
        throw new IllegalArgumentException("name is too long for the chart: " + name);
      }
      Checks.present("row", row);
      better = better == null ? Better.LOWER : better;
    }
  }

  static ChartList read(Path file) {
    return Json.read(YAML, file, ChartList.class);
  }
}
