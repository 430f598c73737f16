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

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The cluster of processes that a test brings up, by {@code dev-support/bin/cluster}. */
final class Cluster {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  static final Map<String, String> SHORT_LIVED =
    Map.of("HBASE_OPTS", System.getProperty("short-lived.jvm-options"));
  /** For the shell: JRuby compiles nothing either. */
  static final Map<String, String> SHELL = Map.of("HBASE_OPTS", SHORT_LIVED.get("HBASE_OPTS"),
    "HBASE_SHELL_OPTS", "-Djruby.compile.mode=OFF");
  private static String page;

  private Cluster() {
  }

  /** Folder of its configuration, data and logs. */
  static Path folder() {
    return Packages.clusterFolder();
  }

  /** Runs a command of the script to its end. */
  static Packages.Result command(String... arguments) throws IOException, InterruptedException {
    return Packages.runScript(SHORT_LIVED, "", "dev-support/bin/cluster", arguments);
  }

  /** Runs a command of the script that must succeed. */
  static void succeed(String... arguments) throws IOException, InterruptedException {
    Packages.Result result = command(arguments);
    assertThat(result.exitCode()).as(result.output()).isZero();
  }

  /** Runs {@code bin/hbase} with this cluster, which must succeed, and returns what it printed. */
  static String hbase(String... arguments) throws IOException, InterruptedException {
    Packages.Result result = Packages.runScript(SHORT_LIVED, "", "bin/hbase", arguments);
    assertThat(result.exitCode()).as(result.output()).isZero();
    return result.output();
  }

  /** Returns the address of the web pages of region server 1. */
  static URI page() throws IOException, InterruptedException {
    if (page == null) {
      Packages.Result status = command("status");
      Matcher line =
        Pattern.compile("(?m)^regionserver-1 .*(http://\\S+?)/?$").matcher(status.output());
      assertThat(line.find()).as(status.output()).isTrue();
      page = line.group(1);
    }
    return URI.create(page);
  }

  /** Returns what region server 1 answers to a GET of a path with its query. */
  static String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(page() + path)).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }
}
