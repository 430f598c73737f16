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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.HalfStoreFileReader;
import org.apache.hadoop.hbase.io.hfile.NotInMemoryError;
import org.apache.hadoop.hbase.regionserver.MetricsRowPath.Reason;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a family and the segments of its memstore, as the gets of a {@link GetBatch} read
 * them. Used by one thread.
 */
@InterfaceAudience.Private
final class FamilySources {
  private static final Logger LOG = LoggerFactory.getLogger(FamilySources.class);
  private static final Comparator<OfFile> OLDEST_FIRST =
    (left, right) -> StoreFileComparators.SEQ_ID.compare(left.file, right.file);

  /** Scanners that the list has room for when it is used again. */
  private static final int MAX_KEPT = 64;

  private final CurrentRow row;
  private GetTerms terms;
  private HStore store;
  private final List<OfFile> files = new ArrayList<>(4);
  private final List<RowSource> segments = new ArrayList<>(1);
  /** Scanners to close, which have or had a cell of a result. */
  private List<KeyValueScanner> held = new ArrayList<>(4);
  /** The store's files when these were opened; null if they can't be told from others. */
  private Collection<HStoreFile> filesOfStore;
  private boolean opened;

  /** A file. */
  final class OfFile {
    final StoreFileReader reader;
    private final HStoreFile file;
    /** Among the family's files; that of the newest is the highest. */
    private int order;
    private RowSource source;
    /** Null if only one get is read. */
    private final CountedBlocks counted = terms.isShared() ? new CountedBlocks() : null;

    private OfFile(HStoreFile file) {
      this.file = file;
      reader = file.getReader();
    }

    boolean isHalf() {
      return reader.getClass() == HalfStoreFileReader.class;
    }

    /** Returns the file as a source of another row. */
    RowSource begin() {
      // A scanner of half a file can't be sought back from its end.
      if (source == null || isHalf()) {
        StoreFileScanner scanner = reader.getStoreFileScanner(terms.isCacheBlocks(), true, false,
          terms.getReadPoint(), order, false);
        held.add(scanner);
        scanner.useOneCell();
        source = new RowSource(row, scanner, reader, counted);
      }
      source.begin();
      return source;
    }
  }

  /** @param row whose rows the sources have cells of */
  FamilySources(CurrentRow row) {
    this.row = row;
  }

  /** Sets whose files and segments are to be opened. */
  void setStore(GetTerms ofGets, HStore ofFamily) {
    terms = ofGets;
    store = ofFamily;
  }

  boolean isOpen() {
    return opened;
  }

  /** Returns false if the store has other files now, or may have. */
  boolean isCurrent() {
    return opened && filesOfStore != null && filesOfStore == findFiles(HConstants.EMPTY_BYTE_ARRAY);
  }

  private Collection<HStoreFile> findFiles(byte[] ofRow) {
    return store.getStoreEngine().getStoreFileManager().getFilesForScan(ofRow, true, ofRow, true,
      terms.isLatest());
  }

  /**
   * Takes files and segments together, under the lock of the store.
   * @param first tells what the first get asks for; if there is only one, files that can't have
   *              that are left out
   * @return null if it did; else why a region scanner has to read the family
   */
  Reason open(FamilyMatcher first) throws IOException {
    StoreEngine<?, ?, ?, ?> engine = store.getStoreEngine();
    if (!terms.isMemoryOnly()) {
      engine.readLock();
    } else if (!FreeLocks.tryLock(engine.getReadLock())) {
      throw NotInMemoryError.get();
    }
    try {
      held.addAll(store.memstore.getScanners(terms.getReadPoint()));
      // Other managers make another collection for each scan.
      boolean shared =
        terms.isShared() && engine.getStoreFileManager() instanceof DefaultStoreFileManager;
      Collection<HStoreFile> all =
        findFiles(shared ? HConstants.EMPTY_BYTE_ARRAY : row.getRow());
      row.countFiles(all.size());
      for (HStoreFile file : all) {
        if (!canRead(file.getReader())) {
          return Reason.OTHER;
        }
        if (shared || first.isInRange(file.getReader(), row.getRow())) {
          file.increaseRefCount();
          files.add(new OfFile(file));
        }
      }
      if (files.size() > 1) {
        files.sort(OLDEST_FIRST);
      }
      for (int i = 0; i < files.size(); i++) {
        files.get(i).order = i;
      }
      filesOfStore = shared ? all : null;
    } finally {
      engine.readUnlock();
    }
    for (int i = 0; i < held.size(); i++) {
      if (!(held.get(i) instanceof SegmentScanner)) {
        return Reason.OTHER; // Of another memstore than HBase's own.
      }
      segments.add(new RowSource(row, (SegmentScanner) held.get(i)));
    }
    opened = true;
    return null;
  }

  private static boolean canRead(StoreFileReader file) {
    return file != null
      && (file.getClass() == StoreFileReader.class || file.getClass() == HalfStoreFileReader.class);
  }

  /** Returns the files, the oldest first. */
  List<OfFile> getFiles() {
    return files;
  }

  /** Returns the segments; each has to be begun for a row. */
  List<RowSource> getSegments() {
    return segments;
  }

  void close() {
    for (int i = 0; i < held.size(); i++) {
      close(held.get(i));
    }
    for (int i = 0; i < files.size(); i++) {
      files.get(i).file.decreaseRefCount();
    }
    if (held.size() > MAX_KEPT) {
      held = new ArrayList<>(4); // Half a file takes a scanner for each get.
    } else {
      held.clear();
    }
    segments.clear();
    files.clear();
    filesOfStore = null;
    opened = false;
    terms = null;
    store = null;
  }

  /** Closes a scanner; an error is logged, so that the others are closed, too. */
  private void close(KeyValueScanner scanner) {
    try {
      scanner.close();
    } catch (RuntimeException e) {
      LOG.error("A scanner of {} couldn't be closed, and may hold blocks or files",
        store.getHRegion(), e);
    }
  }
}
