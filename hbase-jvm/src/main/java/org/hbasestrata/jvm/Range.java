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

import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/** A range of whole numbers including its ends, written {@code 8..13}, {@code 17..} and so on. */
final class Range {
  static final Range ALL = new Range(0, Long.MAX_VALUE);
  private static final String TO = "..";

  private final long from;
  private final long to;

  private Range(long from, long to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Reads a range or a single number.
   * @throws IllegalArgumentException if the text is neither
   */
  static Range parse(String text, ToLongFunction<String> number) {
    int middle = text.indexOf(TO);
    if (middle < 0) {
      long only = number.applyAsLong(text);
      return new Range(only, only);
    }
    String from = text.substring(0, middle);
    String to = text.substring(middle + TO.length());
    return new Range(from.isEmpty() ? 0 : number.applyAsLong(from),
      to.isEmpty() ? Long.MAX_VALUE : number.applyAsLong(to));
  }

  boolean contains(long number) {
    return from <= number && number <= to;
  }

  /** Returns a text such as "8 to 13" or "17 and more". */
  String text(LongFunction<String> number) {
    if (from == 0) {
      return to == Long.MAX_VALUE ? "any" : "up to " + number.apply(to);
    }
    return number.apply(from)
      + (to == Long.MAX_VALUE ? " and more" : from == to ? "" : " to " + number.apply(to));
  }
}
