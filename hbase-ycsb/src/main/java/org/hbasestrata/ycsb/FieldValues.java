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

/**
 * The values that CoreWorkload writes when its {@code dataintegrity} is on, which follow from row
 * and field name alone. It hashes the whole text for each dozen of bytes, which was more work than
 * the HBase client's; here the hash code goes on from the text so far.
 */
final class FieldValues {
  /** Of an int, with its sign. */
  private static final int MOST_DIGITS = 11;

  private FieldValues() {
  }

  /**
   * The value of a field: row and field name, then the text's hash code so far again and again up
   * to the length, all joined with colons.
   */
  static byte[] of(String row, String field, int length) {
    byte[] value = new byte[length];
    String start = row + ':' + field;
    int at = Math.min(length, start.length());
    for (int i = 0; i < at; i++) {
      value[i] = (byte) start.charAt(i);
    }
    byte[] part = new byte[MOST_DIGITS + 1];
    int hash = start.hashCode();
    while (at < length) {
      int from = hashCode(31 * hash + ':', part);
      for (int i = from; i < part.length; i++) {
        hash = 31 * hash + part[i];
      }
      int copied = Math.min(length - at, part.length - from);
      System.arraycopy(part, from, value, at, copied);
      at += copied;
    }
    return value;
  }

  /** Writes a colon and a hash code to the end of an array, and returns where the colon is. */
  private static int hashCode(int hash, byte[] part) {
    int at = part.length;
    long left = Math.abs((long) hash);
    do {
      part[--at] = (byte) ('0' + left % 10);
      left /= 10;
    } while (left > 0);
    if (hash < 0) {
      part[--at] = '-';
    }
    part[--at] = ':';
    return at;
  }
}
