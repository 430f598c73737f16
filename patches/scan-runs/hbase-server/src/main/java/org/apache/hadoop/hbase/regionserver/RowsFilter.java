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
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValue.Type;
import org.apache.hadoop.hbase.filter.BigDecimalComparator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ClassSize;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A filter of a scan of which it is known what it says about whole rows: that the first cell of
 * each, or keys alone, are given; or that it excludes rows by their row keys. Not thread-safe.
 */
@InterfaceAudience.Private
final class RowsFilter {
  /** Those that look at cells, too, end no scan and give no hints. */
  private static final Set<Class<?>> FILTERS = setOf(FamilyFilter.class, FirstKeyOnlyFilter.class,
    KeyOnlyFilter.class, QualifierFilter.class, RowFilter.class, ValueFilter.class);
  /** Say the same when they are asked again. */
  private static final Set<Class<?>> COMPARATORS = setOf(BigDecimalComparator.class,
    BinaryComparator.class, BinaryComponentComparator.class, BinaryPrefixComparator.class,
    BitComparator.class, LongComparator.class, NullComparator.class, RegexStringComparator.class,
    SubstringComparator.class);

  private final Filter filter;
  private boolean givesFirstCells;
  private boolean givesKeys;
  private boolean mayExcludeRows;
  private boolean looksAtCells;

  private RowsFilter(Filter filter) {
    this.filter = filter;
  }

  private static Set<Class<?>> setOf(Class<?>... classes) {
    return Collections.unmodifiableSet(new HashSet<>(Arrays.asList(classes)));
  }

  /** Returns null if there is no filter, or nothing is known about it. */
  static RowsFilter of(Filter filter) throws IOException {
    if (filter == null) {
      return null;
    }
    RowsFilter rows = new RowsFilter(filter);
    return rows.add(filter) ? rows : null;
  }

  /** Returns false if nothing is known about a part of the filter. */
  private boolean add(Filter part) throws IOException {
    if (part.getClass() == FilterList.class) {
      FilterList list = (FilterList) part;
      boolean areKnown = list.getOperator() == FilterList.Operator.MUST_PASS_ALL;
      for (int i = 0; i < list.getFilters().size() && areKnown; i++) {
        areKnown = add(list.getFilters().get(i));
      }
      return areKnown;
    }
    if (part.getClass() == FirstKeyOnlyFilter.class) {
      givesFirstCells = true;
    } else if (part.getClass() == KeyOnlyFilter.class && !givesKeys && isWithoutValues(part)) {
      givesKeys = true; // A second one adds to the heap size of a cell.
    } else if (part.getClass() == RowFilter.class && !looksAtCells) {
      mayExcludeRows = true; // What comes before it may have each cell of a row looked at.
    } else {
      looksAtCells = true;
    }
    return FILTERS.contains(part.getClass()) && hasKnownComparator(part);
  }

  /** Returns false if lengths are given in place of the values. */
  private static boolean isWithoutValues(Filter keyOnly) throws IOException {
    byte[] one = new byte[1];
    Cell key = keyOnly.transformCell(new KeyValue(one, one, one, 0, Type.Put, one));
    return key.getValueLength() == 0;
  }

  private static boolean hasKnownComparator(Filter part) {
    if (!(part instanceof CompareFilter)) {
      return true;
    }
    ByteArrayComparable comparator = ((CompareFilter) part).getComparator();
    return comparator != null && COMPARATORS.contains(comparator.getClass());
  }

  /** Returns true if it does nothing but to give first cells or keys. */
  boolean takesAllRows() {
    return !mayExcludeRows && !looksAtCells;
  }

  /** Returns true if of each row the first cell alone is given; if it takes all rows. */
  boolean givesFirstCells() {
    return givesFirstCells;
  }

  /** Returns true if cells are given without their values; if it takes all rows. */
  boolean givesKeys() {
    return givesKeys;
  }

  /** Returns true if it may exclude rows by their row keys. */
  boolean mayExcludeRows() {
    return mayExcludeRows;
  }

  /**
   * Returns true if a row is excluded by its row key. The filter is ready for the next row then;
   * else it may be asked about this one again.
   * @param cell of the row; isn't kept
   */
  boolean excludes(Cell cell) throws IOException {
    boolean isExcluded = filter.filterRowKey(cell);
    if (isExcluded) {
      filter.reset();
    }
    return isExcluded;
  }

  /** Returns bytes of heap that a cell without its value counts for. */
  static long heapSizeOfKey(long heapSizeOfCell) {
    return ClassSize
      .align(ClassSize.OBJECT + ClassSize.REFERENCE + Bytes.SIZEOF_BOOLEAN + heapSizeOfCell);
  }
}
