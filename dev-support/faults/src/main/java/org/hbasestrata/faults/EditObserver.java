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
package org.hbasestrata.faults;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A coprocessor of a table that numbered edits are replicated to: with an edit it writes whether
 * the row hasn't had the one before it, or has had the edit itself. So it knows nothing that ends
 * with its server.
 */
public final class EditObserver implements RegionCoprocessor, RegionObserver {
  /** Has a column for each number that came before the one below it. */
  static final byte[] EARLY = Bytes.toBytes("early");
  /** Has a column for each number that came more than once. */
  static final byte[] AGAIN = Bytes.toBytes("again");

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(ObserverContext<RegionCoprocessorEnvironment> context,
    MiniBatchOperationInProgress<Mutation> batch) throws IOException {
    Region region = context.getEnvironment().getRegion();
    Set<String> inBatch = new HashSet<>();
    for (int i = 0; i < batch.size(); i++) {
      Mutation edit = batch.getOperation(i);
      Put seen = new Put(edit.getRow());
      for (Cell cell : edit.getFamilyCellMap().getOrDefault(ReplicatedEdits.FAMILY, List.of())) {
        if (!CellUtil.matchingQualifier(cell, ReplicatedEdits.LAST)) {
          look(region, edit.getRow(), Bytes.toInt(CellUtil.cloneQualifier(cell)), inBatch, seen);
        }
      }
      if (!seen.isEmpty()) {
        batch.addOperationsFromCP(i, new Mutation[] { seen });
      }
    }
  }

  /** @param inBatch edits of the batch that come before, each with its row */
  private static void look(Region region, byte[] row, int number, Set<String> inBatch, Put seen)
    throws IOException {
    byte[] column = Bytes.toBytes(number);
    if (has(region, row, number, inBatch)) {
      seen.addColumn(AGAIN, column, row);
    } else if (number > 1 && !has(region, row, number - 1, inBatch)) {
      seen.addColumn(EARLY, column, row);
    }
    inBatch.add(key(row, number));
  }

  private static boolean has(Region region, byte[] row, int number, Set<String> inBatch)
    throws IOException {
    Get get = new Get(row).addColumn(ReplicatedEdits.FAMILY, Bytes.toBytes(number));
    return inBatch.contains(key(row, number)) || !region.get(get).isEmpty();
  }

  private static String key(byte[] row, int number) {
    return Bytes.toInt(row) + "/" + number;
  }
}
