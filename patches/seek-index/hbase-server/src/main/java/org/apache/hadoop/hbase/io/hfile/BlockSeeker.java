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

import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.ByteBufferKeyOnlyKeyValue;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.InnerStoreCellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.ObjectIntPair;
import org.apache.hadoop.io.WritableUtils;
import org.apache.yetus.audience.InterfaceAudience;

/*
 * HFileScannerImpl.blockSeek goes from where the scanner is to the first cell that isn't before the
 * key, cell by cell. This class tells it a later cell to begin at. Whichever it tells, the outcome
 * is the same as long as that cell is before the key: so blockSeek still sees the cell before its
 * target, which it goes back to, and never begins at its target, where it would answer otherwise.
 *
 * The index of a block has up to 64 of its cells at even distances: offsets, and of each key five
 * bytes that tell it from the others. Keys of a block mostly begin alike, so these are the bytes
 * behind the longest prefix of all its rows; of qualifiers, if the block has one row. They only
 * speed up the search. The cell that was found is compared with the key as blockSeek does it.
 *
 * From there the rest of the way is walked here, as far as cells are valid and before the key. It
 * takes less time for a cell than blockSeek, which asks the buffer's reference count for each
 * number that it reads, and reads all of a cell's MVCC version. Rows are compared eight bytes at a
 * time; only if that doesn't tell, keys are.
 */

/** Seeks of a thread's scanners in blocks without encoding, one after another. Not thread-safe. */
@InterfaceAudience.Private
final class BlockSeeker {
  /** Returned if the seek is to begin where the scanner is. */
  static final int STAY = -1;

  private static final int LENGTHS = KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE;
  /** Bytes of a key with empty row, family and qualifier. */
  private static final int EMPTY_KEY = KeyValue.KEY_INFRASTRUCTURE_SIZE;
  /** Blocks with fewer cells get no index. */
  private static final int MIN_CELLS = 4;

  // A sample is part of a key, then offset of the cell; both unsigned.
  private static final int OFFSET_BITS = 24;
  private static final int MAX_OFFSET = (1 << OFFSET_BITS) - 1;
  private static final int PART_BYTES = Long.BYTES - OFFSET_BITS / Byte.SIZE;
  /** In place of a key's part: it comes before, or after, each sample. */
  private static final long BELOW = -1;
  private static final long ABOVE = 1L << PART_BYTES * Byte.SIZE;
  /** In place of a key's part: only a comparison of keys can tell. */
  private static final long UNKNOWN = ABOVE + 1;

  // A header is the block's bytes, length of the prefix, cells from one sample to the next, what
  // the parts are of, and the number of samples.
  private static final int COUNT_BITS = 8;
  private static final int KIND_BITS = 2;
  private static final int DISTANCE_BITS = 15;
  private static final int PREFIX_BITS = 15;
  private static final int MAX_PREFIX = (1 << PREFIX_BITS) - 1;
  private static final int MAX_DISTANCE = (1 << DISTANCE_BITS) - 1;

  /** What samples have parts of. */
  private static final int OF_NOTHING = 0;
  private static final int OF_ROW = 1;
  private static final int OF_QUALIFIER = 2;

  /** The first words of the key's row that are kept, in number. */
  private static final int MAX_ROW_WORDS = 8;

  private static final ThreadLocal<BlockSeeker> OF_THREAD =
    ThreadLocal.withInitial(BlockSeeker::new);

  private final SeekIndexStore.View index = new SeekIndexStore.View();
  private final ObjectIntPair<ByteBuffer> pair = new ObjectIntPair<>();
  private final ByteBufferKeyOnlyKeyValue cell = new ByteBufferKeyOnlyKeyValue();

  // The file, while a seek goes on.
  private CellComparator comparator;
  /** Whether rows are in the order of their bytes, as those of meta aren't. */
  private boolean hasPlainRows;
  private boolean hasTags;
  private boolean hasMvcc;
  private boolean hasMvccBytes;
  // The block, while a seek goes on.
  private ByteBuff block;
  /** The block's bytes from its first cell on; null if they are in several buffers. */
  private ByteBuffer single;
  private int limit;
  // The key, while a seek goes on.
  private final long[] rowWords = new long[MAX_ROW_WORDS];
  private int rowWordCount;
  private int keyRowLength;
  /** The last eight bytes of the key's row; only if all before them are in rowWords. */
  private long lastRowWord;
  private boolean hasLastRowWord;
  // The cell that was read last.
  private int keyLength;
  private short rowLength;
  private int end;
  /** Cells that the index let this seek leave out, at least. */
  private int cellsBefore;

  private BlockSeeker() {
  }

  /** Returns the thread's. */
  static BlockSeeker ofThread() {
    return OF_THREAD.get();
  }

  private void begin(HFile.Reader reader) {
    comparator = reader.getComparator();
    hasPlainRows = comparator.getClass() == CellComparatorImpl.class
      || comparator.getClass() == InnerStoreCellComparator.class;
    hasTags = reader.getFileContext().isIncludesTags();
    hasMvcc = reader.getHFileInfo().shouldIncludeMemStoreTS();
    hasMvccBytes = reader.getHFileInfo().isDecodeMemstoreTS();
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
    begin(reader);
    block = buffer;
    limit = buffer.limit();
    single = buffer instanceof SingleByteBuff ? buffer.asSubByteBuffer(limit) : null;
    int found = STAY;
    try {
      takeRowWords(key);
      int from = owner == null ? STAY : find(owner, position, key, mayBuild);
      if (from > position) {
        found = walk(from, key);
        if (found > position) {
          MetricsBlockSeekIndex.jumped(cellsBefore);
        }
      } else if (position == 0) {
        found = walk(0, key);
      }
    } finally {
      index.close();
      // The thread keeps nothing of the block.
      cell.clear();
      pair.setFirst(null);
      block = null;
      single = null;
    }
    return found > position ? found : STAY;
  }

  /** Returns the last cell from that one on that is before the key; STAY if that one isn't. */
  private int walk(int from, Cell key) {
    int before = STAY;
    for (int at = from; at < limit && isBefore(at, key); at = end) {
      before = at;
    }
    return before;
  }

  /** Returns true if there is a valid cell, and it is before the key. */
  private boolean isBefore(int at, Cell key) {
    if (!read(at)) {
      return false;
    }
    int compared = rowWordCount > 0 ? compareRowWords(at) : 0;
    if (compared != 0) {
      return compared > 0;
    }
    point(cell, at);
    return PrivateCellUtil.compareKeyIgnoresMvcc(comparator, key, cell) > 0;
  }

  private void takeRowWords(Cell key) {
    keyRowLength = key.getRowLength();
    int words = hasPlainRows && single != null ? keyRowLength / Long.BYTES : 0;
    rowWordCount = Math.min(words, MAX_ROW_WORDS);
    hasLastRowWord = words > 0 && words <= MAX_ROW_WORDS && keyRowLength % Long.BYTES != 0;
    for (int i = 0; i < rowWordCount; i++) {
      rowWords[i] = rowWord(key, i * Long.BYTES);
    }
    if (hasLastRowWord) {
      lastRowWord = rowWord(key, keyRowLength - Long.BYTES);
    }
  }

  private static long rowWord(Cell key, int index) {
    if (key instanceof ByteBufferExtendedCell) {
      ByteBufferExtendedCell inBuffer = (ByteBufferExtendedCell) key;
      return inBuffer.getRowByteBuffer().getLong(inBuffer.getRowPosition() + index);
    }
    return Bytes.toLong(key.getRowArray(), key.getRowOffset() + index);
  }

  /**
   * Compares the row of the key with that of the cell that was read last, as far as words go.
   * @return above 0 if the cell's row is before the key's, below 0 if it is behind; 0 if words
   *         can't tell
   */
  private int compareRowWords(int at) {
    int row = at + LENGTHS + Bytes.SIZEOF_SHORT;
    int words = Math.min(rowWordCount, rowLength / Long.BYTES);
    for (int i = 0; i < words; i++) {
      long word = single.getLong(row + i * Long.BYTES);
      if (word != rowWords[i]) {
        return Long.compareUnsigned(rowWords[i], word);
      }
    }
    return hasLastRowWord && rowLength == keyRowLength
      ? Long.compareUnsigned(lastRowWord, single.getLong(row + rowLength - Long.BYTES))
      : 0;
  }

  private void point(ByteBufferKeyOnlyKeyValue pointed, int at) {
    if (single != null) {
      pointed.setKey(single, at + LENGTHS, keyLength, rowLength);
    } else {
      block.asSubByteBuffer(at + LENGTHS, keyLength, pair);
      pointed.setKey(pair.getFirst(), pair.getSecond(), keyLength, rowLength);
    }
  }

  /** Reads a cell's lengths; returns false if they aren't valid. */
  private boolean read(int at) {
    if (at < 0 || limit - at < LENGTHS + EMPTY_KEY) {
      return false;
    }
    long lengths = single != null ? single.getLong(at) : block.getLong(at);
    keyLength = (int) (lengths >> Integer.SIZE);
    int valueLength = (int) lengths;
    if (keyLength < EMPTY_KEY || valueLength < 0) {
      return false;
    }
    long next = (long) at + LENGTHS + keyLength + valueLength;
    if (next > limit) {
      return false;
    }
    rowLength = shortAt(at + LENGTHS);
    if (rowLength < 0 || rowLength + EMPTY_KEY > keyLength) {
      return false;
    }
    int familyLength = byteAt(at + LENGTHS + Bytes.SIZEOF_SHORT + rowLength);
    if (familyLength < 0 || rowLength + familyLength + EMPTY_KEY > keyLength) {
      return false;
    }
    if (hasTags) {
      if (limit - next < Bytes.SIZEOF_SHORT) {
        return false;
      }
      next += Bytes.SIZEOF_SHORT + (shortAt((int) next) & 0xffff);
    }
    if (hasMvcc && hasMvccBytes) {
      if (next >= limit) {
        return false;
      }
      next += WritableUtils.decodeVIntSize(byteAt((int) next));
    } else if (hasMvcc) {
      next++;
    }
    end = (int) next;
    return next <= limit;
  }

  private short shortAt(int at) {
    return single != null ? single.getShort(at) : block.getShort(at);
  }

  private byte byteAt(int at) {
    return single != null ? single.get(at) : block.get(at);
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
      if (!mayBuild || position > 0 || !build(owner, handle)) {
        return STAY;
      }
    }
    return search(position, key);
  }

  /** Opens a new index if it is time for one. */
  private boolean build(SeekIndexOwner owner, long state) {
    if (state == SeekIndexOwner.NOT_SOUGHT) {
      owner.compareAndSetSeekIndex(state, SeekIndexOwner.SOUGHT);
      return false;
    }
    SeekIndexStore store = BlockSeekIndex.STORE;
    if (state != SeekIndexOwner.SOUGHT || !store.admits()) {
      return false;
    }
    long[] samples = new long[SeekIndexStore.MAX_SAMPLES + 1];
    int count = sample(samples);
    if (count == 0) {
      owner.compareAndSetSeekIndex(state, SeekIndexOwner.WITHOUT_INDEX);
      return false;
    }
    long handle = store.put(samples[count], samples, count);
    if (handle == SeekIndexStore.NONE) {
      return false;
    }
    if (!owner.compareAndSetSeekIndex(state, handle)) {
      // The block has left the cache, or another thread was faster.
      store.remove(handle);
      return false;
    }
    MetricsBlockSeekIndex.BUILT.increment();
    return store.open(handle, index);
  }

  /**
   * Takes the samples of the block.
   * @param samples gets the samples, and the header behind them
   * @return number of samples; 0 if the block is to have no index
   */
  private int sample(long[] samples) {
    int max = limit > MAX_OFFSET ? 0 : SeekIndexStore.maxSamples(limit);
    int cells = max == 0 ? 0 : countCells();
    if (cells < MIN_CELLS) {
      return 0;
    }
    int distance = (cells + max) / (max + 1);
    if (distance > MAX_DISTANCE) {
      return 0;
    }
    int count = 0;
    int at = 0;
    for (int i = 0; i < cells; i++) {
      read(at);
      if (i > 0 && i % distance == 0) {
        samples[count++] = at;
      }
      at = end;
    }
    if (count > 0) {
      samples[count] = addParts(samples, count, distance);
    }
    return count;
  }

  /** Returns the number of cells; 0 if one isn't valid. */
  private int countCells() {
    int cells = 0;
    for (int at = 0; at < limit; at = end) {
      if (!read(at)) {
        return 0;
      }
      cells++;
    }
    return cells;
  }

  /** Puts parts of keys in front of the offsets; returns the header. */
  private long addParts(long[] samples, int count, int distance) {
    ByteBufferKeyOnlyKeyValue first = new ByteBufferKeyOnlyKeyValue();
    read(0);
    point(first, 0);
    pointAtSample((int) samples[count - 1]);
    int kind = OF_NOTHING;
    int prefix = 0;
    if (hasPlainRows) {
      kind = OF_ROW;
      prefix = commonPrefix(first, cell, kind);
      if (prefix == first.getRowLength() && prefix == cell.getRowLength()) {
        kind = OF_QUALIFIER;
        prefix = commonPrefix(first, cell, kind);
      }
    }
    for (int i = 0; i < count && kind != OF_NOTHING; i++) {
      pointAtSample((int) samples[i]);
      samples[i] |= part(cell, kind, prefix) << OFFSET_BITS;
    }
    long header = limit;
    header = header << PREFIX_BITS | prefix;
    header = header << DISTANCE_BITS | distance;
    header = header << KIND_BITS | kind;
    return header << COUNT_BITS | count;
  }

  private void pointAtSample(int at) {
    read(at);
    point(cell, at);
  }

  private static int commonPrefix(Cell one, Cell other, int kind) {
    int most = Math.min(MAX_PREFIX, Math.min(length(one, kind), length(other, kind)));
    int prefix = 0;
    while (prefix < most && byteOf(one, kind, prefix) == byteOf(other, kind, prefix)) {
      prefix++;
    }
    return prefix;
  }

  private static int length(Cell cell, int kind) {
    return kind == OF_ROW ? cell.getRowLength() : cell.getQualifierLength();
  }

  private static byte byteOf(Cell cell, int kind, int index) {
    if (cell instanceof ByteBufferExtendedCell) {
      ByteBufferExtendedCell inBuffer = (ByteBufferExtendedCell) cell;
      return kind == OF_ROW
        ? inBuffer.getRowByteBuffer().get(inBuffer.getRowPosition() + index)
        : inBuffer.getQualifierByteBuffer().get(inBuffer.getQualifierPosition() + index);
    }
    return kind == OF_ROW
      ? cell.getRowArray()[cell.getRowOffset() + index]
      : cell.getQualifierArray()[cell.getQualifierOffset() + index];
  }

  /** Returns the bytes behind the prefix as a number, as if zeros followed. */
  private static long part(Cell cell, int kind, int prefix) {
    int length = length(cell, kind);
    long part = 0;
    for (int i = prefix; i < prefix + PART_BYTES; i++) {
      part = part << Byte.SIZE | (i < length ? byteOf(cell, kind, i) & 0xff : 0);
    }
    return part;
  }

  /** Finds the last sample behind the position that is before the key. */
  private int search(int position, Cell key) {
    long header = index.header();
    int count = (int) header & (1 << COUNT_BITS) - 1;
    header >>>= COUNT_BITS;
    int kind = (int) header & (1 << KIND_BITS) - 1;
    header >>>= KIND_BITS;
    int distance = (int) header & MAX_DISTANCE;
    header >>>= DISTANCE_BITS;
    int prefix = (int) header & MAX_PREFIX;
    header >>>= PREFIX_BITS;
    if (!index.isValid() || header != limit) {
      return STAY;
    }
    long part = kind == OF_NOTHING ? UNKNOWN : partOfKey(key, kind, prefix);
    int first = position == 0 ? 0 : firstBehind(position, count);
    if (first == count || !isSampleBefore(first, part, key)) {
      return STAY;
    }
    int low = first;
    for (int high = count; high - low > 1;) {
      int middle = low + high >>> 1;
      if (isSampleBefore(middle, part, key)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    int offset = (int) index.sample(low) & MAX_OFFSET;
    if (!index.isValid()) {
      return STAY;
    }
    // Where the scanner is within the cells before the first of these samples isn't known.
    cellsBefore = position == 0 ? (low + 1) * distance : (low - first) * distance;
    return offset;
  }

  /** Returns the first sample that is behind the position. */
  private int firstBehind(int position, int count) {
    int low = -1;
    int high = count;
    while (high - low > 1) {
      int middle = low + high >>> 1;
      if (((int) index.sample(middle) & MAX_OFFSET) > position) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  private boolean isSampleBefore(int number, long part, Cell key) {
    long sample = index.sample(number);
    long partOfSample = sample >>> OFFSET_BITS;
    if (part != UNKNOWN && part != partOfSample) {
      return partOfSample < part;
    }
    return index.isValid() && isBefore((int) sample & MAX_OFFSET, key);
  }

  /** Returns the key's bytes where samples have parts, or how it compares with all of them. */
  private long partOfKey(Cell key, int kind, int prefix) {
    if (!read(0)) {
      return UNKNOWN;
    }
    point(cell, 0);
    if (kind == OF_QUALIFIER) {
      int compared = comparator.compareRows(key, cell);
      if (compared != 0) {
        return compared < 0 ? BELOW : ABOVE;
      }
      // A key without qualifier may stand for the begin or end of its row.
      if (key.getQualifierLength() == 0 || comparator.compareFamilies(key, cell) != 0) {
        return UNKNOWN;
      }
    }
    int length = length(key, kind);
    for (int i = 0; i < prefix; i++) {
      int compared =
        i < length ? (byteOf(key, kind, i) & 0xff) - (byteOf(cell, kind, i) & 0xff) : -1;
      if (compared != 0) {
        return compared < 0 ? BELOW : ABOVE;
      }
    }
    return part(key, kind, prefix);
  }
}
