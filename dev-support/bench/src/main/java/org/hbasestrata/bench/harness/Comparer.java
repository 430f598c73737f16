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

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.hbasestrata.bench.Comparison;
import org.hbasestrata.bench.ComparisonFolder;
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.bench.State;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Json;
import org.hbasestrata.tools.ToolException;

/** Does a comparison, from the cluster's start to the report. For one thread. */
public final class Comparer extends ClusterRun {
  /** As many operations as go: what the shares of other loads are of. */
  static final Load MAXIMUM = new Load("maximum", null, null);

  /** Enough for a rate. */
  private static final double MAXIMUM_MINUTES = 0.5;

  /** A run's time beyond the measured part and the warm-up, as a first guess. */
  private static final int RUN_OVERHEAD_SECONDS = 60;
  /** Of the rows in HFiles: while they are compacted old and new files are there, and the WAL. */
  private static final double DISK_FACTOR = 3.5;

  private final Runnable report;
  private List<Load> loads;
  private ControlGroups groups;
  private int regions;
  private long killsSeen;

  /** @param report makes the report of what was done, complete or not */
  public Comparer(Request request, Checkout checkout, PrintWriter out, Runnable report) {
    super(request, checkout, out, new Progress(out,
      request.rounds() * request.arms().size() + (needsMaximum(request.loads()) ? 1 : 0),
      (request.loads().size() * request.minutes() + request.warmUpMinutes()) * 60
        + RUN_OVERHEAD_SECONDS));
    this.report = report;
    this.loads = request.loads();
  }

  /** How long a load is measured. */
  double minutes(Load load) {
    return load == MAXIMUM ? Math.min(MAXIMUM_MINUTES, request.minutes()) : request.minutes();
  }

  /** Where a load's files go: a folder of its own below that of the request, if it has a name. */
  ComparisonFolder folder(Load load) {
    return new ComparisonFolder(
      load.name() == null ? request.out() : request.out().resolve(load.name()));
  }

  ControlGroups groups() {
    return groups;
  }

  /** How many regions the server has open when the table is all there. */
  int regions() {
    return regions;
  }

  /** How often the kernel had ended a process for want of memory when a run began. */
  long killsSeen() {
    return killsSeen;
  }

  /** Returns the exit code. */
  public int compare() {
    try {
      run(DISK_FACTOR, request.memory());
      return 0;
    } catch (InterruptedException e) {
      throw ToolException.failed("interrupted", e);
    }
  }

  @Override
  void measure() throws InterruptedException {
    write(State.PARTIAL, null, null);
    groups = ControlGroups.create(Path.of("/"), ProcessHandle.current().pid());
    prepareGroups();
    load();
    if (needsMaximum(loads)) {
      measureMaximum();
    }
    for (int round = 1; round <= request.rounds(); round++) {
      List<ArmSpec> order = request.order(round);
      for (int position = 1; position <= order.size(); position++) {
        killsSeen = groups.kills();
        new ArmRun(this, order.get(position - 1), round, position, loads).run();
        write(State.PARTIAL, null, null);
      }
    }
  }

  private static boolean needsMaximum(List<Load> loads) {
    return loads.stream().anyMatch(load -> load.share() != null);
  }

  /** With the first arm. */
  private void measureMaximum() throws InterruptedException {
    ArmSpec first = request.arms().get(0);
    new ArmRun(this, first, 1, 1, List.of(MAXIMUM)).run();
    Path json = folder(MAXIMUM).run(1, first.name()).resolve("ycsb.json");
    try {
      JsonNode phase = Json.MAPPER.readTree(json.toFile()).path("phases").path(0);
      double maximum = phase.path("operations").asDouble() / phase.path("seconds").asDouble();
      loads = loads.stream().map(load -> load.of(maximum)).toList();
      note("loads are shares of " + Math.round(maximum) + " operations a second, as many as "
        + first.name() + " did with no target");
    } catch (IOException e) {
      throw ToolException.failed(json + " can't be read: " + ToolException.oneLine(e), e);
    }
  }

  private void prepareGroups() {
    boolean pageCache = request.pageCache() != PageCache.WARM;
    try {
      if (groups.limitsMemory()) {
        groups.limitMemory(request.memory().bytes(), pageCache);
      } else {
        note("memory is not limited: " + String.join("; ", groups.problems()));
      }
      String device = Host.device(request.out());
      if (groups.limitsIo() && device != null) {
        groups.limitReads(device, request.deviceIops());
      } else if (request.deviceIops() != null) {
        throw ToolException.failed("--device-iops can't be had: " + (device == null
          ? "the kernel names no disk under " + request.out()
          : String.join("; ", groups.problems())));
      } else if (groups.limitsMemory()) {
        note("I/Os are not counted: " + (device == null
          ? "the kernel names no disk under " + request.out()
          : String.join("; ", groups.problems())));
      }
    } catch (IOException e) {
      throw ToolException.failed("a cgroup can't be set: " + ToolException.oneLine(e), e);
    }
  }

  private void load() throws InterruptedException {
    regions = startWithTable();
    cluster.stopRegionServer();
    try {
      groups.join(ControlGroups.Member.DATA_NODE, cluster.dataNode().pid());
    } catch (IOException e) {
      throw ToolException.failed("the DataNode can't be put into its cgroup: "
        + ToolException.oneLine(e), e);
    }
  }

  @Override
  void close() {
    if (groups != null) {
      groups.close();
    }
  }

  @Override
  void report(String reason) {
    write(reason == null ? State.COMPLETE : State.PARTIAL, reason, Instant.now());
    report.run();
  }

  private void write(State state, String reason, Instant end) {
    for (Load load : loads) {
      folder(load).write(new Comparison(request.profile().name(), request.command(), state, reason,
        start, end, arms(), request.rounds(), request.rows(), request.minutes(),
        load.target() == null ? null : load.target().doubleValue(),
        groups != null && groups.limitsMemory() ? request.memory().bytes() : null,
        request.pageCache(), commit, machine, versions, differences.found(), notes));
    }
  }
}
