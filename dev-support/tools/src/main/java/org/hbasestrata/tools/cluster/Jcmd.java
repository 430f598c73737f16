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
package org.hbasestrata.tools.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hbasestrata.tools.Child;
import org.hbasestrata.tools.ToolException;

/**
 * Asks a JVM by jcmd.
 * @param log what jcmd prints is added to it
 */
public record Jcmd(long pid, Path log) {
  /** Returns what the commands printed. */
  public List<String> ask(String... commands) throws InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      throw ToolException.failed("there is no " + jcmd + ": use a JDK, not a JRE; set JAVA_HOME");
    }
    return Child.run("jcmd", List.of(jcmd.toString(), Long.toString(pid),
      String.join("\n", commands)), Map.of(), log);
  }
}
