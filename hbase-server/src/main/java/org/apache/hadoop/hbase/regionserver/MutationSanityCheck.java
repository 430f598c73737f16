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

import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Refuses a mutation with a cell that couldn't be read back from the write-ahead log, or from the
 * file that it is flushed to. Who reads the log checks timestamp, type and tags of each cell, and
 * one that doesn't pass has the whole log's split fail, again and again: the regions of the server
 * that wrote it are lost when it ends. Bytes that belong to no part of a cell are written with it,
 * and taken for the next one's.
 */
@InterfaceAudience.Private
final class MutationSanityCheck {
  /** That are told; a row may have 32,767. */
  private static final int MOST_ROW_BYTES = 100;
  private static final boolean[] TYPES = new boolean[1 << Byte.SIZE];

  static {
    for (KeyValue.Type type : KeyValue.Type.values()) {
      TYPES[Byte.toUnsignedInt(type.getCode())] = true;
    }
  }

  private MutationSanityCheck() {
  }

  /**
   * Checks the cells of a mutation.
   * @param cells by family
   * @throws FailedSanityCheckException if one can't be written
   */
  static void check(Mutation mutation, Map<byte[], List<Cell>> cells)
    throws FailedSanityCheckException {
    for (List<Cell> family : cells.values()) {
      // Without an iterator for each family.
      for (int i = 0; i < family.size(); i++) {
        // Others can't have a sequence id, so a region takes none.
        check(mutation, (ExtendedCell) family.get(i));
      }
    }
  }

  private static void check(Mutation mutation, ExtendedCell cell)
    throws FailedSanityCheckException {
    if (cell.getTimestamp() < 0) {
      throw refusal(mutation, "timestamp is " + cell.getTimestamp() + ", allowed: 0 and above");
    }
    int type = Byte.toUnsignedInt(cell.getTypeByte());
    if (!TYPES[type]) {
      throw refusal(mutation, "type is " + type + ", allowed: the codes of KeyValue.Type");
    }
    int size = cell.getSerializedSize(false);
    int parts = KeyValueUtil.length(cell.getRowLength(), cell.getFamilyLength(),
      cell.getQualifierLength(), cell.getValueLength(), 0, false);
    if (size != parts) {
      throw refusal(mutation, "size is " + size + " bytes, allowed: that of its parts, " + parts);
    }
    int tags = cell.getTagsLength();
    if (tags > 0 && !tagsFit(cell, tags)) {
      throw refusal(mutation, tags + " bytes of tags are not tags of at most " + Short.MAX_VALUE
        + " bytes, each with its length");
    }
  }

  /** Each has its length, a signed short to those who read it, its type and its value. */
  private static boolean tagsFit(Cell cell, int size) {
    if (size > Short.MAX_VALUE) {
      return false;
    }
    byte[] tags = PrivateCellUtil.cloneTags(cell);
    int at = 0;
    while (at + Tag.INFRASTRUCTURE_SIZE <= size) {
      int length = Bytes.toShort(tags, at);
      if (length < Tag.TYPE_LENGTH_SIZE) {
        return false;
      }
      at += Tag.TAG_LENGTH_SIZE + length;
    }
    return at == size;
  }

  private static FailedSanityCheckException refusal(Mutation mutation, String why) {
    byte[] row = mutation.getRow();
    return new FailedSanityCheckException("A cell of row '"
      + Bytes.toStringBinary(row, 0, Math.min(row.length, MOST_ROW_BYTES))
      + "' can't be written: its " + why);
  }
}
