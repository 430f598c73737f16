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

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * The messages of results whose cells are sent beside them. That of a plain result has the number
 * of its cells only, so results of as many cells share it. Thread-safe.
 */
@InterfaceAudience.Private
final class CellCounts {
  private static final ClientProtos.Result[] RESULTS = new ClientProtos.Result[129];

  static {
    for (int cells = 1; cells < RESULTS.length; cells++) {
      RESULTS[cells] = ProtobufUtil.toResultNoData(Result.create(new Cell[cells]));
    }
  }

  private CellCounts() {
  }

  /**
   * Returns what {@link ProtobufUtil#toResultNoData(Result)} returns; null if the message says more
   * than the number of cells, or there are many.
   */
  static ClientProtos.Result toResult(Result result) {
    int cells = result.size();
    return cells < RESULTS.length && result.getExists() == null && !result.isStale()
      && result.getMetrics() == null ? RESULTS[cells] : null;
  }
}
