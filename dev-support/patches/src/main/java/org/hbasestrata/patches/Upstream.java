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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.hbasestrata.seams.SeamException;
import org.hbasestrata.seams.UpstreamJar;
import org.hbasestrata.tools.ToolException;

/** The release of upstream that this repository is built on, as dev-support/upstream found it. */
final class Upstream {
  private static final String BUILD = "; build first: mvn -B -DskipTests package";

  private final Path root;
  private final Path target;
  private final Properties build = new Properties();

  /** @param root of the checkout */
  Upstream(Path root) throws IOException {
    this.root = root;
    target = root.resolve("dev-support/upstream/target");
    build.load(Upstream.class.getResourceAsStream("build.properties"));
  }

  String version() {
    return build.getProperty("hbase.version");
  }

  /** The sources of a module, which are what is pinned. */
  UpstreamJar sources(String module) throws IOException {
    Path jar = target.resolve("sources/" + module + "-" + version() + "-sources.jar");
    if (!Files.isRegularFile(jar)) {
      throw ToolException.failed(jar + " is missing" + BUILD);
    }
    try {
      return new UpstreamJar(jar, root.resolve("dev-support/seams/upstream.sha256"));
    } catch (SeamException e) {
      throw ToolException.failed(e.getMessage());
    }
  }

  /** Upstream's jars, its test utilities and all that these need. */
  List<Path> classPath() throws IOException {
    Path file = target.resolve("class-path");
    if (!Files.isRegularFile(file)) {
      throw ToolException.failed(file + " is missing" + BUILD);
    }
    return List.of(Files.readString(file).strip().split(":")).stream().map(Path::of).toList();
  }
}
