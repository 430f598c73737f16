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
package org.hbasestrata.tools;

/** A failure with one clear line for the person at the terminal, and the exit code it ends with. */
public final class ToolException extends RuntimeException {
  /** What was asked for didn't succeed. */
  public static final int FAILED = 1;
  /** The command line, or a file that it names, is wrong. */
  public static final int USAGE = 2;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private ToolException(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  public static ToolException failed(String message) {
    return failed(message, null);
  }

  /** @param cause may be null */
  public static ToolException failed(String message, Throwable cause) {
    return new ToolException(FAILED, message, cause);
  }

  public static ToolException usage(String message) {
    return usage(message, null);
  }

  /** @param cause may be null */
  public static ToolException usage(String message, Throwable cause) {
    return new ToolException(USAGE, message, cause);
  }

  public int exitCode() {
    return exitCode;
  }

  /** What {@code failure} says, in one line that names its kind. */
  public static String oneLine(Throwable failure) {
    String message = failure.getMessage() == null ? "" : failure.getMessage().strip();
    String line = message.lines().findFirst().orElse("");
    String name = failure.getClass().getSimpleName();
    return line.isEmpty() ? name : name + ": " + line;
  }
}
