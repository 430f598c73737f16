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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;

/**
 * What the client measured: the phase "run" of ycsb.json.
 * @param window     when it ran
 * @param seconds    how long it ran
 * @param succeeded  operations that succeeded
 * @param failed     operations that failed
 * @param cutShort   whether it was interrupted, or gave operations up
 * @param rows       rows read or written, those of a full scan too; as many as {@code succeeded}
 *                   where an operation is a row
 * @param latencies  histograms in microseconds by series, such as READ, of successful operations
 * @param throughput operations a second over time
 */
public record YcsbResult(Window window, double seconds, long succeeded, long failed,
  boolean cutShort, long rows, Map<String, Histogram> latencies, List<Rate> throughput) {

  private static final String RUN = "run";
  public static final String FAILED_SUFFIX = "-FAILED";
  /** The series of the same operations from the time when they were due. */
  public static final String INTENDED_SUFFIX = "-INTENDED";
  /** Its rows are in the series of the read and of the update that each is made of. */
  private static final String READ_MODIFY_WRITE = "READ-MODIFY-WRITE";
  /** What threads beside those of the operations do; none of {@code succeeded}. */
  private static final String FULL_SCAN = "FULL-SCAN";
  /** What is left over at the end of a run is too short for a rate. */
  private static final double SHORTEST_INTERVAL_SECONDS = 0.5;

  /**
   * A point of the throughput.
   * @param seconds           since the start
   * @param operationsPerSecond in the interval that ends there, about a second long
   */
  public record Rate(double seconds, double operationsPerSecond) {
  }

  /**
   * Of rows that were compared, byte for byte.
   * @param missing weren't found
   */
  public record Verified(long rows, long wrong, long missing) {
  }

  /** Returns what a client that compares rows counted. */
  public static Verified verified(Path file) throws IOException {
    JsonNode verified = Json.MAPPER.readTree(file.toFile()).path("verified");
    return new Verified(verified.path("rows").asLong(), verified.path("wrong").asLong(),
      verified.path("missing").asLong());
  }

  /** Throws an IOException whose message tells what is wrong. */
  public static YcsbResult read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new IOException("there is no " + file.getFileName());
    }
    try {
      JsonNode root = Json.MAPPER.readTree(file.toFile());
      for (JsonNode phase : root.required("phases")) {
        if (RUN.equals(phase.required("phase").asText())) {
          return of(phase);
        }
      }
      throw new IOException(file.getFileName() + " has no phase '" + RUN + "'");
    } catch (JsonProcessingException e) {
      throw new IOException(file.getFileName() + ": " + e.getOriginalMessage(), e);
    } catch (IllegalArgumentException | DataFormatException e) {
      throw new IOException(file.getFileName() + ": " + ToolException.oneLine(e), e);
    }
  }

  /**
   * Latencies of all operations.
   * @param fromDue from when each was due, of those that had such a time, else of the call itself
   */
  public Collection<Histogram> operations(boolean fromDue) {
    Map<String, Histogram> chosen = new LinkedHashMap<>(latencies);
    chosen.remove(FULL_SCAN);
    chosen.remove(READ_MODIFY_WRITE);
    chosen.remove(READ_MODIFY_WRITE + INTENDED_SUFFIX);
    chosen.keySet().removeIf(series -> series.endsWith(INTENDED_SUFFIX) != fromDue);
    return chosen.values();
  }

  /** Whether the table was scanned meanwhile. */
  boolean scannedMeanwhile() {
    return latencies.containsKey(FULL_SCAN);
  }

  private static YcsbResult of(JsonNode phase) throws DataFormatException {
    Instant start = Instant.ofEpochMilli(phase.required("start_ms").asLong());
    double seconds = phase.required("seconds").asDouble();
    long failed = phase.required("failed").asLong();
    Map<String, Histogram> latencies = new LinkedHashMap<>();
    long rows = 0;
    for (Map.Entry<String, JsonNode> series : phase.required("series").properties()) {
      JsonNode json = series.getValue();
      if (!series.getKey().endsWith(FAILED_SUFFIX) && json.required("count").asLong() > 0) {
        latencies.put(series.getKey(), histogram(json.required("hdrhistogram_base64").asText()));
        if (!series.getKey().endsWith(INTENDED_SUFFIX)
          && !series.getKey().equals(READ_MODIFY_WRITE)) {
          rows += json.required("rows").asLong();
        }
      }
    }
    return new YcsbResult(new Window(start, start.plusNanos((long) (seconds * 1e9))), seconds,
      phase.required("operations").asLong() - failed, failed,
      phase.path("interrupted").asBoolean() || phase.path("unfinished").asBoolean(), rows,
      latencies, throughput(phase.required("per_second")));
  }

  private static Histogram histogram(String base64) throws DataFormatException {
    return Histogram.decodeFromCompressedByteBuffer(
      ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
  }

  private static List<Rate> throughput(JsonNode perSecond) {
    List<Rate> rates = new ArrayList<>();
    double last = 0;
    for (JsonNode second : perSecond) {
      double seconds = second.required("seconds").asDouble();
      if (seconds - last >= SHORTEST_INTERVAL_SECONDS) {
        rates.add(new Rate(seconds, second.required("operations").asLong() / (seconds - last)));
      }
      last = seconds;
    }
    return rates;
  }
}
