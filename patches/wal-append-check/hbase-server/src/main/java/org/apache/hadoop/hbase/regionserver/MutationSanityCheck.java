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

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Refuses a mutation with a cell that couldn't be read back from the write-ahead log, or from the
 * file that it is flushed to. Readers of the log check timestamp, type and tags of each cell. A
 * cell that fails makes each attempt to split the log fail, so the regions of the server that wrote
 * it are lost when it stops. Bytes that belong to no part of a cell are written with it, and read
 * as part of the next one.
 */
@InterfaceAudience.Private
final class MutationSanityCheck {
  /** Bytes of a row in a message; a row may have 32,767. */
  private static final int MOST_ROW_BYTES = 100;
  /** Bytes of the tag that a region adds to, or replaces in, each cell of a mutation with a TTL. */
  private static final int TTL_TAG_BYTES = Tag.INFRASTRUCTURE_SIZE + Long.BYTES;
  private static final String REPLICATION_ADVICE = ". Replication sends it again without end, and"
    + " what comes after it waits: on the cluster that sends it take its table out of the peer, for"
    + " example with set_peer_exclude_tableCFs, until the log is passed, and then copy the table";
  private static final boolean[] TYPES = new boolean[1 << Byte.SIZE];

  static {
    for (KeyValue.Type type : KeyValue.Type.values()) {
      TYPES[Byte.toUnsignedInt(type.getCode())] = true;
    }
  }

  /** Whether an observer has a hook that is called between the check of a batch and the log. */
  private static final ClassValue<Boolean> HAS_HOOK = new ClassValue<Boolean>() {
    @Override
    protected Boolean computeValue(Class<?> observer) {
      try {
        return observer.getMethod("preBatchMutate", ObserverContext.class,
          MiniBatchOperationInProgress.class).getDeclaringClass() != RegionObserver.class;
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e); // RegionObserver declares it.
      }
    }
  };

  private MutationSanityCheck() {
  }

  /** Returns true if a coprocessor may change the cells of a batch after its check. */
  static boolean mayChangeBatches(RegionCoprocessor coprocessor) {
    RegionObserver observer = coprocessor.getRegionObserver().orElse(null);
    return observer != null && HAS_HOOK.get(observer.getClass());
  }

  /**
   * Checks that the cells of a mutation can be written, including the tag of its TTL.
   * @param cells cells by family
   * @throws FailedSanityCheckException if one can't be written
   */
  static void check(Mutation mutation, Map<byte[], List<Cell>> cells)
    throws FailedSanityCheckException {
    int ttlTag = mutation.getTTL() == Long.MAX_VALUE ? 0 : TTL_TAG_BYTES;
    for (List<Cell> family : cells.values()) {
      // A loop by index creates no iterator for each family.
      for (int i = 0; i < family.size(); i++) {
        // All are: a region rejects other cells, which can't have a sequence id.
        check(mutation, (ExtendedCell) family.get(i), ttlTag);
      }
    }
  }

  private static void check(Mutation mutation, ExtendedCell cell, int ttlTag)
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
    if (tags > 0 && !tagsFit(cell, tags, ttlTag)) {
      throw refusal(mutation, tags + " bytes of tags" + (ttlTag > 0 ? " and the TTL's" : "")
        + " are not tags of at most " + Short.MAX_VALUE + " bytes, each with its length");
    }
  }

  /**
   * Returns true if the tags are well-formed. Each has a length, which readers take as a signed
   * short, a type and a value.
   */
  private static boolean tagsFit(ExtendedCell cell, int size, int ttlTag) {
    ByteBuffer buffer = null;
    byte[] array = null;
    int at;
    if (cell instanceof ByteBufferExtendedCell) {
      buffer = ((ByteBufferExtendedCell) cell).getTagsByteBuffer();
      at = ((ByteBufferExtendedCell) cell).getTagsPosition();
    } else {
      array = cell.getTagsArray();
      at = cell.getTagsOffset();
    }
    int end = at + size;
    int replaced = 0;
    while (at + Tag.INFRASTRUCTURE_SIZE <= end) {
      int length = buffer == null ? Bytes.toShort(array, at) : buffer.getShort(at);
      if (length < Tag.TYPE_LENGTH_SIZE) {
        return false;
      }
      int typeAt = at + Tag.TAG_LENGTH_SIZE;
      byte type = buffer == null ? array[typeAt] : buffer.get(typeAt);
      if (type == TagType.TTL_TAG_TYPE && replaced == 0 && ttlTag > 0) {
        replaced = Tag.TAG_LENGTH_SIZE + length;
      }
      at += Tag.TAG_LENGTH_SIZE + length;
    }
    return at == end && size <= Short.MAX_VALUE && size - replaced + ttlTag <= Short.MAX_VALUE;
  }

  private static FailedSanityCheckException refusal(Mutation mutation, String why) {
    byte[] row = mutation.getRow();
    return new FailedSanityCheckException("A cell of row '"
      + Bytes.toStringBinary(row, 0, Math.min(row.length, MOST_ROW_BYTES))
      + "' can't be written: its " + why
      + (mutation.getClusterIds().isEmpty() ? "" : REPLICATION_ADVICE));
  }
}
