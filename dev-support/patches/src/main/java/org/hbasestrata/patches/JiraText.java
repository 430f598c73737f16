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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What to file for a patch that goes upstream and has no JIRA: fields, then the description. */
final class JiraText {
  /** The components of upstream's JIRA by what a class name contains; the first one counts. */
  private static final Map<String, String> COMPONENTS = new LinkedHashMap<>();
  static {
    COMPONENTS.put(".bucket.", "BucketCache");
    COMPONENTS.put(".hfile.HFile", "HFile");
    COMPONENTS.put(".hfile.", "BlockCache");
    COMPONENTS.put(".protobuf.", "Protobufs");
    COMPONENTS.put(".client.", "Client");
    COMPONENTS.put(".filter.", "Filters");
    COMPONENTS.put(".ipc.", "rpc");
    COMPONENTS.put(".master.", "master");
    COMPONENTS.put(".mob.", "mob");
    COMPONENTS.put(".quotas.", "Quotas");
    COMPONENTS.put(".replication.", "Replication");
    COMPONENTS.put(".security.", "security");
    COMPONENTS.put(".snapshot.", "snapshots");
    COMPONENTS.put(".wal.", "wal");
    COMPONENTS.put(".regionserver.", "regionserver");
  }

  /** More than any paragraph has. */
  private static final int LINE = 1 << 20;

  private final PatchSet checkout;
  private final Manifest manifest;
  private final String version;

  /** @param version of upstream that has what the patch changes */
  JiraText(PatchSet checkout, Manifest manifest, String version) {
    this.checkout = checkout;
    this.manifest = manifest;
    this.version = version;
  }

  /** A paragraph is one line, since a line's end is a line's end in JIRA. */
  private static String paragraphs(String text) {
    return Text.wrapped(text, LINE) + "\n";
  }

  private String components() {
    Set<String> names = new TreeSet<>();
    seamClasses().forEach(name -> COMPONENTS.entrySet().stream()
      .filter(component -> name.contains(component.getKey())).findFirst()
      .ifPresent(component -> names.add(component.getValue())));
    return String.join(", ", names);
  }

  private Stream<String> seamClasses() {
    return PatchSet.MODULES.stream().flatMap(module -> checkout.seams(module).stream())
      .filter(patch -> patch.id().equals(manifest.id()))
      .flatMap(patch -> patch.seams().stream())
      .map(seam -> seam.anchor().sourcePath().replace('/', '.'));
  }

  /** The text; who files it reads the first paragraph, and leaves that out. */
  String text() {
    boolean mends = manifest.fix() != null;
    List<Key> keys = checkout.keys(manifest);
    StringBuilder text = new StringBuilder("Before it is filed: ")
      .append(paragraphs(manifest.upstream())).append("\nSummary: ").append(manifest.title())
      .append("\nType: ").append(mends && keys.isEmpty() ? "Bug" : "Improvement")
      .append("\nAffects versions: ").append(version).append('\n');
    String components = components();
    if (!components.isEmpty()) {
      text.append("Components: ").append(components).append('\n');
    }
    text.append('\n');
    if (mends) {
      text.append(paragraphs(manifest.fix().defect())).append('\n');
    }
    text.append(paragraphs(manifest.why()));
    if (!keys.isEmpty()) {
      text.append("\nh3. Configuration\n\n");
      keys.forEach(key -> text.append("* {{").append(key.name()).append("}}, by default ")
        .append(key.byDefault()).append(": ").append(paragraphs(key.text())));
    }
    List<String> tests = checkout.tests(manifest).stream().map(OwnClass::simpleName)
      .filter(name -> name.startsWith("Test")).sorted().toList();
    if (!tests.isEmpty()) {
      text.append("\nh3. Tests\n\n").append(String.join(", ", tests));
      if (mends) {
        text.append(tests.size() == 1 ? ", which fails" : ", at least one of which fails")
          .append(" without the change");
      }
      text.append(".\n");
    }
    if (!manifest.requires().isEmpty()) {
      text.append("\nh3. Builds on\n\n");
      manifest.requires().stream().map(checkout::manifest)
        .forEach(other -> text.append("* ").append(other.subject()).append('\n'));
    }
    return text.toString();
  }
}
