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
 * Shapes below each other, in a frame if that has a title. The last one takes what room is left.
 * @param id    for arrows; may be null
 * @param frame title of the frame; null if there is none
 * @param kind  of the frame; null if it is plain
 * @param gap   pixels between two
 */
record Column(String id, String frame, Kind kind, Integer gap, List<Shape> column)
  implements Shape {

  Column {
    gap = gap == null ? GAP : gap;
  }

  private int margin() {
    return frame == null ? 0 : PADDING;
  }

  private List<String> title(int width) {
    return frame == null ? List.of() : Font.TITLE.wrap(frame, width);
  }

  private int top(int width) {
    return frame == null ? 0 : margin() / 2 + title(width).size() * Font.LINE + margin() / 2;
  }

  @Override
  public int height(int width) {
    int inside = width - 2 * margin();
    return top(inside) + column.stream().mapToInt(shape -> shape.height(inside)).sum()
      + gap * (column.size() - 1) + margin();
  }

  @Override
  public void draw(Area area, Canvas canvas) {
    canvas.place(id, area);
    Area inside = area.inside(margin());
    if (frame != null) {
      canvas.frame(area, kind);
      canvas.text(Font.TITLE, title(inside.width()),
        new Area(inside.x(), area.y() + margin() / 2, inside.width(), 0), false);
    }
    int y = area.y() + top(inside.width());
    for (int i = 0; i < column.size(); i++) {
      boolean isLast = i == column.size() - 1;
      int height = isLast ? area.bottom() - margin() - y : column.get(i).height(inside.width());
      column.get(i).draw(new Area(inside.x(), y, inside.width(), height), canvas);
      y += height + gap;
    }
  }
}
