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
package org.apache.hadoop.hbase.shaded.protobuf;

import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * The messages of a batch's gets. One that asks the same as the get before it, of another row,
 * shares the parts of that one's message. For one thread.
 */
@InterfaceAudience.Private
final class GetMessages {
  private Get last;
  private ClientProtos.Get message;

  /**
   * Returns the message of the batch's next get; null if it has attributes or time ranges of
   * families, which aren't compared.
   */
  ClientProtos.Get of(Get get) throws IOException {
    if (!get.getAttributesMap().isEmpty() || !get.getColumnFamilyTimeRange().isEmpty()) {
      return null;
    }
    if (last != null && asksTheSame(last, get)) {
      message =
        message.toBuilder().setRow(UnsafeByteOperations.unsafeWrap(get.getRow())).build();
    } else {
      message = ProtobufUtil.toGet(get);
    }
    last = get;
    return message;
  }

  /** Filters are the same if they are one object, which many gets of a batch have as a rule. */
  private static boolean asksTheSame(Get one, Get other) {
    return one.getFilter() == other.getFilter()
      && one.getCacheBlocks() == other.getCacheBlocks()
      && one.getMaxVersions() == other.getMaxVersions()
      && one.getMaxResultsPerColumnFamily() == other.getMaxResultsPerColumnFamily()
      && one.getRowOffsetPerColumnFamily() == other.getRowOffsetPerColumnFamily()
      && one.isCheckExistenceOnly() == other.isCheckExistenceOnly()
      && one.getConsistency() == other.getConsistency()
      && Objects.equals(one.getLoadColumnFamiliesOnDemandValue(),
        other.getLoadColumnFamiliesOnDemandValue())
      && one.isQueryMetricsEnabled() == other.isQueryMetricsEnabled()
      && areEqual(one.getTimeRange(), other.getTimeRange())
      && areEqual(one.getFamilyMap(), other.getFamilyMap());
  }

  private static boolean areEqual(TimeRange one, TimeRange other) {
    return one == other || one.getMin() == other.getMin() && one.getMax() == other.getMax();
  }

  private static boolean areEqual(Map<byte[], NavigableSet<byte[]>> one,
    Map<byte[], NavigableSet<byte[]>> other) {
    if (one.size() != other.size()) {
      return false;
    }
    Iterator<Map.Entry<byte[], NavigableSet<byte[]>>> others = other.entrySet().iterator();
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : one.entrySet()) {
      Map.Entry<byte[], NavigableSet<byte[]>> otherFamily = others.next();
      if (
        !Bytes.equals(family.getKey(), otherFamily.getKey())
          || !areEqual(family.getValue(), otherFamily.getValue())
      ) {
        return false;
      }
    }
    return true;
  }

  /** Of columns, which may be null. */
  private static boolean areEqual(NavigableSet<byte[]> one, NavigableSet<byte[]> other) {
    int size = one == null ? 0 : one.size();
    if (size != (other == null ? 0 : other.size())) {
      return false;
    }
    if (size == 0) {
      return true;
    }
    Iterator<byte[]> others = other.iterator();
    for (byte[] column : one) {
      if (!Bytes.equals(column, others.next())) {
        return false;
      }
    }
    return true;
  }
}
