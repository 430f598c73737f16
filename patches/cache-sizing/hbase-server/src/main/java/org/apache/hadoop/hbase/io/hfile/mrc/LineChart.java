/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.io.hfile.mrc;

import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.html.HtmlEscapers;

/**
 * Draws lines and areas as an SVG image that is a part of an HTML page, whose style gives the
 * colours. Used by one thread at a time.
 */
@InterfaceAudience.Private
final class LineChart {
  private static final int WIDTH = 440;
  private static final int HEIGHT = 220;
  private static final int LEFT = 44;
  private static final int RIGHT = 28;
  private static final int TOP = 12;
  private static final int BOTTOM = 42;
  private static final int LABEL_GAP = 6;
  private static final int LINE_HEIGHT = 14;

  private final double minX;
  private final double maxX;
  private final double maxY;
  private final StringBuilder svg = new StringBuilder();

  /**
   * @param label what the chart shows
   * @param maxY  more than 0; the vertical axis begins at 0
   */
  LineChart(String label, double minX, double maxX, double maxY) {
    this.minX = minX;
    this.maxX = maxX;
    this.maxY = maxY;
    svg.append("<svg viewBox=\"0 0 ").append(WIDTH).append(' ').append(HEIGHT)
      .append("\" role=\"img\" aria-label=\"").append(escape(label)).append("\">");
  }

  static String escape(String text) {
    return HtmlEscapers.htmlEscaper().escape(text);
  }

  /** Draws a horizontal line of the grid, with its value on the left. */
  LineChart gridY(double y, String label) {
    svg.append("<line class=\"grid\" x1=\"").append(LEFT).append("\" x2=\"")
      .append(WIDTH - RIGHT).append("\" y1=\"").append(y(y)).append("\" y2=\"").append(y(y))
      .append("\"/>");
    return text(LEFT - LABEL_GAP, HEIGHT - BOTTOM - height(y) + LABEL_GAP - 2, "end", label);
  }

  /** Labels a place on the horizontal axis, with up to two lines. */
  LineChart labelX(double x, String label, String below) {
    text(position(x), HEIGHT - BOTTOM + LINE_HEIGHT + 6, "middle", label);
    return text(position(x), HEIGHT - BOTTOM + 2 * LINE_HEIGHT + 6, "middle", below);
  }

  private LineChart text(double x, double y, String anchor, String text) {
    svg.append("<text text-anchor=\"").append(anchor).append("\" x=\"").append(number(x))
      .append("\" y=\"").append(number(y)).append("\">").append(escape(text)).append("</text>");
    return this;
  }

  /** Draws a vertical line. */
  LineChart markX(double x, String style) {
    svg.append("<line class=\"").append(style).append("\" x1=\"").append(x(x)).append("\" x2=\"")
      .append(x(x)).append("\" y1=\"").append(TOP).append("\" y2=\"").append(HEIGHT - BOTTOM)
      .append("\"/>");
    return this;
  }

  /** Draws a dot, which has a text for those who point at it. */
  LineChart dot(double x, double y, String style, String title) {
    svg.append("<circle class=\"").append(style).append("\" r=\"3\" cx=\"").append(x(x))
      .append("\" cy=\"").append(y(y)).append("\"><title>").append(escape(title))
      .append("</title></circle>");
    return this;
  }

  /** Draws a line through points; where y is not a number it is interrupted. */
  LineChart line(double[] x, double[] y, String style) {
    svg.append("<path class=\"").append(style).append("\" d=\"");
    boolean draws = false;
    for (int i = 0; i < x.length; i++) {
      if (!Double.isNaN(y[i])) {
        svg.append(draws ? 'L' : 'M').append(x(x[i])).append(' ').append(y(y[i]));
      }
      draws = !Double.isNaN(y[i]);
    }
    svg.append("\"/>");
    return this;
  }

  /** Fills what is between two lines; where a y is not a number, it is 0. */
  LineChart area(double[] x, double[] low, double[] high, String style) {
    if (x.length == 0) {
      return this;
    }
    svg.append("<path class=\"").append(style).append("\" d=\"");
    for (int i = 0; i < x.length; i++) {
      svg.append(i == 0 ? 'M' : 'L').append(x(x[i])).append(' ').append(y(zeroIfNaN(high[i])));
    }
    for (int i = x.length - 1; i >= 0; i--) {
      svg.append('L').append(x(x[i])).append(' ').append(y(zeroIfNaN(low[i])));
    }
    svg.append("Z\"/>");
    return this;
  }

  private static double zeroIfNaN(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /** Returns the image as a part of HTML. */
  @Override
  public String toString() {
    return svg + "</svg>";
  }

  private String x(double x) {
    return number(position(x));
  }

  private double position(double x) {
    return LEFT + (x - minX) / (maxX - minX) * (WIDTH - LEFT - RIGHT);
  }

  private String y(double y) {
    return number(HEIGHT - BOTTOM - height(y));
  }

  private double height(double y) {
    return Math.max(0, Math.min(1, y / maxY)) * (HEIGHT - TOP - BOTTOM);
  }

  private static String number(double pixels) {
    return String.format(Locale.ROOT, "%.1f", pixels);
  }
}
