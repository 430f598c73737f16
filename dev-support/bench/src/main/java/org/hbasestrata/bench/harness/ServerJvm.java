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
package org.hbasestrata.bench.harness;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a region server's JVM is to be.
 * @param preset   a JVM preset's name, or its path
 * @param javaHome the JDK or JRE; null for the one that the bench runs on
 * @param options  more options, which win over the preset's; null for none
 */
public record ServerJvm(String preset, Path javaHome, String options) {
  /** The JVM's own choices: the same for all arms unless one is to differ. */
  static final ServerJvm DEFAULT = new ServerJvm("default", null, null);

  /** What bin/hbase is told of it. */
  Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>(Map.of("HBASE_JVM_PRESET", preset));
    if (javaHome != null) {
      environment.put("JAVA_HOME", javaHome.toString());
    }
    if (options != null) {
      environment.put("HBASE_REGIONSERVER_OPTS", options);
    }
    return environment;
  }
}
