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
import java.util.Iterator;
import java.util.Map;

/** A command whose arguments are options, behind which those of a server's JVM may follow. */
abstract class OptionTool extends ServerTool {
  private final String name;
  boolean help;

  /** @param name of the command, as messages have it */
  OptionTool(String name, PrintStream out, PrintStream err, Map<String, String> environment) {
    super(out, err, environment);
    this.name = name;
  }

  /** Reads the arguments. Returns what is wrong with them, or null. */
  final String parse(Iterator<String> args) {
    while (args.hasNext()) {
      String option = args.next();
      if (option.equals("--")) {
        args.forEachRemaining(request.operator::add);
      } else if (option.equals("-h") || option.equals("--help")) {
        help = true;
      } else if (!parse(option)) {
        String value = args.hasNext() ? args.next() : "--";
        String wrong = value.equals("--") ? option + " is no option of " + name
          + ", or needs a value" : parseShared(option, value);
        if (wrong != null) {
          return wrong;
        }
      }
    }
    return null;
  }

  private String parseShared(String option, String value) {
    switch (option) {
      case "--memory":
        request.memory = Sizes.ofMegabytes(option, value);
        return null;
      case "--cpus":
        if (!value.matches("[1-9]\\d{0,4}")) {
          return "--cpus is '" + value + "': give a number of 1 or more";
        }
        request.cpus = Integer.valueOf(value);
        return null;
      default:
        return parse(option, value);
    }
  }

  /** Takes an option without a value. Returns false if it isn't one. */
  abstract boolean parse(String option);

  /** Takes an option with a value. Returns what is wrong with it, or null. */
  abstract String parse(String option, String value);

  /** Returns what is said of an option that there isn't. */
  final String unknown(String option) {
    return name + " has no option '" + option + "'";
  }
}
