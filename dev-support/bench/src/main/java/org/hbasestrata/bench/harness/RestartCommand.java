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
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bench restart}. */
@Command(name = "restart", sortOptions = false,
  description = "Restarts all region servers of a cluster, one after the other, or kills one, under"
    + " a load of a set rate whose rows are compared byte for byte, for each arm in turn, and tells"
    + " how latencies, hits and CPU differ from the steady state before it.",
  footer = { "",
    "It brings up a cluster of its own (dev-support/bin/cluster --dir OUT/cluster), loads the rows"
      + " once, and starts all its region servers as each arm has them. A server is restarted as"
      + " bin/graceful_stop.sh --restart --reload does it: RegionMover moves its regions off; it is"
      + " stopped and started; when it has reported to the master, its regions are moved back."
      + " Don't build in this checkout meanwhile.",
    "",
    "--memory is for each region server: a quarter is its heap, a half is off the heap." })
public final class RestartCommand implements Callable<Integer> {
  private static final double SHARE = 0.6;

  @Spec
  private CommandSpec spec;

  /** What is done to region servers. */
  private static final class Way {
    @Option(names = "--rolling",
      description = "Restarts all region servers, one after the other.")
    private boolean rolling;

    @Option(names = "--kill",
      description = "Ends a region server by SIGKILL, and leaves it down.")
    private boolean kill;
  }

  @ArgGroup(multiplicity = "1")
  private Way way;

  @Option(names = "--target", paramLabel = "RATE",
    description = "Operations a second. Default: 60 %% of what the first arm can do.")
  private Integer target;

  @Option(names = "--servers", paramLabel = "N", defaultValue = "3",
    description = "Region servers. Default: ${DEFAULT-VALUE}.")
  private int servers;

  @Option(names = "--steady", paramLabel = "SECONDS", defaultValue = "60",
    description = "How long the steady state is measured before the restart. Default:"
      + " ${DEFAULT-VALUE}.")
  private int steadySeconds;

  @Option(names = "--after", paramLabel = "SECONDS", defaultValue = "20",
    description = "How long the restart is taken to go on after its last step. Default:"
      + " ${DEFAULT-VALUE}.")
  private int afterSeconds;

  @Mixin
  private ClusterOptions options;

  @Override
  public Integer call() throws InterruptedException {
    Checkout checkout = Checkout.fromProperty();
    new RestartRun(request(checkout), checkout, spec.commandLine().getOut()).run();
    return 0;
  }

  RestartRequest request(Checkout checkout) {
    Options.check("--servers", servers >= 2 && servers <= 16, servers, "a number from 2 to 16");
    Options.check("--steady", steadySeconds >= 1, steadySeconds, "a number of 1 or more");
    Options.check("--after", afterSeconds >= 0, afterSeconds, "a number of 0 or more");
    return new RestartRequest(options.readingRequest(checkout, 1, target), servers, target, SHARE,
      steadySeconds, afterSeconds, way.kill);
  }
}
