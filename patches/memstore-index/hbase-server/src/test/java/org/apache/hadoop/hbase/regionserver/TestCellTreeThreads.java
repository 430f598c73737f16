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
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.InnerStoreCellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/** Threads that add, remove, look up and iterate at once. */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestCellTreeThreads {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCellTreeThreads.class);

  private static final byte[] F = Bytes.toBytes("f");
  private static final CellComparator ORDER = InnerStoreCellComparator.INNER_STORE_COMPARATOR;
  private static final int WRITERS = 4;
  private static final int READERS = 2;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final CellTree tree = new CellTree(ORDER);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @After
  public void shutDown() throws Exception {
    threads.shutdownNow();
    assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
  }

  /** Adds its cells one after the other, and removes some of them that it added before. */
  private final class Writer {
    final List<Cell> cells;
    /** How many it adds at once. */
    final int atOnce;
    volatile int added;
    /** All before it that come and go have gone. */
    volatile int removed;

    Writer(List<Cell> cells, int atOnce) {
      this.cells = cells;
      this.atOnce = atOnce;
    }

    void run() {
      for (int i = 0; i < cells.size(); i += atOnce) {
        int end = Math.min(i + atOnce, cells.size());
        if (atOnce == 1) {
          assertEquals(null, tree.put(cells.get(i)));
        } else {
          assertEquals(0, tree.putAll(cells.subList(i, end).toArray(new Cell[0]), end - i));
        }
        for (int j = i; j < end; j++) {
          assertSame(cells.get(j), tree.get(cells.get(j)));
        }
        added = end;
        for (int j = i; j < end; j++) {
          removeOld(j);
        }
      }
    }

    private void removeOld(int index) {
      int old = index / 2 - index / 2 % 3;
      if (comesAndGoes(index) && old >= removed) {
        assertSame(cells.get(old), tree.remove(cells.get(old)));
        assertEquals(null, tree.get(cells.get(old)));
        removed = old + 1;
      }
    }

    /** Whether a cell is removed some time after it was added. */
    boolean comesAndGoes(int index) {
      return index % 3 == 0;
    }
  }

  private void run(List<List<Cell>> cellsOfWriters) throws Exception {
    run(cellsOfWriters, 1);
  }

  private void run(List<List<Cell>> cellsOfWriters, int atOnce) throws Exception {
    List<Writer> writers = new ArrayList<>();
    cellsOfWriters.forEach(cells -> writers.add(new Writer(cells, atOnce)));
    List<Future<?>> writing = new ArrayList<>();
    for (Writer writer : writers) {
      writing.add(threads.submit(writer::run));
    }
    List<Future<?>> reading = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      Random random = new Random(seed.newRandom().nextLong() + i);
      reading.add(threads.submit(() -> {
        boolean ended;
        do {
          ended = writing.stream().allMatch(Future::isDone);
          read(writers, random);
        } while (!ended);
      }));
    }
    for (Future<?> future : writing) {
      future.get(60, TimeUnit.SECONDS);
    }
    for (Future<?> future : reading) {
      future.get(60, TimeUnit.SECONDS);
    }
    tree.assertConsistent();
  }

  /** What was added before an iterator began is seen once, in order; what was removed isn't. */
  private void read(List<Writer> writers, Random random) {
    int[] removed = writers.stream().mapToInt(writer -> writer.removed).toArray();
    int[] added = writers.stream().mapToInt(writer -> writer.added).toArray();
    Cell from = null;
    if (random.nextBoolean()) {
      Writer writer = writers.get(random.nextInt(writers.size()));
      from = writer.cells.get(random.nextInt(writer.cells.size()));
    }
    boolean inclusive = random.nextBoolean();
    int[] seen = new int[writers.size()];
    Cell before = null;
    Iterator<Cell> cells = from == null ? tree.iterator() : tree.iterator(from, inclusive);
    while (cells.hasNext()) {
      Cell cell = cells.next();
      assertTrue(before == null || ORDER.compare(before, cell) < 0);
      assertFalse(before == null && from != null
        && (inclusive ? ORDER.compare(cell, from) < 0 : ORDER.compare(cell, from) <= 0));
      before = cell;
      int writer = Bytes.toInt(cell.getValueArray(), cell.getValueOffset());
      int index = Bytes.toInt(cell.getValueArray(), cell.getValueOffset() + Integer.BYTES);
      boolean comesAndGoes = writers.get(writer).comesAndGoes(index);
      assertFalse(comesAndGoes && index < removed[writer]);
      if (index < added[writer] && !comesAndGoes) {
        seen[writer]++;
      }
    }
    for (int i = 0; i < seen.length; i++) {
      int expected = 0;
      for (int j = 0; j < added[i]; j++) {
        Cell cell = writers.get(i).cells.get(j);
        int compared = from == null ? 1 : ORDER.compare(cell, from);
        if (!writers.get(i).comesAndGoes(j) && (inclusive ? compared >= 0 : compared > 0)) {
          expected++;
          if (random.nextInt(1000) == 0) {
            assertSame(cell, tree.get(cell));
            assertSame(cell, tree.lower(cell, true));
            Cell lower = tree.lower(cell, false);
            assertTrue(lower == null || ORDER.compare(lower, cell) < 0);
          }
        }
      }
      assertEquals(expected, seen[i]);
    }
  }

  private static Cell cell(byte[] row, int column, int writer, int index) {
    KeyValue cell = new KeyValue(row, F, Bytes.toBytes("column" + column), 1L,
      Bytes.add(Bytes.toBytes(writer), Bytes.toBytes(index)));
    cell.setSequenceId(1);
    return cell;
  }

  @Test
  public void ofRandomRows() throws Exception {
    Random random = seed.newRandom();
    List<List<Cell>> cells = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Cell> ofWriter = new ArrayList<>();
      for (int i = 0; i < 30_000; i++) {
        byte[] row = Bytes.toBytes("user" + (random.nextLong() >>> 1) + writer);
        ofWriter.add(cell(row, 0, writer, i));
      }
      cells.add(ofWriter);
    }
    run(cells);
  }

  @Test
  public void ofWholeRows() throws Exception {
    Random random = seed.newRandom();
    int columns = 2 + random.nextInt(20);
    List<List<Cell>> cells = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Cell> ofWriter = new ArrayList<>();
      while (ofWriter.size() < 30_000) {
        byte[] row = Bytes.toBytes("user" + (random.nextLong() >>> 1) + writer);
        addRow(ofWriter, row, columns, writer, random);
      }
      cells.add(ofWriter);
    }
    run(cells, columns);
  }

  /** Each writer has columns of its own in rows that all have. */
  @Test
  public void ofPartsOfRows() throws Exception {
    Random random = seed.newRandom();
    int columns = 2 + random.nextInt(20);
    List<List<Cell>> cells = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Integer> rows = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        rows.add(i);
      }
      Collections.shuffle(rows, random);
      List<Cell> ofWriter = new ArrayList<>();
      for (int row : rows) {
        addRow(ofWriter, Bytes.toBytes("row" + row), columns, writer, random);
      }
      cells.add(ofWriter);
    }
    run(cells, columns);
  }

  private static void addRow(List<Cell> cells, byte[] row, int columns, int writer,
    Random random) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    for (int column : order) {
      cells.add(cell(row, column * WRITERS + writer, writer, cells.size()));
    }
  }

  @Test
  public void ofTheSameRows() throws Exception {
    Random random = seed.newRandom();
    List<List<Cell>> cells = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Integer> columns = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        columns.add(i);
      }
      Collections.shuffle(columns, random);
      List<Cell> ofWriter = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        ofWriter.add(cell(Bytes.toBytes("row" + columns.get(i) % 5),
          columns.get(i) * WRITERS + writer, writer, i));
      }
      cells.add(ofWriter);
    }
    run(cells);
  }

  @Test
  public void ofRowsInOrder() throws Exception {
    List<List<Cell>> cells = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Cell> ofWriter = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        byte[] row = Bytes.toBytes(String.format("log-%010d", i * WRITERS + writer));
        ofWriter.add(cell(row, 0, writer, i));
      }
      cells.add(ofWriter);
    }
    run(cells);
  }

  /** All go on in the last node. */
  @Test
  public void ofWholeRowsInOrder() throws Exception {
    Random random = seed.newRandom();
    int columns = 2 + random.nextInt(20);
    List<List<Cell>> cells = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      List<Cell> ofWriter = new ArrayList<>();
      for (int i = 0; ofWriter.size() < 30_000; i++) {
        byte[] row = Bytes.toBytes(String.format("log-%010d", i * WRITERS + writer));
        addRow(ofWriter, row, columns, writer, random);
      }
      cells.add(ofWriter);
    }
    run(cells, columns);
  }

  /** As counters do: each cell is put in place of one that is removed. */
  @Test
  public void ofTheSameCell() throws Exception {
    List<Future<?>> writing = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int ofWriter = writer;
      writing.add(threads.submit(() -> {
        for (int i = 0; i < 50_000; i++) {
          Cell cell = cell(Bytes.toBytes(i % 7), 0, ofWriter, i);
          tree.put(cell);
          if (i % 5 == 0) {
            tree.remove(cell);
          }
        }
      }));
    }
    while (!writing.stream().allMatch(Future::isDone)) {
      Cell before = null;
      int seen = 0;
      for (Iterator<Cell> cells = tree.iterator(); cells.hasNext();) {
        Cell cell = cells.next();
        assertTrue(before == null || ORDER.compare(before, cell) < 0);
        before = cell;
        seen++;
      }
      assertTrue(seen <= 7);
    }
    for (Future<?> future : writing) {
      future.get(60, TimeUnit.SECONDS);
    }
    tree.assertConsistent();
  }
}
