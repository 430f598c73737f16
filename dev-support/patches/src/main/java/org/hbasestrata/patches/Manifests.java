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

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.hbasestrata.seams.PatchFile;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.seams.YamlMapping;

/** Reads what the files of patches say, but for their seams. */
final class Manifests {
  private static final Set<String> FIX_KEYS = Set.of("in", "defect");
  private static final Pattern RELEASE = Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+");

  private Manifests() {
  }

  /** Returns the manifests in the order of their numbers. */
  static List<Manifest> read(List<PatchFile> files) throws SeamException {
    List<Manifest> manifests = new ArrayList<>();
    for (PatchFile file : files) {
      manifests.add(read(file));
    }
    manifests.sort(Comparator.comparing((Manifest m) -> m.id().replaceFirst("[0-9]+$", ""))
      .thenComparingInt(m -> m.id().length()).thenComparing(Manifest::id));
    return manifests;
  }

  private static Manifest read(PatchFile file) throws SeamException {
    YamlMapping content = file.content();
    if (content.get("seams") != null) {
      YamlMapping.of(content.get("seams"), content.where() + ", seams")
        .checkKeys(Set.copyOf(PatchSet.MODULES));
    }
    return new Manifest(file.name(), file.id(), content.required("title"),
      content.required("why").strip(), file.requires(),
      Manifest.isJira(file.id()) || content.has("upstream")
        ? content.required("upstream").strip()
        : null,
      content.has("fixes") ? fix(content) : null);
  }

  private static Manifest.Fix fix(YamlMapping content) throws SeamException {
    String where = content.where() + ", fixes";
    YamlMapping fix = YamlMapping.of(content.get("fixes"), where).checkKeys(FIX_KEYS);
    String release = fix.required("in");
    if (!release.equals(Manifest.Fix.NO_RELEASE) && !RELEASE.matcher(release).matches()) {
      throw new SeamException(where + ": 'in' is " + release + "; it must be the first release"
        + " without the defect, as 2.6.5, or " + Manifest.Fix.NO_RELEASE);
    }
    return new Manifest.Fix(release, fix.required("defect").strip());
  }
}
