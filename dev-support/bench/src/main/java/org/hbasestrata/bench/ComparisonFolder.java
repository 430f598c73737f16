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
package org.hbasestrata.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/*
 * OUT/comparison.json          Comparison
 * OUT/runs/ROUND-ARM/run.json  Run
 *                    ycsb.json, gc.log, server.jfr, flags.txt
 * OUT/report/                  made from all that
 */

/** The folder that holds a comparison: where its files are, and the JSON among them. */
public final class ComparisonFolder {
  /** Snake case, times as ISO 8601; unknown fields are errors, fields that are null left out. */
  public static final JsonMapper JSON = JsonMapper.builder().addModule(new JavaTimeModule())
    .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
    .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
    .enable(SerializationFeature.INDENT_OUTPUT)
    .defaultPropertyInclusion(JsonInclude.Value.construct(JsonInclude.Include.NON_NULL,
      JsonInclude.Include.NON_NULL))
    .build();

  private final Path folder;

  public ComparisonFolder(Path folder) {
    this.folder = folder;
  }

  public Path comparison() {
    return folder.resolve("comparison.json");
  }

  /** The folder of one run; {@code round} counts from 1. */
  public Path run(int round, String arm) {
    return folder.resolve("runs").resolve(round + "-" + arm);
  }

  public Path runJson(int round, String arm) {
    return run(round, arm).resolve("run.json");
  }

  public Path report() {
    return folder.resolve("report");
  }

  public Comparison readComparison() {
    if (!Files.exists(comparison())) {
      throw BenchException.usage(folder + " holds no comparison: there is no "
        + comparison().getFileName() + " in it", null);
    }
    return read(comparison(), Comparison.class);
  }

  /** Null when the run has left no run.json. */
  public Run readRun(int round, String arm) {
    Path file = runJson(round, arm);
    return Files.exists(file) ? read(file, Run.class) : null;
  }

  public void write(Comparison comparison) {
    write(comparison(), comparison);
  }

  public void write(Run run) {
    write(runJson(run.round(), run.arm()), run);
  }

  private static <T> T read(Path file, Class<T> type) {
    try {
      return JSON.readValue(file.toFile(), type);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
      String what = e.getCause() instanceof IllegalArgumentException check ? check.getMessage()
        : e.getOriginalMessage();
      throw BenchException.usage(file + where + ": " + what.lines().findFirst().orElse("no JSON"),
        e);
    } catch (IOException e) {
      throw BenchException.failed(file + " can't be read: " + BenchException.oneLine(e), e);
    }
  }

  /** Whoever reads the file meanwhile sees the old one or the new one. */
  private static void write(Path file, Object value) {
    try {
      Files.createDirectories(file.getParent());
      Path written = file.resolveSibling(file.getFileName() + ".tmp");
      JSON.writeValue(written.toFile(), value);
      Files.move(written, file, StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw BenchException.failed(file + " can't be written: " + BenchException.oneLine(e), e);
    }
  }
}
