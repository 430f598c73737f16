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
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Clients that have little time for each operation. One connection does batches of a row of each
 * region, another one single gets and puts, each of which may run out of time. Each row has the
 * number of its last write, which is its timestamp, too: what is read is at least the last
 * acknowledged one, and at most the last one that was tried. At the end each row is read with
 * patience.
 */
public final class HurriedLoad {
  /** One for each of its rows. */
  static final int REGIONS = 24;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] DATA = Bytes.toBytes("data");
  private static final int DATA_BYTES = 200;
  /** For an operation as a whole; one RPC may take that, too. */
  private static final int TIMEOUT_MILLIS = 500;
  private static final int RETRY_PAUSE_MILLIS = 20;
  private static final int PAUSE_MILLIS = 10;
  private static final int BATCHERS = 2;
  private static final int SINGLES = 2;
  /** So many batches and operations without a time-out have the server be quick again. */
  private static final int IN_A_ROW = 50;
  private static final int QUICK_AGAIN_SECONDS = 120;

  private final TableName name;
  private final Path stop;
  private final AtomicLongArray tried = new AtomicLongArray(BATCHERS * REGIONS + SINGLES * REGIONS);
  private final AtomicLongArray acknowledged = new AtomicLongArray(tried.length());
  private final LongAdder operations = new LongAdder();
  private final LongAdder batchesOutOfTime = new LongAdder();
  private final LongAdder operationsOutOfTime = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder errors = new LongAdder();

  private HurriedLoad(String table, Path stop) {
    this.name = TableName.valueOf(table);
    this.stop = stop;
  }

  /**
   * {@code create TABLE}, or {@code run TABLE BEGUN_FILE STOP_FILE RESULT_FILE}: it makes the first
   * of these when it is at work, and ends after the second one is there.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args[0].equals("create")) {
      create(TableName.valueOf(args[1]));
    } else {
      new HurriedLoad(args[1], Path.of(args[3])).run(Path.of(args[2]), Path.of(args[4]));
    }
  }

  private static void create(TableName table) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int i = 1; i < REGIONS; i++) {
      splits[i - 1] = Bytes.toBytes(prefix(i));
    }
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Admin admin = connection.getAdmin()) {
      admin.createTable(TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)).build(), splits);
    }
  }

  private static String prefix(int region) {
    return String.format("%02d", region);
  }

  /** Of the region that it belongs to, by the numbers of rows. */
  private static byte[] row(int number) {
    return Bytes.toBytes(prefix(number % REGIONS) + "-" + number / REGIONS);
  }

  private static Configuration inHurry() {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(HConstants.HBASE_RPC_TIMEOUT_KEY, TIMEOUT_MILLIS);
    conf.setInt(HConstants.HBASE_RPC_READ_TIMEOUT_KEY, TIMEOUT_MILLIS);
    conf.setInt(HConstants.HBASE_RPC_WRITE_TIMEOUT_KEY, TIMEOUT_MILLIS);
    conf.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, TIMEOUT_MILLIS);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, RETRY_PAUSE_MILLIS);
    conf.setBoolean(MetricsConnection.CLIENT_SIDE_METRICS_ENABLED_KEY, true);
    return conf;
  }

  /** How often it forgot where a region is. */
  private static long forgotten(Connection connection) {
    MetricsConnection metrics = ((ClusterConnection) connection).getConnectionMetrics();
    return metrics.getMetaCacheNumClearRegion().getCount()
      + metrics.getMetaCacheNumClearServer().getCount();
  }

  private void run(Path begun, Path result) throws IOException, InterruptedException {
    long ofBatches;
    long ofOperations;
    boolean quick;
    try (Connection patient = ConnectionFactory.createConnection(HBaseConfiguration.create());
      Connection batches = ConnectionFactory.createConnection(inHurry());
      Connection singles = ConnectionFactory.createConnection(inHurry())) {
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < BATCHERS; i++) {
        clients.add(new Client(batches, i, true));
      }
      for (int i = BATCHERS; i < BATCHERS + SINGLES; i++) {
        clients.add(new Client(singles, i, false));
      }
      locate(batches);
      locate(singles);
      clients.forEach(Thread::start);
      awaitInARow(clients);
      long batchesBefore = forgotten(batches);
      long singlesBefore = forgotten(singles);
      batchesOutOfTime.reset();
      operationsOutOfTime.reset();
      Files.createFile(begun);
      while (!Files.exists(stop)) {
        Thread.sleep(PAUSE_MILLIS);
      }
      quick = awaitInARow(clients);
      ofBatches = forgotten(batches) - batchesBefore;
      ofOperations = forgotten(singles) - singlesBefore;
      for (Client client : clients) {
        client.ended = true;
        client.join();
      }
      verify(patient);
    }
    Files.writeString(result, String.format(
      "{\"operations\":%d,\"wrong\":%d,\"lost\":%d,\"errors\":%d,\"batches out of time\":%d,"
        + "\"operations out of time\":%d,\"locations forgotten by batches\":%d,"
        + "\"locations forgotten by operations\":%d,\"quick again\":%d}%n",
      operations.sum(), wrong.sum(), lost.sum(), errors.sum(), batchesOutOfTime.sum(),
      operationsOutOfTime.sum(), ofBatches, ofOperations, quick ? 1 : 0));
  }

  private void locate(Connection connection) throws IOException {
    for (int region = 0; region < REGIONS; region++) {
      connection.getRegionLocator(name).getRegionLocation(row(region));
    }
  }

  /** Returns false if a client runs out of time again and again. */
  private boolean awaitInARow(List<Client> clients) throws InterruptedException {
    clients.forEach(client -> client.inARow = 0);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(QUICK_AGAIN_SECONDS);
    while (clients.stream().anyMatch(client -> client.inARow < IN_A_ROW)) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return true;
  }

  private void verify(Connection patient) throws IOException {
    try (Table table = patient.getTable(name)) {
      for (int row = 0; row < tried.length(); row++) {
        check(row, acknowledged.get(row), table.get(new Get(row(row))));
      }
    }
  }

  private static byte[] data(int row, long number) {
    byte[] bytes = new byte[DATA_BYTES];
    SplittableRandom random = new SplittableRandom(row * 1_000_003L + number);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }

  /** @param least the last write that was acknowledged before it was read */
  private void check(int row, long least, Result result) {
    if (result.isEmpty()) {
      if (least > 0) {
        lost.increment();
        System.out.println("lost: " + Bytes.toString(row(row)));
      }
      return;
    }
    long found = result.rawCells()[0].getTimestamp();
    if (found < least) {
      lost.increment();
      System.out.println("lost: " + Bytes.toString(row(row)) + " " + found + " of " + least);
    } else if (found > tried.get(row) || !Bytes.equals(result.getRow(), row(row))
      || !Arrays.equals(result.getValue(FAMILY, DATA), data(row, found))) {
      wrong.increment();
      System.out.println("wrong: " + Bytes.toString(row(row)) + " " + found);
    }
  }

  private static boolean isOutOfTime(Throwable error) {
    if (error instanceof RetriesExhaustedWithDetailsException several) {
      return several.getCauses().stream().allMatch(HurriedLoad::isOutOfTime);
    }
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      // What tells of it has no class in common.
      if (cause.getClass().getSimpleName().contains("Timeout")) {
        return true;
      }
    }
    return false;
  }

  /** Writes and reads rows of its own, one in each region. */
  private final class Client extends Thread {
    private final Connection connection;
    private final int first;
    private final boolean inBatches;
    private volatile boolean ended;
    /** Batches or operations since the last one that ran out of time. */
    private volatile int inARow;

    private Client(Connection connection, int number, boolean inBatches) {
      super("client-" + number);
      this.connection = connection;
      this.first = number * REGIONS;
      this.inBatches = inBatches;
    }

    @Override
    public void run() {
      try (Table table = connection.getTable(name)) {
        for (int i = 0; !ended; i++) {
          attempt(table, i);
          Thread.sleep(PAUSE_MILLIS);
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void attempt(Table table, int turn) {
      try {
        if (inBatches) {
          if (turn % 2 == 0) {
            writeAll(table);
          } else {
            readAll(table);
          }
        } else {
          int row = first + turn / 2 % REGIONS;
          if (turn % 2 == 0) {
            write(table, row);
          } else {
            long least = acknowledged.get(row);
            check(row, least, table.get(new Get(row(row))));
          }
        }
        operations.increment();
        inARow++;
      } catch (IOException | RuntimeException e) {
        inARow = 0;
        if (isOutOfTime(e)) {
          (inBatches ? batchesOutOfTime : operationsOutOfTime).increment();
        } else {
          errors.increment();
          System.out.println("error: " + e);
        }
      }
    }

    private Put put(int row) {
      long number = tried.incrementAndGet(row);
      return new Put(row(row), number).addColumn(FAMILY, DATA, data(row, number));
    }

    private void write(Table table, int row) throws IOException {
      Put put = put(row);
      table.put(put);
      acknowledged.set(row, put.getTimestamp());
    }

    private void writeAll(Table table) throws IOException {
      List<Put> puts = new ArrayList<>();
      for (int row = first; row < first + REGIONS; row++) {
        puts.add(put(row));
      }
      Object[] results = new Object[REGIONS];
      try {
        table.batch(puts, results);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      } finally {
        for (int i = 0; i < REGIONS; i++) {
          if (results[i] instanceof Result) {
            acknowledged.set(first + i, puts.get(i).getTimestamp());
          }
        }
      }
    }

    private void readAll(Table table) throws IOException {
      List<Get> gets = new ArrayList<>();
      long[] least = new long[REGIONS];
      for (int i = 0; i < REGIONS; i++) {
        least[i] = acknowledged.get(first + i);
        gets.add(new Get(row(first + i)));
      }
      Result[] results = table.get(gets);
      for (int i = 0; i < REGIONS; i++) {
        check(first + i, least[i], results[i]);
      }
    }
  }
}
