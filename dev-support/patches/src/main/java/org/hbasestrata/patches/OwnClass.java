/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hbasestrata.patches;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A source file that this project wrote, of a patch or of the base that several patches use.
 * @param name  with its package
 * @param file  where it is
 * @param where it is in the checkout
 * @param path  where it goes in upstream's tree
 * @param patch number of the patch; null for one of the base
 * @param test  whether it is below src/test/java
 */
record OwnClass(String name, Path file, String where, String path, String patch, boolean test) {
  private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w*");
  private static final Pattern TEST = Pattern.compile("@(?:org\\.junit\\.)?Test\\b");
  private static final Pattern LARGE =
    Pattern.compile("@(?:[a-z.]+)?Category\\([^)]*\\bLargeTests\\.class");

  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  String text() {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isOfBase() {
    return patch == null;
  }

  /** What may be the names of types in a text. */
  static Set<String> typeNames(String text) {
    return TYPE_NAME.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  /** Whether JUnit finds tests in it. */
  boolean hasTests() {
    return test && TEST.matcher(text()).find();
  }

  /** Whether it may take long, and so may run on demand alone. */
  boolean isLarge() {
    return LARGE.matcher(text()).find();
  }
}
