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
 * An arrow, upright or level, between two shapes that have an id.
 * @param label stands beside it or, if it is level, above it; may be null
 * @param both  whether it has two heads
 * @param at    where it leaves, in percent of the edge that both shapes share; 50 if it is null
 */
record Arrow(String from, String to, String label, boolean both, Integer at) {
  private static final int BESIDE = 6;

  Arrow {
    at = at == null ? 50 : at;
  }

  void draw(Canvas canvas) {
    Area start = canvas.find(from);
    Area end = canvas.find(to);
    int left = Math.max(start.x(), end.x());
    int right = Math.min(start.right(), end.right());
    int top = Math.max(start.y(), end.y());
    int bottom = Math.min(start.bottom(), end.bottom());
    if (left < right) {
      boolean isDown = start.y() < end.y();
      drawUpright(left + (right - left) * at / 100, isDown ? start.bottom() : start.y(),
        isDown ? end.y() : end.bottom(), canvas);
    } else if (top < bottom) {
      boolean isRight = start.x() < end.x();
      drawLevel(top + (bottom - top) * at / 100, isRight ? start.right() : start.x(),
        isRight ? end.x() : end.right(), canvas);
    } else {
      throw new IllegalArgumentException("no arrow goes straight from " + from + " to " + to);
    }
  }

  private void drawUpright(int x, int y, int endY, Canvas canvas) {
    canvas.arrow(x, y, x, endY);
    if (both) {
      canvas.arrow(x, endY, x, y);
    }
    if (label != null) {
      List<String> lines = label.lines().toList();
      int width = lines.stream().mapToInt(Font.QUIET::width).max().orElse(0);
      int height = lines.size() * Font.LINE;
      canvas.text(Font.QUIET, lines,
        new Area(x + BESIDE, (y + endY - height) / 2, width, height), false);
      canvas.fits(new Area(x, (y + endY - height) / 2, width, height),
        new Area(x, Math.min(y, endY), width, Math.abs(endY - y)), label);
    }
  }

  private void drawLevel(int y, int x, int endX, Canvas canvas) {
    canvas.arrow(x, y, endX, y);
    if (both) {
      canvas.arrow(endX, y, x, y);
    }
    if (label != null) {
      List<String> lines = label.lines().toList();
      canvas.text(Font.QUIET, lines, new Area(Math.min(x, endX),
        y - BESIDE - lines.size() * Font.LINE, Math.abs(endX - x), 0), true);
    }
  }
}
