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
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Run by bin/hbase: fills a table with {@link LateCellsObserver}, and compares what that answers
 * with what was written. In between the observer reads first cells that are laid out like those
 * that it answers with, then values whose bytes make lengths that no cell has.
 */
public final class LateCellsClient {
  static final String OTHERS = "gets with others' bytes";
  static final String FAILED = "gets that failed";
  private static final TableName TABLE = TableName.valueOf("late");
  private static final byte[] ALIKE = Bytes.toBytes("g");
  private static final byte[] LONG = Bytes.toBytes("h");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int BLOCK_BYTES = 32 << 10;
  private static final int ROWS = 100;
  private static final int VALUE_BYTES = 1000;
  /** More blocks than the pool has buffers. */
  private static final int ALIKE_ROWS = 4000;
  private static final int LONG_ROWS = 100;
  private static final int LONG_VALUE_BYTES = 60_000;
  /** Four of it are a length of 101,058,054. */
  private static final byte OF_LONG_VALUES = 6;
  private static final int BATCH = 100;
  /** A server that ended is told at once. */
  private static final int TIMEOUT_MILLIS = 20_000;

  private int operations;
  private int others;
  private int failed;

  private LateCellsClient() {
  }

  /** @param args {@code RESULT_FILE GETS} */
  public static void main(String[] args) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      create(connection);
    }
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, TIMEOUT_MILLIS);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, TIMEOUT_MILLIS);
    LateCellsClient client = new LateCellsClient();
    try (Connection connection = ConnectionFactory.createConnection(conf);
      Table table = connection.getTable(TABLE)) {
      for (byte[] family : new byte[][] { ALIKE, LONG }) {
        client.ask(table, family, Integer.parseInt(args[1]));
      }
    }
    Files.writeString(Path.of(args[0]),
      String.format(Locale.ROOT, "{\"operations\":%d,\"%s\":%d,\"%s\":%d}", client.operations,
        OTHERS, client.others, FAILED, client.failed));
  }

  private static void create(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin(); Table table = connection.getTable(TABLE)) {
      TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(TABLE).setCoprocessor(
        CoprocessorDescriptorBuilder.newBuilder(LateCellsObserver.class.getName()).build());
      for (byte[] family : new byte[][] { LateCellsObserver.READ_LATE, ALIKE, LONG }) {
        descriptor.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setBlocksize(BLOCK_BYTES).build());
      }
      admin.createTable(descriptor.build());
      byte[] longValue = new byte[LONG_VALUE_BYTES];
      Arrays.fill(longValue, OF_LONG_VALUES);
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ALIKE_ROWS; i++) {
        Put put = new Put(Bytes.toBytes(i)).addColumn(ALIKE, QUALIFIER, value(i + 1));
        if (i < ROWS) {
          put.addColumn(LateCellsObserver.READ_LATE, QUALIFIER, value(i));
        }
        if (i < LONG_ROWS) {
          put.addColumn(LONG, QUALIFIER, longValue);
        }
        puts.add(put);
        if (puts.size() == BATCH) {
          table.put(puts);
          puts.clear();
        }
      }
      admin.flush(TABLE);
    }
  }

  private static byte[] value(int i) {
    byte[] value = new byte[VALUE_BYTES];
    for (int at = 0; at < value.length; at++) {
      value[at] = (byte) (i + at);
    }
    return value;
  }

  /** Asks until it fails: what a server that ended has told is enough. */
  private void ask(Table table, byte[] family, int gets) {
    Get get = new Get(Bytes.toBytes(0));
    get.setAttribute(LateCellsObserver.IN_BETWEEN, family);
    try {
      for (int i = 0; i < gets; i++) {
        operations++;
        others += isRight(table.get(get).rawCells()) ? 0 : 1;
      }
    } catch (IOException e) {
      System.out.println(e);
      failed++;
    }
  }

  private static boolean isRight(Cell[] cells) {
    boolean right = cells.length == ROWS;
    for (int i = 0; right && i < ROWS; i++) {
      right = Arrays.equals(value(i), CellUtil.cloneValue(cells[i]));
    }
    return right;
  }
}
