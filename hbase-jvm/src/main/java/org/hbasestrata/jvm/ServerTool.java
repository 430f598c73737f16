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

import java.io.PrintStream;
import java.util.Map;

/** A command of bin/hbase that reads a server's options and configuration as the server does. */
abstract class ServerTool {
  static final String PRESET = "HBASE_JVM_PRESET";

  final PrintStream out;
  final PrintStream err;
  final Map<String, String> environment;
  final Request request = new Request();

  ServerTool(PrintStream out, PrintStream err, Map<String, String> environment) {
    this.out = out;
    this.err = err;
    this.environment = environment;
  }

  /** Returns the variable's value; {@code otherwise} if it is unset or empty. */
  final String variable(String name, String otherwise) {
    String value = environment.getOrDefault(name, "");
    return value.isEmpty() ? otherwise : value;
  }

  final void error(String line) {
    err.println("hbase: " + line);
  }

  /** Returns what is to be said of an unexpected failure. */
  static String oneLine(Throwable thrown) {
    return String.valueOf(thrown).replaceAll("\\s*\\n\\s*", " ");
  }
}
