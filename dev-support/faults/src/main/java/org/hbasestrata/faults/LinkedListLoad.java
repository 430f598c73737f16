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
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Run by bin/hbase. Threads write chains of rows, single ones and in batches, each row naming the
 * one before it, add to counters, set values if they are as they were, and read earlier rows back,
 * until a file appears. Then all that was acknowledged is looked up: each row once, as it was
 * written, and no row that nobody wrote.
 */
public final class LinkedListLoad {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] PREVIOUS = Bytes.toBytes("previous");
  private static final byte[] DATA = Bytes.toBytes("data");
  private static final byte[] COUNT = Bytes.toBytes("count");
  private static final byte[] CHECKED = Bytes.toBytes("checked");
  private static final int THREADS = 4;
  private static final int VERSIONS = 10;
  private static final int DATA_BYTES = 500;
  private static final int ADD_EVERY = 8;
  private static final int SHARE_EVERY = 3;
  /** A row that all chains count in, so that it has increments that aren't synced. */
  private static final byte[] SHARED = Bytes.toBytes("shared-counter");
  private static final int SHARED_BATCH = 5;
  private static final int PUT_BATCH_EVERY = 16;
  private static final int PUT_BATCH = 20;
  private static final int BATCH = 100;
  private static final int FLUSH_MILLIS = 4000;
  private static final int POLL_MILLIS = 100;
  private static final int SECOND_MILLIS = 1000;
  /** Between the first retries; up to two hundred times as long between later ones. */
  private static final int RETRY_PAUSE_MILLIS = 20;
  /** Longer than any daemon is down. */
  private static final int RETRIES = 300;

  private final TableName name;
  private final Connection connection;
  private final Path stop;
  private final int pauseMillis;
  /** What the shared row counted: nobody gets a number that another got. */
  private final Set<Long> counts = ConcurrentHashMap.newKeySet();
  private final LongAdder operations = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder twice = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);

  private LinkedListLoad(String table, Connection connection, Path stop, int pauseMillis) {
    this.name = TableName.valueOf(table);
    this.connection = connection;
    this.stop = stop;
    this.pauseMillis = pauseMillis;
  }

  /**
   * {@code TABLE STOP_FILE RESULT_FILE SECONDS_FILE PAUSE_MILLIS}. A line is added to
   * SECONDS_FILE each second; between two steps a thread sleeps for PAUSE_MILLIS.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, RETRIES);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, RETRY_PAUSE_MILLIS);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      LinkedListLoad load = new LinkedListLoad(args[0], connection, Path.of(args[1]),
        Integer.parseInt(args[4]));
      Thread seconds = new Thread(() -> load.tellEachSecond(Path.of(args[3])), "seconds");
      seconds.setDaemon(true);
      seconds.start();
      load.run(Path.of(args[2]));
    }
  }

  private void run(Path result) throws IOException, InterruptedException {
    create();
    List<Chain> chains = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      chains.add(new Chain(i));
    }
    chains.forEach(Thread::start);
    flushUntilStopped();
    for (Chain chain : chains) {
      chain.join();
    }
    Set<String> acknowledged = new HashSet<>();
    Set<String> maybe = new HashSet<>();
    for (Chain chain : chains) {
      chain.verify(acknowledged, maybe);
    }
    verifyShared(chains, acknowledged, maybe);
    verifyByScan(acknowledged, maybe);
    Files.writeString(result, String.format(
      "{\"operations\":%d,\"wrong\":%d,\"lost\":%d,\"twice\":%d,\"errors\":%d,"
        + "\"acknowledged writes\":%d}%n",
      operations.sum(), wrong.sum(), lost.sum(), twice.sum(), errors.sum(), writes.sum()));
  }

  /** Of the last second: when, operations, failed, wrong and lost ones, the longest in ms. */
  private void tellEachSecond(Path file) {
    long[] before = new long[4];
    try {
      while (true) {
        Thread.sleep(SECOND_MILLIS);
        long[] now = { operations.sum(), errors.sum(), wrong.sum(), lost.sum() };
        StringBuilder line = new StringBuilder().append(System.currentTimeMillis());
        for (int i = 0; i < now.length; i++) {
          line.append(' ').append(now[i] - before[i]);
        }
        line.append(' ').append(longestNanos.getThenReset() / 1_000_000).append('\n');
        Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        before = now;
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void create() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      byte[][] splits = { Bytes.toBytes("4"), Bytes.toBytes("8"), Bytes.toBytes("c") };
      admin.createTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setMaxVersions(VERSIONS).build()).build(),
        splits);
    }
  }

  /** So that rows are read from files, through the block cache. */
  private void flushUntilStopped() throws IOException, InterruptedException {
    long next = System.currentTimeMillis() + FLUSH_MILLIS;
    try (Admin admin = connection.getAdmin()) {
      while (!Files.exists(stop)) {
        Thread.sleep(POLL_MILLIS);
        if (System.currentTimeMillis() > next) {
          flush(admin);
          next = System.currentTimeMillis() + FLUSH_MILLIS;
        }
      }
    }
  }

  /**
   * Region by region: the flush of a table waits minutes for a server that was killed. While there
   * is no server of hbase:meta, the regions can't be told either.
   */
  private void flush(Admin admin) {
    try {
      for (RegionInfo region : admin.getRegions(name)) {
        try {
          admin.flushRegion(region.getRegionName());
        } catch (IOException e) {
          System.out.println("no flush: " + e.getMessage());
        }
      }
    } catch (IOException e) {
      System.out.println("no flush, since the regions aren't known: " + e.getMessage());
    }
  }

  private static String row(int chain, long number) {
    long spread = (number * THREADS + chain + 1) * 0x9E3779B97F4A7C15L;
    return String.format("%016x-%d-%d", spread, chain, number);
  }

  private static byte[] data(String row) {
    byte[] bytes = new byte[DATA_BYTES];
    SplittableRandom random = new SplittableRandom(row.hashCode());
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    return bytes;
  }

  private final class Chain extends Thread {
    private final int number;
    private final byte[] counter;
    private final SplittableRandom random;
    /** Rows below are acknowledged. */
    private long next;
    private long added;
    private long maybeAdded;
    /** As many from there may be written. */
    private int maybeWritten;
    /** The value that is checked and set to the next one. */
    private long checked;
    private boolean maybeChecked;
    private long shared;
    private long maybeShared;
    /** What the last of these counted. */
    private long lastShared;

    private Chain(int number) {
      super("chain-" + number);
      this.number = number;
      this.counter = Bytes.toBytes(String.format("%x-counter", number * 4));
      this.random = new SplittableRandom(number);
    }

    @Override
    public void run() {
      try (Table table = connection.getTable(name)) {
        while (!Files.exists(stop)) {
          step(table);
          Thread.sleep(pauseMillis);
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void step(Table table) throws InterruptedException {
      long begin = System.nanoTime();
      try {
        write(table, next % PUT_BATCH_EVERY == 0 ? PUT_BATCH : 1);
        begin = done(begin);
        if (next % ADD_EVERY == 0) {
          maybeAdded++;
          table.incrementColumnValue(counter, FAMILY, COUNT, 1);
          added++;
          begin = done(begin);
        } else if (next % ADD_EVERY == ADD_EVERY / 2) {
          checkAndSet(table);
          begin = done(begin);
        }
        if (next % SHARE_EVERY == 0) {
          addToShared(table);
          begin = done(begin);
        }
        long earlier = random.nextLong(next);
        Result found = table.get(new Get(Bytes.toBytes(row(number, earlier))));
        done(begin);
        check(row(number, earlier), earlier, found);
      } catch (IOException | RuntimeException e) {
        longestNanos.accumulate(System.nanoTime() - begin);
        errors.increment();
        System.out.println("error: " + e);
      }
    }

    private void write(Table table, int rows) throws IOException {
      List<Put> puts = new ArrayList<>();
      for (long i = next; i < next + rows; i++) {
        String row = row(number, i);
        puts.add(new Put(Bytes.toBytes(row))
          .addColumn(FAMILY, PREVIOUS, Bytes.toBytes(i == 0 ? "" : row(number, i - 1)))
          .addColumn(FAMILY, DATA, data(row)));
      }
      maybeWritten = rows;
      if (rows == 1) {
        table.put(puts.get(0));
      } else {
        table.put(puts);
      }
      maybeWritten = 0;
      next += rows;
      writes.add(rows);
    }

    /** By single increments and batches in turns. */
    private void addToShared(Table table) throws IOException, InterruptedException {
      List<Increment> increments = new ArrayList<>();
      for (int i = shared % 2 == 0 ? 1 : SHARED_BATCH; i > 0; i--) {
        increments.add(new Increment(SHARED).addColumn(FAMILY, COUNT, 1));
      }
      Object[] results = new Object[increments.size()];
      maybeShared += results.length;
      if (results.length == 1) {
        results[0] = table.increment(increments.get(0));
      } else {
        table.batch(increments, results);
      }
      shared += results.length;
      long last = lastShared;
      for (Object result : results) {
        long counted = Bytes.toLong(((Result) result).value());
        if (counted <= last || !counts.add(counted)) {
          wrong.increment();
          System.out.println("wrong: counted " + counted + ", which another may have got, after "
            + last);
        }
        lastShared = Math.max(lastShared, counted);
      }
    }

    private void checkAndSet(Table table) throws IOException {
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(counter);
      if (checked == 0) {
        check.ifNotExists(FAMILY, CHECKED);
      } else {
        check.ifEquals(FAMILY, CHECKED, Bytes.toBytes(checked));
      }
      maybeChecked = true;
      boolean set = table.checkAndMutate(check.build(
        new Put(counter).addColumn(FAMILY, CHECKED, Bytes.toBytes(checked + 1)))).isSuccess();
      // The answer of an earlier try may have been lost.
      if (!set && read(table, counter, CHECKED) != checked + 1) {
        wrong.increment();
        System.out.println("wrong: " + read(table, counter, CHECKED) + " isn't " + checked);
      }
      checked++;
      maybeChecked = false;
      writes.increment();
    }

    /** Returns when the next operation begins. */
    private long done(long begin) {
      long end = System.nanoTime();
      longestNanos.accumulate(end - begin);
      operations.increment();
      return end;
    }

    private void check(String row, long at, Result result) {
      if (result.isEmpty()) {
        lost.increment();
        System.out.println("lost: " + row);
        return;
      }
      String previous = at == 0 ? "" : row(number, at - 1);
      if (!Arrays.equals(result.getValue(FAMILY, DATA), data(row))
        || !previous.equals(Bytes.toString(result.getValue(FAMILY, PREVIOUS)))) {
        wrong.increment();
        System.out.println("wrong: " + row);
      }
    }

    /**
     * @param acknowledged gets rows that must be there
     * @param maybe        gets those that may be there
     */
    private void verify(Set<String> acknowledged, Set<String> maybe) throws IOException {
      try (Table table = connection.getTable(name)) {
        for (long from = 0; from < next; from += BATCH) {
          List<Get> gets = new ArrayList<>();
          for (long i = from; i < Math.min(next, from + BATCH); i++) {
            acknowledged.add(row(number, i));
            gets.add(new Get(Bytes.toBytes(row(number, i))).readVersions(VERSIONS));
          }
          Result[] results = table.get(gets);
          for (int i = 0; i < results.length; i++) {
            check(row(number, from + i), from + i, results[i]);
          }
        }
        for (int i = 0; i < maybeWritten; i++) {
          maybe.add(row(number, next + i));
        }
        verifyNumber(read(table, counter, COUNT), added, maybeAdded);
        verifyNumber(read(table, counter, CHECKED), checked, maybeChecked ? checked + 1 : checked);
      }
      (added > 0 || checked > 0 ? acknowledged : maybe).add(Bytes.toString(counter));
    }
  }

  private static long read(Table table, byte[] row, byte[] column) throws IOException {
    byte[] value = table.get(new Get(row)).getValue(FAMILY, column);
    return value == null ? 0 : Bytes.toLong(value);
  }

  private void verifyShared(List<Chain> chains, Set<String> acknowledged, Set<String> maybe)
    throws IOException {
    long least = chains.stream().mapToLong(chain -> chain.shared).sum();
    try (Table table = connection.getTable(name)) {
      verifyNumber(read(table, SHARED, COUNT), least,
        chains.stream().mapToLong(chain -> chain.maybeShared).sum());
    }
    (least > 0 ? acknowledged : maybe).add(Bytes.toString(SHARED));
  }

  private void verifyNumber(long found, long least, long most) {
    if (found < least) {
      lost.add(least - found);
    } else if (found > most) {
      twice.add(found - most);
    }
  }

  private void verifyByScan(Set<String> acknowledged, Set<String> maybe) throws IOException {
    try (Table table = connection.getTable(name);
      ResultScanner scanner = table.getScanner(new Scan().setCaching(BATCH))) {
      Set<String> seen = new HashSet<>();
      for (Result result : scanner) {
        String row = Bytes.toString(result.getRow());
        if (!acknowledged.contains(row) && !maybe.contains(row)) {
          wrong.increment();
          System.out.println("nobody wrote " + row);
        }
        if (!seen.add(row)) {
          twice.increment();
          System.out.println("twice: " + row);
        }
      }
      long missing = acknowledged.stream().filter(row -> !seen.contains(row)).count();
      lost.add(missing);
      System.out.println(
        seen.size() + " rows scanned, " + missing + " acknowledged ones not among them");
    }
  }
}
