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
package org.apache.hadoop.hbase.ipc;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NoTagsKeyValue;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.Message;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.Durability;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/**
 * Parses the request of a put whose cells are in the message, as if they had been sent beside it:
 * the cells are copied into one array, and the message says how many there are. Used by one thread.
 */
/*
 * The generated parser makes a builder, a message and references to bytes of each cell; later, each
 * part of a cell is copied into an array of its own.
 *
 * What isn't such a request is left to the generated parser: conditions, tags, fields in another
 * order, cells that no client makes, bytes that can't be parsed, and puts that are long: each cell
 * has the row, which a message has once.
 */
@InterfaceAudience.Private
final class PutRequestParser extends MessageReader {
  private static final int REGION = MutateRequest.REGION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int MUTATION = MutateRequest.MUTATION_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int ROW = MutationProto.ROW_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int MUTATE_TYPE = MutationProto.MUTATE_TYPE_FIELD_NUMBER << 3 | VARINT;
  private static final int COLUMN =
    MutationProto.COLUMN_VALUE_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int PUT_TIMESTAMP = MutationProto.TIMESTAMP_FIELD_NUMBER << 3 | VARINT;
  private static final int DURABILITY = MutationProto.DURABILITY_FIELD_NUMBER << 3 | VARINT;
  private static final int FAMILY = ColumnValue.FAMILY_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int CELL = ColumnValue.QUALIFIER_VALUE_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int QUALIFIER =
    QualifierValue.QUALIFIER_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int VALUE = QualifierValue.VALUE_FIELD_NUMBER << 3 | LENGTH_DELIMITED;
  private static final int TIMESTAMP = QualifierValue.TIMESTAMP_FIELD_NUMBER << 3 | VARINT;

  /** Of all cells of a put. */
  private static final int MOST_BYTES = 64 << 10;

  private int row;
  private int endOfRow;
  private int family;
  private int endOfFamily;
  /** Of cells that have none of their own. */
  private long timestamp;
  /** Null while the length of the cells isn't known. */
  private byte[] bytes;
  private int length;
  private int count;
  private List<Cell> cells;

  private PutRequestParser(ByteBuff request) {
    super(request);
  }

  /**
   * Parses the parameter of a call without cells beside it, if it is a put.
   * @param builder of the parameter's type, without any field
   * @param request what came of the call, from position 0 on
   * @param offset  of the parameter in it
   * @param length  bytes of the parameter
   * @return the put's cells, which refer to none of the request's bytes, and the builder has all
   *         else; null if the builder has nothing still, and the caller has to parse the parameter
   */
  static PutCells merge(Message.Builder builder, ByteBuff request, int offset, int length) {
    if (!(builder instanceof MutateRequest.Builder) || !has(request, offset, length)) {
      return null;
    }
    MutateRequest.Builder mutate = (MutateRequest.Builder) builder;
    try {
      return new PutRequestParser(request).mergeRequest(mutate, offset, offset + length);
    } catch (IOException e) {
      mutate.clear();
      return null;
    }
  }

  private PutCells mergeRequest(MutateRequest.Builder mutate, int from, int end)
    throws IOException {
    at = from;
    expect(REGION, end);
    RegionSpecifier region = readRegion(readLength(end));
    expect(MUTATION, end);
    if (readLength(end) != end) {
      throw OtherRequest.INSTANCE;
    }
    MutationProto.Builder put = MutationProto.newBuilder();
    PutCells putCells = readPut(put, end);
    mutate.setRegion(region).setMutation(put.buildPartial());
    return putCells;
  }

  private PutCells readPut(MutationProto.Builder put, int end) throws IOException {
    expect(ROW, end);
    endOfRow = readLength(end);
    row = at;
    at = endOfRow;
    expect(MUTATE_TYPE, end);
    if (
      readNumber(end) != MutationType.PUT_VALUE || endOfRow == row
        || endOfRow - row > HConstants.MAX_ROW_LENGTH
    ) {
      throw OtherRequest.INSTANCE;
    }
    int columns = at;
    readColumns(end);
    readRest(put, end);
    if (
      count == 0 || put.hasRow() || put.hasMutateType() || put.getColumnValueCount() > 0
        || put.hasAssociatedCellCount()
    ) {
      throw OtherRequest.INSTANCE;
    }
    timestamp = put.hasTimestamp() ? put.getTimestamp() : HConstants.LATEST_TIMESTAMP;
    bytes = new byte[length];
    cells = new ArrayList<>(count);
    put.setRow(bytes(row, endOfRow)).setMutateType(MutationType.PUT)
      .setAssociatedCellCount(count);
    length = 0;
    at = columns;
    readColumns(end);
    return new PutCells(cells);
  }

  /** Without attributes there is little behind the columns. */
  private void readRest(MutationProto.Builder put, int end) throws IOException {
    if (isNext(PUT_TIMESTAMP, end)) {
      at++;
      put.setTimestamp(readLong(end));
    }
    if (isNext(DURABILITY, end)) {
      at++;
      Durability durability = Durability.forNumber(readNumber(end));
      if (durability == null) {
        throw OtherRequest.INSTANCE;
      }
      put.setDurability(durability);
    }
    if (at < end) {
      merge(put, at, end);
    }
  }

  private void readColumns(int end) throws IOException {
    while (isNext(COLUMN, end)) {
      at++;
      int endOfColumn = readLength(end);
      expect(FAMILY, endOfColumn);
      endOfFamily = readLength(endOfColumn);
      family = at;
      if (endOfFamily == family || endOfFamily - family > Byte.MAX_VALUE) {
        throw OtherRequest.INSTANCE;
      }
      at = endOfFamily;
      while (at < endOfColumn) {
        expect(CELL, endOfColumn);
        readCell(readLength(endOfColumn));
      }
    }
  }

  private void readCell(int end) throws IOException {
    int endOfQualifier = at;
    if (isNext(QUALIFIER, end)) {
      at++;
      endOfQualifier = readLength(end);
    }
    int qualifier = at;
    at = endOfQualifier;
    expect(VALUE, end);
    int endOfValue = readLength(end);
    int value = at;
    at = endOfValue;
    long cellTimestamp = timestamp;
    if (at < end) {
      expect(TIMESTAMP, end);
      cellTimestamp = readLong(end);
      if (at < end) {
        throw OtherRequest.INSTANCE;
      }
    }
    long keyLength = KeyValue.getKeyDataStructureSize(endOfRow - row, endOfFamily - family,
      endOfQualifier - qualifier);
    int start = length;
    long endOfCell = start + KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + keyLength + endOfValue - value;
    if (endOfCell > MOST_BYTES) {
      throw OtherRequest.INSTANCE;
    }
    length = (int) endOfCell;
    if (bytes == null) {
      count++;
      return;
    }
    int to = Bytes.putInt(bytes, start, (int) keyLength);
    to = Bytes.putInt(bytes, to, endOfValue - value);
    to = Bytes.putShort(bytes, to, (short) (endOfRow - row));
    to = copy(row, endOfRow, to);
    to = Bytes.putByte(bytes, to, (byte) (endOfFamily - family));
    to = copy(family, endOfFamily, to);
    to = copy(qualifier, endOfQualifier, to);
    to = Bytes.putLong(bytes, to, cellTimestamp);
    to = Bytes.putByte(bytes, to, KeyValue.Type.Put.getCode());
    to = copy(value, endOfValue, to);
    cells.add(new NoTagsKeyValue(bytes, start, to - start));
  }

  private int copy(int from, int end, int to) {
    if (from < end) {
      // No buffer has what is at the end of all.
      request.get(from, bytes, to, end - from);
    }
    return to + end - from;
  }
}
