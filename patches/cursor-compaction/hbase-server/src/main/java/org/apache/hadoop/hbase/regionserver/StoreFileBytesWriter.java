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
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CellBytesWriter;
import org.apache.hadoop.hbase.io.hfile.CellCursor;
import org.apache.hadoop.hbase.io.hfile.HFileWriterImpl;
import org.apache.hadoop.hbase.util.BloomFilterWriter;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Appends cells to a store file and its Bloom filters without an object of each. Not thread-safe.
 */
@InterfaceAudience.Private
final class StoreFileBytesWriter {
  private static final byte DELETE_FAMILY = KeyValue.Type.DeleteFamily.getCode();
  private static final byte DELETE_FAMILY_VERSION = KeyValue.Type.DeleteFamilyVersion.getCode();

  private final CellBytesWriter cells;
  private final BloomFilterWriter bloom;
  private final BloomFilterWriter deleteFamilyBloom;
  private final boolean bloomOfColumns;
  /** The key that a Bloom filter is given, in the place of one key after another. */
  private final KeyValue.KeyOnlyKeyValue bloomKey = new KeyValue.KeyOnlyKeyValue();

  private boolean newRow = true;
  private boolean newColumn = true;
  private boolean newDeleteRow = true;
  private boolean newKey = true;
  private long deleteFamilies;

  /**
   * Begins to append.
   * @param bloom             null for none
   * @param deleteFamilyBloom null for none
   */
  StoreFileBytesWriter(HFileWriterImpl writer, BloomFilterWriter bloom, BloomType bloomType,
    BloomFilterWriter deleteFamilyBloom) {
    this.cells = new CellBytesWriter(writer);
    this.bloom = bloom;
    this.deleteFamilyBloom = deleteFamilyBloom;
    this.bloomOfColumns = bloomType == BloomType.ROWCOL;
  }

  /** The next cell isn't of the row of the last one. */
  void startRow() {
    newRow = true;
    newColumn = true;
    newDeleteRow = true;
    newKey = true;
  }

  /** The next cell isn't of the column of the last one. */
  void startColumn() {
    newColumn = true;
    newKey = true;
  }

  /** The next cell hasn't the key of the last one. */
  void startKey() {
    newKey = true;
  }

  /**
   * Appends the cell of a cursor.
   * @param sequenceId what is written as its sequence id
   */
  void append(CellCursor cell, long sequenceId) throws IOException {
    if (bloom != null && (bloomOfColumns ? newColumn : newRow)) {
      add(cell, bloom);
    }
    byte type = cell.getType();
    if (type == DELETE_FAMILY || type == DELETE_FAMILY_VERSION) {
      deleteFamilies++;
      if (deleteFamilyBloom != null && newDeleteRow) {
        add(cell, deleteFamilyBloom);
        newDeleteRow = false;
      }
    }
    cells.append(cell, sequenceId, !newKey);
    newRow = false;
    newColumn = false;
    newKey = false;
  }

  private void add(CellCursor cell, BloomFilterWriter filter) throws IOException {
    bloomKey.setKey(cell.getBytes(), cell.getKeyOffset(), cell.getKeyLength());
    filter.append(bloomKey);
  }

  /**
   * Has the file's writer and the Bloom filters know all cells.
   * @return how many cells delete families or versions of families
   */
  long finish() {
    cells.finish();
    KeyValue.KeyOnlyKeyValue last = cells.getLast();
    if (last != null) {
      bloomKey.set(last);
    }
    return deleteFamilies;
  }
}
