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
package org.hbasestrata.patches;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.hbasestrata.patches.Verifier.Result;
import org.hbasestrata.seams.PatchFile;

/**
 * The patches that passed {@code patches verify}, each with a digest of what it then was, in
 * patches/verified.txt. A patch of which a file has changed since, or that is there for another
 * release of upstream, isn't among them.
 */
final class VerifiedPatches {
  static final String PATH = "patches/verified.txt";
  private static final String COMMENT = "#";

  private final PatchSet checkout;
  private final String upstreamVersion;
  private final Path file;
  private final StringBuilder head = new StringBuilder();
  private final Map<String, String> lines = new TreeMap<>();

  VerifiedPatches(PatchSet checkout, Upstream upstream) throws IOException {
    this.checkout = checkout;
    upstreamVersion = upstream.version();
    file = checkout.root().resolve(PATH);
    if (Files.exists(file)) {
      Files.readAllLines(file).forEach(this::read);
    }
  }

  private void read(String line) {
    if (line.isBlank() || line.startsWith(COMMENT)) {
      head.append(line).append('\n');
    } else {
      lines.put(line.substring(0, line.indexOf(' ')), line);
    }
  }

  /** Whether it passed as it is now. */
  boolean isNoted(Manifest manifest) throws IOException {
    String line = lines.get(manifest.id());
    return line != null && line.split(" +")[1].equals(digest(manifest));
  }

  /** Adds a patch that passed with its tests. */
  void add(Result result) throws IOException {
    Manifest manifest = result.manifest();
    lines.put(manifest.id(), "%-12s %s  %3d files, %3d tests passed, %2d skipped"
      .formatted(manifest.id(), digest(manifest), result.files(), result.tests(),
        result.skipped()));
    lines.keySet().removeIf(id -> checkout.manifests().stream().noneMatch(m -> m.id().equals(id)));
    Files.writeString(file, head + String.join("\n", lines.values()) + "\n");
  }

  private String digest(Manifest manifest) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    digest.update(upstreamVersion.getBytes(StandardCharsets.UTF_8));
    update(digest, "patches/" + manifest.name() + "/" + PatchFile.NAME);
    for (OwnClass own : checkout.files(manifest)) {
      update(digest, own.where());
    }
    return HexFormat.of().formatHex(digest.digest(), 0, 8);
  }

  private void update(MessageDigest digest, String path) throws IOException {
    digest.update(path.getBytes(StandardCharsets.UTF_8));
    digest.update(Files.readAllBytes(checkout.root().resolve(path)));
  }
}
