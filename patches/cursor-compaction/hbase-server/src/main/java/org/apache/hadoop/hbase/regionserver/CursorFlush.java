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
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CellCursor;
import org.apache.hadoop.hbase.regionserver.MetricsCursorCompactions.Reason;
import org.apache.hadoop.hbase.regionserver.querymatcher.DroppedCells;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputControlUtil;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A flush that compares, matches and writes the bytes of cells. It takes the place of a
 * {@link StoreScanner} that has been opened and not read yet, and drops what that would. The file
 * is the same, byte for byte. Not thread-safe.
 */
@InterfaceAudience.Private
final class CursorFlush {
  private final CursorWriter writer;

  private CursorFlush(CursorWriter writer) {
    this.writer = writer;
  }

  /**
   * Returns the flush that takes the place of a scanner, or null if the scanner is to be read.
   * @param conf    of the store
   * @param scanner the cells, which haven't been read
   * @param sink    where to write
   */
  static CursorFlush of(Configuration conf, InternalScanner scanner, CellSink sink)
    throws IOException {
    if (!CursorCompaction.isEnabled(conf)) {
      return null;
    }
    Reason reason = Reason.WRITER;
    if (!CursorCompaction.isUnread(scanner)) {
      reason = Reason.COPROCESSOR;
    } else if (sink instanceof StoreFileWriter && ((StoreFileWriter) sink).takesBytes()) {
      DroppedCells rules = DroppedCells.of(((StoreScanner) scanner).getMatcher());
      List<CellCursor> cursors =
        rules == null ? null : open(((StoreScanner) scanner).currentScanners);
      if (cursors != null) {
        return new CursorFlush(new CursorWriter((StoreFileWriter) sink, rules, cursors));
      }
      reason = rules == null ? Reason.RULES : Reason.MEMSTORE;
    }
    MetricsCursorCompactions.getInstance().incrScannerFlush(reason);
    return null;
  }

  /** Returns cursors in the place of scanners; null if that can't be, and then none has gone on. */
  private static List<CellCursor> open(List<KeyValueScanner> scanners) throws IOException {
    for (KeyValueScanner scanner : scanners) {
      if (scanner.getClass() != SnapshotSegmentScanner.class) {
        return null;
      }
    }
    List<CellCursor> cursors = new ArrayList<>(scanners.size());
    for (KeyValueScanner scanner : scanners) {
      if (scanner.peek() != null) {
        cursors.add(SegmentCursor.of((SnapshotSegmentScanner) scanner));
      }
    }
    return cursors;
  }

  /**
   * Writes the cells.
   * @param throughput null for no control
   */
  void perform(HStore store, ThroughputController throughput) throws IOException {
    MetricsCursorCompactions.getInstance().incrFlush();
    String name = ThroughputControlUtil.getNameForThrottling(store, "flush");
    boolean controls =
      throughput != null && !store.getRegionInfo().getTable().isSystemTable();
    if (controls) {
      throughput.start(name);
    }
    try {
      writer.write((cells, bytes) -> {
        if (controls && bytes > 0) {
          throughput.control(name, bytes);
        }
        return true;
      }, Long.MIN_VALUE);
    } catch (InterruptedException e) {
      throw (IOException) new InterruptedIOException("Interrupted while " + name + " was throttled")
        .initCause(e);
    } finally {
      if (controls) {
        throughput.finish(name);
      }
    }
  }
}
