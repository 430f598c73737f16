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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The client processes of two arms: one for both, or one for each. For one thread. */
final class SliceClients implements AutoCloseable {
  private final List<SliceClient> started = new ArrayList<>();

  /**
   * Starts them.
   * @param tables       of the arms, in the arms' order
   * @param serversAlive whether going on is of any use
   */
  SliceClients(Client client, PairsRequest pairs, List<String> tables,
    BooleanSupplier serversAlive) throws InterruptedException {
    int threads = pairs.mostThreads();
    try {
      if (!pairs.ownClients()) {
        started.add(client.slices(ArmSpec.STRATA, "ycsb.log", tables, threads, serversAlive));
        return;
      }
      for (int i = 0; i < tables.size(); i++) {
        String arm = pairs.request().arms().get(i).name();
        started.add(client.slices(pairs.clientOf(arm), "ycsb-" + arm + ".log",
          List.of(tables.get(i)), threads, serversAlive));
      }
    } catch (InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /** @param arm its number, from 0 */
  SliceClient of(int arm) {
    return started.get(Math.min(arm, started.size() - 1));
  }

  /** The jar that each arm's HBase client is from, by the arm's name. */
  Map<String, String> jars(List<ArmSpec> arms) {
    Map<String, String> jars = new LinkedHashMap<>();
    for (int i = 0; i < arms.size(); i++) {
      jars.put(arms.get(i).name(), of(i).jar());
    }
    return jars;
  }

  @Override
  public void close() {
    started.forEach(SliceClient::close);
  }
}
