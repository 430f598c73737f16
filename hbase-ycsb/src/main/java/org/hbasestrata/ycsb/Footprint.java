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

import java.util.List;

/*
 * What isn't arithmetic is from HBase's defaults: a Bloom filter with 1 % of false positives takes
 * 10 bits a row or, of type ROWCOL, a cell, and an entry of a block index 12 bytes beside its key.
 * The heap per cached block is that of BucketCache on a 64-bit JVM with compressed references.
 */

/**
 * How much disk and memory a profile takes, roughly: without block encoding and compression, of one
 * replica.
 */
final class Footprint {
  private static final double BLOOM_BYTES_PER_KEY = 10 / 8.0;
  private static final int INDEX_ENTRY_BYTES = 12;
  private static final int HEAP_BYTES_PER_CACHED_BLOCK = 255;
  private static final int CELL_OVERHEAD_BYTES = 20;
  /** Of most hashes; a profile may ask for leading zeros. */
  private static final int KEY_DIGITS = 19;
  /** A row in the client's hands is there as cells, as protobuf or CellBlock, and as values. */
  private static final int CLIENT_COPIES = 3;
  private static final long MILLION = 1_000_000;

  private final Profile profile;

  Footprint(Profile profile) {
    this.profile = profile;
  }

  private int keyBytes() {
    return "user".length() + (int) Math.max(KEY_DIGITS, profile.number(Key.ZERO_PADDING))
      + profile.text(Key.FAMILY).length() + profile.text(Key.FIELD_PREFIX).length() + 1;
  }

  private double cellBytes() {
    return CELL_OVERHEAD_BYTES + keyBytes() + profile.number(Key.FIELD_LENGTH);
  }

  /** The size of a row's cells: each has the whole key. */
  double rowBytes() {
    return profile.number(Key.FIELD_COUNT) * cellBytes();
  }

  /** The size of the rows that the profile loads. */
  double dataBytes() {
    return profile.insertCount() * rowBytes();
  }

  /** A block holds a cell at the least. */
  private double blocks() {
    return Math.min(Math.ceil(dataBytes() / profile.number(Key.BLOCK_SIZE)),
      profile.insertCount() * profile.number(Key.FIELD_COUNT));
  }

  private double bloomBytes() {
    double keysPerRow = switch (profile.text(Key.BLOOM_FILTER)) {
      case "NONE" -> 0;
      case "ROWCOL" -> profile.number(Key.FIELD_COUNT);
      default -> 1;
    };
    return BLOOM_BYTES_PER_KEY * profile.insertCount() * keysPerRow;
  }

  /** The size of the index and Bloom filter blocks. */
  double metaBytes() {
    return blocks() * (INDEX_ENTRY_BYTES + CELL_OVERHEAD_BYTES + keyBytes()) + bloomBytes();
  }

  /** What an operation of a run writes, in the mean. */
  double writtenBytesPerOperation() {
    double update = profile.text(Key.UPDATE_KIND).equals(HBaseClient.INCREMENT)
      ? CELL_OVERHEAD_BYTES + keyBytes() + Long.BYTES
      : profile.flag(Key.WRITE_ALL_FIELDS) ? rowBytes() : cellBytes();
    return share(Key.INSERT_SHARE) * rowBytes()
      + (share(Key.UPDATE_SHARE) + share(Key.READ_MODIFY_WRITE_SHARE)
        + share(Key.UPDATE_BATCH_SHARE) * profile.number(Key.UPDATE_BATCH)) * update;
  }

  private double share(Key key) {
    return Double.parseDouble(profile.text(key));
  }

  /** The size of the HFiles, once compacted. */
  double diskBytes() {
    return dataBytes() + metaBytes();
  }

  /** Says what a load takes. */
  List<String> ofLoad() {
    return List.of("Disk: about " + Units.bytes(diskBytes()) + " of HFiles"
      + " a replica, as much again while they are compacted, and as much in WALs until memstores"
      + " are flushed (without encoding and compression).", cache(),
      client(profile.number(Key.LOAD_BATCH) * profile.number(Key.THREADS)));
  }

  /** Says what a run takes. */
  List<String> ofRun() {
    double written = writtenBytesPerOperation();
    long operations = profile.number(Key.OPERATIONS);
    String growth = written == 0 ? "; the run writes nothing."
      : "; the run writes about " + (operations == 0
        ? Units.bytes(written * MILLION) + " per million operations."
        : Units.bytes(written * operations) + ".");
    long rowsInHand = profile.number(Key.THREADS) * rowsPerOperation()
      + profile.number(Key.FULL_SCAN_THREADS) * HBaseWorkload.FULL_SCAN_BATCH;
    return List.of("Disk: the table has about " + Units.bytes(diskBytes())
      + " of HFiles a replica (without encoding and compression)" + growth, cache(),
      client(rowsInHand));
  }

  private String cache() {
    return "Cache: about " + Units.bytes(diskBytes()) + " over all servers to hold"
      + " all blocks, " + Units.bytes(metaBytes()) + " of it for indexes and Bloom filters, and "
      + Units.bytes(blocks() * HEAP_BYTES_PER_CACHED_BLOCK) + " of heap to keep track of them.";
  }

  private String client(long rowsInHand) {
    return "Client: about " + Units.bytes(rowsInHand * rowBytes() * CLIENT_COPIES)
      + " of heap for the rows in the hands of its threads.";
  }

  /** The most rows that any operation of a run reads or writes. */
  private long rowsPerOperation() {
    long rows = 1;
    if (share(Key.MULTIGET_SHARE) > 0) {
      rows = Math.max(rows, profile.number(Key.MULTIGET_BATCH));
    }
    if (share(Key.UPDATE_BATCH_SHARE) > 0) {
      rows = Math.max(rows, profile.number(Key.UPDATE_BATCH));
    }
    if (share(Key.SCAN_SHARE) > 0) {
      rows = Math.max(rows, profile.number(Key.MAX_SCAN));
    }
    return rows;
  }
}
