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
package org.apache.hadoop.hbase.regionserver.wal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.hadoop.hbase.regionserver.wal.WALCellCodec.ByteStringCompressor;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.WireFormat;

import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FamilyScope;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.ScopeType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALKey;

/**
 * Writes keys of a log's entries, byte for byte as their messages are written, without a message
 * for each. Not thread-safe.
 */
@InterfaceAudience.Private
final class WALKeyOutput {
  private static final int MOST_LENGTH_BYTES = 5;
  /** Of the numbers of a key, with their tags. */
  private static final int MOST_NUMBER_BYTES = 100;
  /** Of a scope without its family. */
  private static final int MOST_SCOPE_BYTES = 20;

  private byte[] buffer = new byte[256];

  /**
   * Writes a key, with its length before it.
   * @param cells that follow it
   * @return false if the key is to be written as a message; nothing was written then
   */
  boolean write(WALKeyImpl key, int cells, ByteStringCompressor compressor, OutputStream out)
    throws IOException {
    NavigableMap<byte[], Integer> scopes = key.getReplicationScopes();
    if (
      key.getClass() != WALKeyImpl.class || !(compressor instanceof WALCellCodec.NoneCompressor)
        || !key.getClusterIds().isEmpty() || key.hasExtendedAttributes()
        || scopes != null && !hasKnownTypes(scopes)
    ) {
      return false;
    }
    byte[] region = key.getEncodedRegionName();
    byte[] table = key.getTableName().getName();
    ensureRoom(region.length + table.length, scopes);
    CodedOutputStream message = CodedOutputStream.newInstance(buffer, MOST_LENGTH_BYTES,
      buffer.length - MOST_LENGTH_BYTES);
    message.writeByteArray(WALKey.ENCODED_REGION_NAME_FIELD_NUMBER, region);
    message.writeByteArray(WALKey.TABLE_NAME_FIELD_NUMBER, table);
    message.writeUInt64(WALKey.LOG_SEQUENCE_NUMBER_FIELD_NUMBER, key.getSequenceId());
    message.writeUInt64(WALKey.WRITE_TIME_FIELD_NUMBER, key.getWriteTime());
    if (scopes != null) {
      for (Map.Entry<byte[], Integer> scope : scopes.entrySet()) {
        writeScope(message, scope.getKey(), scope.getValue());
      }
    }
    message.writeUInt32(WALKey.FOLLOWING_KV_COUNT_FIELD_NUMBER, cells);
    writeUnlessZero(message, WALKey.NONCEGROUP_FIELD_NUMBER, key.getNonceGroup());
    writeUnlessZero(message, WALKey.NONCE_FIELD_NUMBER, key.getNonce());
    writeUnlessZero(message, WALKey.ORIG_SEQUENCE_NUMBER_FIELD_NUMBER,
      Math.max(0, key.getOrigLogSeqNum()));
    write(message.getTotalBytesWritten(), out);
    return true;
  }

  private static boolean hasKnownTypes(NavigableMap<byte[], Integer> scopes) {
    for (Integer type : scopes.values()) {
      if (ScopeType.forNumber(type) == null) {
        return false;
      }
    }
    return true;
  }

  private void ensureRoom(int nameBytes, NavigableMap<byte[], Integer> scopes) {
    int needed = MOST_LENGTH_BYTES + nameBytes + MOST_NUMBER_BYTES;
    if (scopes != null) {
      for (byte[] family : scopes.keySet()) {
        needed += family.length + MOST_SCOPE_BYTES;
      }
    }
    if (buffer.length < needed) {
      buffer = new byte[2 * needed];
    }
  }

  private static void writeScope(CodedOutputStream message, byte[] family, int type)
    throws IOException {
    message.writeTag(WALKey.SCOPES_FIELD_NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED);
    message.writeUInt32NoTag(
      CodedOutputStream.computeByteArraySize(FamilyScope.FAMILY_FIELD_NUMBER, family)
        + CodedOutputStream.computeEnumSize(FamilyScope.SCOPE_TYPE_FIELD_NUMBER, type));
    message.writeByteArray(FamilyScope.FAMILY_FIELD_NUMBER, family);
    message.writeEnum(FamilyScope.SCOPE_TYPE_FIELD_NUMBER, type);
  }

  private static void writeUnlessZero(CodedOutputStream message, int field, long value)
    throws IOException {
    if (value != 0) {
      message.writeUInt64(field, value);
    }
  }

  /** Writes the buffer's message, with its length right before it. */
  private void write(int length, OutputStream out) throws IOException {
    int lengthBytes = CodedOutputStream.computeUInt32SizeNoTag(length);
    int start = MOST_LENGTH_BYTES - lengthBytes;
    CodedOutputStream.newInstance(buffer, start, lengthBytes).writeUInt32NoTag(length);
    out.write(buffer, start, lengthBytes + length);
  }
}
