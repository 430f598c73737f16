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
package org.hbasestrata.seams;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** A jar of upstream's. What the build is made from is known by its checksum. */
public final class UpstreamJar {
  private final Path file;

  /**
   * Takes a jar after comparing it with its pin.
   * @param pins file in the format of {@code sha256sum}, one line per jar
   */
  public UpstreamJar(Path file, Path pins) throws IOException, SeamException {
    this.file = file;
    String actual = sha256(file);
    String pinned = pinned(pins, file.getFileName().toString());
    if (!actual.equals(pinned)) {
      throw new SeamException(file + " is not the pinned jar: its SHA-256 is "
        + actual + ", " + pins
        + " says " + pinned + ". Delete it to have it downloaded again, or pin the new one.");
    }
  }

  private UpstreamJar(Path file) {
    this.file = file;
  }

  /** Takes a jar as it is: one that nothing is built from. */
  public static UpstreamJar unpinned(Path file) {
    return new UpstreamJar(file);
  }

  private static String pinned(Path pins, String name) throws IOException, SeamException {
    List<String> lines = Files.readAllLines(pins);
    return lines.stream().map(line -> line.trim().split("\\s+\\*?"))
      .filter(fields -> fields.length == 2 && fields[1].equals(name)).map(fields -> fields[0])
      .findFirst().orElseThrow(() -> new SeamException(pins + " has no line for " + name));
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Text of a source file in the jar. */
  public String source(String path) throws IOException, SeamException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry entry = zip.getEntry(path);
      if (entry == null) {
        throw new SeamException(file.getFileName() + " has no " + path);
      }
      try (InputStream in = zip.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }

  /** Writes the entries that are wanted below a folder, which must not hold them yet. */
  public void unpack(Path folder, Predicate<String> wanted) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements();) {
        ZipEntry entry = all.nextElement();
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
          throw new UncheckedIOException(
            new IOException(file + ": entry " + entry.getName() + " leads outside"));
        }
        if (!entry.isDirectory() && wanted.test(entry.getName())) {
          Files.createDirectories(target.getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, target);
          }
        }
      }
    }
  }
}
