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

/**
 * What goes from whom to whom, in time, from top to bottom.
 * @param lanes who takes part
 * @param steps what is done, one after another
 * @param spans what lasts; may be null
 */
record Sequence(List<String> lanes, List<Step> steps, List<Span> spans) implements Shape {
  private static final int BETWEEN = 12;
  /** From a text to its arrow. */
  private static final int ARROW = 6;
  private static final int NOTE = 4;
  private static final int BAR = 10;
  private static final int LANE_GAP = 6;
  private static final int MOST_TEXT = 250;

  /**
   * A step: an arrow, or a note.
   * @param from a lane
   * @param to   a lane; null if it is a note
   * @param kind of a note
   */
  record Step(String from, String to, String text, Kind kind) {
  }

  /**
   * What lasts from the arrow of a step to that of another.
   * @param from number of the step, from 1 on; 0 is the start
   * @param to   number of the step; one more than there are is the end
   */
  record Span(String lane, int from, int to, Kind kind) {
  }

  /** A step with its place: its text's, and the height of its arrow or of its middle. */
  private record Placed(Step step, List<String> lines, Area text, int y) {
  }

  Sequence {
    spans = spans == null ? List.of() : spans;
  }

  private int headHeight(int width) {
    int inside = laneWidth(width) - 2 * NOTE;
    return lanes.stream().mapToInt(lane -> Font.TITLE.wrap(lane, inside).size()).max().orElse(0)
      * Font.LINE + 2 * NOTE;
  }

  private int laneWidth(int width) {
    return (width - LANE_GAP * (lanes.size() - 1)) / lanes.size();
  }

  private Area head(String lane, Area area) {
    int number = lanes.indexOf(lane);
    if (number < 0) {
      throw new IllegalArgumentException("there is no lane " + lane);
    }
    int width = laneWidth(area.width());
    return new Area(area.x() + number * (width + LANE_GAP), area.y(), width,
      headHeight(area.width()));
  }

  private List<Placed> placed(Area area) {
    List<Placed> placed = new ArrayList<>();
    int y = area.y() + headHeight(area.width()) + BETWEEN;
    for (Step step : steps) {
      int from = head(step.from(), area).middle();
      int to = step.to() == null ? from : head(step.to(), area).middle();
      List<String> lines = Font.TEXT.wrap(step.text(), MOST_TEXT);
      int width = lines.stream().mapToInt(Font.TEXT::width).max().orElse(0);
      int x = Math.max(area.x() + NOTE,
        Math.min(area.right() - NOTE - width, (from + to - width) / 2));
      Area text = new Area(x, y, width, lines.size() * Font.LINE);
      if (step.to() == null) {
        text = new Area(x, y + NOTE, width, text.height());
        placed.add(new Placed(step, lines, text, text.y() + text.height() / 2));
        y = text.bottom() + NOTE + BETWEEN;
      } else {
        placed.add(new Placed(step, lines, text, text.bottom() + ARROW));
        y = text.bottom() + ARROW + BETWEEN;
      }
    }
    return placed;
  }

  @Override
  public int height(int width) {
    List<Placed> placed = placed(new Area(0, 0, width, 0));
    Placed last = placed.get(placed.size() - 1);
    return Math.max(last.y(), last.text().bottom()) + 2 * BETWEEN;
  }

  @Override
  public void draw(Area area, Canvas canvas) {
    List<Placed> placed = placed(area);
    for (String lane : lanes) {
      Area head = head(lane, area);
      canvas.box(head, null);
      List<String> lines = Font.TITLE.wrap(lane, head.width() - 2 * NOTE);
      canvas.text(Font.TITLE, lines, new Area(head.x() + NOTE,
        head.y() + (head.height() - lines.size() * Font.LINE) / 2, head.width() - 2 * NOTE, 0),
        true);
      for (Area part : free(new Area(head.middle(), head.bottom(), 0,
        area.bottom() - head.bottom()), placed)) {
        canvas.thread("M%d %dv%d".formatted(part.x(), part.y(), part.height()));
      }
    }
    for (Span span : spans) {
      Area head = head(span.lane(), area);
      int top = span.from() == 0 ? head.bottom() : placed.get(span.from() - 1).y();
      int bottom = span.to() > placed.size() ? area.bottom() : placed.get(span.to() - 1).y();
      for (Area part : free(new Area(head.middle() - BAR / 2, top, BAR, bottom - top), placed)) {
        canvas.bar(part, span.kind());
      }
    }
    for (Placed each : placed) {
      draw(each, area, canvas);
    }
  }

  private void draw(Placed each, Area area, Canvas canvas) {
    Step step = each.step();
    Area text = each.text();
    if (step.to() == null) {
      canvas.box(text.inside(-NOTE), step.kind());
    } else {
      int from = head(step.from(), area).middle();
      int to = head(step.to(), area).middle();
      int away = (from < to ? BAR : -BAR) / 2;
      canvas.arrow(from + away, each.y(), to - away, each.y());
    }
    canvas.text(Font.TEXT, each.lines(), text, true);
  }

  /** Returns the parts of something upright that no text is over. */
  private static List<Area> free(Area whole, List<Placed> placed) {
    List<Area> parts = new ArrayList<>();
    int y = whole.y();
    for (Placed each : placed) {
      Area band = each.text().inside(-NOTE);
      if (band.x() <= whole.right() && band.right() >= whole.x()) {
        if (Math.min(band.y(), whole.bottom()) > y) {
          parts.add(new Area(whole.x(), y, whole.width(), Math.min(band.y(), whole.bottom()) - y));
        }
        y = Math.max(y, band.bottom());
      }
    }
    if (whole.bottom() > y) {
      parts.add(new Area(whole.x(), y, whole.width(), whole.bottom() - y));
    }
    return parts;
  }
}
