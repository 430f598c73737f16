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

import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench neighbours}. */
@Command(name = "neighbours", sortOptions = false,
  description = "Measures gets of a set rate, whose rows are compared byte for byte, beside what"
    + " else a region server does, one thing after the other, for each arm in turn.",
  footer = { "",
    "It brings up a cluster of its own (dev-support/bin/cluster --dir OUT/cluster) and loads the"
      + " rows once. Gets and neighbours have a client process each. Don't build in this checkout"
      + " meanwhile." })
public final class NeighboursCommand implements Callable<Integer> {
  private static final double SHARE = 0.3;

  @Spec
  private CommandSpec spec;

  @Option(names = "--neighbours", paramLabel = "NAME", split = ",",
    description = "Some of nothing, scan, scans, greedy-scans, gets, batches, compactions,"
      + " catch-up, flushes, big-rows, regions, snapshots, start, and with three DataNodes"
      + " datanode-late, datanode-stopped, datanode-without-disk. Default: all that need one"
      + " DataNode.")
  private List<String> neighbours = Stream.of(Neighbour.values())
    .filter(neighbour -> !neighbour.isDataNode()).map(Neighbour::toString).toList();

  @Option(names = "--target", paramLabel = "RATE",
    description = "Gets a second. Default: 30 %% of what the first arm can do.")
  private Integer target;

  @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
    description = "How often each arm has its turn. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "15",
    description = "How long gets are measured beside each neighbour. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(names = "--settle", paramLabel = "SECONDS", defaultValue = "5",
    description = "How long a neighbour runs before that, and nothing after it. Default:"
      + " ${DEFAULT-VALUE}.")
  private int settleSeconds;

  @Mixin
  private ClusterOptions options;

  @Override
  public Integer call() throws InterruptedException {
    Checkout checkout = Checkout.fromProperty();
    Request request = request(checkout);
    new NeighboursRun(request, neighbours(), target, SHARE, seconds, settleSeconds, checkout,
      spec.commandLine().getOut()).run();
    return 0;
  }

  List<Neighbour> neighbours() {
    return neighbours.stream().map(Neighbour::of).distinct().toList();
  }

  Request request(Checkout checkout) {
    neighbours();
    Options.check("--rounds", rounds >= 1, rounds, "a number of 1 or more");
    Options.check("--seconds", seconds >= 2, seconds, "a number of 2 or more");
    Options.check("--settle", settleSeconds >= 0, settleSeconds, "a number of 0 or more");
    return options.readingRequest(checkout, rounds, target);
  }
}
