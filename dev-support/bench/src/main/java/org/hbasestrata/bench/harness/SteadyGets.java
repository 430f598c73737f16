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
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.hbasestrata.bench.restart.StartSample;
import org.hbasestrata.tools.cluster.ProcessFiles;

/*
 * Each thread has every THREADS-th get, which is due at a time that no answer changes, so gets that
 * a server that is down didn't answer are made up for. The client tries again at once: what
 * is looked for is when the server answers, not when a client with growing pauses asks.
 */

/**
 * A program of its own, run by bin/hbase: gets of random rows at a set rate, through restarts of
 * the region server, until it is ended.
 */
public final class SteadyGets {
  private static final Path PROC = Path.of("/proc");
  private static final int THREADS = 32;
  private static final long SAMPLE_MILLIS = 50;
  private static final long RETRY_MILLIS = 20;
  private static final int CALL_MILLIS = 2_000;
  private static final int SCAN_ROWS = 10_000;

  private final Connection connection;
  private final TableName table;
  private final List<byte[]> rows;
  private final double rate;
  private final AtomicLong answered = new AtomicLong();
  private final long start = System.nanoTime();

  private SteadyGets(Connection connection, TableName table, List<byte[]> rows, double rate) {
    this.connection = connection;
    this.table = table;
    this.rows = rows;
    this.rate = rate;
  }

  /** {@code TABLE RATE PID_FILE SAMPLES_FILE}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 0);
    conf.setInt("hbase.rpc.timeout", CALL_MILLIS);
    conf.setInt("hbase.client.operation.timeout", CALL_MILLIS);
    conf.setInt("hbase.client.meta.operation.timeout", CALL_MILLIS);
    conf.setInt("hbase.ipc.client.failed.servers.expiry", (int) RETRY_MILLIS);
    TableName table = TableName.valueOf(args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      SteadyGets gets =
        new SteadyGets(connection, table, rows(connection, table), Double.parseDouble(args[1]));
      for (int i = 0; i < THREADS; i++) {
        int number = i;
        Thread thread = new Thread(() -> gets.run(number), "gets-" + i);
        thread.setDaemon(true);
        thread.start();
      }
      gets.sample(Path.of(args[2]), Path.of(args[3]));
    }
  }

  private static List<byte[]> rows(Connection connection, TableName table) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    Scan scan = new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(SCAN_ROWS)
      .setCacheBlocks(false);
    try (Table open = connection.getTable(table); ResultScanner results = open.getScanner(scan)) {
      for (Result result : results) {
        rows.add(result.getRow());
      }
    }
    return rows;
  }

  private void run(int number) {
    SplittableRandom random = new SplittableRandom(number);
    for (long operation = number;; operation += THREADS) {
      long due = start + (long) (operation / rate * 1e9);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      get(rows.get(random.nextInt(rows.size())));
      answered.incrementAndGet();
    }
  }

  private void get(byte[] row) {
    while (true) {
      try (Table open = connection.getTable(table)) {
        if (open.get(new Get(row)).isEmpty()) {
          throw new IllegalStateException("a row is gone");
        }
        return;
      } catch (IOException e) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS));
      }
    }
  }

  private void sample(Path pidFile, Path samples) throws IOException, InterruptedException {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(samples))) {
      while (true) {
        long due = (long) ((System.nanoTime() - start) / 1e9 * rate);
        out.println(sample(pidFile, due, answered.get()).toLine());
        out.flush();
        Thread.sleep(SAMPLE_MILLIS);
      }
    }
  }

  private static StartSample sample(Path pidFile, long due, long answered) {
    try {
      long pid = Long.parseLong(Files.readString(pidFile, StandardCharsets.US_ASCII).strip());
      return new StartSample(System.currentTimeMillis(), due, answered, pid,
        new ProcessFiles(PROC, pid).cpuSeconds());
    } catch (IOException | NumberFormatException e) {
      return new StartSample(System.currentTimeMillis(), due, answered, StartSample.DOWN, 0);
    }
  }
}
