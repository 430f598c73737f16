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
package org.hbasestrata.ycsb;

import java.util.ArrayList;
import java.util.List;
import site.ycsb.DBException;
import site.ycsb.WorkloadException;

/** A table of a profile's rows, on which the profile's operations are done. */
final class ProfileTable implements SliceTable {
  private final Cluster cluster;
  private final HBaseWorkload workload = new HBaseWorkload();
  private final Latencies latencies = new Latencies(false);
  /** By the number of the thread. */
  private final List<HBaseClient> clients = new ArrayList<>();

  /**
   * Connects, and makes sure that the rows are there.
   * @param threads the most that will be at work
   */
  ProfileTable(Profile profile, int threads) {
    try {
      workload.init(profile);
      cluster = new Cluster(profile);
      cluster.connect();
      cluster.prepareRun(workload);
      TableEnds ends = cluster.ends();
      for (int i = 0; i < threads; i++) {
        HBaseClient client = new HBaseClient(latencies, null, ends);
        client.setProperties(profile.properties());
        client.init();
        clients.add(client);
      }
    } catch (WorkloadException e) {
      throw ToolException.usage("profile " + profile.name() + ": " + ToolException.oneLine(e));
    } catch (DBException e) {
      throw ToolException.cluster("no connection: " + ToolException.oneLine(e), e);
    }
  }

  @Override
  public void operate(int thread) {
    HBaseClient client = clients.get(thread);
    client.due(System.nanoTime());
    workload.doTransaction(client, null);
  }

  @Override
  public Latencies latencies() {
    return latencies;
  }

  @Override
  public List<String> servers() {
    return cluster.servers();
  }

  @Override
  public void close() {
    try {
      for (HBaseClient client : clients) {
        client.cleanup();
      }
    } catch (DBException e) {
      throw ToolException.cluster("the connection can't be closed: " + ToolException.oneLine(e),
        e);
    } finally {
      cluster.close();
    }
  }
}
