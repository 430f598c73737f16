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
package org.hbasestrata.ycsb;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * What to load or run: a file of keys and what the command line says instead of some of them. Every
 * key and value is checked when it is set. Not thread-safe; not changed once a run has begun.
 */
final class Profile {
  /** So many operations are left when a run is scaled down, or the profile's if it has fewer. */
  private static final long LEAST_SCALED_OPERATIONS = 10_000;
  private static final int MOST_TYPING_ERRORS = 2;
  private static final int LEAST_BEGINNING = 4;
  private static final String SUFFIX = ".properties";

  private final String name;
  /** Key to value, as written. */
  private final Map<String, String> values = new TreeMap<>();
  /** Where a key was set: a file or an option. */
  private final Map<String, String> origins = new HashMap<>();
  private final String file;
  private String rowsOfFile;
  private long unscaledOperations;

  private Profile(Path file) {
    this.name = nameOf(file);
    this.file = file.toString();
  }

  /**
   * Reads a profile.
   * @param nameOrPath a profile's name, or a path (what holds a / or ends in .properties)
   * @param folders    where names are looked up, in this order
   */
  static Profile read(String nameOrPath, List<Path> folders) {
    Path file = find(nameOrPath, folders);
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw ToolException.usage("profile " + file + " can't be read: " + ToolException.oneLine(e));
    }
    Profile profile = new Profile(file);
    for (String key : properties.stringPropertyNames()) {
      profile.set(key, properties.getProperty(key), profile.file);
    }
    profile.rowsOfFile = profile.text(Key.ROWS);
    return profile;
  }

  private static Path find(String nameOrPath, List<Path> folders) {
    if (nameOrPath.contains("/") || nameOrPath.endsWith(SUFFIX)) {
      Path file = Path.of(nameOrPath);
      if (!Files.isRegularFile(file)) {
        throw ToolException.usage("no such profile file: " + file);
      }
      return file;
    }
    for (Path folder : folders) {
      Path file = folder.resolve(nameOrPath + SUFFIX);
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    List<String> known = list(folders).stream().map(Profile::nameOf).toList();
    throw ToolException.usage("no profile '" + nameOrPath + "' in " + folders + "; there are: "
      + (known.isEmpty() ? "none" : String.join(", ", known)));
  }

  /** The profile files of {@code folders} by name; the first folder's wins. */
  static List<Path> list(List<Path> folders) {
    Map<String, Path> files = new TreeMap<>();
    for (Path folder : folders) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> entries = Files.list(folder)) {
          entries.filter(p -> p.toString().endsWith(SUFFIX))
            .forEach(p -> files.putIfAbsent(nameOf(p), p));
        } catch (IOException e) {
          throw ToolException.usage("can't list " + folder + ": " + ToolException.oneLine(e));
        }
      }
    }
    return List.copyOf(files.values());
  }

  static String nameOf(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(SUFFIX) ? name.substring(0, name.length() - SUFFIX.length()) : name;
  }

  String name() {
    return name;
  }

  /**
   * Sets a key.
   * @param origin where the value comes from, for the error message
   * @throws ToolException for an unknown key or a value that isn't allowed
   */
  void set(String key, String value, String origin) {
    String trimmed = value.strip();
    if (!isForHBaseClient(key)) {
      Key known = Key.named(key);
      if (known == null) {
        throw ToolException.usage(origin + ": unknown key '" + key + "'" + nearest(key)
          .map(near -> ", did you mean '" + near + "'?")
          .orElseGet(() -> "; there are: " + String.join(", ", Key.texts()) + ".")
          + " Keys of the HBase client start with hbase. or zookeeper.");
      }
      String allowed = known.problemWith(trimmed);
      if (allowed != null) {
        throw ToolException.usage(origin
          + (origin.startsWith("--") && origin.equals(optionOf(known)) ? "" : ": " + key)
          + " is '" + trimmed + "', allowed: " + allowed);
      }
    }
    values.put(key, trimmed);
    origins.put(key, origin);
  }

  /** Sets a key from its command line option. */
  void set(Key key, String value) {
    set(key.text(), value, optionOf(key));
  }

  /** The option for {@code key}, or {@code -p} where it has none of its own. */
  static String optionOf(Key key) {
    return switch (key) {
      case ROWS -> "--rows";
      case OPERATIONS -> "--operations";
      case THREADS -> "--threads";
      case DISTRIBUTION -> "--distribution";
      case TARGET -> "--target";
      case MULTIGET_BATCH -> "--batch";
      case TABLE -> "--table";
      case REGIONS -> "--regions";
      default -> "-p";
    };
  }

  private static boolean isForHBaseClient(String key) {
    return key.startsWith("hbase.") || key.startsWith("zookeeper.");
  }

  /** The key that was likely meant: a typing error away, or begun so. */
  private static Optional<String> nearest(String key) {
    String lower = key.toLowerCase(Locale.ROOT);
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return Key.texts().stream()
      .filter(k -> distance.apply(lower, k) <= MOST_TYPING_ERRORS
        || lower.length() >= LEAST_BEGINNING && k.startsWith(lower))
      .min(Comparator.comparingInt(k -> distance.apply(lower, k)));
  }

  /** Checks what several keys must satisfy together. */
  void check() {
    if (text(Key.ROWS).isEmpty()) {
      throw ToolException.usage("profile " + name + " says no " + Key.ROWS.text()
        + ": set it there or give --rows");
    }
    long start = number(Key.INSERT_START);
    if (start + insertCount() > number(Key.ROWS)) {
      throw ToolException.usage(where(Key.INSERT_COUNT) + "insertstart + insertcount is "
        + (start + insertCount()) + ", allowed: at most recordcount, " + number(Key.ROWS));
    }
    if (insertCount() < 1) {
      throw ToolException.usage(where(Key.INSERT_START) + "insertstart is " + start
        + ", allowed: less than recordcount, " + number(Key.ROWS));
    }
    if (number(Key.MIN_SCAN) > number(Key.MAX_SCAN)) {
      throw ToolException.usage(where(Key.MIN_SCAN) + "minscanlength is " + number(Key.MIN_SCAN)
        + ", allowed: at most maxscanlength, " + number(Key.MAX_SCAN));
    }
    if (flag(Key.VERIFY) && text(Key.READ_FILTER).equals(HBaseClient.COLUMN_PART)) {
      throw ToolException.usage(where(Key.READ_FILTER) + "readfilter is " + text(Key.READ_FILTER)
        + ", which reads a part of each row; allowed with --verify: another one");
    }
    if (flag(Key.VERIFY) && !text(Key.SCAN_KIND).equals(HBaseClient.ROWS)) {
      throw ToolException.usage(where(Key.SCAN_KIND) + "scankind is " + text(Key.SCAN_KIND)
        + ", which keeps no rows; allowed with --verify: " + HBaseClient.ROWS);
    }
    if (flag(Key.VERIFY) && text(Key.UPDATE_KIND).equals(HBaseClient.INCREMENT)) {
      throw ToolException.usage(where(Key.UPDATE_KIND) + "updatekind is " + text(Key.UPDATE_KIND)
        + ", which adds a column to rows; allowed with --verify: " + HBaseClient.PUT + ", "
        + HBaseClient.CHECK_AND_PUT);
    }
    List<Key> shares = List.of(Key.READ_SHARE, Key.UPDATE_SHARE, Key.INSERT_SHARE, Key.SCAN_SHARE,
      Key.READ_MODIFY_WRITE_SHARE, Key.MULTIGET_SHARE, Key.UPDATE_BATCH_SHARE);
    double sum = shares.stream().mapToDouble(k -> Double.parseDouble(text(k))).sum();
    if (Math.abs(sum - 1) > 0.001) {
      List<String> parts = new ArrayList<>();
      shares.forEach(k -> parts.add(k.text() + "=" + text(k)));
      throw ToolException.usage("profile " + name + ": the proportions add up to " + sum
        + ", allowed: 1 (" + String.join(", ", parts) + ")");
    }
  }

  /**
   * Lowers the operations of a run in proportion when it is given fewer rows than the file says
   * and no end of its own.
   */
  void scaleOperations() {
    long operations = number(Key.OPERATIONS);
    if (rowsOfFile.isEmpty() || isOverridden(Key.OPERATIONS) || isOverridden(Key.SECONDS)) {
      return;
    }
    double share = (double) number(Key.ROWS) / Long.parseLong(rowsOfFile);
    long scaled = Math.max(LEAST_SCALED_OPERATIONS, (long) Math.ceil(operations * share));
    if (scaled < operations) {
      unscaledOperations = operations;
      values.put(Key.OPERATIONS.text(), Long.toString(scaled));
    }
  }

  /** The operations that the file says, where {@link #scaleOperations()} lowered them; else 0. */
  long unscaledOperations() {
    return unscaledOperations;
  }

  /** Whether a key was set by anything but the file. */
  boolean isOverridden(Key key) {
    String origin = origins.get(key.text());
    return origin != null && !origin.equals(file);
  }

  private String where(Key key) {
    String origin = origins.get(key.text());
    return (origin == null ? "profile " + name : origin) + ": ";
  }

  String text(Key key) {
    return values.getOrDefault(key.text(), key.defaultValue());
  }

  long number(Key key) {
    return Long.parseLong(text(key));
  }

  boolean flag(Key key) {
    return Boolean.parseBoolean(text(key));
  }

  /** The number of rows that a load writes and that reads choose from. */
  long insertCount() {
    String count = text(Key.INSERT_COUNT);
    return count.isEmpty() ? number(Key.ROWS) - number(Key.INSERT_START) : Long.parseLong(count);
  }

  /** Everything set, for YCSB and for the HBase client: a copy. */
  Properties properties() {
    Properties properties = new Properties();
    properties.putAll(values);
    return properties;
  }
}
