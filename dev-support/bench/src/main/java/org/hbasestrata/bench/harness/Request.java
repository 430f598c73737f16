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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hbasestrata.bench.PageCache;

/**
 * What is asked for: the command line, checked.
 * @param profile       the profile, changes applied
 * @param changes       keys of the profile that the command line sets
 * @param arms          two or more
 * @param rows          rows in the table; null for the profile's own
 * @param minutes       bound of a run's length
 * @param rounds        1 or more
 * @param loads         what is asked of each region server, one part after the other; one or more
 * @param memory        of each arm
 * @param pageCache     what is done about it
 * @param settings      keys of hbase-site.xml that the command line sets, for all arms
 * @param jvms          JVMs of arms by the arms' names; others have {@link ServerJvm#DEFAULT}
 * @param restart       whether the region server is restarted between warm-up and run
 * @param warmUpMinutes bound of the warm-up's length; 0 for none
 * @param deviceIops    reads a second that the disk is held to; null for its own
 * @param out           where the comparison goes; absent or empty
 * @param command       the command line, for people
 */
public record Request(Profile profile, Map<String, String> changes, List<ArmSpec> arms, Long rows,
  double minutes, int rounds, List<Load> loads, Memory memory, PageCache pageCache,
  Map<String, String> settings, Map<String, ServerJvm> jvms, boolean restart, double warmUpMinutes,
  Integer deviceIops, Path out, String command) {

  /** What bin/hbase is told of a region server's JVM. */
  public Map<String, String> environment(ArmSpec arm) {
    return environment(jvms.getOrDefault(arm.name(), ServerJvm.DEFAULT));
  }

  /** What it is told of the other servers'. */
  Map<String, String> environment() {
    return environment(ServerJvm.DEFAULT);
  }

  private Map<String, String> environment(ServerJvm jvm) {
    Map<String, String> environment = new HashMap<>(memory.environment());
    environment.putAll(jvm.environment());
    return environment;
  }

  /** The arms of a round, in the order in which they run: AB, BA, AB and so on. */
  List<ArmSpec> order(int round) {
    List<ArmSpec> order = new ArrayList<>(arms);
    if (round % 2 == 0) {
      Collections.reverse(order);
    }
    return order;
  }
}
