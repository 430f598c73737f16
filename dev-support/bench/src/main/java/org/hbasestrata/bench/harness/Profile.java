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
package org.hbasestrata.bench.harness;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.ToolException;

/** What the harness must know of a YCSB profile; all else is left to {@code hbase ycsb}. */
public final class Profile {
  private static final String GRAPH = "janusgraph";
  /** CoreWorkload's defaults. */
  private static final Map<String, String> DEFAULTS = Map.of("table", "usertable", "fieldcount",
    "10", "fieldlength", "100", "updateproportion", "0.05", "insertproportion", "0",
    "readmodifywriteproportion", "0", "zeropadding", "1");
  /** Key, name and timestamp of a cell, about, but for leading zeros of the key. */
  private static final int CELL_OVERHEAD_BYTES = 50;
  /** Of a key without leading zeros. */
  private static final int KEY_DIGITS = 19;

  private final Path file;
  private final Properties values = new Properties();

  /**
   * A profile that is given by name or path.
   * @param changes what the command line says instead of the file
   */
  static Profile of(String nameOrPath, Checkout checkout, Map<String, String> changes) {
    boolean path = nameOrPath.contains("/") || nameOrPath.endsWith(".properties");
    Path file = path ? Path.of(nameOrPath).toAbsolutePath()
      : checkout.shippedConf().resolve("ycsb").resolve(nameOrPath + ".properties");
    if (!Files.isRegularFile(file)) {
      throw ToolException.usage("no profile '" + nameOrPath + "': there is no " + file
        + (path ? "" : "; there are: " + String.join(", ", Folders
          .list(file.getParent(), "*.properties").stream()
          .map(p -> p.getFileName().toString().replace(".properties", "")).toList())));
    }
    return new Profile(file, changes);
  }

  private Profile(Path file, Map<String, String> changes) {
    this.file = file;
    try (Reader reader = Files.newBufferedReader(file)) {
      values.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw ToolException.usage("profile " + file + " can't be read: "
        + ToolException.oneLine(e), e);
    }
    values.putAll(changes);
  }

  public String name() {
    return file.getFileName().toString().replaceFirst("\\.properties$", "");
  }

  Path file() {
    return file;
  }

  String table() {
    return text("table");
  }

  /** Whether its client is JanusGraph, in place of {@code hbase ycsb}. */
  boolean isGraph() {
    String client = text("client");
    if (!client.equals("0") && !client.equals(GRAPH)) {
      throw ToolException.usage("profile " + file + ": client is '" + client + "', allowed: "
        + GRAPH + ", or none for hbase ycsb");
    }
    return client.equals(GRAPH);
  }

  /** Whether runs change the data. */
  boolean writes() {
    return Stream.of("updateproportion", "updatebatchproportion", "insertproportion",
      "readmodifywriteproportion").anyMatch(key -> number(key) > 0);
  }

  /** Whether operations read rows in different numbers. */
  boolean scans() {
    return number("scanproportion") > 0;
  }

  /**
   * Bytes of the rows in HFiles, without encoding, compression and replication.
   * @param rows null for the profile's own
   */
  double bytes(Long rows) {
    return (rows == null ? number("recordcount") : rows) * number("fieldcount")
      * (number("fieldlength") + CELL_OVERHEAD_BYTES
        + Math.max(0, number("zeropadding") - KEY_DIGITS));
  }

  String text(String key) {
    return values.getProperty(key, DEFAULTS.getOrDefault(key, "0")).strip();
  }

  double number(String key) {
    try {
      return Double.parseDouble(text(key));
    } catch (NumberFormatException e) {
      throw ToolException.usage("profile " + file + ": " + key + " is '" + text(key)
        + "', allowed: a number", e);
    }
  }

  /** {@code -p} options for {@code hbase ycsb}. */
  static List<String> options(Map<String, String> changes) {
    List<String> options = new ArrayList<>();
    changes.forEach((key, value) -> options.addAll(List.of("-p", key + "=" + value)));
    return options;
  }
}
