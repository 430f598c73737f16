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

import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link CellTree} as the map of each cell to itself that a {@link CellSet} has, or a part of it.
 * Thread-safe; iterators are weakly consistent. What CellSet doesn't use isn't supported.
 */
@InterfaceAudience.Private
final class CellTreeMap extends AbstractMap<Cell, Cell> implements NavigableMap<Cell, Cell> {
  private final CellTree tree;
  /** Where it begins and ends; null if it does so with the tree. */
  private final Cell low;
  private final boolean lowInclusive;
  private final Cell high;
  private final boolean highInclusive;

  CellTreeMap(CellComparator comparator) {
    this(new CellTree(comparator), null, false, null, false);
  }

  private CellTreeMap(CellTree tree, Cell low, boolean lowInclusive, Cell high,
    boolean highInclusive) {
    this.tree = tree;
    this.low = low;
    this.lowInclusive = lowInclusive;
    this.high = high;
    this.highInclusive = highInclusive;
  }

  @Override
  public Cell put(Cell key, Cell value) {
    if (key != value || !has(key)) {
      throw new IllegalArgumentException("Not a cell of this map: " + key);
    }
    return tree.put(value);
  }

  /** Adds cells to the whole tree; see {@link CellTree#putAll}. */
  long putAll(Cell[] cells, int count) {
    return tree.putAll(cells, count);
  }

  @Override
  public Cell get(Object key) {
    Cell cell = (Cell) key;
    return has(cell) ? tree.get(cell) : null;
  }

  @Override
  public boolean containsKey(Object key) {
    return get(key) != null;
  }

  @Override
  public Cell remove(Object key) {
    Cell cell = (Cell) key;
    return has(cell) ? tree.remove(cell) : null;
  }

  @Override
  public void clear() {
    if (low != null || high != null) {
      throw new UnsupportedOperationException();
    }
    tree.clear();
  }

  @Override
  public boolean isEmpty() {
    return !iterator().hasNext();
  }

  /** Counts the cells. */
  @Override
  public int size() {
    int size = 0;
    for (Iterator<Cell> cells = iterator(); cells.hasNext(); cells.next()) {
      size++;
    }
    return size;
  }

  @Override
  public Comparator<? super Cell> comparator() {
    return tree.comparator();
  }

  @Override
  public Collection<Cell> values() {
    return new AbstractCollection<Cell>() {
      @Override
      public Iterator<Cell> iterator() {
        return CellTreeMap.this.iterator();
      }

      @Override
      public boolean isEmpty() {
        return CellTreeMap.this.isEmpty();
      }

      @Override
      public int size() {
        return CellTreeMap.this.size();
      }
    };
  }

  @Override
  public Set<Entry<Cell, Cell>> entrySet() {
    return new AbstractSet<Entry<Cell, Cell>>() {
      @Override
      public Iterator<Entry<Cell, Cell>> iterator() {
        Iterator<Cell> cells = CellTreeMap.this.iterator();
        return new Iterator<Entry<Cell, Cell>>() {
          @Override
          public boolean hasNext() {
            return cells.hasNext();
          }

          @Override
          public Entry<Cell, Cell> next() {
            return entry(cells.next());
          }

          @Override
          public void remove() {
            cells.remove();
          }
        };
      }

      @Override
      public int size() {
        return CellTreeMap.this.size();
      }
    };
  }

  @Override
  public CellTreeMap headMap(Cell toKey, boolean inclusive) {
    return isBehindHigh(toKey)
      ? this
      : new CellTreeMap(tree, low, lowInclusive, toKey, inclusive);
  }

  @Override
  public CellTreeMap tailMap(Cell fromKey, boolean inclusive) {
    return isBeforeLow(fromKey)
      ? this
      : new CellTreeMap(tree, fromKey, inclusive, high, highInclusive);
  }

  @Override
  public CellTreeMap subMap(Cell fromKey, boolean fromInclusive, Cell toKey, boolean toInclusive) {
    return tailMap(fromKey, fromInclusive).headMap(toKey, toInclusive);
  }

  @Override
  public CellTreeMap headMap(Cell toKey) {
    return headMap(toKey, false);
  }

  @Override
  public CellTreeMap tailMap(Cell fromKey) {
    return tailMap(fromKey, true);
  }

  @Override
  public CellTreeMap subMap(Cell fromKey, Cell toKey) {
    return subMap(fromKey, true, toKey, false);
  }

  @Override
  public Entry<Cell, Cell> firstEntry() {
    Iterator<Cell> cells = iterator();
    return cells.hasNext() ? entry(cells.next()) : null;
  }

  @Override
  public Entry<Cell, Cell> lastEntry() {
    return entry(last());
  }

  @Override
  public Cell firstKey() {
    return iterator().next();
  }

  @Override
  public Cell lastKey() {
    Cell last = last();
    if (last == null) {
      throw new NoSuchElementException();
    }
    return last;
  }

  @Override
  public Entry<Cell, Cell> ceilingEntry(Cell key) {
    return tailMap(key, true).firstEntry();
  }

  @Override
  public Entry<Cell, Cell> higherEntry(Cell key) {
    return tailMap(key, false).firstEntry();
  }

  @Override
  public Entry<Cell, Cell> floorEntry(Cell key) {
    return headMap(key, true).lastEntry();
  }

  @Override
  public Entry<Cell, Cell> lowerEntry(Cell key) {
    return headMap(key, false).lastEntry();
  }

  @Override
  public Cell ceilingKey(Cell key) {
    return key(ceilingEntry(key));
  }

  @Override
  public Cell higherKey(Cell key) {
    return key(higherEntry(key));
  }

  @Override
  public Cell floorKey(Cell key) {
    return key(floorEntry(key));
  }

  @Override
  public Cell lowerKey(Cell key) {
    return key(lowerEntry(key));
  }

  @Override
  public NavigableSet<Cell> navigableKeySet() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Entry<Cell, Cell> pollLastEntry() {
    throw new UnsupportedOperationException();
  }

  @Override
  public NavigableMap<Cell, Cell> descendingMap() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Entry<Cell, Cell> pollFirstEntry() {
    throw new UnsupportedOperationException();
  }

  @Override
  public NavigableSet<Cell> descendingKeySet() {
    throw new UnsupportedOperationException();
  }

  /** Fails if the tree isn't what it has to be. */
  void assertConsistent() {
    tree.assertConsistent();
  }

  private Iterator<Cell> iterator() {
    Iterator<Cell> cells = low == null ? tree.iterator() : tree.iterator(low, lowInclusive);
    return high == null ? cells : new UntilHigh(cells);
  }

  private Cell last() {
    Cell last = high == null ? tree.last() : tree.lower(high, highInclusive);
    return last == null || isBeforeLow(last) ? null : last;
  }

  private boolean has(Cell cell) {
    return !isBeforeLow(cell) && !isBehindHigh(cell);
  }

  private boolean isBeforeLow(Cell cell) {
    if (low == null) {
      return false;
    }
    int compared = tree.comparator().compare(cell, low);
    return lowInclusive ? compared < 0 : compared <= 0;
  }

  private boolean isBehindHigh(Cell cell) {
    if (high == null) {
      return false;
    }
    int compared = tree.comparator().compare(cell, high);
    return highInclusive ? compared > 0 : compared >= 0;
  }

  private static Entry<Cell, Cell> entry(Cell cell) {
    return cell == null ? null : new SimpleImmutableEntry<>(cell, cell);
  }

  private static Cell key(Entry<Cell, Cell> entry) {
    return entry == null ? null : entry.getKey();
  }

  /** Ends where the map does. */
  private final class UntilHigh implements Iterator<Cell> {
    private final Iterator<Cell> cells;
    private Cell next;
    private Cell returned;

    UntilHigh(Iterator<Cell> cells) {
      this.cells = cells;
      advance();
    }

    private void advance() {
      next = cells.hasNext() ? cells.next() : null;
      if (next != null && isBehindHigh(next)) {
        next = null;
      }
    }

    @Override
    public boolean hasNext() {
      return next != null;
    }

    @Override
    public Cell next() {
      if (next == null) {
        throw new NoSuchElementException();
      }
      returned = next;
      advance();
      return returned;
    }

    @Override
    public void remove() {
      if (returned == null) {
        throw new IllegalStateException();
      }
      tree.remove(returned);
      returned = null;
    }
  }
}
