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
import java.util.List;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Run by bin/hbase: spreads the regions of tables evenly over the region servers that are up. */
public final class Spread {
  private static final int PAUSE_MILLIS = 500;
  private static final int MOST_MILLIS = 300_000;

  private Spread() {
  }

  /** {@code SERVERS TABLE...}, the first being how many servers must be up. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int servers = Integer.parseInt(args[0]);
    long end = System.currentTimeMillis() + MOST_MILLIS;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      // It would move them again at a time of its own.
      admin.balancerSwitch(false, true);
      while (!spread(connection, admin, servers, List.of(args).subList(1, args.length))) {
        if (System.currentTimeMillis() > end) {
          throw new IOException("regions aren't spread after " + MOST_MILLIS / 1000 + " s");
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Returns whether all are where they should be; moves those that aren't. */
  private static boolean spread(Connection connection, Admin admin, int count, List<String> tables)
    throws IOException, InterruptedException {
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    if (servers.size() != count) {
      return false;
    }
    servers.sort(null);
    List<Thread> moves = new ArrayList<>();
    int next = 0;
    for (String table : tables) {
      try (RegionLocator locator = connection.getRegionLocator(TableName.valueOf(table))) {
        for (HRegionLocation at : locator.getAllRegionLocations()) {
          ServerName to = servers.get(next++ % servers.size());
          if (!to.equals(at.getServerName())) {
            // Side by side: each waits for the master, and for a flush of its region.
            moves.add(new Thread(() -> move(connection, at, to)));
          }
        }
      }
    }
    moves.forEach(Thread::start);
    for (Thread move : moves) {
      move.join();
    }
    System.out.println(moves.size() + " regions moved, servers " + servers);
    return moves.isEmpty();
  }

  private static void move(Connection connection, HRegionLocation region, ServerName to) {
    try (Admin admin = connection.getAdmin()) {
      admin.move(region.getRegion().getEncodedNameAsBytes(), to);
    } catch (IOException e) {
      // As of one that is on its way from a server that ended: the next look finds where it is.
      System.out.println(e);
    }
  }
}
