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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** A program of its own, run by bin/hbase: what the harness does to the table. */
public final class TableTool {
  static final String PREPARE = "prepare";
  static final String RESTORE = "restore";
  static final String TWINS = "twins";
  static final String PIN = "pin";
  static final String SPREAD = "spread";
  static final String AWAIT = "await";
  static final String AWAIT_LOSS = "await-loss";
  /** What the line begins with that tells how many regions are open, of all tables. */
  static final String REGIONS = "regions: ";

  private static final int POLL_MILLIS = 500;
  private static final int PIN_SECONDS = 300;
  private static final int REPORT_SECONDS = 180;
  private static final int COMPACTION_MINUTES = 120;

  private TableTool() {
  }

  /**
   * {@code prepare TABLE SNAPSHOT}, {@code restore TABLE SNAPSHOT},
   * {@code twins TABLE SNAPSHOT TWIN[=ENCODING] TWIN[=ENCODING]}, {@code pin TABLE=PORT ... =PORT},
   * {@code spread TABLE}, {@code await PORT} or {@code await-loss TABLE PORT}.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      switch (args[0]) {
        case PREPARE -> prepare(admin, TableName.valueOf(args[1]), args[2]);
        case RESTORE -> {
          admin.disableTable(TableName.valueOf(args[1]));
          admin.restoreSnapshot(args[2]);
          admin.enableTable(TableName.valueOf(args[1]));
        }
        case TWINS -> makeTwins(admin, TableName.valueOf(args[1]), args[2],
          List.of(args).subList(3, args.length));
        case SPREAD -> spread(admin, TableName.valueOf(args[1]));
        case AWAIT -> awaitReport(admin, Integer.parseInt(args[1]));
        case AWAIT_LOSS -> awaitLoss(connection, admin, TableName.valueOf(args[1]),
          Integer.parseInt(args[2]));
        default -> pin(admin, List.of(args).subList(1, args.length));
      }
    } catch (IOException | IllegalStateException e) {
      System.err.println("table: " + String.join(" ", args) + " failed: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void prepare(Admin admin, TableName table, String snapshot)
    throws IOException, InterruptedException {
    admin.flush(table);
    compact(admin, table);
    admin.snapshot(snapshot, table);
    int regions = 0;
    for (ServerName server : admin.getRegionServers()) {
      regions += admin.getRegions(server).size();
    }
    System.out.println(REGIONS + regions);
  }

  /**
   * A clone's files are links to those of the table, which are read in another way: compacting it
   * makes files of its own.
   */
  private static void makeTwins(Admin admin, TableName table, String snapshot,
    List<String> twins) throws IOException, InterruptedException {
    admin.balancerSwitch(false, true);
    admin.splitSwitch(false, true);
    admin.mergeSwitch(false, true);
    admin.flush(table);
    admin.snapshot(snapshot, table);
    int regions = 0;
    for (String twin : twins) {
      int equals = twin.indexOf('=');
      TableName name = TableName.valueOf(equals < 0 ? twin : twin.substring(0, equals));
      admin.cloneSnapshot(snapshot, name);
      if (equals >= 0) {
        encode(admin, name, DataBlockEncoding.valueOf(twin.substring(equals + 1)));
      }
      compact(admin, name);
      regions = admin.getRegions(name).size();
    }
    admin.deleteSnapshot(snapshot);
    admin.disableTable(table);
    admin.deleteTable(table);
    System.out.println(REGIONS + regions);
  }

  /** Holds for what is written from now on. */
  private static void encode(Admin admin, TableName table, DataBlockEncoding encoding)
    throws IOException {
    for (ColumnFamilyDescriptor family : admin.getDescriptor(table).getColumnFamilies()) {
      admin.modifyColumnFamily(table,
        ColumnFamilyDescriptorBuilder.newBuilder(family).setDataBlockEncoding(encoding).build());
    }
  }

  private static void pin(Admin admin, List<String> places)
    throws IOException, InterruptedException {
    Map<String, ServerName> servers = new HashMap<>();
    for (String place : places) {
      int equals = place.indexOf('=');
      int port = Integer.parseInt(place.substring(equals + 1));
      servers.put(place.substring(0, equals), admin.getRegionServers().stream()
        .filter(server -> server.getPort() == port).findFirst().orElseThrow(
          () -> new IllegalStateException("there is no region server on port " + port)));
    }
    settle(admin,
      region -> servers.getOrDefault(region.getTable().getNameAsString(), servers.get("")));
  }

  /** Gives each server as many regions of a table, in turn, and leaves them there. */
  private static void spread(Admin admin, TableName table)
    throws IOException, InterruptedException {
    admin.balancerSwitch(false, true);
    List<ServerName> servers = admin.getRegionServers().stream().sorted().toList();
    Map<String, ServerName> places = new HashMap<>();
    for (RegionInfo region : admin.getRegions(table)) {
      places.put(region.getEncodedName(), servers.get(places.size() % servers.size()));
    }
    settle(admin, region -> places.get(region.getEncodedName()));
  }

  /** The master assigns nothing to a server before its first report. */
  private static void awaitReport(Admin admin, int port)
    throws IOException, InterruptedException {
    long deadline = System.nanoTime() + REPORT_SECONDS * 1_000_000_000L;
    while (admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
      .getLiveServerMetrics().values().stream().noneMatch(server -> server.getServerName()
        .getPort() == port && server.getMaxHeapSize().get() > 0)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the region server on port " + port
          + " has reported nothing to the master in " + REPORT_SECONDS + " seconds");
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  /** The master knows that the server is gone, and hbase:meta where its regions are now. */
  private static void awaitLoss(Connection connection, Admin admin, TableName table, int port)
    throws IOException, InterruptedException {
    long deadline = System.nanoTime() + REPORT_SECONDS * 1_000_000_000L;
    try (RegionLocator locator = connection.getRegionLocator(table)) {
      while (admin.getRegionServers().stream().anyMatch(server -> server.getPort() == port)
        || locator.getAllRegionLocations().stream()
          .anyMatch(place -> place.getServerName() == null || place.getPort() == port)) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("regions of the region server on port " + port
            + " aren't back after " + REPORT_SECONDS + " seconds");
        }
        Thread.sleep(POLL_MILLIS);
      }
    }
  }

  /** @param places where a region should be; null for wherever it is */
  private static void settle(Admin admin, Function<RegionInfo, ServerName> places)
    throws IOException, InterruptedException {
    long deadline = System.nanoTime() + PIN_SECONDS * 1_000_000_000L;
    List<String> strays = moveStrays(admin, places);
    while (!strays.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("these regions aren't where they should be after "
          + PIN_SECONDS + " seconds: " + String.join(", ", strays));
      }
      Thread.sleep(POLL_MILLIS);
      strays = moveStrays(admin, places);
    }
  }

  /** Returns the regions that weren't where they should be. */
  private static List<String> moveStrays(Admin admin, Function<RegionInfo, ServerName> places)
    throws IOException {
    List<String> strays = new ArrayList<>();
    for (ServerName server : admin.getRegionServers()) {
      for (RegionInfo region : admin.getRegions(server)) {
        ServerName wanted = places.apply(region);
        if (wanted != null && !server.equals(wanted)) {
          strays.add(region.getRegionNameAsString() + " on " + server.getAddress());
          admin.move(region.getEncodedNameAsBytes(), wanted);
        }
      }
    }
    return strays;
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
