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
package org.hbasestrata.tools;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the options of all tools have in common. */
public final class Options {
  private static final DateTimeFormatter STAMP =
    DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

  private Options() {
  }

  /** Throws unless an option is right. */
  public static void check(String option, boolean right, Object value, String allowed) {
    if (!right) {
      throw ToolException.usage(option + " is '" + value + "', allowed: " + allowed);
    }
  }

  /**
   * Where results go, which must be absent or empty.
   * @param out    {@code --out}; null for a new folder
   * @param parent of that folder
   * @param prefix what its name has before the time
   */
  public static Path out(Path out, Path parent, String prefix) {
    Path folder = out == null ? parent.resolve(prefix + STAMP.format(LocalDateTime.now()))
      : out.toAbsolutePath().normalize();
    check("--out", (out == null || !out.toString().isEmpty())
      && (!Files.exists(folder) || Files.isDirectory(folder)) && Folders.isEmpty(folder), folder,
      "a directory that is empty or not there");
    return folder;
  }

  /**
   * Throws if a file is there that must not be written over: one that is neither empty nor of an
   * earlier run.
   * @param begin what the tool's files begin with
   */
  public static void checkFile(String option, Path file, String begin) throws IOException {
    if (Files.exists(file)) {
      String found = null;
      if (Files.isRegularFile(file)) {
        try (InputStream in = Files.newInputStream(file)) {
          found = new String(in.readNBytes(begin.length()), StandardCharsets.UTF_8);
        }
      }
      check(option, "".equals(found) || begin.equals(found), file,
        "a file that isn't there, or has results of an earlier run");
    }
  }

  /** A command line as a shell takes it. */
  public static String command(String tool, List<String> typed) {
    return Stream.concat(Stream.of(tool), typed.stream())
      .map(word -> word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word
        : "'" + word.replace("'", "'\\''") + "'")
      .collect(Collectors.joining(" "));
  }
}
