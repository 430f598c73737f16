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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hbasestrata.bench.PageCache;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import org.hbasestrata.tools.ToolException;
import picocli.CommandLine.Option;

/** What commands are told that run a profile against region servers in turn. */
public final class RunOptions extends ProfileOptions {
  @Option(names = "--minutes", paramLabel = "M", defaultValue = "5",
    description = "Length of a run's measured part. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(names = "--rounds", paramLabel = "R", defaultValue = "3",
    description = "Rounds; each runs all that is compared once, in turning order. Default:"
      + " ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(names = "--page-cache", paramLabel = "MODE", defaultValue = "warm",
    description = "warm: HDFS's page cache is as the warm-up left it, and not limited. limited: the"
      + " DataNode is in the cgroup, so that the page cache counts into --memory. cold: the same,"
      + " and the data is dropped from the page cache before each run. Default: ${DEFAULT-VALUE}.")
  private String pageCache;

  /**
   * The whole request, checked.
   * @param defaults   keys of hbase-site.xml for all arms, unless the command line sets them
   * @param deviceIops reads a second that the disk is held to; null for its own
   * @param command    the command line, for people
   */
  public Request request(Checkout checkout, Profile profile, List<ArmSpec> arms,
    Map<String, ServerJvm> jvms, List<Load> loads, Memory limit, Map<String, String> defaults,
    boolean restart, Integer deviceIops, String command) {
    arms.forEach(ArmConf::check);
    check();
    Options.check("--minutes", minutes >= 1 / 60.0, minutes,
      "a number of a second (0.017) or more");
    Options.check("--rounds", rounds >= 1, rounds, "a number of 1 or more");
    Map<String, String> allSettings = new LinkedHashMap<>(defaults);
    allSettings.putAll(settings());
    return new Request(profile, changes(), arms, rows(), minutes, rounds, loads, limit,
      pageCache(), allSettings, jvms, restart, warmUp(), deviceIops,
      out(checkout, profile.name()), command);
  }

  private PageCache pageCache() {
    for (PageCache mode : PageCache.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(pageCache)) {
        return mode;
      }
    }
    throw ToolException.usage("--page-cache is '" + pageCache
      + "', allowed: cold, warm or limited");
  }
}
