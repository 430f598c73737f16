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

import java.util.List;
import org.hbasestrata.tools.report.Font;

/**
 * A bar of parts below each other, each as high as it is big. What a part is stands to the right of
 * it, and what it belongs to, to the left.
 * @param scale pixels for a unit
 */
record StackedBar(List<Part> bar, int scale) implements Shape {
  private static final int GROUPS = 124;
  private static final int BAR = 76;
  private static final int BRACKET = 6;

  /**
   * A part.
   * @param size  in units
   * @param group what it belongs to, with others around it
   */
  record Part(String group, String title, String text, double size, Kind kind) {
  }

  private int height(Part part) {
    return (int) Math.round(part.size() * scale);
  }

  @Override
  public int height(int width) {
    return bar.stream().mapToInt(this::height).sum();
  }

  @Override
  public void draw(Area area, Canvas canvas) {
    int y = area.y();
    int start = y;
    for (int i = 0; i < bar.size(); i++) {
      Part part = bar.get(i);
      Area box = new Area(area.x() + GROUPS, y, BAR, height(part));
      canvas.box(box, part.kind());
      int x = box.right() + PADDING;
      label(part, new Area(x, y, area.right() - x, box.height()), canvas);
      y = box.bottom();
      if (i == bar.size() - 1 || !bar.get(i + 1).group().equals(part.group())) {
        group(part.group(), new Area(area.x(), start, GROUPS - BRACKET - 2, y - start), canvas);
        start = y;
      }
    }
  }

  private static void label(Part part, Area area, Canvas canvas) {
    List<String> title = Font.TITLE.wrap(part.title(), area.width());
    List<String> text =
      part.text() == null ? List.of() : Font.TEXT.wrap(part.text(), area.width());
    int height = (title.size() + text.size()) * Font.LINE;
    int y = area.y() + (area.height() - height) / 2;
    canvas.text(Font.TITLE, title, new Area(area.x(), y, area.width(), 0), false);
    canvas.text(Font.TEXT, text,
      new Area(area.x(), y + title.size() * Font.LINE, area.width(), 0), false);
    canvas.fits(new Area(area.x(), y, area.width(), height), area, part.title());
  }

  private static void group(String name, Area area, Canvas canvas) {
    int x = area.right();
    canvas.line("M%d %dh%dv%dh%d".formatted(x + BRACKET, area.y() + 2, -BRACKET,
      area.height() - 4, BRACKET));
    List<String> lines = Font.TITLE.wrap(name, area.width() - PADDING);
    canvas.text(Font.TITLE, lines, new Area(area.x(),
      area.y() + (area.height() - lines.size() * Font.LINE) / 2, area.width() - PADDING, 0), false);
  }
}
