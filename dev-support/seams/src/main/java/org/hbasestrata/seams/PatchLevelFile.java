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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a patched jar says of itself: properties in META-INF/patch-level with its version,
 * upstream's version and the patches in it; and a line in upstream's NOTICE, as changed files need
 * by their licence.
 * @param module          artifact's name
 * @param version         of the patched jar
 * @param upstreamVersion of the jar that it replaces
 * @param patches         with seams in this module
 */
record PatchLevelFile(String module, String version, String upstreamVersion, List<Patch> patches) {

  void write(Path classes) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("version=" + version);
    lines.add("upstream=" + upstreamVersion);
    lines.add("patches=" + patches.stream().map(Patch::id).collect(Collectors.joining(",")));
    for (Patch patch : patches) {
      lines.add(patch.id() + "=" + patch.title());
    }
    Path file = classes.resolve("META-INF/patch-level/" + module + ".properties");
    Files.createDirectories(file.getParent());
    Files.write(file, lines);
    Files.writeString(classes.resolve("META-INF/NOTICE"),
      "\nThis is a modified version of " + module + " " + upstreamVersion
        + ", made by HBase Strata ("
        + version + ").\n",
      StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
