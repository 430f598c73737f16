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
package org.hbasestrata.ycsb;

/** A failure with one clear line for the person at the terminal, and the exit code it ends with. */
final class ToolException extends RuntimeException {
  /** An operation failed, or a row read was not what had been written. */
  static final int FAILED = 1;
  /** The command line or the profile is wrong. */
  static final int USAGE = 2;
  /** The cluster can't be reached, or its table isn't what the run needs. */
  static final int CLUSTER = 3;
  /** Ended by Ctrl-C; the JVM itself answers a SIGINT with this code. */
  static final int INTERRUPTED = 130;

  private static final long serialVersionUID = 1L;
  private static final String MIXED_JARS = "HBase jars that don't belong together";

  private final int exitCode;

  private ToolException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  static ToolException usage(String message) {
    return new ToolException(USAGE, message, null);
  }

  /** @param cause may be null */
  static ToolException cluster(String message, Throwable cause) {
    return new ToolException(CLUSTER, message, cause);
  }

  int exitCode() {
    return exitCode;
  }

  /**
   * What HBase says when it finds that its jars on the class path don't belong together, a whole
   * sentence that names them; null when {@code failure} isn't about that.
   */
  static String mixedJars(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (cause instanceof IllegalStateException && message != null
        && message.startsWith(MIXED_JARS)) {
        return message;
      }
    }
    return null;
  }

  /** What {@code failure} says, in one line: its innermost cause, whose message tells most. */
  static String oneLine(Throwable failure) {
    Throwable cause = failure;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end);
    if (line.length() > 300) {
      line = line.substring(0, 300) + "...";
    }
    String name = cause.getClass().getSimpleName();
    return line.isEmpty() ? name : name + ": " + line;
  }
}
