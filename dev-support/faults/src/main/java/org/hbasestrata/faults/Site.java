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
package org.hbasestrata.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.hbasestrata.tools.Folders;

/** A site file that is given one more value, and back what it had. */
record Site(Path file, String text) {
  private static final String END = "</configuration>";

  static Site read(Path file) throws IOException {
    return new Site(file, Files.readString(file));
  }

  /** What it had, and this, which wins over a value that the key had. */
  void with(String key, String value) throws IOException {
    with(Map.of(key, value));
  }

  /** The same of several values. */
  void with(Map<String, String> values) throws IOException {
    StringBuilder properties = new StringBuilder();
    values.forEach((key, value) -> properties.append("<property><name>").append(key)
      .append("</name><value>").append(value).append("</value></property>"));
    write(text.replace(END, properties + END));
  }

  void restore() throws IOException {
    write(text);
  }

  private void write(String now) throws IOException {
    Folders.replace(file, now);
  }
}
