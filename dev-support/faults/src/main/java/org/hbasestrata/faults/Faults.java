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
package org.hbasestrata.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hbasestrata.tools.ToolException;

/** All faults, in the order in which they are run. */
final class Faults {
  /** What isn't run unless it is named: it takes an hour, or a cluster of another kind. */
  private static final Set<String> ON_REQUEST =
    Set.of("soak", "rolling-upgrade", "phoenix", "phoenix-on-stock", "phoenix-cells",
      "phoenix-cells-file", "phoenix-cells-guarded", "phoenix-cells-on-stock", "late-cells",
      "late-cells-on-stock", "secure", "secure-operations", "secure-replication",
      "secure-upgrade", "hostile-handshakes", "slow-server",
      "replication");

  private Faults() {
  }

  /** Breaks something, and tells what that did. */
  interface Breakage {
    void run(Scene scene, Outcome outcome) throws IOException, InterruptedException;
  }

  /** A fault that has a class of its own. */
  record Named(String name, String about, Scene.Setting setting, Breakage breakage)
    implements Fault {
    Named(String name, String about, Breakage breakage) {
      this(name, about, Scene.Setting.TIERS, breakage);
    }

    @Override
    public void run(Scene scene, Outcome outcome) throws IOException, InterruptedException {
      breakage.run(scene, outcome);
    }
  }

  static List<Fault> all() {
    List<Fault> all = new ArrayList<>(DeviceFault.all());
    all.addAll(EndFault.all());
    all.addAll(KillFault.all());
    all.addAll(LittleMemory.all());
    all.add(new Named("fragmentation",
      "a table's blocks change their size, and L2's buckets have slots of the wrong one",
      Fragmentation::run));
    all.add(new Named("pinned-blocks",
      "open scanners hold more blocks than L1 has room for", PinnedBlocks::run));
    all.add(new Named("leaks",
      "multigets and scans, some of clients that go away, while each buffer is watched",
      Leaks::run));
    all.add(new Named("hostile-rpc",
      "damaged requests, headers and CellBlocks on the RPC port", HostileRpc::run));
    all.add(new Named("huge-multigets",
      "multigets of 100,000 rows, of one row 10,000 times, and of rows of 10 MB",
      HugeMultigets::run));
    all.add(new Named("bad-values",
      "values that aren't allowed for each key, at a start and by update_config; a device that "
        + "isn't there at a start", BadValues::run));
    all.add(new Named("ports-and-files",
      "ports that a server listens on, against stock; who may read the block cache's files",
      Ports::run));
    all.add(new Named("slow-server",
      "one of three region servers stands still again and again, for clients with little time",
      Scene.Setting.THREE_SERVERS, SlowServer::run));
    all.add(new Named("replication",
      "region servers are killed and another cluster is away while tables are replicated to it",
      Scene.Setting.THREE_SERVERS, Replication::run));
    all.add(new Named("soak",
      "reads and writes for long (--minutes) with flush, compaction, split, move and balancer",
      Soak::run));
    all.add(new Named("rolling-upgrade",
      "servers go from stock to Strata and back, one at a time, with clients of both",
      Scene.Setting.STOCK, RollingUpgrade::run));
    all.add(new Named("secure",
      "users with different rights at once, by each protection of Kerberos and by TLS, with "
        + "clients and servers of ours and stock's", Scene.Setting.SECURE, Secure::run));
    all.add(new Named("secure-operations",
      "a quota, new certificates, guarded pages and a graceful stop, while others read",
      Scene.Setting.SECURE, SecureOperations::run));
    all.add(new Named("secure-replication",
      "a table is replicated between two secured clusters, from and to servers of ours and stock's",
      Scene.Setting.SECURE, SecureReplication::run));
    all.add(new Named("secure-upgrade", "rolling-upgrade, on a secured cluster",
      Scene.Setting.SECURE_STOCK, RollingUpgrade::run));
    all.add(new Named("hostile-handshakes",
      "damaged handshakes of TLS and SASL, and some that are only begun", Scene.Setting.SECURE,
      HostileHandshakes::run));
    all.addAll(Phoenix.all());
    all.addAll(LateCells.all());
    return all;
  }

  /** @param names none for all that aren't on request */
  static List<Fault> named(List<String> names) {
    List<Fault> all = all();
    if (names.isEmpty()) {
      return all.stream().filter(fault -> !ON_REQUEST.contains(fault.name())).toList();
    }
    Map<String, Fault> byName = new LinkedHashMap<>();
    all.forEach(fault -> byName.put(fault.name(), fault));
    List<String> unknown = names.stream().filter(name -> !byName.containsKey(name)).toList();
    if (!unknown.isEmpty()) {
      throw ToolException.usage("no fault '" + String.join("', '", unknown) + "'; there are: "
        + String.join(", ", byName.keySet()));
    }
    return names.stream().map(byName::get).toList();
  }
}
