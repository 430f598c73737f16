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
import java.lang.ref.WeakReference;
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
  /** How many tries a flush has. */
  private static final String TRIES_KEY = "hbase.hstore.flush.retries.number";
  private static final int DEFAULT_TRIES = 10;

  private final StoreFileWriter file;
  private final DroppedCells rules;
  private final List<KeyValueScanner> segments;

  /** The tries to flush what is in memory. Of a store, which has one at a time. */
  static final class Tries {
    private WeakReference<MemStoreSnapshot> last = new WeakReference<>(null);
    private boolean haveFailed;
    private boolean isWithCursors;

    /** A flush begins, of the same snapshot as the last one if that failed. */
    void begin(MemStoreSnapshot snapshot) {
      haveFailed = last.get() == snapshot && (haveFailed || isWithCursors);
      if (haveFailed && isWithCursors) {
        MetricsCursorCompactions.getInstance().incrFailedFlush();
      }
      isWithCursors = false;
      last = new WeakReference<>(snapshot);
    }

    /**
     * Returns the flush that takes the place of a scanner, or null if the scanner is to be read, as
     * after a try with cursors, or if there would be no other try.
     */
    CursorFlush next(Configuration conf, InternalScanner scanner, CellSink sink) {
      CursorFlush flush = haveFailed || conf.getInt(TRIES_KEY, DEFAULT_TRIES) <= 1
        ? null
        : CursorFlush.of(conf, scanner, sink);
      isWithCursors = flush != null;
      return flush;
    }
  }

  private CursorFlush(StoreFileWriter file, DroppedCells rules, List<KeyValueScanner> segments) {
    this.file = file;
    this.rules = rules;
    this.segments = segments;
  }

  /**
   * Returns the flush that takes the place of a scanner, or null if the scanner is to be read.
   * @param conf    of the store
   * @param scanner the cells, which haven't been read
   * @param sink    where to write
   */
  static CursorFlush of(Configuration conf, InternalScanner scanner, CellSink sink) {
    if (!CursorCompaction.isEnabled(conf)) {
      return null;
    }
    Reason reason = Reason.WRITER;
    if (!CursorCompaction.isUnread(scanner)) {
      reason = Reason.COPROCESSOR;
    } else if (sink instanceof StoreFileWriter && ((StoreFileWriter) sink).takesBytes()) {
      DroppedCells rules = DroppedCells.of(((StoreScanner) scanner).getMatcher());
      List<KeyValueScanner> segments = ((StoreScanner) scanner).currentScanners;
      if (rules == null) {
        reason = Reason.RULES;
      } else if (!areOfSnapshots(segments)) {
        reason = Reason.MEMSTORE;
      } else if (!areInHeap(segments, ((StoreScanner) scanner).heap)) {
        reason = Reason.COPROCESSOR;
      } else {
        return new CursorFlush((StoreFileWriter) sink, rules, segments);
      }
    }
    MetricsCursorCompactions.getInstance().incrScannerFlush(reason);
    return null;
  }

  private static boolean areOfSnapshots(List<KeyValueScanner> scanners) {
    for (KeyValueScanner scanner : scanners) {
      if (scanner.getClass() != SnapshotSegmentScanner.class) {
        return false;
      }
    }
    return true;
  }

  /** One that a coprocessor has sought behind its end isn't, and still has a cell. */
  private static boolean areInHeap(List<KeyValueScanner> scanners, KeyValueHeap heap) {
    for (KeyValueScanner scanner : scanners) {
      if (
        scanner.peek() != null
          && (heap == null || scanner != heap.current && !heap.getHeap().contains(scanner))
      ) {
        return false;
      }
    }
    return true;
  }

  /** @param scanners those of newer segments come first */
  private static List<CellCursor> open(List<KeyValueScanner> scanners) throws IOException {
    List<CellCursor> cursors = new ArrayList<>(scanners.size());
    for (int i = 0; i < scanners.size(); i++) {
      if (scanners.get(i).peek() != null) {
        cursors.add(SegmentCursor.of((SnapshotSegmentScanner) scanners.get(i), -i));
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
      new CursorWriter(file, rules, open(segments)).write((cells, bytes) -> {
        if (controls && bytes > 0) {
          throughput.control(name, bytes);
        }
        return true;
      }, Long.MIN_VALUE);
    } catch (RuntimeException e) {
      // After an IOException it is tried again, by the scanner.
      throw new IOException("Cells of " + store + " in memory can't be flushed with cursors", e);
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
