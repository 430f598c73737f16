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
package org.hbasestrata.jvm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The archive that {@code bin/hbase jvm train} makes, from which the JVM of a server starts warm:
 * with classes loaded and linked and, on JDK 25 and later, with profiles of hot methods.
 * <p>
 * JEP 483, 514, 515 (AOT cache) from JDK 25 on; JEP 350 (AppCDS) before.
 */
final class JvmArchive {
  /** The folder that archives are in; empty: none is used. */
  static final String FOLDER = "HBASE_JVM_ARCHIVE_DIR";
  private static final int AOT_SINCE = 25;
  private static final String RECORD = ".record";

  private final Jvm jvm;
  private final Path file;
  private final Path record;

  JvmArchive(Path folder, Jvm jvm) {
    this(jvm, folder.toAbsolutePath().resolve(isAot(jvm) ? "server.aot" : "server.jsa"));
  }

  private JvmArchive(Jvm jvm, Path file) {
    this.jvm = jvm;
    this.file = file;
    record = file.resolveSibling(file.getFileName() + RECORD);
  }

  /**
   * Returns the one that links lead to, whose files are checked and used whatever becomes of the
   * links. One that isn't there is this, and doesn't fit.
   */
  JvmArchive resolved() {
    try {
      return new JvmArchive(jvm, file.toRealPath());
    } catch (IOException e) {
      return this;
    }
  }

  private static boolean isAot(Jvm jvm) {
    return jvm.major() >= AOT_SINCE;
  }

  Path file() {
    return file;
  }

  /** Returns false if there is none for this kind of JVM. */
  boolean isMade() {
    return Files.exists(file) || Files.exists(record);
  }

  /** Returns the option that the JVM uses it by. */
  String option() {
    return (isAot(jvm) ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + file;
  }

  /** Returns the option by which a JVM makes an archive when it ends. */
  static String makingOption(Jvm jvm, String output) {
    return (isAot(jvm) ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + output;
  }

  /**
   * Returns why a server with these options can't use it, in words that follow "because"; null if
   * it can. Asks the JVM itself at last.
   * @param options  all options of the server that are computed or the operator's
   * @param modules  those that bin/hbase adds for the JDK's modules
   * @param operator those of the operator
   * @param home     the distribution
   */
  String misfit(List<String> options, List<String> modules, List<String> operator,
    ServerClassPath path, Path home) {
    for (String option : operator) {
      if (option.matches("-XX:(AOT|SharedArchiveFile|ArchiveClassesAtExit).*|-Xshare:.*")) {
        return option + " is set";
      }
      if (isAot(jvm) && option.matches("-agentlib:jdwp.*|-Xrunjdwp.*")) {
        return "the JVM uses none with " + option;
      }
    }
    try {
      String access = new WriteAccess(home).problem(file, record);
      if (access != null) {
        return access;
      }
      String misfit = ArchiveRecord.read(record).misfit(file, path, home);
      if (misfit != null) {
        return misfit;
      }
      List<String> asked = new ArrayList<>(modules);
      asked.addAll(ofModules(operator));
      asked.add(option());
      asked.add(isAot(jvm) ? "-XX:AOTMode=on" : "-Xshare:on");
      String refusal = jvm.refusal(options, asked, path.jarsFirst());
      return refusal == null ? null : "the JVM says: " + refusal;
    } catch (IOException | RuntimeException e) {
      // No reason not to start.
      return "it can't be checked: " + ServerTool.oneLine(e);
    }
  }

  /** Puts an archive that was just made, and its record, in the place of the one before. */
  void put(Path made, ServerClassPath path) throws IOException {
    Path madeRecord = made.resolveSibling(made.getFileName() + RECORD);
    ArchiveRecord.of(made, path.jars()).write(madeRecord);
    for (Path own : Arrays.asList(made, madeRecord)) {
      Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("r--r--r--"));
    }
    // One that is used meanwhile stays what it is. Between these two it would be left out. The
    // record comes first: an archive without one isn't known to be ours.
    move(madeRecord, record);
    move(made, file);
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Returns the options of the server that an archive is made by: those of the operator that the
   * archive depends on, with no agent, port or file among them, and no C2 where the archive has
   * nothing of what is compiled.
   * @param compressedOops whether a server's heap is small enough for pointers of 4 bytes
   */
  static List<String> trainingOptions(Jvm jvm, List<String> operator, boolean compressedOops) {
    List<String> options = new ArrayList<>();
    if (!isAot(jvm)) {
      options.add("-XX:TieredStopAtLevel=1");
    }
    for (String option : operator) {
      if (option.matches("-XX:[+-](?!AOT|Auto|Record|FlightRecorder|UseCompressedOops)\\w+"
        + "|-XX:ObjectAlignmentInBytes=\\d+")) {
        options.add(option);
      }
    }
    options.addAll(ofModules(operator));
    if (!compressedOops) {
      options.add("-XX:-UseCompressedOops");
    }
    return options;
  }

  /** Returns the operator's options for modules, with those modules that other options bring. */
  private static List<String> ofModules(List<String> operator) {
    List<String> options = new ArrayList<>();
    TreeSet<String> modules = new TreeSet<>();
    for (String option : operator) {
      if (option.startsWith("--")) {
        options.add(option);
      } else if (option.startsWith("-javaagent:")) {
        modules.add("java.instrument");
      } else if (option.startsWith("-Dcom.sun.management")) {
        modules.add("jdk.management.agent");
      } else if (option.matches("-XX:(StartFlightRecording|\\+FlightRecorder).*")) {
        modules.add("jdk.jfr");
      }
    }
    if (!modules.isEmpty()) {
      options.add("--add-modules=" + String.join(",", modules));
    }
    return options;
  }
}
