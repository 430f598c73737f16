/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.regionserver.ScannerContext.LimitScope;
import org.apache.hadoop.hbase.util.Bytes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A scan of a region whose blocks are in an off-heap BucketCache, with the limits of a server's
 * calls, in runs where there are any. An operation is a row of the region.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Scans {
  private static final int ROWS = 20_000;
  private static final int ROWS_OF_CALL = 1_000;
  private static final long MOST_BYTES = HConstants.DEFAULT_HBASE_SERVER_SCANNER_MAX_RESULT_SIZE;

  /**
   * Cells of a row, and bytes of a value. Then what isn't plain: the rows are in four files in
   * turn; each tenth row is in the memstore; only keys of the rows' first cells are read; a filter
   * finds no row; one column is read.
   */
  @Param({ "5x20", "10x100", "1x1000", "5x20-FILES", "5x20-MEMSTORE", "10x100-KEYS",
    "10x100-NO_MATCH", "10x100-COLUMN" })
  public String scan;

  private List<String> rules;
  private LocalServer server;
  private HRegion region;
  private int expectedRows;

  /** Writes the region, and reads it until its blocks are in the cache. */
  @Setup
  public void write() throws IOException {
    rules = List.of(scan.split("-"));
    server = new LocalServer();
    server.cacheOffHeap();
    server.conf().setBoolean("hbase.regionserver.scan.runs.enabled", true);
    region = server.createRegion(ColumnFamilyDescriptorBuilder.of(Rows.FAMILY));
    Rows rows = Rows.of(rules.get(0));
    int files = rules.contains("FILES") ? 4 : 1;
    int inMemory = rules.contains("MEMSTORE") ? 10 : ROWS + 1;
    for (int file = 0; file < files; file++) {
      for (int i = file; i < ROWS; i += files) {
        if ((i + 1) % inMemory > 0) {
          region.put(rows.put(i));
        }
      }
      region.flush(true);
    }
    for (int i = inMemory; i <= ROWS; i += inMemory) {
      region.put(rows.put(i - 1));
    }
    expectedRows = rules.contains("NO_MATCH") ? 0 : ROWS;
    read();
    read();
  }

  private Scan request() {
    Scan request = new Scan();
    if (rules.contains("KEYS")) {
      request.setFilter(new FirstKeyOnlyFilter());
    }
    if (rules.contains("NO_MATCH")) {
      request.setFilter(new SingleColumnValueFilter(Rows.FAMILY, Rows.column(0),
        CompareOperator.EQUAL, Bytes.toBytes("none")));
    }
    return rules.contains("COLUMN")
      ? request.addColumn(Rows.FAMILY, Rows.column(5))
      : request.addFamily(Rows.FAMILY);
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public void read() throws IOException {
    int rows = 0;
    List<Cell> row = new ArrayList<>();
    try (RegionScannerImpl scanner = region.getScanner(request())) {
      boolean more = true;
      while (more) {
        ScannerContext limits = ScannerContext.newBuilder(true)
          .setSizeLimit(LimitScope.BETWEEN_CELLS, MOST_BYTES, MOST_BYTES, MOST_BYTES)
          .setBatchLimit(scanner.getBatch())
          .setTimeLimit(LimitScope.BETWEEN_CELLS,
            System.currentTimeMillis() + TimeUnit.MINUTES.toMillis(1))
          .build();
        for (int i = 0; more && i < ROWS_OF_CALL; i++) {
          more = scanner.nextRaw(row, limits);
          rows += row.isEmpty() ? 0 : 1;
          row.clear();
        }
        scanner.shipped();
      }
    }
    if (rows != expectedRows) {
      throw new IllegalStateException(rows + " rows");
    }
  }

  @TearDown
  public void close() throws IOException {
    server.close();
  }
}
