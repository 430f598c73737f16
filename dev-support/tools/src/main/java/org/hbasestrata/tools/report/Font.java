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
package org.hbasestrata.tools.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A font of text, and how wide its text is. Browsers choose the font; these are the widths of
 * DejaVu Sans, which is wider than others, so that text which fits by them fits in each.
 */
public enum Font {
  TEXT(new int[] { 318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686,
    698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732,
    684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634,
    278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838 }),
  TITLE(new int[] { 348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380,
    365, 696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774,
    762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682,
    812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716,
    712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582,
    712, 365, 712, 838 }),
  QUIET(TEXT.widths);

  /** In pixels of a picture's own width. */
  public static final int SIZE = 15;
  /** From one line to the next. */
  public static final int LINE = 19;
  /** From the top of a line to what its letters stand on. */
  public static final int BASE = 15;

  private static final int FIRST = ' ';
  /** Of other characters, as wide as the widest. */
  private static final int OTHER = 1000;

  /** In thousandths of the size, of the printable characters of ASCII. */
  private final int[] widths;

  Font(int[] widths) {
    this.widths = widths;
  }

  /** Returns its class in the style sheet. */
  public String style() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns pixels. */
  public int width(String text) {
    int sum = text.chars().map(c -> c >= FIRST && c - FIRST < widths.length ? widths[c - FIRST]
      : OTHER).sum();
    return (sum * SIZE + 999) / 1000;
  }

  /** Returns lines of this width; a longer word is a line by itself. */
  public List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    for (String paragraph : text.strip().split("\n")) {
      StringBuilder line = new StringBuilder();
      for (String word : paragraph.strip().split(" +")) {
        if (line.length() > 0 && width(line + " " + word) > width) {
          lines.add(line.toString());
          line.setLength(0);
        }
        line.append(line.length() == 0 ? "" : " ").append(word);
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
