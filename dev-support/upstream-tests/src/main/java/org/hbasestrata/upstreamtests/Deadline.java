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
package org.hbasestrata.upstreamtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** When no more classes are begun: a file that each test's JVM reads. */
public final class Deadline {
  /** System property with the folder that the file is in. */
  public static final String FOLDER_PROPERTY = "upstream-tests.folder";
  private static final String FILE = "deadline";

  private Deadline() {
  }

  static void write(Path folder, Duration fromNow) throws IOException {
    Files.writeString(folder.resolve(FILE), Instant.now().plus(fromNow).toString());
  }

  /** Returns whether a file in the folder of the system property says that time is up. */
  public static boolean isOver() throws IOException {
    String folder = System.getProperty(FOLDER_PROPERTY);
    return folder != null
      && Instant.now().isAfter(Instant.parse(Files.readString(Path.of(folder, FILE))));
  }
}
