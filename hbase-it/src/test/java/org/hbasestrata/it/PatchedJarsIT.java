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
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.Test;

/** A patched jar replaces upstream's one for one. */
public class PatchedJarsIT {
  /** Upstream's entries that a jar has of its own. */
  private static final String OWN = "META-INF/(MANIFEST\\.MF|NOTICE|maven/.*)";

  private static TreeMap<String, byte[]> content(Path jar) throws IOException {
    TreeMap<String, byte[]> content = new TreeMap<>();
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      zip.stream().filter(entry -> !entry.isDirectory() && !entry.getName().matches(OWN))
        .forEach(entry -> content.put(entry.getName(), bytes(zip, entry)));
    }
    return content;
  }

  private static byte[] bytes(ZipFile zip, ZipEntry entry) {
    try {
      return zip.getInputStream(entry).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> patchedSources(String module) throws IOException {
    try (Stream<Path> sources =
      Files.walk(Packages.module(module).resolve("target/generated-sources/seams"))) {
      return sources.map(Path::toString).filter(name -> name.endsWith(".java"))
        .map(name -> name.replaceFirst(".*/seams/", "").replaceFirst("\\.java$", ""))
        .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  public void holdsAllOfUpstreamsAndDiffersInPatchedClassesOnly() throws Exception {
    for (String module : Packages.PATCHED) {
      TreeMap<String, byte[]> ours = content(Packages.patchedJar(module));
      TreeMap<String, byte[]> upstreams = content(Packages.stockJar(module));
      assertThat(ours.keySet()).as(module).containsAll(upstreams.keySet());
      Set<String> changed = upstreams.entrySet().stream()
        .filter(entry -> !Arrays.equals(entry.getValue(), ours.get(entry.getKey())))
        .map(entry -> entry.getKey().replaceFirst("(\\$.*)?\\.class$", ""))
        .collect(Collectors.toCollection(TreeSet::new));
      assertThat(changed).as(module).isEqualTo(patchedSources(module));
    }
  }

  @Test
  public void classesRunOnJava8() throws Exception {
    for (String module : Packages.PATCHED) {
      assertThat(content(Packages.patchedJar(module))).as(module).allSatisfy((name, bytes) -> {
        if (name.endsWith(".class")) {
          assertThat(bytes[7]).as(name).isLessThanOrEqualTo((byte) 52);
        }
      });
    }
  }
}
