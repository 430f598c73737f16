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
package org.hbasestrata.gclab;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What is known of a candidate at a level; of most of them less is better. */
enum Figure {
  OPERATIONS("operations", "/s"),
  FAILED("failed", "operations"),
  /** The client was interrupted, or gave operations up. */
  CUT_SHORT("cut short", "runs"),
  CLIENT_P95("client P95", "ms"),
  CLIENT_P99("client P99", "ms"),
  CLIENT_P999("client P999", "ms"),
  /** From when an operation was due. */
  DUE_P99("P99 from due", "ms"),
  GC_TIME("GC time", "ms/s"),
  YOUNG_COUNT("young count", "/min"),
  YOUNG_TIME("young time", "ms/s"),
  FULL_COUNT("full count", "/min"),
  FULL_TIME("full time", "ms/s"),
  CYCLE_COUNT("cycle count", "/min"),
  CYCLE_TIME("cycle time", "ms/s"),
  PAUSE_MEAN("pause mean", "ms"),
  PAUSE_DEVIATION("pause deviation", "ms"),
  PAUSE_P99("pause P99", "ms"),
  PAUSE_MAX("pause max", "ms"),
  REMARK_SHARE("remark share", "%"),
  EDEN("eden", "MB"),
  ALLOCATION("allocation", "MB/s"),
  PROMOTION("promotion", "MB/s");

  private final String label;
  private final String unit;

  Figure(String label, String unit) {
    this.label = label;
    this.unit = unit;
  }

  /** Its name for people, in reports and in a goals file. */
  String label() {
    return label;
  }

  String unit() {
    return unit;
  }

  /** Whether a candidate with less of it is better. */
  boolean lessIsBetter() {
    return this != OPERATIONS && this != EDEN;
  }

  static Optional<Figure> of(String label) {
    return Arrays.stream(values()).filter(figure -> figure.label.equalsIgnoreCase(label))
      .findFirst();
  }

  /** The names of those chosen, for an error. */
  static String labels(Predicate<Figure> chosen) {
    return Arrays.stream(values()).filter(chosen).map(Figure::label)
      .collect(Collectors.joining(", "));
  }
}
