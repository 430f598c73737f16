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

/** An option of a preset. Immutable. */
final class PresetLine {
  private final String option;
  private final String reason;
  private final Range jdks;
  private final String place;
  private final boolean own;

  /**
   * Creates a line.
   * @param option may have names in braces
   * @param reason empty if there is none
   * @param jdks   versions that the option is for
   * @param place  file and line
   * @param own    whether it is in the preset's own file, not in an included one
   */
  PresetLine(String option, String reason, Range jdks, String place, boolean own) {
    this.option = option;
    this.reason = reason;
    this.jdks = jdks;
    this.place = place;
    this.own = own;
  }

  String option() {
    return option;
  }

  String reason() {
    return reason;
  }

  Range jdks() {
    return jdks;
  }

  String place() {
    return place;
  }

  boolean isOwn() {
    return own;
  }

  PresetLine with(String otherOption) {
    return new PresetLine(otherOption, reason, jdks, place, own);
  }
}
