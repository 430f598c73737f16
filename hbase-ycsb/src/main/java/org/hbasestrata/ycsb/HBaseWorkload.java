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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.DB;
import site.ycsb.Utils;
import site.ycsb.WorkloadException;
import site.ycsb.generator.ExponentialGenerator;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/*
 * HBaseClient writes and checks values that follow from row and field, so that any table can be
 * verified later, and reads rows; here is which rows. CoreWorkload's own such mode (dataintegrity)
 * makes its reads list every field, which is another request than one for the family, checks no
 * scans and no missing fields, and takes longer for its values than an HBase client for the rest.
 * So CoreWorkload's values are empty. Keys, distributions and fields of writes are CoreWorkload's.
 */

/** CoreWorkload with multigets, and with writes in batches. Thread-safe once initialized. */
final class HBaseWorkload extends CoreWorkload {
  /** The rows that a step of a full scan reads. */
  static final int FULL_SCAN_BATCH = 500;

  /** As CoreWorkload writes it; the others are named as in OperationType. */
  private static final String READ_MODIFY_WRITE = "READMODIFYWRITE";

  static {
    // CoreWorkload asks for YCSB's Measurements, which must have properties.
    Measurements.setProperties(new Properties());
  }

  private final AtomicLong rowsLoaded = new AtomicLong();
  private final AtomicLong rowsReadBack = new AtomicLong();
  private String fieldPrefix;
  private boolean hashedKeys;
  private int leastDigits;
  private int multigetBatch;
  private int updateBatch;
  private int loadBatch;
  private long insertStart;
  private long insertCount;

  /** Prepares to load or run {@code profile}. */
  void init(Profile profile) throws WorkloadException {
    Properties properties = profile.properties();
    properties.setProperty(DATA_INTEGRITY_PROPERTY, "false");
    properties.setProperty(FIELD_LENGTH_PROPERTY, "0");
    // CoreWorkload has no default of its own for this one.
    properties.setProperty(Key.OPERATIONS.text(), profile.text(Key.OPERATIONS));
    init(properties);
    addOperation(OperationType.MULTIGET, profile.text(Key.MULTIGET_SHARE));
    addOperation(OperationType.UPDATE_BATCH, profile.text(Key.UPDATE_BATCH_SHARE));
    fieldPrefix = profile.text(Key.FIELD_PREFIX);
    hashedKeys = profile.text(Key.INSERT_ORDER).equals("hashed");
    leastDigits = (int) profile.number(Key.ZERO_PADDING);
    multigetBatch = (int) profile.number(Key.MULTIGET_BATCH);
    updateBatch = (int) profile.number(Key.UPDATE_BATCH);
    loadBatch = (int) profile.number(Key.LOAD_BATCH);
    insertStart = profile.number(Key.INSERT_START);
    insertCount = profile.insertCount();
  }

  private void addOperation(OperationType operation, String share) {
    double value = Double.parseDouble(share);
    if (value > 0) {
      operationchooser.addValue(value, operation.name());
    }
  }

  /** The key of the row of this number. */
  String rowKey(long number) {
    return buildKeyName(number);
  }

  /** As CoreWorkload's, which adds zeros one by one: of a long key that is most of the work. */
  @Override
  protected String buildKeyName(long number) {
    String digits = Long.toString(hashedKeys ? Utils.hash(number) : number);
    return "user" + "0".repeat(Math.max(0, leastDigits - digits.length())) + digits;
  }

  /**
   * Loads the next batch of rows.
   * @return how many rows were dealt with, loaded or failed; 0 when none is left
   */
  int loadRows(HBaseClient client) {
    int rows = rowsOfBatch(rowsLoaded.getAndAdd(loadBatch), loadBatch);
    if (loadBatch == 1 && rows == 1) {
      doInsert(client, null);
    } else if (rows > 0) {
      RowCollector collector = new RowCollector(client);
      for (int i = 0; i < rows; i++) {
        doInsert(collector, null);
      }
      client.write(OperationType.INSERT_BATCH, table, collector.rows());
    }
    return rows;
  }

  /**
   * Reads the next batch of rows back, in the order in which they were loaded.
   * @return how many rows were dealt with; 0 when none is left
   */
  int readBack(HBaseClient client) {
    long first = rowsReadBack.getAndAdd(multigetBatch);
    int rows = rowsOfBatch(first, multigetBatch);
    if (rows > 0) {
      List<String> keys = new ArrayList<>(rows);
      for (int i = 0; i < rows; i++) {
        keys.add(rowKey(insertStart + first + i));
      }
      client.multiget(table, keys, null);
    }
    return rows;
  }

  /**
   * Reads the next rows of the client's scan of the whole table.
   * @return 1: the scan begins anew when it has ended
   */
  int scanOn(HBaseClient client) {
    client.scanOn(table, FULL_SCAN_BATCH);
    return 1;
  }

  private int rowsOfBatch(long first, int batch) {
    return (int) Math.max(0, Math.min(batch, insertCount - first));
  }

  /** @param db an HBaseClient */
  @Override
  public boolean doTransaction(DB db, Object threadState) {
    switch (nextOperation()) {
      case MULTIGET -> doTransactionMultiget((HBaseClient) db);
      case READ -> doTransactionRead(db);
      case UPDATE -> doTransactionUpdate(db);
      case UPDATE_BATCH -> doTransactionUpdateBatch((HBaseClient) db);
      case INSERT -> doTransactionInsert(db);
      case SCAN -> doTransactionScan(db);
      default -> doTransactionReadModifyWrite(db);
    }
    return true;
  }

  /** Counts an operation that is due and won't begin, as one of those that it would have been. */
  void notBegun(HBaseClient client) {
    OperationType operation = nextOperation();
    client.latencies().notBegun(operation == OperationType.READ_MODIFY_WRITE
      ? List.of(operation, OperationType.READ, OperationType.UPDATE) : List.of(operation),
      client.due(), System.nanoTime());
  }

  private OperationType nextOperation() {
    String chosen = operationchooser.nextValue();
    return chosen.equals(READ_MODIFY_WRITE) ? OperationType.READ_MODIFY_WRITE
      : OperationType.valueOf(chosen);
  }

  private void doTransactionMultiget(HBaseClient client) {
    List<String> keys = new ArrayList<>(multigetBatch);
    for (int i = 0; i < multigetBatch; i++) {
      keys.add(nextRow());
    }
    client.multiget(table, keys, nextFields());
  }

  private void doTransactionUpdateBatch(HBaseClient client) {
    RowCollector collector = new RowCollector(client);
    for (int i = 0; i < updateBatch; i++) {
      doTransactionUpdate(collector);
    }
    client.write(OperationType.UPDATE_BATCH, table, collector.rows());
  }

  @Override
  public void doTransactionRead(DB db) {
    db.read(table, nextRow(), nextFields(), new HashMap<>());
  }

  /** Times the whole beside its READ and its UPDATE; not when one of the two failed. */
  @Override
  public void doTransactionReadModifyWrite(DB db) {
    HBaseClient client = (HBaseClient) db;
    long failures = client.failures();
    long start = System.nanoTime();
    super.doTransactionReadModifyWrite(client);
    if (client.failures() == failures) {
      client.latencies().succeeded(OperationType.READ_MODIFY_WRITE, 1, client.due(), start,
        System.nanoTime());
    }
  }

  private String nextRow() {
    long last = transactioninsertkeysequence.lastValue();
    long row;
    do {
      long chosen = keychooser.nextValue().longValue();
      // This distribution counts back from the newest row.
      row = keychooser instanceof ExponentialGenerator ? last - chosen : chosen;
    } while (row < 0 || row > last);
    return buildKeyName(row);
  }

  private Set<String> nextFields() {
    return readallfields ? null : Set.of(fieldPrefix + fieldchooser.nextValue());
  }
}
