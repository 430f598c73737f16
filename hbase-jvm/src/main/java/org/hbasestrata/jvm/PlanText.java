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
package org.hbasestrata.jvm;

import java.util.ArrayList;
import java.util.List;

/** Formats a plan with its reasons, for people to read. */
final class PlanText {
  private static final int WIDTH = 98;

  private final List<String> text = new ArrayList<>();

  private PlanText() {
  }

  /** Returns the lines of the text. */
  static List<String> of(Plan plan, Request request, Jvm jvm, Machine machine) {
    PlanText text = new PlanText();
    text.addHead(plan, request, jvm, machine);
    text.addOptions(plan.lines());
    if (!request.operator.isEmpty()) {
      text.text.add("");
      text.text.add("# " + request.operatorsVariables() + ", which win.");
      text.text.addAll(request.operator);
    }
    return text.text;
  }

  private void addHead(Plan plan, Request request, Jvm jvm, Machine machine) {
    Preset preset = plan.preset();
    MemoryPlan memory = plan.memory();
    text.add("JVM preset " + preset.name() + " (" + preset.file() + ") for a " + request.role
      + " on " + jvm + " with " + machine.cpus() + " processors and "
      + Sizes.text(machine.memoryMb()));
    text.add(preset.summary());
    text.add("Heap " + Sizes.text(memory.heap()) + ", direct memory "
      + (memory.direct() == null ? "as much" : Sizes.text(memory.direct()))
      + (memory.use() == null ? "" : ": " + memory.use()));
    memory.shares().forEach((name, value) -> text.add(name + "=" + value));
    if (plan.logCopiedFrom() != null) {
      text.add("The GC log is copied to " + request.gcLog + ".*");
    }
  }

  /** Adds the options, with those that have the same reason together below it. */
  private void addOptions(List<PresetLine> lines) {
    String reason = null;
    for (PresetLine line : lines) {
      if (!line.reason().equals(reason)) {
        reason = line.reason();
        text.add("");
        addReason(reason);
      }
      text.add(line.option());
    }
  }

  private void addReason(String reason) {
    StringBuilder line = new StringBuilder("#");
    for (String word : reason.split(" ")) {
      if (line.length() + word.length() > WIDTH) {
        text.add(line.toString());
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    text.add(line.toString());
  }
}
