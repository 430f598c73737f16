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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;

/**
 * Run by bin/hbase as the superuser: has {@link SecureTables#GUARDED} replicated to another
 * cluster, writes it here as one user, and reads there as users with and without rights.
 */
public final class ReplicatedRows {
  static final String REPLICATED = "replicated rows";
  private static final TableName TABLE = TableName.valueOf(SecureTables.GUARDED);
  private static final String PEER = "peer";
  private static final int ROWS = 400;
  private static final int BATCH = 20;
  private static final int MOST_SECONDS = 180;
  private static final int POLL_MILLIS = 500;

  private final String owner = "replicated-" + System.nanoTime();
  /** Version of each row; 0 if it isn't there. */
  private final int[] versions = new int[ROWS];
  private int newest;
  private long writes;

  private ReplicatedRows() {
  }

  /** {@code RESULT_FILE CONF_DIRECTORY SECONDS}, the second the other cluster's. */
  public static void main(String[] args) throws Exception {
    Configuration here = HBaseConfiguration.create();
    Configuration there = new Configuration(false);
    there.addResource("core-default.xml");
    there.addResource("hbase-default.xml");
    for (String site : List.of("core-site.xml", "hbase-site.xml")) {
      there.addResource(new org.apache.hadoop.fs.Path(args[1], site));
    }
    ReplicatedRows rows = new ReplicatedRows();
    long wrong;
    int[] rights = new int[3];
    try (Connection superuser = ConnectionFactory.createConnection(here);
      Admin admin = superuser.getAdmin();
      Connection writer = SecureLoad.connect(here, SecureLoad.keytabUser(here, "alice"));
      Connection reader = SecureLoad.connect(there, SecureLoad.keytabUser(here, "alice"));
      Connection ofColumn = SecureLoad.connect(there, SecureLoad.keytabUser(here, "carol"));
      Connection ofNothing = SecureLoad.connect(there, SecureLoad.keytabUser(here, "dave"))) {
      replicate(admin, ZKConfig.getZooKeeperClusterKey(there));
      try (Table table = writer.getTable(TABLE)) {
        rows.write(table, Long.parseLong(args[2]));
      }
      try (Table table = reader.getTable(TABLE)) {
        wrong = rows.awaitRows(table);
      }
      try (Table column = ofColumn.getTable(TABLE); Table nothing = ofNothing.getTable(TABLE)) {
        rights = rows.rights(column, nothing);
      }
      admin.removeReplicationPeer(PEER);
    }
    Files.writeString(Path.of(args[0]),
      String.format(
        "{\"operations\":%d,\"wrong\":%d,\"%s\":%d,\"%s\":%d,\"%s\":%d,\"%s\":%d}%n",
        rows.writes, wrong, REPLICATED, ROWS - wrong, SecureLoad.REFUSED, rights[0],
        SecureLoad.DENIED, rights[1], SecureLoad.ALLOWED, rights[2]));
  }

  private static void replicate(Admin admin, String clusterKey) throws IOException {
    TableDescriptor table = admin.getDescriptor(TABLE);
    if (table.getColumnFamily(SecureTables.FAMILY).getScope() == 0) {
      admin.modifyTable(TableDescriptorBuilder.newBuilder(table)
        .modifyColumnFamily(ColumnFamilyDescriptorBuilder
          .newBuilder(table.getColumnFamily(SecureTables.FAMILY))
          .setScope(HConstants.REPLICATION_SCOPE_GLOBAL).build())
        .build());
    }
    admin.addReplicationPeer(PEER,
      ReplicationPeerConfig.newBuilder().setClusterKey(clusterKey).build());
  }

  private byte[] row(int i) {
    return SecureTables.row(owner, i);
  }

  /** Versions are the timestamps, too. */
  private void write(Table table, long seconds) throws IOException {
    SplittableRandom random = new SplittableRandom(owner.hashCode());
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    do {
      int first = random.nextInt(ROWS - BATCH);
      List<Put> puts = new ArrayList<>();
      for (int i = first; i < first + BATCH; i++) {
        newest++;
        Put put = new Put(row(i), newest);
        for (byte[] column : List.of(SecureTables.OPEN, SecureTables.SECRET)) {
          put.addColumn(SecureTables.FAMILY, column,
            SecureTables.value(row(i), column, newest));
        }
        puts.add(put);
        versions[i] = newest;
      }
      table.put(puts);
      int gone = random.nextInt(ROWS);
      table.delete(new Delete(row(gone), ++newest));
      versions[gone] = 0;
      writes += BATCH + 1;
    } while (System.nanoTime() < end);
  }

  /** Waits until all are there as they are here, and returns how many aren't. */
  private long awaitRows(Table table) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    long wrong = ROWS;
    while (wrong > 0) {
      List<Get> gets = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        gets.add(new Get(row(i)).addFamily(SecureTables.FAMILY));
      }
      Result[] results = table.get(gets);
      wrong = 0;
      for (int i = 0; i < ROWS; i++) {
        boolean right = versions[i] == 0
          ? results[i].isEmpty()
          : SecureLoad.isRight(results[i], row(i), versions[i], SecureTables.OPEN,
            SecureTables.SECRET);
        wrong += right ? 0 : 1;
      }
      if (System.nanoTime() > end) {
        break;
      }
      if (wrong > 0) {
        Thread.sleep(POLL_MILLIS);
      }
    }
    return wrong;
  }

  /** How often who has no right was denied, who has one was, and who has none was allowed. */
  private int[] rights(Table column, Table nothing) throws IOException {
    int[] counts = new int[3];
    for (int i = 0; i < ROWS; i++) {
      Get get = new Get(row(i)).addFamily(SecureTables.FAMILY);
      byte[][] seen = versions[i] == 0 ? new byte[0][] : new byte[][] { SecureTables.OPEN };
      if (!SecureLoad.isRight(column.get(get), row(i), versions[i], seen)) {
        counts[1]++;
      }
      try {
        nothing.get(get);
        counts[2]++;
      } catch (IOException e) {
        if (!SecureLoad.isDenial(e)) {
          throw e;
        }
        counts[0]++;
      }
    }
    return counts;
  }
}
