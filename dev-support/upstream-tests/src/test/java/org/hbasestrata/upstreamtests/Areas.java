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
package org.hbasestrata.upstreamtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells by name which of upstream's classes belong to the list. Immutable. */
final class Areas {
  private static final Pattern LINE = Pattern.compile("in\\s+(\\S+)|out\\s+(\\S+)\\s+\\S.*");

  private final List<Pattern> in = new ArrayList<>();
  private final List<Pattern> out = new ArrayList<>();

  /** Reads a list of {@code in EXPRESSION} and {@code out EXPRESSION WHY}. */
  Areas(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        Matcher parts = LINE.matcher(line.strip());
        if (!parts.matches()) {
          throw new IllegalArgumentException(
            "\"" + line + "\" in " + file + " must be: in EXPRESSION, or out EXPRESSION WHY");
        }
        if (parts.group(1) != null) {
          in.add(Pattern.compile(parts.group(1)));
        } else {
          out.add(Pattern.compile(parts.group(2)));
        }
      }
    }
  }

  /** Returns whether a class belongs to an area and isn't left out. */
  boolean have(String className) {
    return in.stream().anyMatch(area -> area.matcher(className).find())
      && out.stream().noneMatch(area -> area.matcher(className).find());
  }
}
