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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.tools.ToolProvider;

/*
 * Of hbase-client upstream publishes no tests jar, but the tests' sources. They are unpacked and
 * compiled below target/, against what is tested. The configuration in that jar is left out: it
 * would hide that of the arms.
 */

/** The tests of hbase-client. */
final class ClientTests {
  private ClientTests() {
  }

  /**
   * Compiles the tests.
   * @param jar    with the sources
   * @param pins   file in the format of {@code sha256sum}, one line per jar
   * @param folder takes sources and classes
   * @return the folder of the classes
   */
  static Path compile(Path jar, Path pins, String classPath, Path folder) throws IOException {
    check(jar, pins);
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> arguments = new ArrayList<>(List.of("-nowarn", "-XDsuppressNotes", "-proc:none",
      "--release", "8", "-encoding", "UTF-8", "-cp", classPath, "-d", classes.toString()));
    unpack(jar, folder.resolve("sources")).forEach(source -> arguments.add(source.toString()));
    int code = ToolProvider.getSystemJavaCompiler().run(null, System.err, System.err,
      arguments.toArray(String[]::new));
    if (code != 0) {
      throw new IllegalStateException(jar + " can't be compiled; javac says above why");
    }
    return classes;
  }

  private static List<Path> unpack(Path jar, Path folder) throws IOException {
    List<Path> sources = new ArrayList<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements();) {
        ZipEntry entry = all.nextElement();
        if (entry.getName().endsWith(".java")) {
          Path source = folder.resolve(entry.getName());
          Files.createDirectories(source.getParent());
          Files.write(source, zip.getInputStream(entry).readAllBytes());
          sources.add(source);
        }
      }
    }
    return sources;
  }

  private static void check(Path jar, Path pins) throws IOException {
    String line = sha256(jar) + "  " + jar.getFileName();
    if (!Files.readAllLines(pins).contains(line)) {
      throw new IllegalArgumentException(jar + " is not the pinned jar: " + pins + " has no line \""
        + line + "\". Delete it to have it downloaded again, or pin the new one");
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      return HexFormat.of().formatHex(
        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
