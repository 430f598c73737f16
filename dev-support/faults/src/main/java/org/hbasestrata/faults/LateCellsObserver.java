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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A coprocessor that uses cells of a scanner that it has closed, as Phoenix does: answers a get
 * that names a family with what it read of {@link #READ_LATE} before it read that family.
 */
public final class LateCellsObserver implements RegionCoprocessor, RegionObserver {
  /** Of a get: the family that is read in between. */
  static final String IN_BETWEEN = "in-between";
  static final byte[] READ_LATE = Bytes.toBytes("f");

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preGetOp(ObserverContext<RegionCoprocessorEnvironment> context, Get get,
    List<Cell> result) throws IOException {
    byte[] family = get.getAttribute(IN_BETWEEN);
    if (family == null) {
      return;
    }
    Region region = context.getEnvironment().getRegion();
    List<Cell> late = new ArrayList<>();
    read(region, READ_LATE, late);
    // Holds as many blocks as it reads until it is closed, so all buffers of a small pool.
    read(region, family, null);
    for (int i = 0; i < late.size(); i++) {
      result.add(new KeyValue(get.getRow(), READ_LATE, Bytes.toBytes(i),
        CellUtil.cloneValue(late.get(i))));
    }
    context.bypass();
  }

  /** @param all takes the cells; null for none */
  private static void read(Region region, byte[] family, List<Cell> all) throws IOException {
    try (RegionScanner scanner = region.getScanner(new Scan().addFamily(family))) {
      List<Cell> cells = new ArrayList<>();
      boolean more;
      do {
        more = scanner.next(cells);
        if (all != null) {
          all.addAll(cells);
        }
        cells.clear();
      } while (more);
    }
  }
}
