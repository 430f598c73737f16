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
package org.hbasestrata.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How an arm stands to the first arm in one figure. */
enum Verdict {
  @JsonProperty("better")
  BETTER("better", "\u25B2"),
  @JsonProperty("worse")
  WORSE("worse", "\u25BC"),
  /** The same within noise, and the noise is small. */
  @JsonProperty("same")
  SAME("same", "="),
  /** Differs, and neither value is better. */
  @JsonProperty("higher")
  HIGHER("higher", "\u2191"),
  @JsonProperty("lower")
  LOWER("lower", "\u2193"),
  /** Too few rounds, or too much noise, to tell. */
  @JsonProperty("undecided")
  UNDECIDED("can't tell", "?");

  private final String label;
  private final String sign;

  Verdict(String label, String sign) {
    this.label = label;
    this.sign = sign;
  }

  String label() {
    return label;
  }

  /** Shown with the label, so that nobody needs to tell colours apart. */
  String sign() {
    return sign;
  }
}
