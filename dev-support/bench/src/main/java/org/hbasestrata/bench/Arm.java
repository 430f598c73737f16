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
package org.hbasestrata.bench;

import java.util.List;

/**
 * One of the sides that are compared.
 * @param name       what people call it, such as stock; part of folder names
 * @param confDir    the region server's configuration directory; null when it is the default one
 * @param jars       jars put before the distribution's; null or empty when none
 * @param patchLevel what the region server says that it runs, such as "2.6.4-strata.1" or "stock
 *                   2.6.4-hadoop3"; null when not known
 * @param java       the region server's Java, such as "17.0.15+6 Temurin"; null when not known
 * @param jvmFlags   options on the region server's command line; null or empty when not known
 */
public record Arm(String name, String confDir, List<String> jars, String patchLevel,
  String java, List<String> jvmFlags) {

  public Arm {
    Checks.present("an arm's name", name);
    jars = Checks.list(jars);
    jvmFlags = Checks.list(jvmFlags);
  }

  /** Returns where the jars are and what they are, for people */
  public String describeJars() {
    return (jars.isEmpty() ? "the distribution's" : String.join(" ", jars))
      + (patchLevel == null ? "" : " (" + patchLevel + ")");
  }
}
