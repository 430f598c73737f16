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

import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.tools.report.Font;

/** Bytes in their order, sixteen in a line, with the offset of each line's first. */
record ByteFields(List<Field> bytes, Kind kind) implements Shape {
  private static final int BYTES = 16;
  private static final int OFFSETS = 32;
  private static final int MARGIN = 4;

  /**
   * A field.
   * @param size its bytes; 0 if that differs
   */
  record Field(String name, int size) {
    private String sizeText() {
      return size + (size == 1 ? " byte" : " bytes");
    }

    private List<String> lines(int width) {
      return Font.TEXT.wrap(name, width);
    }
  }

  /** Fields of one line. */
  private record Line(int offset, List<Field> fields) {
    private boolean isOpen() {
      return fields.get(0).size() == 0;
    }
  }

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    List<Field> current = new ArrayList<>();
    int offset = 0;
    int used = 0;
    for (Field field : bytes) {
      current.add(field);
      used += field.size() == 0 ? BYTES : field.size();
      if (used > BYTES) {
        throw new IllegalArgumentException(field.name() + " doesn't end with a line of " + BYTES
          + " bytes");
      }
      if (used == BYTES) {
        lines.add(new Line(offset, current));
        offset += BYTES;
        used = 0;
        current = new ArrayList<>();
      }
    }
    if (!current.isEmpty()) {
      lines.add(new Line(offset, current));
    }
    return lines;
  }

  private static int width(Field field, int all) {
    return field.size() == 0 ? all : all * field.size() / BYTES;
  }

  private static int height(Line line, int width) {
    int most = line.fields().stream()
      .mapToInt(field -> field.lines(width(field, width) - 2 * MARGIN).size()).max().orElse(0);
    return (line.isOpen() ? most : most + 1) * Font.LINE + 2 * MARGIN;
  }

  @Override
  public int height(int width) {
    return lines().stream().mapToInt(line -> height(line, width - OFFSETS)).sum();
  }

  @Override
  public void draw(Area area, Canvas canvas) {
    int y = area.y();
    int all = area.width() - OFFSETS;
    for (Line line : lines()) {
      int height = height(line, all);
      int x = area.x() + OFFSETS;
      if (!line.isOpen()) {
        canvas.text(Font.QUIET, List.of(String.valueOf(line.offset())),
          new Area(area.x(), y + MARGIN, OFFSETS - MARGIN, 0), false);
      }
      for (Field field : line.fields()) {
        int width = width(field, all);
        Area box = new Area(x, y, width, height);
        canvas.box(box, kind);
        List<String> names = field.lines(width - 2 * MARGIN);
        Area text = new Area(x + MARGIN, y + MARGIN, width - 2 * MARGIN, 0);
        canvas.text(Font.TEXT, names, text, true);
        if (field.size() > 0) {
          canvas.text(Font.QUIET, List.of(field.sizeText()),
            new Area(text.x(), y + height - MARGIN - Font.LINE, text.width(), 0), true);
        }
        x += width;
      }
      y += height;
    }
  }
}
