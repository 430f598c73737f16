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

import java.io.IOException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** A program of its own, run by bin/hbase: what the harness does to the table. */
public final class TableTool {
  static final String PREPARE = "prepare";
  static final String RESTORE = "restore";
  /** What the line begins with that tells how many regions are open, of all tables. */
  static final String REGIONS = "regions: ";

  private static final int POLL_MILLIS = 500;
  private static final int COMPACTION_MINUTES = 120;

  private TableTool() {
  }

  /** {@code prepare TABLE SNAPSHOT}, or {@code restore TABLE SNAPSHOT}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    TableName table = TableName.valueOf(args[1]);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      if (args[0].equals(PREPARE)) {
        admin.flush(table);
        compact(admin, table);
        admin.snapshot(args[2], table);
        int regions = 0;
        for (ServerName server : admin.getRegionServers()) {
          regions += admin.getRegions(server).size();
        }
        System.out.println(REGIONS + regions);
      } else {
        admin.disableTable(table);
        admin.restoreSnapshot(args[2]);
        admin.enableTable(table);
      }
    } catch (IOException | IllegalStateException e) {
      System.err.println("table: " + args[0] + " of " + table + " failed: " + e.getMessage());
      System.exit(1);
    }
  }

  /** Into one file a region, so that all runs find the same layout. */
  private static void compact(Admin admin, TableName table)
    throws IOException, InterruptedException {
    long deadline = System.nanoTime() + COMPACTION_MINUTES * 60_000_000_000L;
    admin.majorCompact(table);
    // The time stays 0 as long as a region has a file that isn't from a major compaction.
    while (admin.getLastMajorCompactionTimestamp(table) == 0
      || admin.getCompactionState(table) != CompactionState.NONE) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the major compaction didn't end within "
          + COMPACTION_MINUTES + " minutes");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }
}
