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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.report.Font;

/** Takes what shapes draw, and notes what doesn't fit. Not thread-safe. */
final class Canvas {
  private static final int HEAD = 9;
  private static final int HALF_HEAD = 4;

  /**
   * A rectangle.
   * @param style its classes in the style sheet
   */
  record Box(String style, Area area) {
  }

  /**
   * A path.
   * @param style its class in the style sheet
   */
  record Line(String style, String path) {
  }

  /**
   * A line of text.
   * @param x      where it begins, or its middle
   * @param y      what its letters stand on
   * @param anchor which of these x is, as SVG calls it
   */
  record Label(String style, int x, int y, String anchor, String text) {
  }

  private final List<Box> boxes = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();
  private final List<Label> labels = new ArrayList<>();
  private final Map<String, Area> places = new HashMap<>();
  private final Map<String, Area> texts = new HashMap<>();
  private final List<Area> shafts = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();

  /** @param id may be null */
  void place(String id, Area area) {
    if (id != null && places.put(id, area) != null) {
      throw new IllegalArgumentException("two shapes are " + id);
    }
  }

  Area find(String id) {
    if (!places.containsKey(id)) {
      throw new IllegalArgumentException("no shape is " + id);
    }
    return places.get(id);
  }

  private static String style(Kind kind) {
    return (kind == null ? Kind.PLAIN : kind).style();
  }

  /** @param kind null if it is plain */
  void box(Area area, Kind kind) {
    boxes.add(new Box("box " + style(kind), area));
  }

  /** The same around others. */
  void frame(Area area, Kind kind) {
    boxes.add(new Box("frame " + style(kind), area));
  }

  /** The same in one colour, in front of threads. */
  void bar(Area area, Kind kind) {
    boxes.add(new Box("bar " + style(kind), area));
  }

  void line(String path) {
    lines.add(new Line("line", path));
  }

  /** A line that is seen less. */
  void thread(String path) {
    lines.add(new Line("thread", path));
  }

  /** A line with a head at its end, upright or level. */
  void arrow(int x, int y, int endX, int endY) {
    int dx = Integer.signum(endX - x);
    int dy = Integer.signum(endY - y);
    lines.add(new Line("line", "M%d %dL%d %d".formatted(x, y, endX - dx * HEAD / 2,
      endY - dy * HEAD / 2)));
    lines.add(new Line("head", "M%d %dL%d %dL%d %dz".formatted(endX, endY,
      endX - dx * HEAD - dy * HALF_HEAD, endY - dy * HEAD - dx * HALF_HEAD,
      endX - dx * HEAD + dy * HALF_HEAD, endY - dy * HEAD + dx * HALF_HEAD)));
    shafts.add(new Area(Math.min(x, endX) - 1, Math.min(y, endY) - 1, Math.abs(endX - x) + 2,
      Math.abs(endY - y) + 2));
  }

  /**
   * Lines of text.
   * @param area    their left, top and width
   * @param centred whether they are in its middle
   */
  void text(Font font, List<String> text, Area area, boolean centred) {
    int y = area.y();
    for (String line : text) {
      int width = font.width(line);
      int x = centred ? area.x() + (area.width() - width) / 2 : area.x();
      labels.add(new Label(font.style(), centred ? area.middle() : x, y + Font.BASE,
        centred ? "middle" : "start", line));
      Area place = new Area(x, y, width, Font.LINE);
      fits(place, new Area(area.x(), y, area.width(), Font.LINE), line);
      texts.put(line + " (at " + x + ", " + y + ")", place);
      y += Font.LINE;
    }
  }

  /** Notes a problem if an area isn't within another. */
  void fits(Area area, Area around, String text) {
    if (!around.contains(area)) {
      problems.add("no room for: " + text);
    }
  }

  List<Box> boxes() {
    return boxes;
  }

  List<Line> lines() {
    return lines;
  }

  List<Label> labels() {
    return labels;
  }

  /**
   * Returns a line for each text that has no room, is over another one or an arrow, or through an
   * edge of a box.
   * @param picture all of it
   */
  List<String> problems(Area picture) {
    List<String> found = new ArrayList<>(problems);
    List<Map.Entry<String, Area>> all = new ArrayList<>(texts.entrySet());
    for (int i = 0; i < all.size(); i++) {
      String name = all.get(i).getKey();
      Area text = all.get(i).getValue();
      fits(found, text, picture, name);
      all.subList(i + 1, all.size()).stream().filter(other -> other.getValue().overlaps(text))
        .forEach(other -> found.add(name + " is over " + other.getKey()));
      shafts.stream().filter(text::overlaps)
        .forEach(shaft -> found.add(name + " is over an arrow"));
      boxes.stream().map(Box::area).filter(box -> box.overlaps(text) && !box.contains(text))
        .forEach(box -> found.add(name + " is over the edge of a box"));
    }
    shafts.forEach(shaft -> fits(found, shaft, picture, "an arrow"));
    return found;
  }

  private static void fits(List<String> problems, Area area, Area picture, String name) {
    if (!picture.contains(area)) {
      problems.add(name + " is out of the picture");
    }
  }
}
