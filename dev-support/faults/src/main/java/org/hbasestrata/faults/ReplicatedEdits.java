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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.hbase.thirdparty.com.google.gson.Gson;

/**
 * Writes numbered edits to two tables that are replicated, one of them serially. Each edit has a
 * column of its own, so that one that is missing is seen. Each edit of the serial table also writes
 * its number to a column of always the same timestamp: the edit that came last is the one that is
 * read. In the other cluster {@link EditObserver} says which edits came early, or again.
 */
public final class ReplicatedEdits {
  static final String REPLICATED = "replicated edits";
  static final String MISSING = "edits not replicated";
  static final String OUT_OF_ORDER = "rows out of order";
  static final String EARLY = "edits of the serial table that came before an earlier one";
  static final String AGAIN = "edits that came again";
  static final String AGAIN_UNDISTURBED = "edits that came again before anything was killed";
  private static final TableName SERIAL = TableName.valueOf("serial-edits");
  private static final TableName ANY = TableName.valueOf("edits");
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] LAST = Bytes.toBytes("last");
  private static final long SAME = 1;
  private static final int REGIONS = 6;
  private static final int ROWS = 4 * REGIONS;
  private static final int UNDISTURBED = 100 * ROWS;
  private static final int PAUSE_MILLIS = 4;
  private static final int MOST_SECONDS = 600;
  private static final int POLL_MILLIS = 1000;

  private final Connection here;
  private final Connection there;
  private final int[] written = new int[ROWS];
  private long lost;
  private long missing;
  private long outOfOrder;
  private long early;
  private long again;
  private int total;

  private ReplicatedEdits(Connection here, Connection there) {
    this.here = here;
    this.there = there;
  }

  /** {@code CONF_DIRECTORY BEGUN_FILE STOP_FILE RESULT_FILE}, the first the other cluster's. */
  public static void main(String[] args) throws Exception {
    Configuration other = new Configuration(false);
    other.addResource("core-default.xml");
    other.addResource("hbase-default.xml");
    for (String site : List.of("core-site.xml", "hbase-site.xml")) {
      other.addResource(new org.apache.hadoop.fs.Path(args[0], site));
    }
    try (Connection here = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Connection there = ConnectionFactory.createConnection(other)) {
      ReplicatedEdits edits = new ReplicatedEdits(here, there);
      edits.create(ZKConfig.getZooKeeperClusterKey(other));
      edits.write(() -> edits.total == UNDISTURBED);
      edits.await();
      long undisturbed = edits.again;
      Files.createFile(Path.of(args[1]));
      edits.write(() -> Files.exists(Path.of(args[2])));
      edits.await();
      int writes = 2 * edits.total;
      Gson gson = new Gson();
      Files.writeString(Path.of(args[3]),
        gson.toJson(Map.of("operations", writes, "lost", edits.lost, REPLICATED,
          writes - edits.missing, MISSING, edits.missing, OUT_OF_ORDER, edits.outOfOrder, EARLY,
          edits.early, AGAIN, edits.again, AGAIN_UNDISTURBED, undisturbed)));
    }
  }

  private static byte[] row(int row) {
    return Bytes.toBytes(row);
  }

  private void create(String clusterKey) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = row(i * (ROWS / REGIONS));
    }
    try (Admin admin = here.getAdmin(); Admin other = there.getAdmin()) {
      for (TableName name : List.of(SERIAL, ANY)) {
        TableDescriptor table =
          TableDescriptorBuilder.newBuilder(name).setColumnFamily(ColumnFamilyDescriptorBuilder
            .newBuilder(FAMILY).setScope(HConstants.REPLICATION_SCOPE_GLOBAL).build()).build();
        other.createTable(TableDescriptorBuilder.newBuilder(table)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(EditObserver.EARLY))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(EditObserver.AGAIN))
          .setCoprocessor(EditObserver.class.getName()).build(), splits);
        admin.createTable(table, splits);
        admin.addReplicationPeer(name.equals(SERIAL) ? "serial" : "any",
          ReplicationPeerConfig.newBuilder().setClusterKey(clusterKey)
            .setSerial(name.equals(SERIAL)).setReplicateAllUserTables(false)
            .setTableCFsMap(Map.of(name, List.of(Bytes.toString(FAMILY)))).build());
      }
    }
  }

  private void write(BooleanSupplier end) throws IOException, InterruptedException {
    try (Table serial = here.getTable(SERIAL); Table any = here.getTable(ANY)) {
      while (!end.getAsBoolean()) {
        int row = total++ % ROWS;
        int number = ++written[row];
        Put put = new Put(row(row)).addColumn(FAMILY, Bytes.toBytes(number), row(row));
        any.put(put);
        serial.put(new Put(put).addColumn(FAMILY, LAST, SAME, Bytes.toBytes(number)));
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  /** Waits until the other cluster has all, and in order, and tells what it hasn't. */
  private void await() throws IOException, InterruptedException {
    count(here);
    lost = missing;
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    count(there);
    while (missing + outOfOrder > 0 && System.nanoTime() < end) {
      Thread.sleep(POLL_MILLIS);
      count(there);
    }
  }

  private void count(Connection connection) throws IOException {
    missing = 0;
    outOfOrder = 0;
    early = 0;
    again = 0;
    for (TableName name : List.of(SERIAL, ANY)) {
      try (Table table = connection.getTable(name)) {
        for (int row = 0; row < ROWS; row++) {
          Result found = table.get(new Get(row(row)));
          count(found, written[row]);
          early += name.equals(SERIAL) ? columns(found, EditObserver.EARLY) : 0;
          again += columns(found, EditObserver.AGAIN);
        }
      }
    }
  }

  private void count(Result found, int edits) {
    for (int number = 1; number <= edits; number++) {
      missing += found.containsColumn(FAMILY, Bytes.toBytes(number)) ? 0 : 1;
    }
    byte[] last = found.getValue(FAMILY, LAST);
    outOfOrder += last == null || Bytes.toInt(last) == edits ? 0 : 1;
  }

  private static int columns(Result found, byte[] family) {
    return found.getFamilyMap(family) == null ? 0 : found.getFamilyMap(family).size();
  }
}
