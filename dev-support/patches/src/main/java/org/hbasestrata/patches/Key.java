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

/**
 * A configuration key that a patch adds.
 * @param value what hbase-default.xml gives it; null if it is to stay unset there, because what is
 *              used then isn't one value
 * @param unset in words, what is used if the key isn't set; null if {@code value} says so
 * @param bytes whether a value without a unit is bytes
 * @param live  whether a running server takes a new value over
 * @param text  what it is, with its unit
 */
record Key(String name, String value, String unset, boolean bytes, boolean live, String text) {
  private static final long MB = 1 << 20;

  /** What is used when the key isn't set, for a person to read. */
  String byDefault() {
    return unset == null ? amount(value) : unset;
  }

  /** A value for a person to read: whole MB in place of many bytes. */
  String amount(String text) {
    boolean isWholeMb =
      bytes && text.matches("[1-9][0-9]{0,17}") && Long.parseLong(text) % MB == 0;
    return isWholeMb ? Long.parseLong(text) / MB + " MB" : text;
  }
}
