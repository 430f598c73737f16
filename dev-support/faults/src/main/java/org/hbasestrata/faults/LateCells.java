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
package org.hbasestrata.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A coprocessor uses cells of a scanner that it has closed, when their buffers may be others'. With
 * upstream's jars the fault is passed when they are.
 */
record LateCells(String name, String about, Scene.Setting setting) implements Fault {
  private static final int GETS = 1000;
  private static final int BRIEF_GETS = 20;

  static List<Fault> all() {
    return List.of(
      new LateCells("late-cells",
        "a coprocessor uses cells of a scanner that it has closed; a cache in a plain file",
        Scene.Setting.LATE_CELLS),
      new LateCells("late-cells-on-stock",
        "the same on upstream's jars, which answer with others' bytes or crash",
        Scene.Setting.LATE_CELLS_ON_STOCK));
  }

  @Override
  public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
    Path result = scene.folder().resolve(name + ".json");
    int gets = scene.amounts().brief() ? BRIEF_GETS : GETS;
    int code = scene.start(LateCellsClient.class, scene.folder().resolve(name + ".log"),
      result.toString(), Integer.toString(gets)).await();
    if (code != 0 || !Files.exists(result)) {
      throw new IOException("the client ended with exit code " + code + "; see " + name + ".log");
    }
    Hostility.tell(result, outcome);
    Set<String> crashes = scene.crashes();
    crashes.forEach(outcome::note);
    outcome.count("injected", outcome.count("operations"));
    outcome.count("crashes", crashes.size());
    if (setting == Scene.Setting.LATE_CELLS_ON_STOCK) {
      outcome.expect(outcome.count(LateCellsClient.OTHERS) > 0, "each answer of upstream's jars "
        + "is right: there is nothing that late-cells would show");
    } else {
      outcome.count("wrong", outcome.count(LateCellsClient.OTHERS));
      outcome.count("errors", outcome.count(LateCellsClient.FAILED));
      outcome.expect(crashes.isEmpty(), "a server crashed");
    }
  }
}
