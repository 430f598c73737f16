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
package org.hbasestrata.upstreamtests;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What of the list is run, by the options of the command line. */
final class Choice {
  private static final Pattern SHARD = Pattern.compile("([1-9]\\d*)/([1-9]\\d*)");

  private final boolean coreOnly;
  private final String arm;
  private final int shard;
  private final int shards;
  private final Pattern classes;

  /**
   * Checks the options.
   * @param set     {@code core}, or {@code all} of the list
   * @param arm     {@code off}, {@code on} or {@code both}
   * @param shard   such as 1/4: the 1st, 5th, 9th class and so on
   * @param classes expression that is looked for in the names of classes
   */
  Choice(String set, String arm, String shard, String classes) {
    Options.check("set", set, set.matches("core|all"), "core or all");
    Options.check("arm", arm, arm.matches("off|on|both"), "off, on or both");
    var parts = SHARD.matcher(shard);
    Options.check("shard", shard, parts.matches(), "such as 1/4");
    this.coreOnly = set.equals("core");
    this.arm = arm;
    this.shard = Integer.parseInt(parts.group(1));
    this.shards = Integer.parseInt(parts.group(2));
    Options.check("shard", shard, this.shard <= shards,
      "1/" + shards + " to " + shards + "/" + shards);
    this.classes = Pattern.compile(classes);
  }

  /**
   * Returns the names of the classes that shall be run in each arm that has any.
   * @throws IllegalArgumentException if no arm has
   */
  Map<Arm, List<String>> of(List<ListedTest> tests) {
    Map<Arm, List<String>> chosen = new EnumMap<>(Arm.class);
    for (Arm where : Arm.values()) {
      List<String> names = of(tests, where);
      if (!names.isEmpty()) {
        chosen.put(where, names);
      }
    }
    if (chosen.isEmpty()) {
      throw new IllegalArgumentException("-Dset=" + (coreOnly ? "core" : "all") + " -Darm=" + arm
        + " -Dshard=" + shard + "/" + shards + " -Dclasses=" + classes + " leave no class of the "
        + "list to run; widen one of them, or add the class to dev-support/upstream-tests/tests");
    }
    return chosen;
  }

  private List<String> of(List<ListedTest> tests, Arm where) {
    List<String> chosen = new ArrayList<>();
    int at = 0;
    for (ListedTest test : tests) {
      if (isAskedFor(test, where) && at++ % shards == shard - 1) {
        chosen.add(test.className());
      }
    }
    return chosen;
  }

  private boolean isAskedFor(ListedTest test, Arm where) {
    return (arm.equals("both") || arm.equals(where.toString()))
      && (!coreOnly || test.isCore(where)) && classes.matcher(test.className()).find();
  }
}
