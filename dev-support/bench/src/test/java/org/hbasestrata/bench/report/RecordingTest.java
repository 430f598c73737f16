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
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.hbase.bench.Allocator;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class RecordingTest {
  private static final Recording.Allocation ALLOCATOR = new Recording.Allocation(
    AllocationPath.ELSE, new Site(Allocator.class.getName(), "mebibytes"));

  @Rule
  public final TemporaryFolder folder = new TemporaryFolder();

  private Path record(String... allocationEvents) throws Exception {
    Path file = folder.getRoot().toPath().resolve("server.jfr");
    try (jdk.jfr.Recording recording = new jdk.jfr.Recording()) {
      for (String event : allocationEvents) {
        recording.enable(event);
      }
      for (String event : new String[] { "GCPhasePause", "GarbageCollection", "SafepointBegin",
        "SafepointEnd" }) {
        recording.enable("jdk." + event).withThreshold(Duration.ZERO);
      }
      recording.start();
      // A thread of its own: a thread's first sample stands for all that it ever allocated.
      Thread allocator = new Thread(() -> Allocator.mebibytes(500));
      allocator.start();
      allocator.join();
      System.gc();
      recording.dump(file);
    }
    return file;
  }

  private static Window now() {
    return new Window(Instant.now().minusSeconds(300), Instant.now().plusSeconds(300));
  }

  @Test
  public void allocationsPausesAndSafepointsAreFound() throws Exception {
    Recording recording = Recording.read(record("jdk.ObjectAllocationSample"), now());
    assertThat(recording.problem()).isNull();
    assertThat(recording.allocations().get(ALLOCATOR)).isCloseTo(500 << 20, within(100e6));
    assertThat(recording.pauses()).isNotEmpty().allMatch(pause -> pause.millis() > 0);
    assertThat(recording.pauses()).anyMatch(pause -> "System.gc()".equals(pause.cause()));
    assertThat(recording.safepoints()).isNotEmpty().allMatch(millis -> millis > 0);
  }

  @Test
  public void allocationsOfOldJavasAreFound() throws Exception {
    Recording recording = Recording.read(record("jdk.ObjectAllocationInNewTLAB",
      "jdk.ObjectAllocationOutsideTLAB"), now());
    assertThat(recording.allocations().get(ALLOCATOR)).isCloseTo(500 << 20, within(100e6));
  }

  @Test
  public void whatIsOutsideOfTheWindowDoesNotCount() throws Exception {
    Instant before = Instant.now().minusSeconds(600);
    Recording recording = Recording.read(record("jdk.ObjectAllocationSample"),
      new Window(before, before.plusSeconds(1)));
    assertThat(recording.allocations()).isEmpty();
    assertThat(recording.safepoints()).isEmpty();
  }

  @Test
  public void whatIsNotRecordedIsNotKnown() throws Exception {
    assertThat(Recording.read(record(), now()).allocations()).isNull();
  }

  @Test
  public void whatIsNoRecordingIsSaidSo() throws IOException {
    Path file = folder.getRoot().toPath().resolve("server.jfr");
    assertThat(Recording.read(file, now()).problem()).isEqualTo("there is no server.jfr");
    Files.writeString(file, "not a recording");
    assertThat(Recording.read(file, now()).problem()).contains("server.jfr can't be read");
  }
}
