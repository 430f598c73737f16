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
package org.hbasestrata.gclab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hbasestrata.tools.ToolException;

/**
 * What candidates must reach, by level: a goals file.
 * @param best   of the candidates that meet all goals of a level, the one with the least of it
 *               wins, if the rounds tell them apart
 * @param levels goals by the level's name
 */
record Goals(Figure best, Map<String, List<Goal>> levels) {
  private static final Pattern BEST = Pattern.compile("best\\s*=\\s*(.+)");
  private static final Pattern LEVEL = Pattern.compile("\\[(.+)]");
  private static final Pattern GOAL =
    Pattern.compile("(.+?)\\s*<=\\s*([0-9]*\\.?[0-9]+)\\s*(\\S+)");

  /** Reads a file; an error names it, and the line. */
  static Goals read(Path file) {
    try {
      return parse(file.toString(), Files.readAllLines(file));
    } catch (IOException e) {
      throw ToolException.usage("goals file " + file + " can't be read: "
        + ToolException.oneLine(e), e);
    }
  }

  /** @param name what errors call the file */
  static Goals parse(String name, List<String> lines) {
    Figure best = Figure.CLIENT_P99;
    Map<String, List<Goal>> levels = new LinkedHashMap<>();
    List<Goal> level = null;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      String where = name + ", line " + (i + 1) + ": ";
      Matcher matcher;
      if (line.isEmpty()) {
        continue;
      } else if ((matcher = LEVEL.matcher(line)).matches()) {
        level = new ArrayList<>();
        if (levels.put(matcher.group(1).strip(), level) != null) {
          throw ToolException.usage(where + line + " is there twice");
        }
      } else if ((matcher = BEST.matcher(line)).matches()) {
        best = best(where, matcher.group(1));
      } else if ((matcher = GOAL.matcher(line)).matches() && level != null) {
        level.add(goal(where, matcher));
      } else {
        throw ToolException.usage(where + "'" + line + "', allowed: [LEVEL], best = FIGURE,"
          + " and in a level FIGURE <= NUMBER UNIT");
      }
    }
    return new Goals(best, levels);
  }

  private static Goal goal(String where, Matcher line) {
    Figure figure = figure(where, line.group(1));
    String unit = line.group(3);
    boolean percent = unit.equals("%") && !figure.unit().equals("%");
    if (!percent && !unit.equals(figure.unit())) {
      throw ToolException.usage(where + figure.label() + " in '" + unit + "', allowed: "
        + figure.unit() + (figure.unit().equals("%") ? ""
          : ", or % of the first candidate's"));
    }
    return new Goal(figure, Double.parseDouble(line.group(2)), percent);
  }

  private static Figure best(String where, String label) {
    Figure best = figure(where, label);
    if (!best.lessIsBetter()) {
      throw ToolException.usage(where + "best is '" + best.label() + "', of which the least is"
        + " worst, allowed: " + Figure.labels(Figure::lessIsBetter));
    }
    return best;
  }

  private static Figure figure(String where, String label) {
    return Figure.of(label.strip()).orElseThrow(() -> ToolException.usage(where + "no figure '"
      + label.strip() + "', there are: " + Figure.labels(figure -> true)));
  }
}
