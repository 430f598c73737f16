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

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;

/**
 * The results of a scan's call. Those of a block that were read together are kept as such, and each
 * of them is made when it is asked for, another one each time. Not thread-safe.
 */
@InterfaceAudience.Private
final class ScanResults extends AbstractList<Result> {
  /** Results, and {@link ResultsOfBlock}. */
  private final List<CellScannable> parts = new ArrayList<>();
  /** Of each part, how many results there are up to its end. */
  private int[] ends = new int[16];

  /** Returns true if rows of a scanner may be read several at a time. */
  static boolean take(RegionScanner scanner) {
    return scanner.getClass() == RegionScannerImpl.class
      && ((RegionScannerImpl) scanner).mayReadRows();
  }

  @Override
  public int size() {
    return parts.isEmpty() ? 0 : ends[parts.size() - 1];
  }

  @Override
  public Result get(int index) {
    if (index < 0 || index >= size()) {
      throw new IndexOutOfBoundsException("Result " + index + " of " + size());
    }
    int found = Arrays.binarySearch(ends, 0, parts.size(), index + 1);
    int part = found < 0 ? -found - 1 : found;
    CellScannable results = parts.get(part);
    return results instanceof Result
      ? (Result) results
      : ((ResultsOfBlock) results).get(part == 0 ? index : index - ends[part - 1]);
  }

  @Override
  public boolean add(Result result) {
    add(result, 1);
    return true;
  }

  /** Adds rows of a block to a list; if it isn't one of these, as results. */
  static void add(ResultsOfBlock rows, List<Result> results) {
    if (results instanceof ScanResults) {
      ((ScanResults) results).add(rows, rows.size());
      return;
    }
    for (int i = 0; i < rows.size(); i++) {
      results.add(rows.get(i));
    }
  }

  private void add(CellScannable part, int size) {
    modCount++;
    int count = parts.size();
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count] = size() + size;
    parts.add(part);
  }

  @Override
  public void add(int index, Result result) {
    List<Result> all = new ArrayList<>(this);
    all.add(index, result);
    set(all);
  }

  @Override
  public Result set(int index, Result result) {
    List<Result> all = new ArrayList<>(this);
    Result before = all.set(index, result);
    set(all);
    return before;
  }

  @Override
  public Result remove(int index) {
    List<Result> all = new ArrayList<>(this);
    Result removed = all.remove(index);
    set(all);
    return removed;
  }

  @Override
  protected void removeRange(int from, int to) {
    List<Result> all = new ArrayList<>(this);
    all.subList(from, to).clear();
    set(all);
  }

  private void set(List<Result> results) {
    modCount++;
    parts.clear();
    results.forEach(this::add);
  }

  /** Returns what has the cells, in their order, until this changes. */
  List<CellScannable> getParts() {
    return parts;
  }

  /** Has a response have the numbers of cells of the results. */
  void addTo(ScanResponse.Builder response) {
    for (CellScannable part : parts) {
      if (part instanceof Result) {
        Result result = (Result) part;
        response.addCellsPerResult(result.size());
        response.addPartialFlagPerResult(result.mayHaveMoreCellsInRow());
        continue;
      }
      ResultsOfBlock results = (ResultsOfBlock) part;
      for (int i = 0; i < results.size(); i++) {
        response.addCellsPerResult(results.getCount(i));
        response.addPartialFlagPerResult(false);
      }
    }
  }
}
