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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The JVM that the server will run on, which also runs this program. */
class Jvm {
  private static final Pattern FLAG =
    Pattern.compile("\\s*\\S+\\s+(\\w+)\\s*:?=\\s*(.*?)\\s*\\{.*");
  private static final List<String> UNLOCK =
    Arrays.asList("-XX:+UnlockExperimentalVMOptions", "-XX:+UnlockDiagnosticVMOptions");
  /** Lines that introduce an error without describing it. */
  private static final Pattern INTRODUCTION = Pattern.compile(
    "Error: (Could not create|A fatal exception).*|(NOTE: )?Picked up .*|\\[.*|.*\\bwarning: .*");
  /** What begins a line of the JVM's log. */
  private static final Pattern DECORATION = Pattern.compile("^(\\[[^]]*])+");
  /** Lines about an archive that say no more than that something is wrong. */
  private static final Pattern GENERAL = Pattern.compile("|#.*|An error has occurred while.*"
    + "|Loading static archive failed\\.|Unable to (map|use) .*|Error occurred during.*");
  /** In no option. */
  private static final String NO_LOG = "\0";

  /** Variables with options for any JVM, such as agents or a heap, that only the server may get. */
  private static final List<String> VARIABLES =
    Arrays.asList("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private final Path home;
  private final String version;
  private final int major;
  private Map<String, String> all;

  Jvm() {
    this(Paths.get(System.getProperty("java.home")), System.getProperty("java.version"));
  }

  /** @param version such as 1.8.0_472 or 17.0.15 */
  Jvm(Path home, String version) {
    this.home = home;
    this.version = version;
    this.major = Integer.parseInt(version.replaceFirst("^1\\.", "").replaceFirst("\\D.*", ""));
  }

  int major() {
    return major;
  }

  @Override
  public String toString() {
    return "JDK " + version + " (" + home + ")";
  }

  /** Returns true if the JVM has this -XX flag. */
  boolean has(String flag) {
    if (all == null) {
      List<String> command = new ArrayList<>(UNLOCK);
      all = flags(command);
    }
    return all.containsKey(flag);
  }

  /**
   * Starts the JVM with options that touch no memory and keep no file, and lets it end. It writes
   * to a temporary folder, or to one beside the log if there can't be a temporary one.
   * @param gcLog path of the GC log in the options
   * @return all flags by name, with the values that the JVM gives them
   * @throws JvmException if it doesn't start; the message is the JVM's reason
   */
  Map<String, String> check(List<String> options, String gcLog) {
    Path folder = null;
    try {
      folder = makeFolder(Paths.get(System.getProperty("java.io.tmpdir")),
        Paths.get(gcLog).toAbsolutePath().getParent());
      List<String> checked = new ArrayList<>();
      for (String option : options) {
        if (!isLeftOut(option, gcLog)) {
          checked.add(option.replace(gcLog, folder.resolve("gc.log").toString()));
        }
      }
      checked.add("-XX:-AlwaysPreTouch");
      return flags(checked);
    } catch (IOException e) {
      throw new JvmException("no temporary folder can be made: " + e);
    } finally {
      delete(folder);
    }
  }

  /**
   * Starts the JVM with options that touch no memory and keep no file, and lets it end.
   * @param options those of a server
   * @param more    more of them, which win
   * @return why it doesn't start, in its words; null if it does
   */
  String refusal(List<String> options, List<String> more, String classPath) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/java").toString());
    for (String option : options) {
      if (!isLeftOut(option, NO_LOG) && !Options.isGcLog(option)) {
        command.add(option);
      }
    }
    command.addAll(more);
    command.addAll(Arrays.asList("-XX:-AlwaysPreTouch", "-cp", classPath, "-version"));
    List<String> lines = new ArrayList<>();
    if (run(command, lines) == 0) {
      return null;
    }
    return lines.stream().map(line -> DECORATION.matcher(line).replaceFirst("").trim())
      .filter(line -> !GENERAL.matcher(line).matches()).findFirst().orElse("it can't be used");
  }

  /** Makes a temporary folder in the first folder, or else in the second. */
  static Path makeFolder(Path first, Path second) throws IOException {
    try {
      return Files.createTempDirectory(first, "hbase-jvm");
    } catch (IOException e) {
      return Files.createTempDirectory(second, "hbase-jvm");
    }
  }

  /** Returns true for the operator's agents, recordings and logs, and for preallocated memory. */
  private static boolean isLeftOut(String option, String gcLog) {
    return !option.startsWith("-X") || option.startsWith("-Xms") || option.startsWith("-Xrun")
      || option.startsWith("-Xdebug") || option.startsWith("-Xbootclasspath")
      || (option.startsWith("-Xlog") && !option.contains(gcLog) && !option.equals("-Xlog:async"))
      || option.matches("-XX:(StartFlightRecording|FlightRecorder|Archive|AOT|SharedArchive"
        + "|Dump|Flags|VMOptionsFile|InitialHeapSize|MinHeapSize).*");
  }

  private Map<String, String> flags(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/java").toString());
    command.addAll(options);
    command.addAll(Arrays.asList("-XX:+PrintFlagsFinal", "-version"));
    List<String> lines = new ArrayList<>();
    int code = run(command, lines);
    Map<String, String> flags = new HashMap<>();
    for (String line : lines) {
      Matcher matcher = FLAG.matcher(line);
      if (matcher.matches()) {
        flags.put(matcher.group(1), matcher.group(2));
      }
    }
    if (code != 0 || flags.isEmpty()) {
      throw new JvmException(home + "/bin/java (JDK " + version + ") doesn't start with these"
        + " options: " + reason(lines));
    }
    return flags;
  }

  private static int run(List<String> command, List<String> lines) {
    // Nobody looks at the counters of a JVM that ends at once.
    command.add(1, "-XX:-UsePerfData");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeAll(VARIABLES);
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      lines.addAll(Arrays.asList(read(process.getInputStream()).split("\n")));
      return process.waitFor();
    } catch (IOException e) {
      throw new JvmException(command.get(0) + " can't be run: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new JvmException("interrupted");
    }
  }

  private static String read(InputStream in) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      out.write(buffer, 0, read);
    }
    return new String(out.toByteArray(), Charset.defaultCharset());
  }

  private static String reason(List<String> lines) {
    return lines.stream().map(String::trim)
      .filter(line -> !line.isEmpty() && !FLAG.matcher(line).matches()
        && !INTRODUCTION.matcher(line).matches())
      .findFirst().orElseGet(() -> lines.isEmpty() ? "it says nothing" : lines.get(0).trim());
  }

  private static void delete(Path folder) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // A small file left in the temporary folder is no reason not to start.
    }
  }
}
