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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A program of its own, run by bin/hbase: what a neighbour of gets does, until it is ended. Writes
 * how much it has done, several times a second.
 */
public final class NeighbourLoad {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] COLUMN = Bytes.toBytes("c");
  private static final TableName PUTS = TableName.valueOf("neighbour-puts");
  private static final TableName BIG_ROWS = TableName.valueOf("neighbour-rows");
  private static final TableName REGIONS = TableName.valueOf("neighbour-regions");
  private static final TableName FILES = TableName.valueOf("neighbour-files");
  private static final TableName FILES_COPY = TableName.valueOf("neighbour-files-copy");
  private static final String SNAPSHOT = "neighbour";
  private static final String FILES_SNAPSHOT = "neighbour-files";

  private static final int SAMPLE_MILLIS = 100;
  private static final int POLL_MILLIS = 20;
  private static final int USUAL_ROWS = 100;
  private static final int MANY_ROWS = 10_000;
  private static final int GETS_THREADS = 16;
  private static final int SCANS_THREADS = 8;
  private static final int PUTS_THREADS = 4;
  private static final int BATCH = 2_500;
  private static final int PUTS_BATCH = 100;
  private static final int PUT_BYTES = 1_000;
  private static final long FLUSH_BYTES = 8L << 20;
  private static final int BIG_CELLS = 10;
  private static final int BIG_CELL_BYTES = 1 << 20;
  private static final int MANY_REGIONS = 100;
  private static final int MANY_FILES = 20;
  private static final int BATCHES_OF_FILE = 80;

  /** What one thread does again and again. */
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private final Connection connection;
  private final Admin admin;
  private final TableName table;
  private final AtomicLong done = new AtomicLong();
  private final List<byte[]> rows = new ArrayList<>();

  private NeighbourLoad(Connection connection, TableName table) throws IOException {
    this.connection = connection;
    this.admin = connection.getAdmin();
    this.table = table;
  }

  /** {@code NEIGHBOUR TABLE SAMPLES_FILE}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Configuration conf = HBaseConfiguration.create();
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      NeighbourLoad load = new NeighbourLoad(connection, TableName.valueOf(args[1]));
      load.start(Neighbour.of(args[0]));
      load.sample(Path.of(args[2]));
    }
  }

  private void start(Neighbour neighbour) throws IOException, InterruptedException {
    switch (neighbour) {
      case SCAN -> start(1, () -> scan(USUAL_ROWS));
      case SCANS -> start(SCANS_THREADS, () -> scan(USUAL_ROWS));
      case GREEDY_SCANS -> start(SCANS_THREADS, () -> scan(MANY_ROWS));
      case GETS -> {
        readRows();
        start(GETS_THREADS, this::get);
      }
      case BATCHES -> {
        readRows();
        start(2, this::getBatch);
      }
      case COMPACTIONS -> start(1, this::compact);
      case CATCH_UP -> {
        makeFiles();
        start(1, this::compactFiles);
      }
      case FLUSHES -> {
        create(TableDescriptorBuilder.newBuilder(PUTS).setMemStoreFlushSize(FLUSH_BYTES), null);
        start(PUTS_THREADS, () -> put(PUTS));
      }
      case BIG_ROWS -> {
        create(TableDescriptorBuilder.newBuilder(BIG_ROWS), null);
        putBigRow();
        start(2, this::getBigRow);
      }
      case REGIONS -> {
        byte[][] splits = new byte[MANY_REGIONS - 1][];
        for (int i = 1; i < MANY_REGIONS; i++) {
          splits[i - 1] = Bytes.toBytes(i);
        }
        create(TableDescriptorBuilder.newBuilder(REGIONS), splits);
        start(1, this::openRegions);
      }
      case SNAPSHOTS -> start(1, this::makeSnapshot);
      default -> throw new IllegalArgumentException(neighbour.toString());
    }
  }

  private void start(int threads, Work work) {
    for (int i = 0; i < threads; i++) {
      Thread thread = new Thread(() -> run(work), "neighbour-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** A call that fails is made again: a server may refuse what it has no room for. */
  private static void run(Work work) {
    while (true) {
      try {
        work.run();
      } catch (IOException e) {
        System.err.println("neighbour: " + e);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void create(TableDescriptorBuilder builder, byte[][] splits) throws IOException {
    builder.setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    if (!admin.tableExists(builder.build().getTableName())) {
      admin.createTable(builder.build(), splits);
    }
  }

  private void readRows() throws IOException {
    Scan scan = new Scan().setFilter(new FirstKeyOnlyFilter()).setCaching(MANY_ROWS)
      .setCacheBlocks(false);
    try (Table open = connection.getTable(table); ResultScanner results = open.getScanner(scan)) {
      results.forEach(result -> rows.add(result.getRow()));
    }
  }

  private void scan(int rowsOfCall) throws IOException {
    Scan scan = new Scan().setCaching(rowsOfCall);
    if (rowsOfCall == MANY_ROWS) {
      scan.setMaxResultSize(Long.MAX_VALUE);
    }
    try (Table open = connection.getTable(table); ResultScanner results = open.getScanner(scan)) {
      for (Result result = results.next(); result != null; result = results.next()) {
        done.incrementAndGet();
      }
    }
  }

  private Get anyRow() {
    return new Get(rows.get(ThreadLocalRandom.current().nextInt(rows.size())));
  }

  private void get() throws IOException {
    try (Table open = connection.getTable(table)) {
      open.get(anyRow());
    }
    done.incrementAndGet();
  }

  private void getBatch() throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      gets.add(anyRow());
    }
    try (Table open = connection.getTable(table)) {
      open.get(gets);
    }
    done.addAndGet(BATCH);
  }

  private void compact() throws IOException, InterruptedException {
    long last = lastMajorCompaction();
    admin.majorCompact(table);
    while (lastMajorCompaction() == last
      || admin.getCompactionState(table) != CompactionState.NONE) {
      Thread.sleep(POLL_MILLIS);
    }
    done.incrementAndGet();
  }

  /** Of the region whose last one was first. The time is of the oldest file. */
  private long lastMajorCompaction() throws IOException {
    return regions(table).stream().mapToLong(RegionMetrics::getLastMajorCompactionTimestamp).min()
      .orElse(0);
  }

  /** As the region servers, and not the master, know them. */
  private List<RegionMetrics> regions(TableName name) throws IOException {
    List<RegionMetrics> regions = new ArrayList<>();
    try (RegionLocator locator = connection.getRegionLocator(name)) {
      for (ServerName server : locator.getAllRegionLocations().stream()
        .map(HRegionLocation::getServerName).distinct().toList()) {
        regions.addAll(admin.getRegionMetrics(server, name));
      }
    }
    return regions;
  }

  /** A snapshot of a table of many files. It is made once, and all arms have the same. */
  private void makeFiles() throws IOException {
    if (!admin.listSnapshots(Pattern.compile(FILES_SNAPSHOT)).isEmpty()) {
      return;
    }
    delete(FILES); // It may be half of one.
    String tooMany = Integer.toString(10 * MANY_FILES);
    create(TableDescriptorBuilder.newBuilder(FILES).setValue("hbase.hstore.compaction.min", tooMany)
      .setValue("hbase.hstore.compaction.max", tooMany)
      .setValue("hbase.hstore.blockingStoreFiles", tooMany), null);
    for (int file = 0; file < MANY_FILES; file++) {
      for (int i = 0; i < BATCHES_OF_FILE; i++) {
        put(FILES);
      }
      admin.flush(FILES);
    }
    done.set(0);
    admin.snapshot(FILES_SNAPSHOT, FILES);
  }

  private void delete(TableName name) throws IOException {
    if (admin.tableExists(name)) {
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
  }

  private void compactFiles() throws IOException, InterruptedException {
    delete(FILES_COPY);
    admin.cloneSnapshot(FILES_SNAPSHOT, FILES_COPY);
    admin.majorCompact(FILES_COPY);
    while (regions(FILES_COPY).stream().anyMatch(region -> region.getStoreFileCount() > 1)) {
      Thread.sleep(POLL_MILLIS);
    }
    done.addAndGet(MANY_FILES);
  }

  private void put(TableName name) throws IOException {
    SplittableRandom random = new SplittableRandom();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < PUTS_BATCH; i++) {
      byte[] value = new byte[PUT_BYTES];
      random.nextBytes(value);
      puts.add(new Put(Bytes.toBytes(random.nextLong())).addColumn(FAMILY, COLUMN, value));
    }
    try (Table open = connection.getTable(name)) {
      open.put(puts);
    }
    done.addAndGet(PUTS_BATCH);
  }

  private void putBigRow() throws IOException {
    Put put = new Put(FAMILY);
    for (int i = 0; i < BIG_CELLS; i++) {
      put.addColumn(FAMILY, Bytes.toBytes(i), new byte[BIG_CELL_BYTES]);
    }
    try (Table open = connection.getTable(BIG_ROWS)) {
      open.put(put);
    }
    admin.flush(BIG_ROWS);
  }

  private void getBigRow() throws IOException {
    try (Table open = connection.getTable(BIG_ROWS)) {
      open.get(new Get(FAMILY));
    }
    done.incrementAndGet();
  }

  private void openRegions() throws IOException {
    if (admin.isTableEnabled(REGIONS)) {
      admin.disableTable(REGIONS);
    }
    admin.enableTable(REGIONS);
    done.addAndGet(MANY_REGIONS);
  }

  private void makeSnapshot() throws IOException {
    if (!admin.listSnapshots(Pattern.compile(SNAPSHOT)).isEmpty()) {
      admin.deleteSnapshot(SNAPSHOT);
    }
    admin.snapshot(SNAPSHOT, table);
    done.incrementAndGet();
  }

  private void sample(Path samples) throws IOException, InterruptedException {
    try (PrintWriter out =
      new PrintWriter(Files.newBufferedWriter(samples, StandardCharsets.US_ASCII))) {
      while (true) {
        out.println(System.currentTimeMillis() + " " + done.get());
        out.flush();
        Thread.sleep(SAMPLE_MILLIS);
      }
    }
  }
}
