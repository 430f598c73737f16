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
package org.apache.hadoop.hbase.io.hfile;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.yetus.audience.InterfaceAudience;

/*
 * HFileScannerImpl.blockSeek goes from where the scanner is to the first cell that isn't before the
 * key, cell by cell. This class tells it a later cell to begin at. Whichever it tells, the outcome
 * is the same as long as that cell is before the key: so blockSeek still sees the cell before its
 * target, which it goes back to, and never begins at its target, where it would answer otherwise.
 *
 * The cell comes from the block's index, if there is one. From there the rest of the way is walked
 * here, as far as cells are valid and before the key, which takes less time than in blockSeek.
 */

/** Seeks of a thread's scanners in blocks without encoding, one after another. Not thread-safe. */
@InterfaceAudience.Private
final class BlockSeeker {
  /** Returned if the seek is to begin where the scanner is. */
  static final int STAY = -1;

  private static final ThreadLocal<BlockSeeker> OF_THREAD =
    ThreadLocal.withInitial(BlockSeeker::new);

  private final SeekIndexStore.View index = new SeekIndexStore.View();
  private final BlockWalk walk = new BlockWalk();
  private final BlockSamples samples = new BlockSamples(walk);

  private BlockSeeker() {
  }

  /** Returns the thread's. */
  static BlockSeeker ofThread() {
    return OF_THREAD.get();
  }

  /**
   * Finds a cell to begin a seek at. The block's buffer stays where it is.
   * @param reader   of the block's file
   * @param buffer   the block from its first cell on, at the scanner's cell; held by the caller
   * @param mayBuild whether the seek may have an index built
   * @return position in the buffer of a cell that is before the key and behind the scanner's cell;
   *         or {@link #STAY}
   */
  int findBefore(HFile.Reader reader, HFileBlock hfileBlock, ByteBuff buffer, Cell key,
    boolean mayBuild) {
    int position = buffer.position();
    SeekIndexOwner owner = hfileBlock.getSeekIndexOwner();
    if (owner == null && position > 0) {
      return STAY;
    }
    int found = STAY;
    try {
      walk.begin(reader, buffer, key);
      int from = owner == null ? STAY : find(owner, position, key, mayBuild);
      if (from > position) {
        found = walk.walk(from, key);
        if (found > position) {
          MetricsBlockSeekIndex.jumped(samples.cellsBefore());
        }
      } else if (position == 0) {
        found = walk.walk(0, key);
      }
    } finally {
      index.close();
      walk.end(); // The thread keeps nothing of the block.
    }
    return found > position ? found : STAY;
  }

  /** Finds a cell by the block's index, which may be built first. */
  private int find(SeekIndexOwner owner, int position, Cell key, boolean mayBuild) {
    long handle = owner.getSeekIndex();
    if (handle > SeekIndexOwner.EVICTED && !BlockSeekIndex.STORE.open(handle, index)) {
      owner.compareAndSetSeekIndex(handle, SeekIndexOwner.SOUGHT);
      return STAY;
    }
    if (handle <= SeekIndexOwner.EVICTED) {
      // A scanner that is in the middle of a block may have sought there before.
      if (!mayBuild || position > 0 || !build(owner, handle, false, index)) {
        return STAY;
      }
    }
    return samples.search(index, position, key);
  }

  /**
   * Opens the index of a block if it tells where rows begin. It may be built first.
   * @param reader   of the block's file
   * @param buffer   the block from its first cell on, which stays where it is; held by the caller
   * @param mayBuild whether an index may be built
   * @param view     is to be closed by the caller
   */
  boolean openRows(HFile.Reader reader, HFileBlock hfileBlock, ByteBuff buffer, boolean mayBuild,
    SeekIndexStore.View view) {
    SeekIndexOwner owner = hfileBlock.getSeekIndexOwner();
    if (owner == null || !BlockSeekIndex.isEnabled()) {
      return false;
    }
    long state = owner.getSeekIndex();
    boolean hasIndex = state > SeekIndexOwner.EVICTED;
    if (hasIndex && BlockSeekIndex.STORE.open(state, view)) {
      int rows = BlockSamples.rows(view.header());
      if (rows != BlockSamples.ROWS_UNKNOWN || !mayBuild) {
        return rows == BlockSamples.WITH_ROWS;
      }
    } else if (hasIndex) {
      owner.compareAndSetSeekIndex(state, SeekIndexOwner.SOUGHT);
      return false;
    }
    if (!mayBuild) {
      return false;
    }
    try {
      walk.begin(reader, buffer);
      return build(owner, state, true, view)
        && BlockSamples.rows(view.header()) == BlockSamples.WITH_ROWS;
    } finally {
      walk.end();
    }
  }

  /**
   * Opens a new index if it is time for one.
   * @param state of the owner, maybe an index without rows that is replaced
   */
  private boolean build(SeekIndexOwner owner, long state, boolean withRows,
    SeekIndexStore.View view) {
    if (state == SeekIndexOwner.NOT_SOUGHT) {
      owner.compareAndSetSeekIndex(state, SeekIndexOwner.SOUGHT);
      return false;
    }
    SeekIndexStore store = BlockSeekIndex.STORE;
    boolean replaces = state > SeekIndexOwner.EVICTED;
    if (replaces ? !store.mayHaveRoom() : state != SeekIndexOwner.SOUGHT || !store.admits()) {
      return false;
    }
    long[] words = new long[SeekIndexStore.MAX_WORDS];
    int count = samples.take(words, withRows);
    if (count == 0) {
      owner.compareAndSetSeekIndex(state, SeekIndexOwner.WITHOUT_INDEX);
      return false;
    }
    long handle = store.put(samples.header(), words, count, !replaces);
    if (handle == SeekIndexStore.NONE) {
      return false;
    }
    if (!owner.compareAndSetSeekIndex(state, handle)) {
      // The block has left the cache, or another thread was faster.
      store.remove(handle);
      return false;
    }
    if (replaces) {
      store.remove(state);
    }
    MetricsBlockSeekIndex.BUILT.increment();
    return store.open(handle, view);
  }
}
