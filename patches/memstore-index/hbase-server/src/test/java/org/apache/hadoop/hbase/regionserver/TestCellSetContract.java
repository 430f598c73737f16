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

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellComparatorImpl;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.InnerStoreCellComparator;
import org.apache.hadoop.hbase.MetaCellComparator;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** What the set of a segment's cells does, with the map of each kind and in each order. */
@RunWith(Parameterized.class)
@Category({ RegionServerTests.class, SmallTests.class })
public class TestCellSetContract {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCellSetContract.class);

  private static final int STEPS = 5_000;

  @Parameters(name = "{0}, {1}")
  public static Collection<Object[]> data() {
    List<Object[]> data = new ArrayList<>();
    for (
      CellComparator comparator : new CellComparator[] {
        InnerStoreCellComparator.INNER_STORE_COMPARATOR, CellComparatorImpl.COMPARATOR,
        MetaCellComparator.META_COMPARATOR }
    ) {
      data.add(new Object[] { "skip list", comparator });
      data.add(new Object[] { "tree", comparator });
    }
    return data;
  }

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final CellComparator comparator;
  private final NavigableMap<Cell, Cell> map;
  private final CellSet set;
  private final TreeMap<Cell, Cell> model;

  public TestCellSetContract(String kind, CellComparator comparator) {
    this.comparator = comparator;
    map = kind.equals("tree")
      ? new CellTreeMap(comparator)
      : new ConcurrentSkipListMap<>(simple(comparator));
    set = new CellSet(map);
    model = new TreeMap<>(simple(comparator));
  }

  @SuppressWarnings("unchecked")
  private static Comparator<Cell> simple(CellComparator comparator) {
    return comparator.getSimpleComparator();
  }

  @After
  public void treeIsConsistent() {
    if (map instanceof CellTreeMap) {
      ((CellTreeMap) map).assertConsistent();
    }
  }

  @Test
  public void doesWhatAMapDoes() {
    Random random = seed.newRandom();
    for (int rows : new int[] { 1, 20, 2_000 }) {
      RandomCells cells =
        new RandomCells(random, comparator == MetaCellComparator.META_COMPARATOR, rows);
      for (int i = 0; i < STEPS; i++) {
        step(random, cells);
      }
      assertEqualSets();
      set.clear();
      model.clear();
      assertEqualSets();
    }
  }

  private void step(Random random, RandomCells cells) {
    Cell cell = cells.next();
    Cell key = cells.nextKey();
    switch (random.nextInt(12)) {
      case 0:
        assertSame(model.get(cell), set.get(cell));
        assertEquals(model.containsKey(key), set.contains(key));
        break;
      case 1:
        assertEquals(model.remove(cell) != null, set.remove(cell));
        break;
      case 2:
        assertBegins(model.tailMap(key, true), set.tailSet(key));
        assertBegins(model.tailMap(key, false), set.tailSet(key, false));
        break;
      case 3:
        assertEnds(model.headMap(key, false), set.headSet(key));
        assertEnds(model.headMap(key, true), set.headSet(key, true));
        break;
      case 4:
        assertSame(value(model.ceilingEntry(key)), value(map.ceilingEntry(key)));
        assertSame(value(model.higherEntry(key)), value(map.higherEntry(key)));
        assertSame(value(model.floorEntry(key)), value(map.floorEntry(key)));
        assertSame(value(model.lowerEntry(key)), value(map.lowerEntry(key)));
        break;
      case 5:
        assertPart(random, cell, key);
        break;
      case 6:
        removeSome(random, key);
        break;
      default:
        assertEquals(model.put(cell, cell) == null, set.add(cell));
    }
    assertEquals(model.isEmpty(), set.isEmpty());
    if (!model.isEmpty()) {
      assertSame(model.firstEntry().getValue(), set.first());
      assertSame(model.lastEntry().getValue(), set.last());
    }
  }

  /** Cells of a row or of several, in any order, some equal to others or to what is there. */
  @Test
  public void takesSeveralAtOnce() {
    assumeTrue(map instanceof CellTreeMap);
    Random random = seed.newRandom();
    for (int rows : new int[] { 1, 20, 2_000 }) {
      RandomCells cells =
        new RandomCells(random, comparator == MetaCellComparator.META_COMPARATOR, rows);
      for (int i = 0; i < STEPS / 10; i++) {
        putSeveral(random, cells);
        if (random.nextInt(4) == 0) {
          removeSome(random, cells.nextKey());
        }
      }
      assertEqualSets();
      treeIsConsistent();
      set.clear();
      model.clear();
    }
  }

  private void putSeveral(Random random, RandomCells cells) {
    Cell[] several = new Cell[64];
    int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 64 : 14);
    int columns = 1 + random.nextInt(20);
    Cell first = cells.next();
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(8)) {
        case 0:
          several[i] = cells.next();
          break;
        case 1:
          several[i] = cells.copyOf(i == 0 ? first : several[random.nextInt(i)]);
          break;
        default:
          several[i] = cells.next(first, random.nextInt(columns));
      }
    }
    Map<Cell, Boolean> inPlaceOfAnother = new IdentityHashMap<>();
    for (int i = 0; i < count; i++) {
      inPlaceOfAnother.put(several[i], model.put(several[i], several[i]) != null);
    }
    long replaced = ((CellTreeMap) map).putAll(several, count);
    for (int i = 0; i < count; i++) {
      assertEquals(inPlaceOfAnother.get(several[i]), (replaced >>> i & 1) == 1);
    }
    assertEquals(0, count == 64 ? 0 : replaced >>> count);
  }

  private static Cell value(NavigableMap.Entry<Cell, Cell> entry) {
    return entry == null ? null : entry.getValue();
  }

  private static void assertBegins(NavigableMap<Cell, Cell> expected, SortedSet<Cell> tail) {
    assertEquals(expected.isEmpty(), tail.isEmpty());
    Iterator<Cell> cells = tail.iterator();
    int left = 30;
    for (Cell cell : expected.values()) {
      assertSame(cell, cells.next());
      if (--left == 0) {
        return;
      }
    }
    assertFalse(cells.hasNext());
    assertThrows(NoSuchElementException.class, cells::next);
  }

  private static void assertEnds(NavigableMap<Cell, Cell> expected, SortedSet<Cell> head) {
    assertEquals(expected.isEmpty(), head.isEmpty());
    if (!expected.isEmpty()) {
      assertSame(expected.lastEntry().getValue(), head.last());
      assertSame(expected.firstEntry().getValue(), head.first());
    }
  }

  private void assertPart(Random random, Cell a, Cell b) {
    if (simple(comparator).compare(a, b) == 0) {
      return;
    }
    boolean inOrder = simple(comparator).compare(a, b) < 0;
    Cell from = inOrder ? a : b;
    Cell to = inOrder ? b : a;
    boolean fromInclusive = random.nextBoolean();
    boolean toInclusive = random.nextBoolean();
    Function<NavigableMap<Cell, Cell>, NavigableMap<Cell, Cell>> part =
      m -> m.tailMap(from, fromInclusive).headMap(to, toInclusive);
    List<Cell> expected = new ArrayList<>(part.apply(model).values());
    NavigableMap<Cell, Cell> found = part.apply(map);
    assertSameCells(expected, found.values());
    assertEquals(expected.size(), found.size());
    assertSameCells(expected, map.subMap(from, fromInclusive, to, toInclusive).values());
    if (!expected.isEmpty()) {
      assertSame(expected.get(0), found.firstEntry().getValue());
      assertSame(expected.get(expected.size() - 1), found.lastEntry().getValue());
      assertSame(expected.get(0), found.get(expected.get(0)));
    }
  }

  private void removeSome(Random random, Cell key) {
    Iterator<Cell> cells = set.tailSet(key).iterator();
    for (int i = 0; i < 5 && cells.hasNext(); i++) {
      Cell cell = cells.next();
      if (random.nextBoolean()) {
        cells.remove();
        assertSame(cell, model.remove(cell));
      }
    }
  }

  private void assertEqualSets() {
    assertSameCells(model.values(), set);
    assertEquals(model.size(), map.size());
    for (Cell cell : model.values()) {
      assertSame(cell, set.get(cell));
    }
  }

  private static void assertSameCells(Collection<Cell> expected, Iterable<Cell> found) {
    Iterator<Cell> cells = found.iterator();
    for (Cell cell : expected) {
      assertSame(cell, cells.next());
    }
    assertFalse(cells.hasNext());
  }

  @Test
  public void takesCellsInAnyOrder() {
    Random random = seed.newRandom();
    RandomCells random1 =
      new RandomCells(random, comparator == MetaCellComparator.META_COMPARATOR, 1_000);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      Cell cell = random1.next();
      if (model.putIfAbsent(cell, cell) == null) {
        cells.add(cell);
      }
    }
    for (int order = 0; order < 3; order++) {
      if (order == 0) {
        cells.sort(simple(comparator));
      } else if (order == 1) {
        Collections.reverse(cells);
      } else {
        Collections.shuffle(cells, random);
      }
      for (Cell cell : cells) {
        assertTrue(set.add(cell));
      }
      assertEqualSets();
      treeIsConsistent();
      for (Cell cell : cells) {
        assertTrue(set.remove(cell));
      }
      assertTrue(set.isEmpty());
      assertThrows(NullPointerException.class, set::first);
      assertThrows(NullPointerException.class, set::last);
    }
  }

  @Test
  public void anIteratorGoesOnWhileCellsComeAndGo() {
    RandomCells random1 = new RandomCells(seed.newRandom(),
      comparator == MetaCellComparator.META_COMPARATOR, 1_000);
    for (int i = 0; i < 1_000; i++) {
      Cell cell = random1.next();
      set.add(cell);
      model.put(cell, cell);
    }
    List<Cell> stay = new ArrayList<>(model.values());
    List<Cell> seen = new ArrayList<>();
    for (Cell cell : set) {
      seen.add(cell);
      Cell other = random1.next();
      if (seen.size() < 10 * stay.size() && !model.containsKey(other)) {
        set.add(other);
      }
    }
    for (int i = 1; i < seen.size(); i++) {
      assertTrue(simple(comparator).compare(seen.get(i - 1), seen.get(i)) < 0);
    }
    seen.retainAll(new IdentitySet(stay));
    assertEquals(stay.size(), seen.size());
  }

  /** Tells cells apart that are equal. */
  private static final class IdentitySet extends AbstractCollection<Cell> {
    private final Map<Cell, Boolean> cells = new IdentityHashMap<>();

    IdentitySet(Collection<Cell> cells) {
      cells.forEach(cell -> this.cells.put(cell, true));
    }

    @Override
    public boolean contains(Object cell) {
      return cells.containsKey(cell);
    }

    @Override
    public Iterator<Cell> iterator() {
      return cells.keySet().iterator();
    }

    @Override
    public int size() {
      return cells.size();
    }
  }

  @Test
  public void aPartTakesOnlyWhatIsInIt() {
    Random random = seed.newRandom();
    RandomCells random1 =
      new RandomCells(random, comparator == MetaCellComparator.META_COMPARATOR, 1_000);
    Cell[] cells = { random1.next(), random1.next(), random1.next() };
    Arrays.sort(cells, simple(comparator));
    set.add(cells[1]);
    if (simple(comparator).compare(cells[0], cells[1]) < 0) {
      NavigableMap<Cell, Cell> tail = map.tailMap(cells[1], true);
      assertThrows(IllegalArgumentException.class, () -> tail.put(cells[0], cells[0]));
      assertFalse(tail.containsKey(cells[0]));
      assertEquals(null, tail.remove(cells[0]));
    }
    assertEquals(1, map.size());
  }

  @Test
  public void aValueThatIsNotAllowedMakesNoTree() {
    Configuration conf = new Configuration(false);
    conf.set(MemStoreIndexSettings.TREE_ENABLED.key(), "maybe");
    assertNull(MemStoreIndexSettings.createTree(conf, CellComparatorImpl.COMPARATOR));
  }
}
