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

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * What a server is started with so that its JVM uses or makes a {@link JvmArchive}: an option, and
 * a class path of its own. Immutable.
 */
final class WarmStart {
  /** For bin/jvm-train: the file that the server makes an archive in when it ends. */
  private static final String OUTPUT = "HBASE_JVM_ARCHIVE_OUTPUT";
  private static final WarmStart NONE = new WarmStart(null, null, null);

  private final String option;
  private final String classPath;
  private final String remark;

  private WarmStart(String option, String classPath, String remark) {
    this.option = option;
    this.classPath = classPath;
    this.remark = remark;
  }

  /** Returns what there is for a server; an archive that doesn't fit is a remark, and no more. */
  static WarmStart of(Request request, Plan plan, Map<String, String> environment, Jvm jvm) {
    if (request.classPath.isEmpty()) {
      return NONE;
    }
    ServerClassPath path = new ServerClassPath(request.classPath, request.classPathRest);
    String output = environment.getOrDefault(OUTPUT, "");
    if (!output.isEmpty()) {
      return new WarmStart(JvmArchive.makingOption(jvm, output), path.ofJars(), null);
    }
    String folder = environment.getOrDefault(JvmArchive.FOLDER, "");
    if (folder.isEmpty() || request.role.equals("zookeeper")) {
      return NONE;
    }
    JvmArchive archive = new JvmArchive(Paths.get(folder), jvm);
    if (!archive.isMade()) {
      return NONE;
    }
    archive = archive.resolved();
    Path home = Paths.get(environment.getOrDefault("HBASE_HOME", "."));
    String misfit =
      archive.misfit(plan.options(true), request.modules, request.operator, path, home);
    return misfit == null ? new WarmStart(archive.option(), path.jarsFirst(), null)
      : new WarmStart(null, null, "JVM archive " + archive.file() + " is left out, because "
        + misfit + "; bin/hbase jvm train makes one that fits");
  }

  /** Returns options for the JVM. */
  List<String> options() {
    return option == null ? Collections.emptyList() : Collections.singletonList(option);
  }

  /** Returns the class path of a server with the option; null without it. */
  String classPath() {
    return classPath;
  }

  /** Returns why there is an archive and no option. */
  List<String> remarks() {
    return remark == null ? Collections.emptyList() : Collections.singletonList(remark);
  }

  /** Returns the option with its reason, for people to read. */
  List<String> describe() {
    return option == null ? Collections.emptyList() : Arrays.asList("",
      "# The archive of bin/hbase jvm train, from which the JVM starts warm.", option);
  }
}
