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
package org.hbasestrata.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hbasestrata.tools.Folders;
import org.hbasestrata.tools.Program;
import org.hbasestrata.tools.ToolException;

/**
 * One side of the comparison: its name and the class path that its JVMs run on. Both arms have the
 * same benchmarks and libraries, and the classes of HBase under the same names.
 */
record Arm(String name, List<Path> classPath) {
  private static final Pattern REPLACED_JAR =
    Pattern.compile("(hbase-(?:common|client|server))-[0-9].*\\.jar");
  private static final int REPLACED_JARS = 3;

  /** @param target the build's output folder of this module */
  static List<Arm> both(Path target) throws IOException {
    Path file = target.resolve("class-path");
    if (!Files.isRegularFile(file)) {
      throw missing(file.toString());
    }
    List<Path> strata = new ArrayList<>();
    strata.add(Program.classesOf(Arm.class));
    Stream.of(Files.readString(file).strip().split(File.pathSeparator)).map(Path::of)
      .forEach(strata::add);
    for (Path entry : strata) {
      if (!Files.exists(entry)) {
        throw missing(entry.toString());
      }
    }
    return List.of(new Arm("stock", withStockJars(strata, target.resolve("stock"))),
      new Arm("strata", List.copyOf(strata)));
  }

  private static ToolException missing(String path) {
    return ToolException.usage(path + " is missing; build it: mvn -B -DskipTests"
      + " -pl dev-support/benchmarks -am package");
  }

  /** Returns {@code strata} with upstream's jars in the places of the patched ones. */
  private static List<Path> withStockJars(List<Path> strata, Path stock) throws IOException {
    List<Path> classPath = new ArrayList<>(strata);
    int replaced = 0;
    for (int i = 0; i < classPath.size(); i++) {
      Matcher matcher = REPLACED_JAR.matcher(classPath.get(i).getFileName().toString());
      if (matcher.matches()) {
        classPath.set(i, stockJar(stock, matcher.group(1)));
        replaced++;
      }
    }
    if (replaced != REPLACED_JARS) {
      throw new IOException("the class path holds " + replaced + " of the " + REPLACED_JARS
        + " patched jars: " + strata);
    }
    return List.copyOf(classPath);
  }

  private static Path stockJar(Path folder, String artifact) throws IOException {
    List<Path> found = Folders.list(folder, artifact + "-[0-9]*.jar");
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.size() > 1) {
      throw new IOException("more than one stock jar of " + artifact + ": " + found);
    }
    throw missing(folder.resolve(artifact + "-*.jar").toString());
  }
}
