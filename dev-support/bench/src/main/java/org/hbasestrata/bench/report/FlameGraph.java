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

import com.samskivert.mustache.Escapers;
import java.io.IOException;
import java.nio.file.Path;
import one.convert.Arguments;
import one.convert.JfrToFlame;

/** The flame graph of what a run allocates: a page of its own, by async-profiler's converter. */
final class FlameGraph {
  private FlameGraph() {
  }

  /** The name of its file. */
  static Path file(RunReading run) {
    return Path.of("flame-" + run.round() + "-" + run.arm() + ".html");
  }

  /**
   * Writes it.
   * @param recording the run's flight recording, which is known to hold allocations
   * @param folder    where it goes
   */
  static void write(Path recording, RunReading run, Path folder) throws IOException {
    String title = "Heap allocation in bytes: " + run.arm() + ", round " + run.round();
    Arguments arguments = new Arguments("--alloc", "--total", "--simple", "--dot", "--title",
      Escapers.HTML.escape(title));
    arguments.from = run.window().start().toEpochMilli();
    arguments.to = run.window().end().toEpochMilli();
    JfrToFlame.convert(recording.toString(), folder.resolve(file(run)).toString(), arguments);
  }
}
