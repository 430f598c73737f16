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

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Path;
import java.util.List;
import org.hbasestrata.patches.pictures.Canvas.Box;
import org.hbasestrata.patches.pictures.Canvas.Label;
import org.hbasestrata.patches.pictures.Canvas.Line;
import org.hbasestrata.tools.Json;

/**
 * A picture of the documents.
 * @param description what is to be seen, for those who don't see it
 * @param gap         pixels between two shapes of the column
 * @param arrows      null if there are none
 */
record Picture(String title, String description, Integer gap, List<Shape> column,
  List<Arrow> arrows) {

  /** In pixels. On a narrow page it is shown smaller. */
  static final int WIDTH = 520;

  private static final int MARGIN = 4;
  private static final YAMLMapper YAML = YAMLMapper.builder()
    .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
    .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  Picture {
    if (title == null || description == null || column == null) {
      throw new IllegalArgumentException("title, description and column are needed");
    }
    description = description.strip();
    arrows = arrows == null ? List.of() : arrows;
  }

  /**
   * A picture in the places that the template shows.
   * @param problems what doesn't fit; no line if all does
   */
  record Drawing(String title, String description, int width, int height, List<Box> boxes,
    List<Line> lines, List<Label> labels, List<String> problems) {
  }

  static Picture read(Path file) {
    return Json.read(YAML, file, Picture.class);
  }

  Drawing draw() {
    Column all = new Column(null, null, null, gap, column);
    int inside = WIDTH - 2 * MARGIN;
    Area area = new Area(MARGIN, MARGIN, inside, all.height(inside));
    Canvas canvas = new Canvas();
    all.draw(area, canvas);
    arrows.forEach(arrow -> arrow.draw(canvas));
    return new Drawing(title, description, WIDTH, area.bottom() + MARGIN, canvas.boxes(),
      canvas.lines(), canvas.labels(), canvas.problems(area.inside(-MARGIN)));
  }
}
