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

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;

/**
 * Tells of the message of a filter, before anything is made of it, whether an event loop may ask it
 * about each cell. A user's filter may take any time, and so may one that compares by a regular
 * expression. Thread-safe.
 */
@InterfaceAudience.Private
final class ShortFilters {
  /** Of a get, with lists of filters. */
  private static final int MAX_FILTERS = 8;

  /** Compare a cell's column with two others at most. Those of many columns or times may not. */
  private static final Set<String> NAMES = Collections.unmodifiableSet(new HashSet<>(
    Arrays.asList(ColumnCountGetFilter.class.getName(), ColumnPaginationFilter.class.getName(),
      ColumnPrefixFilter.class.getName(), ColumnRangeFilter.class.getName(),
      FirstKeyOnlyFilter.class.getName(), KeyOnlyFilter.class.getName())));

  private ShortFilters() {
  }

  /** Returns false if a handler has to ask the filter, or to say that there is no such one. */
  static boolean isShort(FilterProtos.Filter filter) {
    return count(filter, 0) <= MAX_FILTERS;
  }

  /** Returns the count with those of the filter; more than the most if one isn't short. */
  private static int count(FilterProtos.Filter filter, int counted) {
    if (NAMES.contains(filter.getName())) {
      return counted + 1;
    }
    if (counted == MAX_FILTERS || !filter.getName().equals(FilterList.class.getName())) {
      return MAX_FILTERS + 1;
    }
    int count = counted + 1;
    List<FilterProtos.Filter> parts;
    try {
      parts = FilterProtos.FilterList.parseFrom(filter.getSerializedFilter()).getFiltersList();
    } catch (InvalidProtocolBufferException e) {
      return MAX_FILTERS + 1;
    }
    for (int i = 0; count <= MAX_FILTERS && i < parts.size(); i++) {
      count = count(parts.get(i), count);
    }
    return count;
  }
}
