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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Checks rows byte for byte against what was written, as {@link FieldValues} tells it. Thread-safe.
 */
final class RowVerifier {
  /** What no check of such values finds. */
  static final String NOT_SHOWN = "An update writes what was there before: this shows neither a "
    + "lost update nor a read of an older version.";

  /** Wrong rows told one by one; beyond that they are only counted. */
  private static final int TOLD = 5;
  private static final int EXCERPT = 32;

  private final byte[] family;
  private final List<String> fields;
  private final int fieldLength;
  private final Consumer<String> tell;
  private final LongAdder checked = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder missing = new LongAdder();
  private long problems;

  /** @param tell is given a line for each of the first rows found wrong or missing */
  RowVerifier(Profile profile, Consumer<String> tell) {
    this.family = Bytes.toBytes(profile.text(Key.FAMILY));
    this.fieldLength = (int) profile.number(Key.FIELD_LENGTH);
    List<String> names = new ArrayList<>();
    for (long i = 0; i < profile.number(Key.FIELD_COUNT); i++) {
      names.add(profile.text(Key.FIELD_PREFIX) + i);
    }
    this.fields = List.copyOf(names);
    this.tell = tell;
  }

  /**
   * Checks a row that was asked for.
   * @param asked  the fields asked for, null for all
   * @param result empty when there is no such row
   */
  void check(String row, Collection<String> asked, Result result) {
    checked.increment();
    if (result.isEmpty()) {
      missing.increment();
      tell("row " + row + ": missing");
      return;
    }
    Collection<String> expected = asked == null ? fields : asked;
    String problem = problem(row, expected, result);
    if (problem != null) {
      wrong.increment();
      tell("row " + row + ": " + problem);
    }
  }

  /** Counts a row that came where it shouldn't. */
  void misplaced(String row, String problem) {
    wrong.increment();
    tell("row " + row + ": " + problem);
  }

  private synchronized void tell(String line) {
    problems++;
    if (problems <= TOLD) {
      tell.accept("verify: " + line);
    } else if (problems == TOLD + 1) {
      tell.accept("verify: more wrong rows; from here on only counted");
    }
  }

  private String problem(String row, Collection<String> expected, Result result) {
    if (!row.equals(Bytes.toString(result.getRow()))) {
      return "the answer holds row " + Bytes.toStringBinary(result.getRow());
    }
    for (String field : expected) {
      Cell cell = result.getColumnLatestCell(family, Bytes.toBytes(field));
      if (cell == null) {
        return "field " + field + " is missing";
      }
      byte[] want = FieldValues.of(row, field, fieldLength);
      if (!CellUtil.matchingValue(cell, want)) {
        return "field " + field + " " + difference(want, CellUtil.cloneValue(cell));
      }
    }
    if (result.size() != expected.size()) {
      return result.size() + " cells, expected " + expected.size();
    }
    return null;
  }

  private static String difference(byte[] want, byte[] got) {
    int at = Arrays.mismatch(want, got);
    if (at == Math.min(want.length, got.length)) {
      return "has " + got.length + " bytes, expected " + want.length + " ("
        + Key.FIELD_LENGTH.text() + ")" + (at == 0 ? "" : "; the first " + at + " are right");
    }
    return "differs from byte " + at + " on: expected " + excerpt(want, at) + ", read "
      + excerpt(got, at);
  }

  private static String excerpt(byte[] value, int at) {
    int length = Math.min(EXCERPT, value.length - at);
    return "'" + Bytes.toStringBinary(value, at, length) + "'"
      + (at + length < value.length ? "..." : "") + " (" + value.length + " bytes in all)";
  }

  long checked() {
    return checked.sum();
  }

  long wrong() {
    return wrong.sum();
  }

  long missing() {
    return missing.sum();
  }
}
