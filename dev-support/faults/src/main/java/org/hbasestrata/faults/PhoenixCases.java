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
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Run by bin/hbase with Phoenix's jars on the class path. The smallest cases of what Phoenix itself
 * gets wrong, on any HBase: each is tried once, and a line tells whether it still does.
 */
public final class PhoenixCases {
  private static final int ROWS = 200;
  private static final int SPLIT_SECONDS = 120;

  private PhoenixCases() {
  }

  /** {@code RESULT_FILE}. */
  public static void main(String[] args)
    throws IOException, SQLException, InterruptedException {
    List<String> lines = new ArrayList<>();
    lines.add("a client that was connected before a split: " + split());
    lines.add("a tenant's client that was connected before a split of a salted table: "
      + tenantAndSplit());
    lines.add("entries of a local index after delete and upsert again: " + deletedAndWritten());
    Files.write(Path.of(args[0]), lines);
    // Phoenix leaves threads.
    System.exit(0);
  }

  private static Connection connect(String tenant) throws SQLException {
    Properties properties = new Properties();
    if (tenant != null) {
      properties.setProperty("TenantId", tenant);
    }
    Connection connection = DriverManager.getConnection("jdbc:phoenix", properties);
    connection.setAutoCommit(true);
    return connection;
  }

  private static long count(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
      ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }

  private static String verdict(long expected, long found) {
    return found == expected ? "right" : found + " rows where there are " + expected;
  }

  private static String split() throws IOException, SQLException, InterruptedException {
    try (Connection connection = connect(null);
      Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE WHOLE (W INTEGER NOT NULL, K INTEGER NOT NULL, V VARCHAR"
        + " CONSTRAINT PK PRIMARY KEY (W, K))");
      for (int i = 0; i < ROWS; i++) {
        statement.executeUpdate("UPSERT INTO WHOLE VALUES (1, " + i + ", 'v')");
      }
      String sql = "SELECT COUNT(*) FROM WHOLE WHERE W = 1";
      long before = count(connection, sql);
      split("WHOLE", Bytes.add(number(1), number(ROWS / 2)));
      return verdict(before, count(connection, sql));
    }
  }

  private static String tenantAndSplit()
    throws IOException, SQLException, InterruptedException {
    try (Connection owner = connect(null); Statement statement = owner.createStatement()) {
      statement.execute("CREATE TABLE TENANTS (T VARCHAR NOT NULL, K INTEGER NOT NULL, V VARCHAR"
        + " CONSTRAINT PK PRIMARY KEY (T, K)) MULTI_TENANT = true, SALT_BUCKETS = 2");
    }
    try (Connection tenant = connect("m"); Statement statement = tenant.createStatement()) {
      statement.execute("CREATE VIEW OF_TENANT AS SELECT * FROM TENANTS");
      for (int i = 0; i < ROWS; i++) {
        statement.executeUpdate("UPSERT INTO OF_TENANT (K, V) VALUES (" + i + ", 'v')");
      }
      String sql = "SELECT COUNT(*) FROM OF_TENANT";
      long before = count(tenant, sql);
      // In the first bucket.
      split("TENANTS", Bytes.add(new byte[] { 0 }, Bytes.toBytes("m"),
        Bytes.add(new byte[] { 0 }, number(ROWS / 2))));
      return verdict(before, count(tenant, sql));
    }
  }

  /** Returns an INTEGER's bytes in a key. */
  private static byte[] number(int value) {
    return Bytes.toBytes(value ^ Integer.MIN_VALUE);
  }

  /** Splits the first region of a table. */
  private static void split(String table, byte[] row) throws IOException, InterruptedException {
    try (org.apache.hadoop.hbase.client.Connection connection =
      ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      RegionInfo first = admin.getRegions(TableName.valueOf(table)).get(0);
      admin.splitRegionAsync(first.getRegionName(), row).get(SPLIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  private static String deletedAndWritten() throws SQLException {
    try (Connection connection = connect(null);
      Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE AGAIN (K INTEGER PRIMARY KEY, C INTEGER, D VARCHAR)");
      statement.execute("CREATE LOCAL INDEX AGAIN_C ON AGAIN (C)");
      for (int round = 1; round <= 3; round++) {
        for (int i = 0; i < ROWS; i++) {
          statement.executeUpdate("UPSERT INTO AGAIN VALUES (" + i + ", " + round + ", 'd')");
        }
        if (round < 3) {
          statement.executeUpdate("DELETE FROM AGAIN");
        }
      }
      return verdict(ROWS,
        count(connection, "SELECT /*+ INDEX(AGAIN AGAIN_C) */ COUNT(D) FROM AGAIN WHERE C > 0"));
    }
  }
}
