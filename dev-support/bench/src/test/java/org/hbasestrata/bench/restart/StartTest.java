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
package org.hbasestrata.bench.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hbasestrata.tools.ToolException;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class StartTest {
  private static final long PID = 7;
  private static final int RATE = 1_000;
  private static final int STEADY_SECONDS = 10;

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  /** Down for 5 s, up at 5, answers from 9 on; a get costs 500 us for 5 s, 100 us from then on. */
  private static List<StartSample> samples() {
    List<StartSample> samples = new ArrayList<>();
    for (int tenth = 0; tenth <= 1_000; tenth++) {
      double second = tenth / 10.0;
      long pid = second < 5 ? PID - 1 : PID;
      double answering = Math.max(0, second - 9);
      // Twice the rate, until what wasn't answered is made up for.
      double answered = 2_000 + Math.min(2_000 * answering, RATE * second);
      double cpu = second < 9
        ? Math.max(0, second - 5)
        : 4 + Math.min(answering, 5) * 2_000 * 500e-6
          + Math.max(0, answered - 12_000) * 100e-6;
      samples.add(new StartSample(1_000_000 + tenth * 100, (long) (RATE * second) + 2_000,
        (long) answered, pid, cpu));
    }
    return samples;
  }

  @Test
  public void costOfAGetIsCountedFromTheFirstAnswer() throws Exception {
    Path file = folder.newFile().toPath();
    Files.write(file, samples().stream().map(StartSample::toLine).toList());

    Start start = Start.of(file, PID, STEADY_SECONDS);

    assertThat(start.toFirstGet()).isEqualTo(4);
    assertThat(start.cpuBefore()).isEqualTo(4);
    assertThat(start.cpuPerGet().get(0)).isCloseTo(500, within(1.0));
    assertThat(start.cpuPerGet().get(1)).isCloseTo(500, within(1.0));
    assertThat(start.cpuPerGet().get(2)).isBetween(100.0, 500.0);
    assertThat(start.steadyPerGet()).isCloseTo(100, within(1.0));
    assertThat(start.factor(0)).isCloseTo(5, within(0.1));
    assertThat(start.backlogGone()).isCloseTo(9, within(0.2));
  }

  @Test
  public void serverWithoutAnAnswerIsRefused() {
    List<StartSample> silent = samples().stream()
      .filter(sample -> sample.pid() == PID && sample.cpuSeconds() < 4).toList();
    assertThatThrownBy(() -> Start.of(silent, STEADY_SECONDS)).isInstanceOf(ToolException.class)
      .hasMessageContaining("no get");
  }
}
