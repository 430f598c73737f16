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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Run by bin/hbase: flushes, compacts, splits, moves and balances a table's regions, one of these
 * every few seconds, until a file appears.
 */
public final class Churn {
  private static final int PAUSE_MILLIS = 3000;
  private static final int MOST_REGIONS = 24;

  private Churn() {
  }

  /** {@code TABLE STOP_FILE RESULT_FILE}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    TableName table = TableName.valueOf(args[0]);
    Path stop = Path.of(args[1]);
    SplittableRandom random = new SplittableRandom();
    long done = 0;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      for (int i = 0; !Files.exists(stop); i++) {
        try {
          step(admin, table, i, random);
          done++;
        } catch (IOException e) {
          // As of a region that is about to be split.
          System.out.println(e);
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
    Files.writeString(Path.of(args[2]), Long.toString(done));
  }

  private static void step(Admin admin, TableName table, int number, SplittableRandom random)
    throws IOException {
    List<RegionInfo> regions = admin.getRegions(table);
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    switch (number % 5) {
      case 0 -> admin.flush(table);
      case 1 -> admin.compactRegion(region.getRegionName());
      case 2 -> {
        List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
        admin.move(region.getEncodedNameAsBytes(), servers.get(random.nextInt(servers.size())));
      }
      case 3 -> {
        if (regions.size() < MOST_REGIONS) {
          admin.split(table);
        } else {
          admin.majorCompact(table);
        }
      }
      default -> admin.balance();
    }
  }
}
