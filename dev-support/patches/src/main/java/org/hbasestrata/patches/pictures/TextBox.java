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
 * A box with text, a title above it, or both.
 * @param id    for arrows; may be null
 * @param title null if there is none
 * @param text  null if there is none; its lines are wrapped
 * @param kind  null if it is plain
 * @param bare  whether it has no border
 */
record TextBox(String id, String title, String text, Kind kind, boolean bare) implements Shape {
  @Override
  public int height(int width) {
    int inside = width - 2 * padding();
    return (titleLines(inside).size() + textLines(inside).size()) * Font.LINE + 2 * padding();
  }

  private int padding() {
    return bare ? 0 : PADDING;
  }

  private List<String> titleLines(int width) {
    return title == null ? List.of() : Font.TITLE.wrap(title, width);
  }

  private List<String> textLines(int width) {
    return text == null ? List.of() : Font.TEXT.wrap(text, width);
  }

  @Override
  public void draw(Area area, Canvas canvas) {
    canvas.place(id, area);
    if (!bare) {
      canvas.box(area, kind);
    }
    int width = area.width() - 2 * padding();
    List<String> titles = titleLines(width);
    List<String> texts = textLines(width);
    int y = area.y() + (area.height() - (titles.size() + texts.size()) * Font.LINE) / 2;
    boolean centred = texts.isEmpty();
    Area inside = new Area(area.x() + padding(), y, width, 0);
    canvas.text(Font.TITLE, titles, inside, centred);
    canvas.text(Font.TEXT, texts,
      new Area(inside.x(), y + titles.size() * Font.LINE, width, 0), centred);
  }
}
