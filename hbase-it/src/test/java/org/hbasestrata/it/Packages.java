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
package org.hbasestrata.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The tarballs under test, as the build has left them, and the means to unpack and run them. */
final class Packages {
  static final String VERSION = System.getProperty("strata.version");
  static final String UPSTREAM_VERSION = System.getProperty("upstream.version");
  static final List<String> PATCHED = List.of("hbase-common", "hbase-client", "hbase-server");

  private static final Path PACKAGES = Path.of(System.getProperty("strata.packages")).normalize();
  private static final Path TARGET = Path.of(System.getProperty("strata.target"));
  /** No other process of tests has it at the same time. */
  private static final int FORK = Integer.parseInt(System.getProperty("strata.fork"));
  private static final String BIN_NAME = System.getProperty("strata.bin.name");
  /** What to run the scripts with; null for what they find. */
  private static final String JAVA_HOME = System.getProperty("strata.java.home");
  private static final Path CHECKOUT = TARGET.resolve("../..").normalize();
  private static final long TIMEOUT_SECONDS = 900;
  private static Path dist;

  private Packages() {
  }

  static Path binTarball() {
    return PACKAGES.resolve(BIN_NAME + "-bin.tar.gz");
  }

  static Path jarsTarball() {
    return PACKAGES.resolve("hbase-strata-" + VERSION + "-jars.tar.gz");
  }

  /** Folder of upstream's three jars. */
  static Path stockJars() {
    return Path.of(System.getProperty("dev.directory"), "stock").normalize();
  }

  /** Upstream's jar of a patched module. */
  static Path stockJar(String module) {
    return stockJars().resolve(module + "-" + UPSTREAM_VERSION + ".jar");
  }

  /** Folder of the cluster that scripts bring up and talk to. */
  static Path clusterFolder() {
    return TARGET.resolve("cluster-" + FORK);
  }

  /** Folder of a module in the checkout. */
  static Path module(String module) {
    return CHECKOUT.resolve(module);
  }

  /** The patched jar of a module. */
  static Path patchedJar(String module) {
    return module(module).resolve("target/" + module + "-" + VERSION + ".jar");
  }

  /** The distribution, unpacked once for all tests of a process, which must not change it. */
  static synchronized Path dist() {
    if (dist == null) {
      try {
        Path folder = TARGET.resolve("dist-" + FORK);
        run(TARGET, "rm", "-rf", folder.toString());
        dist = unpack(binTarball(), Files.createDirectory(folder));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return dist;
  }

  /** Unpacks a tarball into a folder and returns the one folder that it held. */
  static Path unpack(Path tarball, Path into) throws IOException, InterruptedException {
    Result tar = run(into, "tar", "-xzf", tarball.toString());
    if (tar.exitCode != 0) {
      throw new IOException(tar.output);
    }
    List<Path> unpacked = list(into);
    if (unpacked.size() != 1) {
      throw new IOException(tarball + " should hold one folder, not " + unpacked);
    }
    return unpacked.get(0);
  }

  /** The entries of a folder, sorted by name. */
  static List<Path> list(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end, both its outputs taken as one. */
  static Result run(Path directory, String... command) throws IOException, InterruptedException {
    return run(directory, "", Map.of(), List.of(command));
  }

  /**
   * Runs a script of the checkout to its end.
   * @param environment variables to set besides
   * @param input       its standard input
   */
  static Result runScript(Map<String, String> environment, String input, String script,
    String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(CHECKOUT.resolve(script).toString()));
    command.addAll(List.of(arguments));
    return run(CHECKOUT, input, environment, command);
  }

  private static Result run(Path directory, String input, Map<String, String> environment,
    List<String> command) throws IOException, InterruptedException {
    Path in = Files.createTempFile("input", ".txt");
    Path out = Files.createTempFile("output", ".txt");
    try {
      Files.writeString(in, input);
      ProcessBuilder builder =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
          .redirectInput(in.toFile()).redirectOutput(out.toFile());
      // So that a cluster that a developer has up stays as it is.
      builder.environment().put("HBASE_STRATA_CLUSTER_DIR", clusterFolder().toString());
      if (JAVA_HOME != null) {
        builder.environment().put("JAVA_HOME", JAVA_HOME);
      }
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(String.join(" ", command) + " ran into the time limit:\n"
          + Files.readString(out));
      }
      return new Result(process.exitValue(), Files.readString(out));
    } finally {
      Files.delete(in);
      Files.delete(out);
    }
  }

  /** How a command ended, and what it printed. */
  record Result(int exitCode, String output) {
  }
}
