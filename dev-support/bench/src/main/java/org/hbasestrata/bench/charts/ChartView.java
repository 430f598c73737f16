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

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.hbasestrata.bench.charts.ChartList.Chart;
import org.hbasestrata.bench.charts.ChartList.Figure;
import org.hbasestrata.bench.charts.ChartList.Group;
import org.hbasestrata.tools.report.Font;

/**
 * A chart in the words and places that the template shows: bars of ratios on one logarithmic axis.
 * Places and lengths are in pixels; text is as it came, the template escapes it.
 * @param description what is to be seen, for those who don't see it
 * @param heading     title and subtitle
 * @param one         where the line at the ratio of 1 is
 * @param labels      where the labels of the axis are
 * @param legend      where the legend is
 */
record ChartView(String title, String subtitle, String description, List<Line> heading, int width,
  int height, String one, int labels, int legend, List<Mark> marks, List<GroupView> groups) {

  /** Narrow, so that text can be read where the picture is shown 400 pixels wide. */
  static final int WIDTH = 520;
  private static final int MARGIN = 16;
  /** What the names of figures have. */
  static final int NAME = 200;

  private static final int ROW = 22;
  private static final int GAP = 10;
  private static final int BAR = 12;
  private static final int LABELS = 12;
  private static final int LEGEND = 44;
  /** The legend's second line and what is below it. */
  private static final int FOOT = 34;

  /** The axis goes from here, behind the names of the figures ... */
  private static final int LEFT = MARGIN + NAME + 8;
  private static final int RIGHT = WIDTH - MARGIN;
  private static final double SPACE = 6;

  record Mark(String x, String label) {
  }

  /**
   * @param kind for the style sheet
   * @param y    where it stands
   */
  record Line(String text, String kind, int y) {
  }

  /**
   * @param heading title, and what is compared
   * @param from    where its lines begin
   * @param to      where its lines end
   */
  record GroupView(List<Line> heading, int from, int to, List<Bar> bars) {
  }

  /**
   * @param kind     for the style sheet: whether it is better, and whether one round says so
   * @param y        where its text stands
   * @param x        where it begins
   * @param top      where it begins
   * @param whisker  null when there is no range
   * @param labelX   where the label ends or begins
   * @param anchor   the end of the label that is there
   */
  record Bar(String name, String kind, int y, String x, int top, String width, Whisker whisker,
    String label, String labelX, String anchor) {
  }

  /**
   * The range of the rounds.
   * @param y its middle
   */
  record Whisker(String low, String high, int y) {
  }

  /** A figure and what was recorded of it. */
  private record Measured(Figure figure, RecordedRatio ratio) {
    boolean toTheLeft() {
      return ratio.median() < 1;
    }

    String kind() {
      return (ratio.isBetter(figure.better()) ? "better" : "other") + (ratio.once() ? " once" : "");
    }

    String label() {
      return ratio.text() + "\u00d7" + (ratio.isWorse(figure.better()) ? " worse" : "");
    }

    String description() {
      return figure.name() + " " + ratio.description()
        + (ratio.isWorse(figure.better()) ? ", worse" : "");
    }
  }

  /** @param ratios finds what was recorded */
  static ChartView of(Chart chart, BiFunction<Group, Figure, RecordedRatio> ratios) {
    List<List<Measured>> measured = chart.groups().stream().map(group -> group.figures().stream()
      .map(figure -> new Measured(figure, ratios.apply(group, figure))).toList()).toList();
    List<Measured> all = measured.stream().flatMap(List::stream).toList();
    Scale scale = Scale.of(all.stream().map(Measured::ratio).toList(), LEFT + room(all, true),
      RIGHT - room(all, false));
    List<GroupView> groups = new ArrayList<>();
    List<String> descriptions = new ArrayList<>();
    List<Line> heading = heading(chart.title(), chart.subtitle(), MARGIN);
    int y = end(heading) + GAP;
    for (int i = 0; i < measured.size(); i++) {
      Group group = chart.groups().get(i);
      List<Bar> bars = new ArrayList<>();
      List<Line> lines = heading(group.title(), group.compared(), y);
      int from = end(lines);
      for (Measured each : measured.get(i)) {
        bars.add(bar(each, scale, from + bars.size() * ROW));
      }
      y = from + bars.size() * ROW;
      groups.add(new GroupView(lines, from, y, bars));
      descriptions.add(group.title() + ", " + group.compared() + ": " + measured.get(i).stream()
        .map(Measured::description).collect(Collectors.joining(", ")) + ".");
      y += GAP;
    }
    return new ChartView(chart.title(), chart.subtitle(),
      chart.subtitle() + ". " + String.join(" ", descriptions), heading, WIDTH,
      y + LEGEND + FOOT, place(scale.x(1)), y + LABELS, y + LEGEND,
      scale.marks(LEFT, RIGHT).stream().map(mark -> new Mark(place(scale.x(mark)),
        BigDecimal.valueOf(mark).stripTrailingZeros().toPlainString())).toList(), groups);
  }

  /** Lines of a title and of what is below it. */
  private static List<Line> heading(String title, String more, int y) {
    List<Line> lines = new ArrayList<>();
    for (Font font : List.of(Font.TITLE, Font.QUIET)) {
      for (String text : font.wrap(font == Font.TITLE ? title : more, WIDTH - 2 * MARGIN)) {
        lines.add(new Line(text, font.style(), y + lines.size() * Font.LINE + Font.BASE));
      }
    }
    return lines;
  }

  /** Where what is below lines begins. */
  private static int end(List<Line> lines) {
    return lines.get(lines.size() - 1).y() - Font.BASE + Font.LINE + GAP / 2;
  }

  /** What the labels on one side of 1 need beyond the longest bar there. */
  private static double room(List<Measured> all, boolean left) {
    return 2 * SPACE + all.stream().filter(each -> each.toTheLeft() == left)
      .mapToInt(each -> Font.TITLE.width(each.label())).max().orElse(0);
  }

  private static Bar bar(Measured measured, Scale scale, int y) {
    RecordedRatio ratio = measured.ratio();
    double one = scale.x(1);
    double end = scale.x(ratio.median());
    boolean left = measured.toTheLeft();
    return new Bar(measured.figure().name(), measured.kind(), y + Font.BASE,
      place(Math.min(one, end)), y + (ROW - BAR) / 2, place(Math.max(1, Math.abs(end - one))),
      ratio.low() == ratio.high() ? null
        : new Whisker(place(scale.x(ratio.low())), place(scale.x(ratio.high())), y + ROW / 2),
      measured.label(), place(left ? scale.x(ratio.low()) - SPACE : scale.x(ratio.high()) + SPACE),
      left ? "end" : "start");
  }

  private static String place(double pixels) {
    return String.format(Locale.ROOT, "%.1f", pixels);
  }
}
