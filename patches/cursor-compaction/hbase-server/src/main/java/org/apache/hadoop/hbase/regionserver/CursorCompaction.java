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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.hfile.CellCursor;
import org.apache.hadoop.hbase.io.hfile.FileCursor;
import org.apache.hadoop.hbase.regionserver.MetricsCursorCompactions.Reason;
import org.apache.hadoop.hbase.regionserver.compactions.CloseChecker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionProgress;
import org.apache.hadoop.hbase.regionserver.querymatcher.DroppedCells;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputControlUtil;
import org.apache.hadoop.hbase.regionserver.throttle.ThroughputController;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compaction that makes no object of each cell. It takes the place of a {@link StoreScanner} that
 * has been opened and not read yet: its files are where they were sought to, and what it would drop
 * is dropped. The file is the same, byte for byte. Not thread-safe.
 */
@InterfaceAudience.Private
public final class CursorCompaction {
  private static final Logger LOG = LoggerFactory.getLogger(CursorCompaction.class);
  private static final int MILLIS_BETWEEN_LINES = 60 * 1000;

  private final HStore store;
  private final CursorWriter writer;

  private CursorCompaction(HStore store, CursorWriter writer) {
    this.store = store;
    this.writer = writer;
  }

  /**
   * Returns the compaction that takes the place of a scanner, or null if the scanner is to be read.
   * @param conf             of the store
   * @param isPlainCompactor whether all that is done with a cell of the scanner is to write it
   * @param scanner          the cells, which haven't been read
   * @param writer           where to write
   */
  public static CursorCompaction of(Configuration conf, HStore store, boolean isPlainCompactor,
    InternalScanner scanner, CellSink writer) throws IOException {
    if (!isEnabled(conf)) {
      return null;
    }
    Reason reason;
    if (!isPlainCompactor || !(writer instanceof StoreFileWriter)) {
      reason = Reason.COMPACTOR;
    } else if (!isUnread(scanner)) {
      reason = Reason.COPROCESSOR;
    } else {
      StoreFileWriter file = (StoreFileWriter) writer;
      DroppedCells rules = DroppedCells.of(((StoreScanner) scanner).getMatcher());
      List<CellCursor> cursors = open(((StoreScanner) scanner).currentScanners);
      if (rules != null && cursors != null && file.takesBytes()) {
        return new CursorCompaction(store, new CursorWriter(file, rules, cursors));
      }
      reason = rules == null ? Reason.RULES : cursors == null ? Reason.FILE : Reason.WRITER;
    }
    MetricsCursorCompactions.getInstance().incrScanner(reason);
    return null;
  }

  /** A table's own value isn't looked at before. One that isn't allowed mustn't stop it. */
  static boolean isEnabled(Configuration conf) {
    try {
      return CursorCompactionSettings.ENABLED.read(conf);
    } catch (IllegalArgumentException e) {
      LOG.warn("A file is written without cursors: {}", e.getMessage());
      return false;
    }
  }

  /** A coprocessor may have wrapped the scanner, or may have read or sought it. */
  static boolean isUnread(InternalScanner scanner) {
    return scanner.getClass() == StoreScanner.class
      && ((StoreScanner) scanner).getEstimatedNumberOfKvsScanned() == 0;
  }

  /** Returns cursors in the place of scanners that are where they begin; null if that can't be. */
  private static List<CellCursor> open(List<KeyValueScanner> scanners) throws IOException {
    List<CellCursor> cursors = new ArrayList<>();
    for (KeyValueScanner scanner : scanners) {
      Cell first = scanner.peek();
      if (first != null) {
        if (scanner.getClass() != StoreFileScanner.class) {
          return null;
        }
        StoreFileScanner file = (StoreFileScanner) scanner;
        if (!FileCursor.reads(file.getHFileScanner())) {
          return null;
        }
        FileCursor cursor = FileCursor.of(file.getHFileScanner(), file::close,
          (int) file.getScannerOrder(), file.getFileSequenceId());
        if (!cursor.isAt(first)) {
          return null;
        }
        cursors.add(cursor);
      }
    }
    return cursors;
  }

  /**
   * Writes the cells.
   * @param readPoint         the sequence ids up to it may be written as 0
   * @param cleansSequenceIds whether they are
   * @return false if it was cancelled
   */
  public boolean perform(Configuration conf, long readPoint, boolean cleansSequenceIds,
    ThroughputController throughput, CompactionProgress progress) throws IOException {
    MetricsCursorCompactions.getInstance().incrBegun();
    String name = ThroughputControlUtil.getNameForThrottling(store, "compaction");
    boolean finished = false;
    throughput.start(name);
    try {
      finished = writer.write(new Steps(conf, throughput, name, progress),
        cleansSequenceIds ? readPoint : Long.MIN_VALUE);
    } catch (InterruptedException e) {
      progress.cancel();
      throw (IOException) new InterruptedIOException("Interrupted while " + name + " was throttled")
        .initCause(e);
    } finally {
      throughput.finish(name);
      MetricsCursorCompactions.getInstance().addEnded(!finished, writer.getWritten(),
        writer.getDropped());
    }
    if (finished) {
      progress.complete();
    } else {
      progress.cancel();
    }
    return finished;
  }

  /** What is done every now and then. */
  private final class Steps implements CursorWriter.Steps {
    private final ThroughputController throughput;
    private final String name;
    private final CompactionProgress progress;
    private final CloseChecker closeChecker;
    private long lastLine;
    private long bytesOfLine;

    Steps(Configuration conf, ThroughputController throughput, String name,
      CompactionProgress progress) {
      this.throughput = throughput;
      this.name = name;
      this.progress = progress;
      this.lastLine = EnvironmentEdgeManager.currentTime();
      this.closeChecker = new CloseChecker(conf, lastLine);
    }

    @Override
    public boolean mayGoOn(int cells, long bytes) throws InterruptedException {
      long time = EnvironmentEdgeManager.currentTime();
      if (closeChecker.isTimeLimit(store, time)) {
        return false;
      }
      progress.currentCompactedKVs += cells;
      progress.totalCompactedSize += bytes;
      if (bytes > 0) {
        throughput.control(name, bytes);
        if (closeChecker.isSizeLimit(store, bytes)) {
          return false;
        }
      }
      bytesOfLine += bytes;
      if (time - lastLine >= MILLIS_BETWEEN_LINES) {
        LOG.debug("{} {}: {} KB/s, {}", name, progress, bytesOfLine / 1.024 / (time - lastLine),
          throughput);
        lastLine = time;
        bytesOfLine = 0;
      }
      return true;
    }
  }
}
