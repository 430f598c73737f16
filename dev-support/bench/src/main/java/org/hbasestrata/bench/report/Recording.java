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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;
import org.hbasestrata.tools.ToolException;

/*
 * Events that are read: jdk.ObjectAllocationSample (JDK 16 on; before that
 * jdk.ObjectAllocationInNewTLAB and ...OutsideTLAB), jdk.GCPhasePause, and jdk.SafepointBegin with
 * jdk.SafepointEnd. The latter three need a threshold of 0 ms to be counted whole.
 */

/**
 * What a flight recording tells of a run.
 * @param allocations bytes by path and site within the window, estimated from samples; null when
 *                    there is no sample in the whole recording
 * @param pauses      the collector's pauses in order of time; empty when none is recorded
 * @param safepoints  time from the call for each safepoint within the window to its end, in
 *                    milliseconds; null when there is no safepoint in the whole recording
 * @param problem     why all of this is missing; null when it was read
 */
record Recording(Map<Allocation, Double> allocations, List<Pause> pauses, List<Double> safepoints,
  String problem) {

  /** Where bytes are allocated, and what for. */
  record Allocation(AllocationPath path, Site site) {
  }

  private static final String SAMPLE = "jdk.ObjectAllocationSample";
  private static final String IN_NEW_TLAB = "jdk.ObjectAllocationInNewTLAB";
  private static final String OUTSIDE_TLAB = "jdk.ObjectAllocationOutsideTLAB";
  private static final String PAUSE = "jdk.GCPhasePause";
  /** The name of pauses of any kind; which kind is told by the collection's. */
  private static final String ANY_PAUSE = "GC Pause";
  private static final String COLLECTION = "jdk.GarbageCollection";
  private static final String SAFEPOINT_BEGIN = "jdk.SafepointBegin";
  private static final String SAFEPOINT_END = "jdk.SafepointEnd";

  static Recording read(Path file, Window window) {
    if (!Files.exists(file)) {
      return failed("there is no " + file.getFileName());
    }
    Reader reader = new Reader(window);
    try (RecordingFile recording = new RecordingFile(file)) {
      while (recording.hasMoreEvents()) {
        reader.take(recording.readEvent());
      }
    } catch (IOException | RuntimeException e) {
      return failed(file.getFileName() + " can't be read: " + ToolException.oneLine(e));
    }
    return reader.recording();
  }

  private static Recording failed(String problem) {
    return new Recording(null, List.of(), null, problem);
  }

  private static final class Reader {
    private final Window window;
    private final Map<Allocation, Double> samples = new HashMap<>();
    private final Map<Allocation, Double> tlabs = new HashMap<>();
    private final List<RecordedEvent> pauses = new ArrayList<>();
    private final Map<Integer, RecordedEvent> collections = new HashMap<>();
    private final Map<Long, Instant> begins = new HashMap<>();
    private final Map<Long, Instant> ends = new HashMap<>();
    private boolean sampled;
    private boolean tlabsRecorded;

    Reader(Window window) {
      this.window = window;
    }

    void take(RecordedEvent event) {
      switch (event.getEventType().getName()) {
        case SAMPLE -> {
          sampled = true;
          add(samples, event, event.getLong("weight"));
        }
        case IN_NEW_TLAB -> {
          tlabsRecorded = true;
          add(tlabs, event, event.getLong("tlabSize"));
        }
        case OUTSIDE_TLAB -> {
          tlabsRecorded = true;
          add(tlabs, event, event.getLong("allocationSize"));
        }
        case PAUSE -> pauses.add(event);
        case COLLECTION -> collections.put(event.getInt("gcId"), event);
        case SAFEPOINT_BEGIN -> begins.put(event.getLong("safepointId"), event.getStartTime());
        case SAFEPOINT_END -> ends.put(event.getLong("safepointId"), event.getEndTime());
        default -> {
          // Not asked for.
        }
      }
    }

    private void add(Map<Allocation, Double> allocations, RecordedEvent event, long bytes) {
      if (window.holds(event.getStartTime())) {
        List<RecordedMethod> stack = event.getStackTrace() == null ? List.of()
          : event.getStackTrace().getFrames().stream().map(RecordedFrame::getMethod).toList();
        allocations.merge(new Allocation(path(stack), site(stack)), (double) bytes, Double::sum);
      }
    }

    private static AllocationPath path(List<RecordedMethod> stack) {
      return AllocationPath.of(stack.stream()
        .map(method -> method.getType().getName() + '.' + method.getName()).toList());
    }

    private static Site site(List<RecordedMethod> stack) {
      return stack.stream().filter(method -> Site.of(method.getType().getName())).findFirst()
        .map(method -> new Site(method.getType().getName(), method.getName()))
        .orElse(Site.ELSEWHERE);
    }

    Recording recording() {
      List<Pause> found = pauses.stream()
        .map(event -> pause(event, collections.get(event.getInt("gcId"))))
        .sorted(Comparator.comparing(Pause::start)).toList();
      Map<Allocation, Double> allocations = sampled ? samples : tlabsRecorded ? tlabs : null;
      return new Recording(allocations, found, ends.isEmpty() ? null : safepoints(), null);
    }

    /** @param collection null when it began before the recording or ended after it */
    private static Pause pause(RecordedEvent event, RecordedEvent collection) {
      String name = event.getString("name");
      return new Pause(event.getStartTime(), millis(event.getDuration()),
        collection != null && ANY_PAUSE.equals(name) ? collection.getString("name") : name,
        collection == null ? null : collection.getString("cause"));
    }

    private List<Double> safepoints() {
      List<Double> millis = new ArrayList<>();
      ends.forEach((id, end) -> {
        Instant begin = begins.get(id);
        if (begin != null && window.holds(begin)) {
          millis.add(millis(Duration.between(begin, end)));
        }
      });
      return millis;
    }

    private static double millis(Duration duration) {
      return duration.toNanos() / 1e6;
    }
  }
}
