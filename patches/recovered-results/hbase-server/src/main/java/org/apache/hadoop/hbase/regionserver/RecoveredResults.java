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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.NonceKey;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.yetus.audience.InterfaceAudience;

import org.apache.hbase.thirdparty.com.google.common.cache.Cache;
import org.apache.hbase.thirdparty.com.google.common.cache.CacheBuilder;

/**
 * What increments and appends that were recovered from logs have written, for clients that repeat
 * them since they got no answer: of each log of a region the last ones, and of all these the
 * newest, up to 16 MB of heap. Thread-safe.
 */
@InterfaceAudience.Private
final class RecoveredResults {
  private static final long MAX_BYTES = 16L << 20;
  /** Of a log of a region: more callers hardly wait for their answers. */
  private static final int MAX_OPERATIONS_OF_LOG = 1000;
  private static final long MAX_BYTES_OF_LOG = MAX_BYTES / 64;
  /** About what the cache takes for an entry. */
  private static final int ENTRY_BYTES = 200;

  private final Cache<NonceKey, List<Cell>> written;

  /** @param keepMs milliseconds for which a client may repeat an operation */
  RecoveredResults(long keepMs) {
    written = CacheBuilder.newBuilder().concurrencyLevel(1).maximumWeight(MAX_BYTES)
      .weigher((NonceKey nonce, List<Cell> cells) -> (int) heapSize(cells))
      .expireAfterWrite(keepMs, TimeUnit.MILLISECONDS).build();
  }

  /** Is up to 2 GB. */
  private static long heapSize(List<Cell> cells) {
    long bytes = ENTRY_BYTES;
    for (Cell cell : cells) {
      bytes += cell.heapSize();
    }
    return Math.min(bytes, Integer.MAX_VALUE);
  }

  /** Begins to replay a log of a region. */
  OfLog beginLog() {
    return new OfLog();
  }

  /** The last operations of a log. Not thread-safe. */
  final class OfLog {
    /** With the bytes of what they have written. */
    private final Deque<Pair<NonceKey, Long>> operations = new ArrayDeque<>();
    private long bytes;

    private OfLog() {
    }

    /**
     * Adds what the next operation has written, if it has a nonce: others need no result.
     * @param edit keeps its cells, which don't change
     */
    void add(long group, long nonce, WALEdit edit) {
      if (nonce == HConstants.NO_NONCE || edit.isMetaEdit()) {
        return;
      }
      NonceKey key = new NonceKey(group, nonce);
      List<Cell> cells = new ArrayList<>(edit.getCells());
      // A row's mutations with an increment that are repeated log the others again, by this nonce.
      if (written.asMap().putIfAbsent(key, cells) != null) {
        return;
      }
      long size = heapSize(cells);
      operations.add(new Pair<>(key, size));
      bytes += size;
      while (operations.size() > MAX_OPERATIONS_OF_LOG || bytes > MAX_BYTES_OF_LOG) {
        Pair<NonceKey, Long> oldest = operations.remove();
        written.invalidate(oldest.getFirst());
        bytes -= oldest.getSecond();
      }
    }
  }

  /** Returns the result of an operation; null if what it has written isn't known. */
  Result find(long group, long nonce, Mutation operation) {
    List<Cell> cells = written.getIfPresent(new NonceKey(group, nonce));
    if (cells == null) {
      return null;
    }
    List<Cell> result = new ArrayList<>(operation.size());
    for (List<Cell> columns : operation.getFamilyCellMap().values()) {
      for (Cell column : columns) {
        Cell found = find(cells, column);
        if (found == null) {
          return null;
        }
        result.add(found);
      }
    }
    result.sort(CellComparator.getInstance());
    return Result.create(result);
  }

  /** Returns what was put into a column; null if that isn't one cell. */
  private static Cell find(List<Cell> cells, Cell column) {
    Cell found = null;
    for (Cell cell : cells) {
      if (
        cell.getType() == Cell.Type.Put && CellUtil.matchingRows(cell, column)
          && CellUtil.matchingColumn(cell, column)
      ) {
        if (found != null) {
          return null;
        }
        found = cell;
      }
    }
    return found;
  }

  /** Gives up what is too old to be asked for. */
  void clean() {
    written.cleanUp();
  }
}
