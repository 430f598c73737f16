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

import java.util.Arrays;
import java.util.List;

/**
 * A configuration key that a patch adds.
 * @param pattern   its name; {@code {l1,l2}} in it stands for two keys
 * @param value     what hbase-default.xml gives it; null if it is to stay unset there, because what
 *                  is used then isn't one value
 * @param unset     in words, what is used if the key isn't set; null if {@code value} says so
 * @param reload    whether a running server takes a new value over
 * @param text      what it is, with its unit
 */
record Key(String pattern, String value, String unset, boolean reload, String text) {

  /** Names of the keys that the pattern stands for. */
  List<String> names() {
    int open = pattern.indexOf('{');
    if (open < 0) {
      return List.of(pattern);
    }
    int close = pattern.indexOf('}', open);
    return Arrays.stream(pattern.substring(open + 1, close).split(","))
      .map(part -> pattern.substring(0, open) + part.strip() + pattern.substring(close + 1))
      .toList();
  }

  /** What is used when the key isn't set, for a person to read. */
  String byDefault() {
    return unset == null ? value : unset;
  }
}
