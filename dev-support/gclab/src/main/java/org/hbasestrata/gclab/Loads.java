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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.harness.Load;
import org.hbasestrata.tools.ToolException;

/** Reads the levels of load of a command line. */
final class Loads {
  /** What names stand for that come without a rate. */
  private static final Map<String, Double> SHARES =
    Map.of("high", 0.8, "medium", 0.45, "low", 0.15);
  /** Folders that the lab has beside those of the levels. */
  private static final List<String> TAKEN =
    List.of("maximum", "cluster", "conf", "logs", "report");
  private static final String NAME = "[A-Za-z][A-Za-z0-9_-]*";

  private Loads() {
  }

  /** Each is {@code NAME}, or {@code NAME=RATE}, a rate up to 1 being a share of the maximum. */
  static List<Load> parse(List<String> texts) {
    List<Load> loads = new ArrayList<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      String name = equals < 0 ? text : text.substring(0, equals);
      if (!name.matches(NAME) || TAKEN.contains(name)
        || loads.stream().anyMatch(load -> load.name().equals(name))) {
        throw wrong(text);
      }
      Double rate = equals < 0 ? SHARES.get(name) : number(text.substring(equals + 1));
      if (rate == null || !(rate > 0) || rate > 1 && rate > Integer.MAX_VALUE) {
        throw wrong(text);
      }
      loads.add(rate <= 1 ? new Load(name, null, rate)
        : new Load(name, (int) Math.round(rate), null));
    }
    return loads;
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static ToolException wrong(String text) {
    return ToolException.usage("--loads has '" + text + "', allowed: high, medium, low, or"
      + " NAME=RATE with operations a second, or a share of the maximum, such as peak=0.9; each"
      + " name once, and none of " + String.join(", ", TAKEN) + ", which are folders of the lab's"
      + " own");
  }
}
