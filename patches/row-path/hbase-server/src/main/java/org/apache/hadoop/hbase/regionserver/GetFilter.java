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

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.io.hfile.BlockCell;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/**
 * Asks the filter of a get, if it has one, what a region scanner and its store scanners ask. Used
 * by one thread at a time.
 */
@InterfaceAudience.Private
final class GetFilter {
  /** Neither keep the cells that they are asked about nor make others of them. */
  private static final Set<Class<?>> LOOK_ONLY = Collections.unmodifiableSet(
    new HashSet<>(Arrays.asList(ColumnCountGetFilter.class, ColumnPaginationFilter.class,
      ColumnPrefixFilter.class, ColumnRangeFilter.class, ColumnValueFilter.class,
      FamilyFilter.class, FirstKeyOnlyFilter.class, MultipleColumnPrefixFilter.class,
      PrefixFilter.class, QualifierFilter.class, RowFilter.class,
      SingleColumnValueExcludeFilter.class, SingleColumnValueFilter.class, TimestampsFilter.class,
      ValueFilter.class)));

  /** Null if the get has none. */
  private Filter filter;
  private boolean looksOnly;
  /** Whether families that aren't needed to decide about the row are read afterwards. */
  private boolean onDemand;

  void begin(Get get, HRegion region) {
    filter = get.getFilter();
    if (filter == null) {
      looksOnly = true;
      onDemand = false;
      return;
    }
    looksOnly = looksOnly(filter);
    Boolean ofGet = get.getLoadColumnFamiliesOnDemandValue();
    onDemand = ofGet == null ? region.isLoadingCfsOnDemandDefault() : ofGet;
  }

  void clear() {
    filter = null;
  }

  private static boolean looksOnly(Filter filter) {
    if (filter.getClass() != FilterList.class) {
      return LOOK_ONLY.contains(filter.getClass());
    }
    FilterList list = (FilterList) filter;
    if (list.getOperator() == FilterList.Operator.MUST_PASS_ONE) {
      return false; // It keeps the cell at which a filter gave a hint.
    }
    List<Filter> filters = list.getFilters();
    for (int i = 0; i < filters.size(); i++) {
      if (!looksOnly(filters.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Returns null if the get has none. */
  Filter get() {
    return filter;
  }

  /** Returns the number of filters that are asked about a cell. */
  int size() {
    return size(filter);
  }

  private static int size(Filter filter) {
    if (!(filter instanceof FilterList)) {
      return filter == null ? 0 : 1;
    }
    int size = 1;
    for (Filter part : ((FilterList) filter).getFilters()) {
      size += size(part);
    }
    return size;
  }

  /** Returns false if the family is read only if the row is taken. */
  boolean isEssential(byte[] family) throws IOException {
    return !onDemand || filter.isFamilyEssential(family);
  }

  /** Returns the cell as the filter may have it: some keep it, or make one that refers to it. */
  Cell cellFor(Cell cell) {
    return looksOnly || !(cell instanceof BlockCell) ? cell : ((BlockCell) cell).keep();
  }

  /** Returns what the result has in place of a cell that the filter has taken. */
  Cell transform(Cell cell) throws IOException {
    return looksOnly ? cell : filter.transformCell(cell);
  }

  /** Returns true if the filter takes the row, by its first cell. */
  boolean takesRow(Cell first) throws IOException {
    return !filter.filterAllRemaining() && !filter.filterRowKey(cellFor(first));
  }

  /** Returns true if the filter takes the row, which may lose cells, by those that it took. */
  boolean takesCells(RowCells cells) throws IOException {
    boolean empty = cells.size() == 0;
    if (!filter.hasFilterRow()) {
      return !empty && !filter.filterRow();
    }
    List<Cell> all = cells.asList();
    filter.filterRowCells(all);
    return !empty && (all.isEmpty() || !filter.filterRow());
  }

  /** Has the get have a filter as it was before it was asked. */
  void renew(Get get) throws IOException {
    if (filter == null) {
      return;
    }
    try {
      get.setFilter(ProtobufUtil.toFilter(ProtobufUtil.toFilter(filter)));
    } catch (IOException | RuntimeException e) {
      filter.reset(); // One that a coprocessor has set may not be made for messages.
    }
  }
}
