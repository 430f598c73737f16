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
package org.hbasestrata.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.State;
import org.junit.Test;

/** A comparison that is interrupted. */
public class CompareInterruptIT extends BenchCommand {
  @Test
  public void interruptedItLeavesAPartialComparisonAndNothingElse() throws Exception {
    Path out = folder.getRoot().toPath().resolve("interrupted");
    Path log = folder.getRoot().toPath().resolve("log");
    Process bench = start(log, "compare", "point-get", "--rows", "20000000", "--memory", "1g",
      "-p", "fieldcount=1", "-p", "fieldlength=1", "--out", out.toString());
    try {
      await("no load", () -> Files.exists(out.resolve("load.log")) || !bench.isAlive());
    } finally {
      end(bench);
    }
    // As of a SIGTERM.
    assertThat(bench.exitValue()).as(Files.readString(log)).isEqualTo(143);
    assertThat(Files.readString(log)).contains("Interrupted: ", "index.html");
    Comparison comparison = new ComparisonFolder(out).readComparison();
    assertThat(comparison.state()).isEqualTo(State.PARTIAL);
    assertThat(comparison.reason()).isEqualTo("interrupted");
    assertNothingIsLeft(out, bench.pid());
  }
}
