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
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Run by bin/hbase: sends batches that are far too big, and checks the answers. */
public final class HugeBatches {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] OTHER = Bytes.toBytes("r");
  private static final int SMALL_ROWS = 1000;
  private static final int BIG_ROWS = 8;
  /** Of each of the two cells of a row, since a client's limit for a cell is 10 MB. */
  private static final int BIG_BYTES = 5 << 20;

  private final Table table;
  private long injected;
  private long operations;
  private long wrong;
  private long errors;

  private HugeBatches(Table table) {
    this.table = table;
  }

  /** {@code SHORT RESULT_FILE}. */
  public static void main(String[] args) throws IOException {
    boolean brief = Boolean.parseBoolean(args[0]);
    TableName name = TableName.valueOf("huge");
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      try (Admin admin = connection.getAdmin()) {
        admin.createTable(TableDescriptorBuilder.newBuilder(name)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build());
        try (Table table = connection.getTable(name)) {
          HugeBatches batches = new HugeBatches(table);
          batches.fill();
          admin.flush(name);
          batches.run(brief);
          Files.writeString(Path.of(args[1]), String.format(
            "{\"injected\":%d,\"operations\":%d,\"wrong\":%d,\"errors\":%d}%n", batches.injected,
            batches.operations, batches.wrong, batches.errors));
        }
      }
    }
  }

  private static byte[] small(int number) {
    return Bytes.toBytes("small-" + number % SMALL_ROWS);
  }

  private static byte[] big(int number) {
    return Bytes.toBytes("big-" + number % BIG_ROWS);
  }

  private static byte[] bigValue(int number, byte[] qualifier) {
    byte[] value = new byte[BIG_BYTES];
    Arrays.fill(value, (byte) (2 * (number % BIG_ROWS) + (qualifier == OTHER ? 1 : 0)));
    return value;
  }

  private void fill() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < SMALL_ROWS; i++) {
      puts.add(new Put(small(i)).addColumn(FAMILY, QUALIFIER, small(i)));
    }
    table.put(puts);
    for (int i = 0; i < BIG_ROWS; i++) {
      for (byte[] qualifier : new byte[][] { QUALIFIER, OTHER }) {
        table.put(new Put(big(i)).addColumn(FAMILY, qualifier, bigValue(i, qualifier)));
      }
    }
  }

  private void run(boolean brief) {
    for (int i = 0; i < (brief ? 1 : 5); i++) {
      ask(100_000, false, false);
      ask(10_000, true, false);
      ask(2 * BIG_ROWS, false, true);
      ask(16, true, true);
    }
  }

  private void ask(int count, boolean sameRow, boolean bigRows) {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = sameRow ? 1 : i;
      gets.add(new Get(bigRows ? big(number) : small(number)));
    }
    injected++;
    try {
      Result[] results = table.get(gets);
      for (int i = 0; i < count; i++) {
        int number = sameRow ? 1 : i;
        if (bigRows
          ? !isBig(results[i], number, QUALIFIER) || !isBig(results[i], number, OTHER)
          : !Arrays.equals(small(number), results[i].getValue(FAMILY, QUALIFIER))) {
          wrong++;
        }
      }
      operations += count;
    } catch (IOException e) {
      errors++;
      System.out.println(count + " gets" + (bigRows ? " of big rows" : "") + ": " + e);
    }
  }

  private static boolean isBig(Result result, int number, byte[] qualifier) {
    return Arrays.equals(bigValue(number, qualifier), result.getValue(FAMILY, qualifier));
  }
}
