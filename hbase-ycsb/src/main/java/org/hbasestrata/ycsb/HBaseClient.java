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
package org.hbasestrata.ycsb;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/*
 * Takes the times itself, where YCSB would wrap it in a DBWrapper: DBWrapper knows no multiget, and
 * would count the checking of rows as the cluster's time. Only the client call is in a latency.
 */

/**
 * YCSB's operations, and several rows at once, on HBase's client API. For one client thread each;
 * all share the process's Connection.
 */
class HBaseClient extends DB {
  private interface Call<T> {
    T run() throws IOException;
  }

  /** A filter for a part of the fields, which differs from get to get. */
  static final String COLUMN_PART = "column-part";
  private static final int PARTS = 60;

  // Kinds of updates.
  static final String PUT = "put";
  static final String INCREMENT = "increment";
  static final String CHECK_AND_PUT = "check-and-put";
  private static final byte[] COUNTER = Bytes.toBytes("counter");
  private static final byte[] NO_VALUE_OF_A_FIELD = Bytes.toBytes("none");

  // Kinds of scans.
  static final String ROWS = "rows";
  static final String BYTES = "bytes";
  static final String BYTES_REVERSED = "bytes-reversed";
  static final String COUNT = "count";
  static final String ROW_FILTER = "row-filter";

  private final Latencies latencies;
  private final RowVerifier verifier;
  private final TableEnds ends;
  private final Map<String, Table> tables = new HashMap<>();
  private Connection connection;
  private byte[] family;
  private int fieldLength;
  /** Gives each get's, or null for none. */
  private Supplier<Filter> filter;
  private String updateKind;
  private String scanKind;
  private int tableRows;
  /** Is added up as a client would that uses all cells. */
  private long scannedBytes;
  private boolean scanCacheBlocks;
  private ResultScanner fullScan;
  private byte[] fullScanAt;
  private long intendedNanos;
  private long failures;

  /**
   * @param verifier checks each row read; null for none
   * @param ends     the table's first and last row, before which no scan may end early; null when
   *                 there are no scans
   */
  HBaseClient(Latencies latencies, RowVerifier verifier, TableEnds ends) {
    this.latencies = latencies;
    this.verifier = verifier;
    this.ends = ends;
  }

  @Override
  public void init() throws DBException {
    family = Bytes.toBytes(property(Key.FAMILY));
    fieldLength = Integer.parseInt(property(Key.FIELD_LENGTH));
    updateKind = property(Key.UPDATE_KIND);
    scanKind = property(Key.SCAN_KIND);
    tableRows = Integer.parseInt(property(Key.ROWS));
    scanCacheBlocks = Boolean.parseBoolean(property(Key.SCAN_CACHE_BLOCKS));
    filter = filter(property(Key.READ_FILTER), property(Key.FIELD_PREFIX),
      Integer.parseInt(property(Key.FIELD_COUNT)));
    try {
      connection = SharedConnection.acquire(getProperties());
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  private String property(Key key) {
    return getProperties().getProperty(key.text(), key.defaultValue());
  }

  private static Supplier<Filter> filter(String kind, String fieldPrefix, int fields) {
    if (kind.equals("none")) {
      return () -> null;
    }
    if (kind.equals(COLUMN_PART)) {
      return () -> part(fieldPrefix, fields);
    }
    byte[] start = Bytes.toBytes(fieldPrefix);
    byte[] end = start.clone();
    end[end.length - 1]++;
    Filter range = new ColumnRangeFilter(start, true, end, false);
    Filter all = kind.equals("column-range")
      ? range
      : new FilterList(range, new ColumnPaginationFilter(Integer.MAX_VALUE, 0));
    return () -> all;
  }

  /**
   * Returns a filter that takes a sixtieth of the fields, which have numbers of as many digits, and
   * those with fewer digits that are between them.
   */
  private static Filter part(String fieldPrefix, int fields) {
    int width = Math.max(1, fields / PARTS);
    int digits = Integer.toString(fields - 1).length();
    int first = Math.min(fields - width, (int) Math.pow(10, digits - 1));
    int start = ThreadLocalRandom.current().nextInt(first, fields - width + 1);
    return new ColumnRangeFilter(Bytes.toBytes(fieldPrefix + start), true,
      Bytes.toBytes(fieldPrefix + (start + width - 1)), true);
  }

  @Override
  public void cleanup() throws DBException {
    try {
      endFullScan();
      for (Table table : tables.values()) {
        table.close();
      }
      SharedConnection.release();
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  /** Says when the next operation was due, as a {@link System#nanoTime()}. */
  void due(long nanos) {
    intendedNanos = nanos;
  }

  /** When the current operation was due. */
  long due() {
    return intendedNanos;
  }

  Latencies latencies() {
    return latencies;
  }

  /** The number of this client's operations that failed. */
  long failures() {
    return failures;
  }

  @Override
  public Status read(String table, String key, Set<String> fields,
    Map<String, ByteIterator> result) {
    Get get = get(key, fields);
    Result[] row = get(OperationType.READ, List.of(key), fields,
      () -> new Result[] { table(table).get(get) });
    if (row == null) {
      return Status.ERROR;
    }
    fill(row[0], result);
    return Status.OK;
  }

  /**
   * Reads rows in one client batch.
   * @param fields null for all
   * @return OK when every row was found
   */
  Status multiget(String table, List<String> keys, Set<String> fields) {
    List<Get> gets = new ArrayList<>(keys.size());
    for (String key : keys) {
      gets.add(get(key, fields));
    }
    return get(OperationType.MULTIGET, keys, fields, () -> table(table).get(gets)) == null
      ? Status.ERROR : Status.OK;
  }

  /**
   * Times a call that reads {@code keys} and checks what came. A row that isn't there is a failure:
   * every row asked for was loaded.
   * @return null when the call failed or a row is missing
   */
  private Result[] get(OperationType operation, List<String> keys, Set<String> fields,
    Call<Result[]> call) {
    long start = System.nanoTime();
    Result[] rows;
    try {
      rows = call.run();
    } catch (IOException | RuntimeException e) {
      failed(operation, keys.size(), start, System.nanoTime(), e);
      return null;
    }
    long end = System.nanoTime();
    String missing = null;
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].isEmpty()) {
        missing = keys.get(i);
      }
      if (verifier != null) {
        verifier.check(keys.get(i), fields, rows[i]);
      }
    }
    if (missing != null) {
      failed(operation, keys.size(), start, end, new RowMissingException(missing));
      return null;
    }
    latencies.succeeded(operation, keys.size(), intendedNanos, start, end);
    return rows;
  }

  @Override
  public Status scan(String table, String startKey, int rowCount, Set<String> fields,
    Vector<HashMap<String, ByteIterator>> result) {
    Scan scan = new Scan().setCacheBlocks(scanCacheBlocks);
    if (fields == null) {
      scan.addFamily(family);
    } else {
      fields.forEach(f -> scan.addColumn(family, Bytes.toBytes(f)));
    }
    if (scanKind.equals(ROW_FILTER)) {
      scan.setFilter(new RowFilter(CompareOperator.EQUAL, new BinaryComparator(ends.last())));
      return scanOver(table, Bytes.toString(ends.last()), 1, scan);
    }
    scan.withStartRow(Bytes.toBytes(startKey)).setLimit(rowCount)
      .setReversed(scanKind.equals(BYTES_REVERSED));
    if (scanKind.equals(COUNT)) {
      scan.setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    }
    if (!scanKind.equals(ROWS)) {
      return scanOver(table, startKey, rowCount, scan);
    }
    List<Result> rows = new ArrayList<>();
    long start = System.nanoTime();
    try (ResultScanner scanner = table(table).getScanner(scan)) {
      scanner.forEach(rows::add);
    } catch (IOException | RuntimeException e) {
      failed(OperationType.SCAN, 1, start, System.nanoTime(), e);
      return Status.ERROR;
    }
    long end = System.nanoTime();
    if (verifier != null) {
      verify(startKey, rows, fields);
    }
    if (rows.isEmpty() || !startKey.equals(Bytes.toString(rows.get(0).getRow()))) {
      if (verifier != null) {
        verifier.check(startKey, fields, Result.EMPTY_RESULT);
      }
      failed(OperationType.SCAN, 1, start, end, new RowMissingException(startKey));
      return Status.ERROR;
    }
    byte[] at = rows.get(rows.size() - 1).getRow();
    if (rows.size() < rowCount && endedEarly(OperationType.SCAN, false, at, start, end)) {
      return Status.ERROR;
    }
    latencies.succeeded(OperationType.SCAN, rows.size(), intendedNanos, start, end);
    for (Result row : rows) {
      HashMap<String, ByteIterator> values = new HashMap<>();
      fill(row, values);
      result.add(values);
    }
    return Status.OK;
  }

  /**
   * Scans rows of which none is kept.
   * @param firstKey of the first row that comes
   * @param rowCount of rows that come
   */
  private Status scanOver(String table, String firstKey, int rowCount, Scan scan) {
    boolean reversed = scan.isReversed();
    boolean addsUp = reversed || scanKind.equals(BYTES);
    int count = 0;
    boolean begins = false;
    Result last = null;
    long start = System.nanoTime();
    try (ResultScanner scanner = table(table).getScanner(scan)) {
      for (Result row : scanner) {
        if (count++ == 0) {
          begins = firstKey.equals(Bytes.toString(row.getRow()));
        }
        if (addsUp) {
          for (Cell cell : row.rawCells()) {
            scannedBytes +=
              cell.getRowLength() + cell.getQualifierLength() + cell.getValueLength();
          }
        }
        last = row;
      }
    } catch (IOException | RuntimeException e) {
      failed(OperationType.SCAN, 1, start, System.nanoTime(), e);
      return Status.ERROR;
    }
    long end = System.nanoTime();
    if (!begins) {
      failed(OperationType.SCAN, 1, start, end, new RowMissingException(firstKey));
      return Status.ERROR;
    }
    if (
      count < rowCount && endedEarly(OperationType.SCAN, reversed, last.getRow(), start, end)
    ) {
      return Status.ERROR;
    }
    int scanned = scanKind.equals(ROW_FILTER) ? tableRows : count;
    latencies.succeeded(OperationType.SCAN, scanned, intendedNanos, start, end);
    return Status.OK;
  }

  /**
   * Whether a scan whose last row is {@code at} left out rows behind it; then it is counted as
   * failed.
   */
  private boolean endedEarly(OperationType operation, boolean reversed, byte[] at, long start,
    long end) {
    byte[] tableEnd = reversed ? ends.first() : ends.last();
    int compared = Bytes.compareTo(at, tableEnd);
    if (reversed ? compared <= 0 : compared >= 0) {
      return false;
    }
    String row = Bytes.toString(at);
    String problem = "a scan ended here, but the table goes on to " + Bytes.toString(tableEnd);
    if (verifier != null) {
      verifier.misplaced(row, problem);
    }
    failed(operation, 1, start, end, new IOException("row " + row + ": " + problem));
    return true;
  }

  /**
   * Reads the next rows of a scan of the whole table. At its end, and after a failure, the next
   * call begins anew.
   * @param rowCount the most rows to read
   */
  void scanOn(String table, int rowCount) {
    long start = System.nanoTime();
    Result[] rows;
    try {
      if (fullScan == null) {
        fullScan = table(table).getScanner(
          new Scan().addFamily(family).setCacheBlocks(scanCacheBlocks).setCaching(rowCount));
        fullScanAt = HConstants.EMPTY_START_ROW;
      }
      rows = fullScan.next(rowCount);
    } catch (IOException | RuntimeException e) {
      failed(OperationType.FULL_SCAN, 1, start, System.nanoTime(), e);
      endFullScan();
      return;
    }
    long end = System.nanoTime();
    if (verifier != null) {
      for (Result row : rows) {
        verifier.check(Bytes.toString(row.getRow()), null, row);
      }
    }
    if (rows.length > 0) {
      fullScanAt = rows[rows.length - 1].getRow();
    }
    if (rows.length == rowCount) {
      latencies.succeeded(OperationType.FULL_SCAN, rows.length, intendedNanos, start, end);
      return;
    }
    endFullScan();
    if (!endedEarly(OperationType.FULL_SCAN, false, fullScanAt, start, end)) {
      latencies.succeeded(OperationType.FULL_SCAN, rows.length, intendedNanos, start, end);
    }
  }

  private void endFullScan() {
    if (fullScan != null) {
      fullScan.close();
      fullScan = null;
    }
  }

  private void verify(String startKey, List<Result> rows, Collection<String> fields) {
    String previous = null;
    for (Result row : rows) {
      String key = Bytes.toString(row.getRow());
      verifier.check(key, fields, row);
      if (previous == null ? key.compareTo(startKey) < 0 : key.compareTo(previous) <= 0) {
        verifier.misplaced(key, "came in a scan from " + startKey
          + (previous == null ? "" : " after " + previous));
      }
      previous = key;
    }
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return write(OperationType.UPDATE, table, change(key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return write(OperationType.INSERT, table, put(key, values));
  }

  private Status write(OperationType operation, String table, Row change) {
    return timed(operation, () -> {
      if (change instanceof Put put) {
        table(table).put(put);
      } else if (change instanceof Increment increment) {
        table(table).increment(increment);
      } else if (!table(table).checkAndMutate((CheckAndMutate) change).isSuccess()) {
        throw new CheckFailedException(change);
      }
      return null;
    });
  }

  /**
   * What an update does to a row, for {@link #write}.
   * @param values as for {@link #put}
   */
  Row change(String key, Map<String, ByteIterator> values) {
    if (updateKind.equals(INCREMENT)) {
      return new Increment(Bytes.toBytes(key)).addColumn(family, COUNTER, 1);
    }
    Put put = put(key, values);
    return updateKind.equals(PUT) ? put : CheckAndMutate.newBuilder(put.getRow())
      .ifMatches(family, Bytes.toBytes(values.keySet().iterator().next()),
        CompareOperator.NOT_EQUAL, NO_VALUE_OF_A_FIELD)
      .build(put);
  }

  /**
   * A row to be written, for {@link #write}.
   * @param values names the fields; what is written are {@link FieldValues}
   */
  Put put(String key, Map<String, ByteIterator> values) {
    Put put = new Put(Bytes.toBytes(key));
    for (String field : values.keySet()) {
      put.addColumn(family, Bytes.toBytes(field), FieldValues.of(key, field, fieldLength));
    }
    return put;
  }

  /**
   * Writes rows in one client batch.
   * @param operation that they are counted as
   * @param changes   of {@link #put} or {@link #change}
   * @return the number of rows written
   */
  int write(OperationType operation, String table, List<? extends Row> changes) {
    int rows = changes.size();
    Object[] results = new Object[rows];
    long start = System.nanoTime();
    try {
      table(table).batch(changes, results);
      long end = System.nanoTime();
      List<? extends Row> unmet = IntStream.range(0, rows)
        .filter(i -> results[i] instanceof CheckAndMutateResult checked && !checked.isSuccess())
        .mapToObj(changes::get).toList();
      if (unmet.isEmpty()) {
        latencies.succeeded(operation, rows, intendedNanos, start, end);
      } else {
        failed(operation, unmet.size(), start, end, new CheckFailedException(unmet.get(0)));
      }
      return rows - unmet.size();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failed(operation, rows, start, System.nanoTime(), e);
      return 0;
    } catch (IOException | RuntimeException e) {
      int lost = e instanceof RetriesExhaustedWithDetailsException details
        ? details.getNumExceptions() : rows;
      failed(operation, lost, start, System.nanoTime(), e);
      return rows - lost;
    }
  }

  @Override
  public Status delete(String table, String key) {
    Delete delete = new Delete(Bytes.toBytes(key));
    return timed(OperationType.DELETE, () -> {
      table(table).delete(delete);
      return null;
    });
  }

  private Status timed(OperationType operation, Call<?> call) {
    long start = System.nanoTime();
    try {
      call.run();
    } catch (IOException | RuntimeException e) {
      failed(operation, 1, start, System.nanoTime(), e);
      return Status.ERROR;
    }
    latencies.succeeded(operation, 1, intendedNanos, start, System.nanoTime());
    return Status.OK;
  }

  private void failed(OperationType operation, int rows, long start, long end, Throwable why) {
    failures++;
    latencies.failed(operation, rows, start, end, why);
  }

  private Get get(String key, Set<String> fields) {
    Get get = new Get(Bytes.toBytes(key)).setFilter(filter.get());
    if (fields == null) {
      get.addFamily(family);
    } else {
      fields.forEach(f -> get.addColumn(family, Bytes.toBytes(f)));
    }
    return get;
  }

  private Table table(String name) throws IOException {
    Table table = tables.get(name);
    if (table == null) {
      table = connection.getTable(TableName.valueOf(name));
      tables.put(name, table);
    }
    return table;
  }

  private static void fill(Result row, Map<String, ByteIterator> result) {
    for (Cell cell : row.rawCells()) {
      result.put(Bytes.toString(CellUtil.cloneQualifier(cell)),
        new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
    }
  }

  /** A row that had been loaded didn't have what a put of it checks. */
  private static final class CheckFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    CheckFailedException(Row change) {
      super("row " + Bytes.toString(change.getRow()) + " has none of the field that was checked");
    }
  }

  /** A row that had been loaded was not found. */
  private static final class RowMissingException extends IOException {
    private static final long serialVersionUID = 1L;

    RowMissingException(String key) {
      super("row " + key + " not found");
    }
  }
}
