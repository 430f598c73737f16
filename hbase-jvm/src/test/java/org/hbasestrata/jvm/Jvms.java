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

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** JVMs for tests: pretended ones and those on this machine. */
final class Jvms {
  /** Folder of the shipped presets and configuration. */
  static final Path CONF = Paths.get("..", "conf");
  static final List<Path> PRESETS = Collections.singletonList(CONF.resolve("jvm"));
  /** Homes of JDKs and JREs to test with, separated by colons. */
  private static final String HOMES = "STRATA_JDKS";

  private Jvms() {
  }

  /** Returns a JVM that has all flags but those named, and accepts all options. */
  static Jvm pretended(String version, String... missing) {
    Set<String> unknown = new HashSet<>(Arrays.asList(missing));
    return new Jvm(Paths.get("/jdk"), version) {
      @Override
      boolean has(String flag) {
        return !unknown.contains(flag);
      }

      @Override
      Map<String, String> check(List<String> options, String gcLog) {
        return Collections.singletonMap("UseCompressedOops", "true");
      }
    };
  }

  /** Returns a JDK 8, with its collectors and its options for the GC log. */
  static Jvm jdk8() {
    return pretended("1.8.0_472", "UseZGC", "UseShenandoahGC", "ShenandoahGCMode", "ZGenerational");
  }

  /** Returns the homes of the JVM that runs the test, and of those in STRATA_JDKS. */
  static List<Path> homes() {
    List<Path> homes = new ArrayList<>();
    homes.add(Paths.get(System.getProperty("java.home")));
    String others = System.getenv(HOMES);
    if (others != null) {
      for (String home : others.split(":")) {
        if (Files.isExecutable(Paths.get(home, "bin", "java"))) {
          homes.add(Paths.get(home));
        }
      }
    }
    return homes;
  }
}
