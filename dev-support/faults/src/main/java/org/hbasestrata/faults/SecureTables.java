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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.protobuf.generated.VisibilityLabelsProtos.VisibilityLabelsResponse;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Run by bin/hbase as the superuser: makes the tables of {@link SecureLoad}, with rows, rights and
 * labels.
 */
public final class SecureTables {
  /** Alice reads and writes it, Bob reads it, Carol reads one column of it, Dave nothing. */
  static final String GUARDED = "guarded";
  /** Alice and Bob read it; each row has a cell without a label, a public and a secret one. */
  static final String LABELLED = "labelled";
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] OPEN = Bytes.toBytes("open");
  static final byte[] SECRET = Bytes.toBytes("secret");
  static final byte[] PUBLIC = Bytes.toBytes("public");
  static final int ROWS = 512;
  /** Rows that are together in a range. */
  static final int ROWS_OF_PREFIX = 8;
  /** Of the rows that are there from the beginning. */
  static final String OWNER = "fixed";
  static final int PREFIXES = ROWS / ROWS_OF_PREFIX;
  /** Of what keys begin with, so that they are in each region. */
  private static final int STEP = 256 / PREFIXES;
  private static final String[] SPLITS = { "40", "80", "c0" };
  private static final int BATCH = 256;
  private static final int LEAST_BYTES = 20;
  private static final int MOST_BYTES = 1500;
  /** One in so many is larger than a pooled buffer and a chunk of a client. */
  private static final int SELDOM = 64;
  private static final int LARGE_BYTES = 70_000;
  private static final int MOST_SECONDS = 120;
  private static final int POLL_MILLIS = 200;

  private SecureTables() {
  }

  public static void main(String[] args) throws Throwable {
    Configuration conf = HBaseConfiguration.create();
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Admin admin = connection.getAdmin()) {
      String[] both = { Bytes.toString(PUBLIC), Bytes.toString(SECRET) };
      await("labels", () -> isDone(VisibilityClient.addLabels(connection, both)));
      await("alice's labels", () -> isDone(VisibilityClient.setAuths(connection, both, "alice")));
      await("bob's labels", () -> isDone(VisibilityClient.setAuths(connection,
        new String[] { Bytes.toString(PUBLIC) }, "bob")));
      for (String name : List.of(GUARDED, LABELLED)) {
        TableName table = TableName.valueOf(name);
        byte[][] splits = Arrays.stream(SPLITS).map(Bytes::toBytes).toArray(byte[][]::new);
        if (!admin.tableExists(table)) {
          admin.createTable(TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), splits);
        }
        fill(connection, table);
        admin.flush(table);
        AccessControlClient.grant(connection, table, "alice", null, null, Permission.Action.READ,
          Permission.Action.WRITE);
        AccessControlClient.grant(connection, table, "@readers", null, null,
          Permission.Action.READ);
      }
      AccessControlClient.grant(connection, TableName.valueOf(GUARDED), "carol", FAMILY, OPEN,
        Permission.Action.READ);
    }
    // Servers hear of rights and labels by ZooKeeper, soon.
    awaitCells(conf, "carol", GUARDED, ROWS);
    awaitCells(conf, "bob", LABELLED, 2 * ROWS);
    awaitCells(conf, "alice", LABELLED, 3 * ROWS);
  }

  /** Something that comes true. */
  private interface Condition {
    boolean isSo() throws Throwable;
  }

  private static void await(String what, Condition condition) throws IOException,
    InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    Throwable last = null;
    while (System.nanoTime() < end) {
      try {
        if (condition.isSo()) {
          return;
        }
      } catch (Throwable e) {
        last = e;
      }
      Thread.sleep(POLL_MILLIS);
    }
    throw new IOException("not in " + MOST_SECONDS + " s: " + what, last);
  }

  private static boolean isDone(VisibilityLabelsResponse response) {
    // A label that is there since an earlier try is told as an exception.
    return response.getResultList().stream().allMatch(result -> !result.hasException()
      || result.getException().getValue().toStringUtf8().contains("LabelAlreadyExists"));
  }

  private static void awaitCells(Configuration conf, String user, String name, int cells)
    throws IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(conf, User.create(
      UserGroupInformation.loginUserFromKeytabAndReturnUGI(user, keytab(conf, user))));
      Table table = connection.getTable(TableName.valueOf(name))) {
      await(user + " sees " + cells + " cells of " + name, () -> {
        int seen = 0;
        try (ResultScanner scanner = table.getScanner(FAMILY)) {
          for (Result result : scanner) {
            // Other faults leave rows of other owners.
            if (Bytes.toString(result.getRow()).contains("-" + OWNER + "-")) {
              seen += result.size();
            }
          }
        }
        return seen == cells;
      });
    }
  }

  static String keytab(Configuration conf, String user) {
    return conf.get("cluster.secure.directory") + "/keytabs/" + user + ".keytab";
  }

  private static void fill(Connection connection, TableName name) throws IOException {
    boolean labelled = name.getNameAsString().equals(LABELLED);
    try (Table table = connection.getTable(name)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        byte[] row = row(OWNER, i);
        puts.add(put(row, OPEN, 0));
        Put secret = put(row, SECRET, 0);
        if (labelled) {
          secret.setCellVisibility(new CellVisibility(Bytes.toString(SECRET)));
          Put shown = put(row, PUBLIC, 0);
          shown.setCellVisibility(new CellVisibility(Bytes.toString(PUBLIC)));
          puts.add(shown);
        }
        puts.add(secret);
        if (puts.size() >= BATCH || i == ROWS - 1) {
          table.put(puts);
          puts.clear();
        }
      }
    }
  }

  static Put put(byte[] row, byte[] column, int version) {
    return new Put(row).addColumn(FAMILY, column, value(row, column, version));
  }

  /** A row's key, which spreads rows over regions; some follow each other. */
  static byte[] row(String owner, int i) {
    return Bytes.toBytes(prefix(owner, i % PREFIXES) + String.format(Locale.ROOT, "%06d", i));
  }

  /** What the keys of some of an owner's rows begin with. */
  static String prefix(String owner, int prefix) {
    return String.format(Locale.ROOT, "%02x-%s-", STEP * prefix, owner);
  }

  /** The value that a column has; nothing else has the same. */
  static byte[] value(byte[] row, byte[] column, int version) {
    SplittableRandom random =
      new SplittableRandom(31L * (31L * Bytes.hashCode(row) + Bytes.hashCode(column)) + version);
    int length = random.nextInt(SELDOM) == 0
      ? LARGE_BYTES
      : LEAST_BYTES + random.nextInt(MOST_BYTES - LEAST_BYTES);
    byte[] value = new byte[length];
    random.nextBytes(value);
    return value;
  }
}
