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

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.hbasestrata.tools.Checkout;
import org.hbasestrata.tools.Options;
import picocli.CommandLine.Option;

/** What all commands that run a profile are told of it. */
public class ProfileOptions {
  @Option(names = "--rows", paramLabel = "N",
    description = "Rows in a table. Default: the profile's.")
  private Long rows;

  @Option(names = "--memory", paramLabel = "SIZE", defaultValue = "6g",
    description = "Heap, off-heap memory and page cache of each region server, of pairs those of"
      + " both. Default: ${DEFAULT-VALUE}.")
  private String memory;

  @Option(names = "--warm-up", paramLabel = "MINUTES", defaultValue = "3",
    description = "Most that a warm-up may take: the profile runs until the cache's hit ratio, the"
      + " CPU time of an operation and, of pairs, JIT compilation don't change any more. 0 for"
      + " none. Default: ${DEFAULT-VALUE}.")
  private double warmUp;

  @Option(names = "-p", paramLabel = "KEY=VALUE",
    description = "Sets a key of the profile, for load and runs.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(names = "-c", paramLabel = "KEY=VALUE",
    description = "Sets a key of hbase-site.xml for all region servers.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Option(names = "--out", paramLabel = "DIR",
    description = "Where it goes; must be absent or empty. Default: a folder of target/bench,"
      + " named after the profile and the time.")
  private Path out;

  public Profile profile(String nameOrPath, Checkout checkout) {
    Profile profile = anyProfile(nameOrPath, checkout);
    Options.check("PROFILE", !profile.isGraph(), nameOrPath,
      "one of hbase ycsb; JanusGraph's is for bench pairs");
    return profile;
  }

  /** Like the other method, for who can have JanusGraph as the client. */
  Profile anyProfile(String nameOrPath, Checkout checkout) {
    return Profile.of(nameOrPath, checkout, changes);
  }

  public Memory memory() {
    return Memory.parse(memory);
  }

  Long rows() {
    return rows;
  }

  double warmUp() {
    return warmUp;
  }

  Map<String, String> changes() {
    return changes;
  }

  Map<String, String> settings() {
    return settings;
  }

  /** @param name what a new folder is named after */
  Path out(Checkout checkout, String name) {
    return Options.out(out, checkout.outputOf("bench"), name + "-");
  }

  void check() {
    Options.check("--rows", rows == null || rows > 0, rows, "a number of 1 or more");
    Options.check("--warm-up", warmUp >= 0, warmUp, "a number of 0 or more");
  }
}
