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
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What commands are told that have a way of their own to measure the arms. */
final class ClusterOptions extends ProfileOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Parameters(paramLabel = "PROFILE", description = "A YCSB profile's name, or a path to a file.")
  private String profile;

  @Mixin
  private ArmOptions arms;

  /**
   * The request, checked.
   * @param target operations a second; null for a share of what the first arm can do
   */
  Request request(Checkout checkout, int rounds, Integer target) {
    Profile chosen = profile(profile, checkout);
    List<ArmSpec> specs = arms.arms(checkout, List.of(ArmSpec.STOCK, ArmSpec.STRATA));
    specs.forEach(ArmConf::check);
    check();
    Options.check("--target", target == null || target > 0, target, "a number of 1 or more");
    return new Request(chosen, changes(), specs, rows(), 0, rounds,
      List.of(new Load(null, target, null)), memory(), null, settings(), arms.jvms(specs, null),
      true, warmUp(), null, out(checkout, command.name() + "-" + chosen.name()), Options.command(
        "dev-support/bin/bench", command.commandLine().getParseResult().originalArgs()));
  }

  /** The request, if its profile only reads. */
  Request readingRequest(Checkout checkout, int rounds, Integer target) {
    Request request = request(checkout, rounds, target);
    if (request.profile().writes()) {
      throw ToolException.usage("profile " + request.profile().name()
        + " writes, allowed: one that only reads, since rows are compared with those loaded");
    }
    return request;
  }
}
