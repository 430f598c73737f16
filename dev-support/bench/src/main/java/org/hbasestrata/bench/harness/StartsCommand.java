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

import java.util.concurrent.Callable;
import org.hbasestrata.bench.restart.Start;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench starts}. */
@Command(name = "starts", sortOptions = false,
  description = "Restarts the only region server of a cluster under gets of a set rate, as the arms"
    + " have it in turn, and tells when it answers, and what a get costs from then on.",
  footer = { "",
    "It brings up a cluster of its own (dev-support/bin/cluster --dir OUT/cluster) and loads the"
      + " rows of the profile once. Gets are of random rows of all, whatever the profile reads."
      + " Those that were due while the server was down are made up for. Don't build in this"
      + " checkout meanwhile." })
public final class StartsCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Option(names = "--target", paramLabel = "RATE", defaultValue = "2000",
    description = "Gets a second. Default: ${DEFAULT-VALUE}.")
  private int target;

  @Option(names = "--starts", paramLabel = "N", defaultValue = "4",
    description = "Starts of each arm. Default: ${DEFAULT-VALUE}.")
  private int starts;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "90",
    description = "How long each start is measured, from its first answer. Default:"
      + " ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(names = "--steady", paramLabel = "SECONDS", defaultValue = "15",
    description = "How much of its end is the steady state. Default: ${DEFAULT-VALUE}.")
  private int steadySeconds;

  @Mixin
  private ClusterOptions options;

  @Override
  public Integer call() throws InterruptedException {
    Checkout checkout = Checkout.fromProperty();
    new StartsRun(request(checkout), starts, target, seconds, steadySeconds, checkout,
      spec.commandLine().getOut()).run();
    return 0;
  }

  Request request(Checkout checkout) {
    Options.check("--starts", starts > 0, starts, "a number of 1 or more");
    Options.check("--steady", steadySeconds > 0, steadySeconds, "a number of 1 or more");
    Options.check("--seconds", seconds > Math.max(steadySeconds, Start.LONGEST), seconds,
      "more than " + Start.LONGEST + ", and than --steady");
    return options.request(checkout, 1, target);
  }
}
