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

/**
 * Shapes beside each other, all as high as the highest.
 * @param gap    pixels between two
 * @param shares their shares of the width; null if these are alike
 */
record Row(List<Shape> row, Integer gap, List<Integer> shares) implements Shape {
  Row {
    gap = gap == null ? GAP : gap;
    shares = shares == null ? row.stream().map(shape -> 1).toList() : shares;
    if (shares.size() != row.size()) {
      throw new IllegalArgumentException("there are " + shares.size() + " shares for " + row.size()
        + " shapes");
    }
  }

  private List<Integer> widths(int width) {
    int left = width - gap * (row.size() - 1);
    int all = shares.stream().mapToInt(Integer::intValue).sum();
    List<Integer> widths = new ArrayList<>();
    for (int share : shares) {
      int part = left * share / all;
      widths.add(part);
      left -= part;
      all -= share;
    }
    return widths;
  }

  @Override
  public int height(int width) {
    List<Integer> widths = widths(width);
    int height = 0;
    for (int i = 0; i < row.size(); i++) {
      height = Math.max(height, row.get(i).height(widths.get(i)));
    }
    return height;
  }

  @Override
  public void draw(Area area, Canvas canvas) {
    List<Integer> widths = widths(area.width());
    int x = area.x();
    for (int i = 0; i < row.size(); i++) {
      row.get(i).draw(new Area(x, area.y(), widths.get(i), area.height()), canvas);
      x += widths.get(i) + gap;
    }
  }
}
