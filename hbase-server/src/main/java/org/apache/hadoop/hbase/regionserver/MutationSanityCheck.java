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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Refuses a mutation with a cell that couldn't be read back from the write-ahead log. Who reads the
 * log checks timestamp, type and tags of each cell, and one that doesn't pass has the whole log's
 * split fail, again and again: the regions of the server that wrote it are lost when it ends.
 */
@InterfaceAudience.Private
final class MutationSanityCheck {
  private static final boolean[] TYPES = new boolean[1 << Byte.SIZE];

  static {
    for (KeyValue.Type type : KeyValue.Type.values()) {
      TYPES[Byte.toUnsignedInt(type.getCode())] = true;
    }
  }

  private MutationSanityCheck() {
  }

  /** @throws FailedSanityCheckException if a cell can't be in a log */
  static void check(Mutation mutation) throws FailedSanityCheckException {
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      // Without an iterator for each family.
      for (int i = 0; i < cells.size(); i++) {
        // Others can't have a sequence id, so a region takes none.
        check(mutation, (ExtendedCell) cells.get(i));
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
    if (cell.getTagsLength() > 0 && !tagsFit(PrivateCellUtil.cloneTags(cell))) {
      throw refusal(mutation, cell.getTagsLength() + " bytes of tags are not a list of tags of at"
        + " most " + Short.MAX_VALUE + " bytes");
    }
  }

  /** Each has its length, a signed short to those who read it, its type and its value. */
  private static boolean tagsFit(byte[] tags) {
    if (tags.length > Short.MAX_VALUE) {
      return false;
    }
    int at = 0;
    while (at + Tag.INFRASTRUCTURE_SIZE <= tags.length) {
      int length = Bytes.toShort(tags, at);
      if (length < Tag.TYPE_LENGTH_SIZE) {
        return false;
      }
      at += Tag.TAG_LENGTH_SIZE + length;
    }
    return at == tags.length;
  }

  private static FailedSanityCheckException refusal(Mutation mutation, String why) {
    return new FailedSanityCheckException("A cell of row '"
      + Bytes.toStringBinary(mutation.getRow()) + "' can't be written: its " + why);
  }
}
