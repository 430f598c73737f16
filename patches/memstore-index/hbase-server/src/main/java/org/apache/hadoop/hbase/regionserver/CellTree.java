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

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.InnerStoreCellComparator;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Cells in their order, in a tree. Any number of threads add, remove, look up and iterate; who
 * reads takes no lock and waits for nobody.
 */
@InterfaceAudience.Private
final class CellTree {
  /*
   * A B-link tree (Lehman and Yao, Efficient Locking for Concurrent Operations on B-Trees, 1981):
   * the nodes of a level are a list, too, in which a node that is split keeps the lower part and
   * has the upper one put behind it. The level above may learn of that later: who comes too far to
   * the left goes on to the right. A node never goes away and its lower bound never changes, so
   * what the levels above know is never wrong. The bound of a node may be a cell that isn't in the
   * tree any more, or not yet.
   *
   * What a node has is in its Content: some slots, that are written once, and one word with the
   * order of those that are in use (Mao, Kohler and Morris, Cache Craftiness for Fast Multicore
   * Key-Value Storage, 2012). An entry, or a row's, is added by taking slots, writing them, and a
   * compare-and-set of the word; who read the word before still has a valid state of the node. A
   * Content whose slots have been taken is replaced by one or two others, under the node's lock,
   * after its word was frozen. An iterator goes through a Content as it was when the iterator came
   * to it, and on to the next node; it sees all that was added before it began, once, and maybe
   * some of what is added later.
   *
   * Keys are compared by their heads first: eight bytes of the row, as an unsigned number, from the
   * end of what the rows of the node have in common (Graefe, Modern B-Tree Techniques, 2011). The
   * heads are in an array of the node, so that no cell is touched but those with the same head. All
   * keys of a node, and those that are searched in it, are between its bounds, so they begin as
   * these do.
   */

  /** The entries that a node can have. As many slots of four bits are in a word, with a count. */
  static final int SLOTS = 14;

  /** How many more bytes the rows of a node must have in common for new heads to be worth it. */
  private static final int MIN_SKIP_GAIN = 3;

  private final Comparator<Cell> comparator;
  private final boolean hasHeads;
  private final Object rootLock = new Object();
  private volatile Node root;

  @SuppressWarnings("unchecked")
  CellTree(CellComparator comparator) {
    this.comparator = comparator.getSimpleComparator();
    hasHeads = comparator.getClass() == CellComparatorImpl.class
      || comparator.getClass() == InnerStoreCellComparator.class;
    root = newLeaf();
  }

  private static Node newLeaf() {
    Node leaf = new Node(0, null);
    leaf.content = new Content(leaf, null, null, 0);
    return leaf;
  }

  Comparator<Cell> comparator() {
    return comparator;
  }

  /** Removes all cells. Nobody may add any meanwhile. */
  void clear() {
    root = newLeaf();
  }

  /** A node of the tree. Level 0 has cells, the others have nodes of the level below. */
  private static final class Node {
    final int level;
    /** What all of the node is at or behind; null if it is the first one of its level. */
    final Cell low;
    volatile Content content;

    Node(int level, Cell low) {
      this.level = level;
      this.low = low;
    }
  }

  /** What a node has, as long as there are slots. */
  private static final class Content {
    static final AtomicLongFieldUpdater<Content> ORDER =
      AtomicLongFieldUpdater.newUpdater(Content.class, "order");
    static final AtomicIntegerFieldUpdater<Content> TAKEN =
      AtomicIntegerFieldUpdater.newUpdater(Content.class, "taken");

    volatile long order;
    volatile int taken;
    final Node node;
    /** The next node of the level, and what it is at or behind; null if there is none. */
    final Node next;
    final Cell high;
    /** How many bytes of a row are before its head. */
    final int skip;
    final long[] heads = new long[SLOTS];
    /** The cells, or what the nodes of the level below are at or behind. */
    final Cell[] keys = new Cell[SLOTS];
    /** The nodes of the level below; null in level 0. */
    final Node[] children;

    Content(Node node, Node next, Cell high, int skip) {
      this.node = node;
      this.next = next;
      this.high = high;
      this.skip = skip;
      children = node.level == 0 ? null : new Node[SLOTS];
    }

    Cell key(long order, int index) {
      return keys[Order.slot(order, index)];
    }

    Node child(long order, int index) {
      return children[Order.slot(order, index)];
    }
  }

  /** The order of slots in a word: a count, the slots in order, and whether it is frozen. */
  private static final class Order {
    static final long FROZEN = 1L << 60;

    static int count(long order) {
      return (int) order & 15;
    }

    static int slot(long order, int index) {
      return (int) (order >>> shift(index)) & 15;
    }

    static boolean isFrozen(long order) {
      return (order & FROZEN) != 0;
    }

    static long insert(long order, int index, int slot) {
      long before = (1L << shift(index)) - 1;
      return ((order & before) | (order & ~before) << 4 | (long) slot << shift(index)) + 1;
    }

    static long replace(long order, int index, int slot) {
      return (order & ~(15L << shift(index))) | (long) slot << shift(index);
    }

    static long remove(long order, int index) {
      long before = (1L << shift(index)) - 1;
      return ((order & before) | (order >>> 4 & ~before)) - 1;
    }

    /** Returns the order of slots that are in use from the first one on. */
    static long ofFirst(int count) {
      return (0xDCBA9876543210L & (1L << 4 * count) - 1) << 4 | count;
    }

    static int shift(int index) {
      return 4 + 4 * index;
    }
  }

  /** Adds a cell, in place of one that is equal to it. Returns that one, or null. */
  Cell put(Cell cell) {
    return put(cell, null, 0);
  }

  private Cell put(Cell key, Node child, int level) {
    while (true) {
      Content content = locate(key, level);
      long head = head(content, key);
      long order = content.order;
      int index = find(content, order, head, key);
      int slot = Order.isFrozen(order) ? SLOTS : Content.TAKEN.getAndIncrement(content);
      if (slot >= SLOTS) {
        split(content, index < 0 ? ~index : index, null);
        continue;
      }
      content.heads[slot] = head;
      content.keys[slot] = key;
      if (child != null) {
        content.children[slot] = child;
      }
      while (!Order.isFrozen(order)) {
        long changed =
          index < 0 ? Order.insert(order, ~index, slot) : Order.replace(order, index, slot);
        if (Content.ORDER.compareAndSet(content, order, changed)) {
          return index < 0 ? null : content.key(order, index);
        }
        order = content.order;
        index = find(content, order, head, key);
      }
    }
  }

  /**
   * Adds cells, as {@link #put(Cell)} does one after the other. Those that are next to each other
   * are added at once.
   * @param cells are put in their order
   * @param count how many of them are added, at most 64
   * @return a bit for each that is in place of one that is equal to it, from the lowest bit on
   */
  long putAll(Cell[] cells, int count) {
    Batch batch = new Batch(cells, count);
    boolean wasFrozen = false;
    while (batch.added < count) {
      int before = batch.added;
      Content content = locate(cells[before], 0);
      boolean hadRoom;
      if (wasFrozen) {
        // A node is split with its lock only, so this time nobody is in the way.
        synchronized (content.node) {
          hadRoom = batch.addTo(content);
        }
      } else {
        hadRoom = batch.addTo(content);
      }
      if (hadRoom) {
        wasFrozen = batch.added == before;
      } else {
        split(content, batch.index, batch.together ? cells[before] : null);
      }
    }
    return batch.replaced;
  }

  /** Cells that are added, those that are next to each other at once. */
  private final class Batch {
    private final Cell[] cells;
    private final int count;
    /** Whether none is equal to another. */
    private boolean ascending = true;
    private int added;
    /** A bit for each cell that is in place of another. */
    private long replaced;
    /** Where the next cell goes in the node that was seen last. */
    private int index;
    /** Whether half a node's cells or more go there. */
    private boolean together;

    Batch(Cell[] cells, int count) {
      this.cells = cells;
      this.count = count;
      if (hasHeads && count > 1 && isOfOneFamily()) {
        sortByQualifiers();
      } else {
        Arrays.sort(cells, 0, count, this::compare);
      }
    }

    /** Whether the order is that of the qualifiers first. */
    private boolean isOfOneFamily() {
      for (int i = 1; i < count; i++) {
        if (
          !CellUtil.matchingRows(cells[i], cells[0]) || !CellUtil.matchingFamily(cells[i], cells[0])
        ) {
          return false;
        }
      }
      // Without a family and a qualifier, a cell may be a bound behind all of its row.
      return cells[0].getFamilyLength() > 0;
    }

    /** By insertion, since there are few; of each qualifier the first bytes are read once. */
    private void sortByQualifiers() {
      long[] heads = new long[count];
      for (int i = 0; i < count; i++) {
        Cell cell = cells[i];
        long head = qualifierHead(cell);
        int place = i;
        while (place > 0 && isBehind(heads[place - 1], cells[place - 1], head, cell)) {
          heads[place] = heads[place - 1];
          cells[place] = cells[place - 1];
          place--;
        }
        heads[place] = head;
        cells[place] = cell;
      }
    }

    private boolean isBehind(long head, Cell cell, long otherHead, Cell other) {
      int compared = Long.compareUnsigned(head, otherHead);
      return compared == 0 ? compare(cell, other) > 0 : compared > 0;
    }

    /** What is next to each other in the end was compared, in whatever way it was sorted. */
    private int compare(Cell one, Cell other) {
      int compared = comparator.compare(one, other);
      ascending &= compared != 0;
      return compared;
    }

    /**
     * Adds as many of the cells as go into a node and have room in its content; none if that is
     * frozen meanwhile.
     * @return false if it has no room
     */
    boolean addTo(Content content) {
      long order = content.order;
      int found = find(content, order, head(content, cells[added]), cells[added]);
      index = found < 0 ? ~found : found;
      int fitting = countBefore(content.high, cells, added, count);
      together = fitting >= SLOTS / 2 && found < 0 && (index == Order.count(order)
        || isBefore(cells[added + fitting - 1], content, Order.slot(order, index)));
      boolean hasRoom =
        !Order.isFrozen(order) && SLOTS - content.taken >= (together ? SLOTS / 2 : 1);
      int slot = hasRoom ? Content.TAKEN.getAndAdd(content, fitting) : SLOTS;
      if (slot >= SLOTS) {
        return false;
      }
      int last = Math.min(slot + fitting, SLOTS);
      for (int i = slot; i < last; i++) {
        Cell cell = cells[added + i - slot];
        content.keys[i] = cell;
        content.heads[i] = head(content, cell);
      }
      while (!Order.isFrozen(order)) {
        if (addSlots(content, order, slot, last)) {
          added += last - slot;
          return true;
        }
        order = content.order;
      }
      return true;
    }

    /** Has slots that were written be in an order. Returns false if it has changed. */
    private boolean addSlots(Content content, long order, int slot, int last) {
      long changed = order;
      long replacing = 0;
      int at = 0;
      for (int i = slot; i < last; i++) {
        at = ascending && i > slot
          ? findBehind(content, changed, at, i)
          : find(content, changed, content.heads[i], content.keys[i]);
        if (at < 0) {
          at = ~at;
          changed = Order.insert(changed, at, i);
        } else {
          changed = Order.replace(changed, at, i);
          replacing |= 1L << added + i - slot;
        }
      }
      if (!Content.ORDER.compareAndSet(content, order, changed)) {
        return false;
      }
      replaced |= replacing;
      return true;
    }
  }

  /** Returns how many of some cells, of which the first one is, are before a bound. */
  private int countBefore(Cell bound, Cell[] cells, int from, int to) {
    if (isBefore(cells[to - 1], bound)) {
      return to - from;
    }
    int low = from + 1;
    int high = to - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(cells[middle], bound)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - from;
  }

  /** Whether a cell is before what a slot has. */
  private boolean isBefore(Cell cell, Content content, int slot) {
    int compared = Long.compareUnsigned(head(content, cell), content.heads[slot]);
    return compared == 0 ? comparator.compare(cell, content.keys[slot]) < 0 : compared < 0;
  }

  /** Finds the key of a slot, which is behind the entry of an index and probably near. */
  private int findBehind(Content content, long order, int index, int keySlot) {
    long head = content.heads[keySlot];
    int count = Order.count(order);
    int next = index + 1;
    while (next < count) {
      int slot = Order.slot(order, next);
      int compared = Long.compareUnsigned(content.heads[slot], head);
      if (compared == 0) {
        compared = comparator.compare(content.keys[slot], content.keys[keySlot]);
        if (compared == 0) {
          return next;
        }
      }
      if (compared > 0) {
        break;
      }
      next++;
    }
    return ~next;
  }

  /** Removes what is equal to a cell. Returns it, or null. */
  Cell remove(Cell cell) {
    while (true) {
      Content content = locate(cell, 0);
      long head = head(content, cell);
      long order = content.order;
      while (!Order.isFrozen(order)) {
        int index = find(content, order, head, cell);
        if (index < 0) {
          return null;
        }
        if (Content.ORDER.compareAndSet(content, order, Order.remove(order, index))) {
          return content.key(order, index);
        }
        order = content.order;
      }
      split(content, SLOTS / 2, null);
    }
  }

  /** Returns what is equal to a cell, or null. */
  Cell get(Cell cell) {
    Content content = locate(cell, 0);
    long order = content.order;
    int index = find(content, order, head(content, cell), cell);
    return index < 0 ? null : content.key(order, index);
  }

  /** Returns the last cell that is before another one, or at it if that is inclusive, or null. */
  Cell lower(Cell cell, boolean inclusive) {
    Content content = locate(cell, 0);
    long order = content.order;
    int index = find(content, order, head(content, cell), cell);
    index = index < 0 ? ~index - 1 : inclusive ? index : index - 1;
    if (index >= 0) {
      return content.key(order, index);
    }
    return content.node.low == null ? null : lastBefore(content.node.low);
  }

  /** Returns the last cell, or null. */
  Cell last() {
    return lastBefore(null);
  }

  /** Returns the last cell before the low end of a leaf, or of all if that is null; or null. */
  private Cell lastBefore(Cell low) {
    Cell bound = low;
    while (true) {
      Content content = locateBefore(bound);
      long order = content.order;
      int count = Order.count(order);
      if (count > 0) {
        return content.key(order, count - 1);
      }
      bound = content.node.low;
      if (bound == null) {
        return null;
      }
    }
  }

  private Content locateBefore(Cell bound) {
    Node node = root;
    while (true) {
      Content content = node.content;
      if (isBefore(content.high, bound)) {
        node = content.next;
        continue;
      }
      if (node.level == 0) {
        return content;
      }
      long order = content.order;
      int index = Order.count(order);
      if (bound != null) {
        index = find(content, order, head(content, bound), bound);
        index = index < 0 ? ~index : index;
      }
      node = content.child(order, index - 1);
    }
  }

  /** Whether a bound is before another one; null is the end of all. */
  private boolean isBefore(Cell high, Cell bound) {
    return high != bound && high != null && (bound == null || comparator.compare(high, bound) < 0);
  }

  /** Finds what of a level has the place of a key. */
  private Content locate(Cell key, int level) {
    ByteBuffer buffer = null;
    byte[] array = null;
    int offset;
    int length = key.getRowLength();
    if (key instanceof ByteBufferExtendedCell) {
      buffer = ((ByteBufferExtendedCell) key).getRowByteBuffer();
      offset = ((ByteBufferExtendedCell) key).getRowPosition();
    } else {
      array = key.getRowArray();
      offset = key.getRowOffset();
    }
    Node node = root;
    while (node.level < level) {
      node = grow(level);
    }
    Cell bound = null; // The key is known to be before it; null for the end of all.
    while (true) {
      Content content = node.content;
      if (content.high != bound) {
        // The node was split, and the level above doesn't know yet.
        if (content.high != null && comparator.compare(key, content.high) >= 0) {
          node = content.next;
          continue;
        }
        bound = content.high;
      }
      if (node.level == level) {
        return content;
      }
      long order = content.order;
      long head = 0;
      if (hasHeads) {
        head = buffer != null
          ? head(buffer, offset, length, content.skip)
          : head(array, offset, length, content.skip);
      }
      int index = find(content, order, head, key);
      index = index < 0 ? ~index - 1 : index;
      if (index + 1 < Order.count(order)) {
        bound = content.key(order, index + 1);
      }
      node = content.child(order, index);
    }
  }

  /** Returns the index of a key, or ~ the index that it would have. */
  private int find(Content content, long order, long head, Cell key) {
    long[] heads = content.heads;
    Cell[] keys = content.keys;
    // All that is looked for in a node of nodes is at or behind the first of them.
    int low = content.node.level == 0 ? 0 : 1;
    int high = Order.count(order);
    while (low < high) {
      int middle = (low + high) >>> 1;
      int slot = Order.slot(order, middle);
      int compared = Long.compareUnsigned(heads[slot], head);
      if (compared == 0) {
        compared = comparator.compare(keys[slot], key);
        if (compared == 0) {
          return middle;
        }
      }
      if (compared < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~low;
  }

  private Node grow(int level) {
    synchronized (rootLock) {
      if (root.level < level) {
        Node first = root;
        Node grown = new Node(level, null);
        Content content = new Content(grown, null, null, 0);
        content.children[0] = first;
        content.taken = 1;
        content.order = Order.ofFirst(1);
        grown.content = content;
        root = grown;
      }
      return root;
    }
  }

  /**
   * Replaces a content that has no slot left, or too few, unless that was done.
   * @param index where the next entry will be
   * @param first the first one of half a node's cells or more that will be next to each other; or
   *              null
   */
  private void split(Content content, int index, Cell first) {
    Node node = content.node;
    Node right = null;
    synchronized (node) {
      if (node.content != content) {
        return;
      }
      long order = freeze(content);
      int count = Order.count(order);
      if (count <= SLOTS / 2) {
        node.content = copy(content, order, 0, count, node, content.next, content.high);
        return;
      }
      int middle = count / 2;
      Cell low = null;
      int found = first == null ? 0 : find(content, order, head(content, first), first);
      if (found < 0) {
        // They go to the end of the left node, or are the first ones of the right one.
        middle = ~found;
        low = middle > count / 2 ? first : null;
      } else if (content.next == null && index == count) {
        // Who adds before or behind all goes on there. Elsewhere each node is to have its half.
        middle = count - 1;
      } else if (node.low == null && index == 0) {
        middle = 1;
      }
      low = low == null ? content.key(order, middle) : low;
      right = new Node(node.level, low);
      right.content = copy(content, order, middle, count, right, content.next, content.high);
      node.content = copy(content, order, 0, middle, node, right, low);
    }
    put(right.low, right, node.level + 1);
  }

  private static long freeze(Content content) {
    long order = content.order;
    while (
      !Order.isFrozen(order)
        && !Content.ORDER.compareAndSet(content, order, order | Order.FROZEN)
    ) {
      order = content.order;
    }
    return order;
  }

  private Content copy(Content content, long order, int from, int to, Node node, Node next,
    Cell high) {
    int skip = content.skip;
    boolean newHeads = false;
    if (hasHeads && node.low != null && high != null) {
      int common = commonRowLength(node.low, high);
      if (common >= skip + MIN_SKIP_GAIN) {
        skip = common;
        newHeads = true;
      }
    }
    Content copy = new Content(node, next, high, skip);
    for (int i = from; i < to; i++) {
      int slot = Order.slot(order, i);
      Cell key = content.keys[slot];
      copy.keys[i - from] = key;
      copy.heads[i - from] = newHeads ? head(key, skip) : content.heads[slot];
      if (copy.children != null) {
        copy.children[i - from] = content.children[slot];
      }
    }
    copy.taken = to - from;
    copy.order = Order.ofFirst(to - from);
    return copy;
  }

  private static int commonRowLength(Cell a, Cell b) {
    int length = Math.min(a.getRowLength(), b.getRowLength());
    int common = 0;
    while (common < length && rowByte(a, common) == rowByte(b, common)) {
      common++;
    }
    return common;
  }

  private static byte rowByte(Cell cell, int index) {
    if (cell instanceof ByteBufferExtendedCell) {
      ByteBufferExtendedCell inBuffer = (ByteBufferExtendedCell) cell;
      return inBuffer.getRowByteBuffer().get(inBuffer.getRowPosition() + index);
    }
    return cell.getRowArray()[cell.getRowOffset() + index];
  }

  private long head(Content content, Cell cell) {
    return hasHeads ? head(cell, content.skip) : 0;
  }

  private static long head(Cell cell, int skip) {
    if (cell instanceof ByteBufferExtendedCell) {
      ByteBufferExtendedCell inBuffer = (ByteBufferExtendedCell) cell;
      return head(inBuffer.getRowByteBuffer(), inBuffer.getRowPosition(), inBuffer.getRowLength(),
        skip);
    }
    return head(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength(), skip);
  }

  private static long qualifierHead(Cell cell) {
    if (cell instanceof ByteBufferExtendedCell) {
      ByteBufferExtendedCell inBuffer = (ByteBufferExtendedCell) cell;
      return head(inBuffer.getQualifierByteBuffer(), inBuffer.getQualifierPosition(),
        inBuffer.getQualifierLength(), 0);
    }
    return head(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength(), 0);
  }

  private static long head(ByteBuffer buffer, int offset, int length, int skip) {
    if (length - skip >= Long.BYTES) {
      return buffer.getLong(offset + skip);
    }
    long head = 0;
    for (int i = skip; i < length; i++) {
      head |= (buffer.get(offset + i) & 0xFFL) << 56 - 8 * (i - skip);
    }
    return head;
  }

  private static long head(byte[] array, int offset, int length, int skip) {
    if (length - skip >= Long.BYTES) {
      return Bytes.toLong(array, offset + skip);
    }
    long head = 0;
    for (int i = skip; i < length; i++) {
      head |= (array[offset + i] & 0xFFL) << 56 - 8 * (i - skip);
    }
    return head;
  }

  /** Iterates from the first cell on. */
  Iterator<Cell> iterator() {
    Node node = root;
    while (node.level > 0) {
      Content content = node.content;
      node = content.child(content.order, 0);
    }
    Content content = node.content;
    return new Cells(content, content.order, 0);
  }

  /** Iterates from a cell on, or from behind it. */
  Iterator<Cell> iterator(Cell from, boolean inclusive) {
    Content content = locate(from, 0);
    long order = content.order;
    int index = find(content, order, head(content, from), from);
    return new Cells(content, order, index < 0 ? ~index : inclusive ? index : index + 1);
  }

  /**
   * Fails if a tree that nobody changes isn't what it has to be: each level a list of nodes with
   * entries in order between the node's bounds, and each node known to the level above.
   */
  void assertConsistent() {
    Node first = root;
    check(first.content.next == null, "a root that was split");
    int nodes = 1;
    while (true) {
      int entries = assertConsistent(first, nodes);
      if (first.level == 0) {
        return;
      }
      nodes = entries;
      first = first.content.child(first.content.order, 0);
    }
  }

  /** Returns how many entries a level has, in so many nodes. */
  private int assertConsistent(Node first, int nodes) {
    check(first.low == null, "a first node with a bound");
    Cell before = null;
    int nodesLeft = nodes;
    int entries = 0;
    for (Node node = first; node != null; node = node.content.next) {
      Content content = node.content;
      long order = content.order;
      check(node.level == first.level && content.node == node, "a node in another's place");
      check(!Order.isFrozen(order) && Order.count(order) <= SLOTS, "an order that can't be");
      check(content.next == null ? content.high == null : content.high == content.next.low,
        "a gap between nodes");
      for (int i = 0; i < Order.count(order); i++) {
        int slot = Order.slot(order, i);
        check(slot < content.taken, "a slot that wasn't taken");
        Cell key = content.keys[slot];
        if (key == null) {
          check(node == first && i == 0, "an entry without a key");
          continue;
        }
        check(content.heads[slot] == head(content, key), "another key's head");
        check(before == null || comparator.compare(before, key) < 0, "keys out of order");
        check(node.low == null || comparator.compare(node.low, key) <= 0, "a key before its node");
        check(isBefore(key, content.high), "a key behind its node");
        before = key;
      }
      entries += Order.count(order);
      nodesLeft--;
    }
    check(nodesLeft == 0, "nodes that the level above doesn't know");
    return entries;
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError("The tree has " + otherwise);
    }
  }

  private final class Cells implements Iterator<Cell> {
    private Content content;
    /** How many cells of the content are left, and their slots, the next one in the low bits. */
    private int left;
    private long slots;
    private Cell returned;

    Cells(Content content, long order, int index) {
      start(content, order, index);
    }

    private void start(Content content, long order, int index) {
      this.content = content;
      left = Order.count(order) - index;
      slots = left == 0 ? 0 : order >>> Order.shift(index);
    }

    @Override
    public boolean hasNext() {
      return left > 0 || hasNextInOthers();
    }

    private boolean hasNextInOthers() {
      while (left == 0) {
        if (content.next == null) {
          return false;
        }
        Content next = content.next.content;
        start(next, next.order, 0);
      }
      return true;
    }

    @Override
    public Cell next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      left--;
      returned = content.keys[(int) slots & 15];
      slots >>>= 4;
      return returned;
    }

    @Override
    public void remove() {
      if (returned == null) {
        throw new IllegalStateException();
      }
      CellTree.this.remove(returned);
      returned = null;
    }
  }
}
