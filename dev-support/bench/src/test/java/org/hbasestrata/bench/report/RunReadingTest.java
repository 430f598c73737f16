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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class RunReadingTest {
  private static final Window WINDOW = new Window(ComparisonFiles.START,
    ComparisonFiles.START.plusSeconds(10));
  private static final GcLog.Reading UNREADABLE = new GcLog.Reading(List.of(), "unreadable");

  private final List<String> notes = new ArrayList<>();

  private static List<Pause> pauses(double... millis) {
    return Arrays.stream(millis)
      .mapToObj(m -> new Pause(ComparisonFiles.START.plusSeconds(1), m, "Young", null)).toList();
  }

  private static GcLog.Reading logged(double... millis) {
    return new GcLog.Reading(pauses(millis), null);
  }

  private static Recording recorded(double... millis) {
    return new Recording(Map.of(), pauses(millis), List.of(), null);
  }

  private List<Pause> chosen(GcLog.Reading log, Recording recording) {
    return RunReading.pauses(log, recording, WINDOW, notes);
  }

  @Test
  public void gcLogIsBelievedWhenItHoldsWhatWasRecorded() {
    assertThat(chosen(logged(10, 20), recorded(10, 20, 0.5))).isEqualTo(pauses(10, 20));
    assertThat(chosen(logged(10, 20), recorded())).isEqualTo(pauses(10, 20));
    assertThat(notes).isEmpty();
  }

  @Test
  public void recordingStandsInWhereTheGcLogLacksPauses() {
    assertThat(chosen(logged(10), recorded(10, 20))).isEqualTo(pauses(10, 20));
    assertThat(chosen(UNREADABLE, recorded(10))).isEqualTo(pauses(10));
    assertThat(notes).containsExactly(
      "GC pauses are from server.jfr: GCToolKit found only part of their time in gc.log",
      "GC pauses are from server.jfr: unreadable");
  }

  @Test
  public void pausesThatNobodyToldOfAreNotZero() {
    assertThat(chosen(UNREADABLE, recorded())).isNull();
    assertThat(notes).hasSize(1);
  }

  @Test
  public void nonePausedInTheWindowIsZero() {
    List<Pause> earlier = List
      .of(new Pause(ComparisonFiles.START.minusSeconds(1), 9, "Full", null));
    assertThat(chosen(new GcLog.Reading(earlier, null), recorded())).isEmpty();
    assertThat(chosen(UNREADABLE, new Recording(null, earlier, null, null))).isEmpty();
    assertThat(notes).containsExactly("GC pauses are from server.jfr: unreadable");
  }
}
