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

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

public class UnitTest {
  @Test
  public void threeDigitsCount() {
    assertThat(Unit.number(0)).isEqualTo("0");
    assertThat(Unit.number(0.012345)).isEqualTo("0.0123");
    assertThat(Unit.number(1.2345)).isEqualTo("1.23");
    assertThat(Unit.number(12.345)).isEqualTo("12.3");
    assertThat(Unit.number(123.45)).isEqualTo("123");
    assertThat(Unit.number(12345.6)).isEqualTo("12,346");
    assertThat(Unit.number(7)).isEqualTo("7");
  }

  @Test
  public void sizesSuitTheValue() {
    assertThat(Unit.MICROSECONDS.format(999)).isEqualTo("999 µs");
    assertThat(Unit.MICROSECONDS.format(1_250)).isEqualTo("1.25 ms");
    assertThat(Unit.MILLISECONDS.format(0.25)).isEqualTo("250 µs");
    assertThat(Unit.MILLISECONDS.format(2_500)).isEqualTo("2.50 s");
    assertThat(Unit.BYTES.format(1536)).isEqualTo("1.50 KiB");
    assertThat(Unit.BYTES.format(0)).isEqualTo("0 B");
    assertThat(Unit.COUNT.format(12)).isEqualTo("12");
  }
}
