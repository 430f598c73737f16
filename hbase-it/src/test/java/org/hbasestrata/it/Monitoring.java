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
package org.hbasestrata.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The rules and the dashboard of the tarball. */
final class Monitoring {
  static final String RULES = "block-cache.rules.yml";
  private static final String DASHBOARD = "block-cache.dashboard.json";
  /** Sources of metrics of region servers that queries may name. */
  private static final Pattern METRIC = Pattern.compile("(?<![A-Za-z0-9_:])(?:server|block_cache"
    + "|segment_cache|cache_sizing|cache_warmup|buffer_pool|block_seek_index|gets|event_loop_gets"
    + "|multi_get|coprocessor_cells)_[a-z0-9_]+");
  private static final Pattern QUERY =
    Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"");

  private Monitoring() {
  }

  static Path file(String name) {
    return Packages.dist().resolve("conf/prometheus").resolve(name);
  }

  private static String text(String name) {
    try {
      return Files.readString(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the queries of the dashboard, for all servers and the last minutes. */
  static List<String> queries() {
    return QUERY.matcher(text(DASHBOARD)).results()
      .map(query -> query.group(1).replace("\\\"", "\"").replace("$job", ".*")
        .replace("$instance", ".*").replace("$__rate_interval", "1m"))
      .toList();
  }

  /** Returns the metrics that a text names. */
  static Set<String> metrics(String text) {
    return new TreeSet<>(METRIC.matcher(text).results().map(MatchResult::group).toList());
  }

  /** Returns the metrics that rules and dashboard name. */
  static Set<String> metrics() {
    return metrics(text(RULES) + text(DASHBOARD));
  }

  /** Returns whether a program can be run. */
  static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
      .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
