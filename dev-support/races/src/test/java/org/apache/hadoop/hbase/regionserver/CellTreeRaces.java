/*
 * Licensed to the Apache Software Foundation (ASF) under one or more contributor license
 * agreements. See the NOTICE file distributed with this work for additional information
 * regarding copyright ownership. The ASF licenses this file to you under the Apache License,
 * Version 2.0 (the "License"); you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.apache.hadoop.hbase.regionserver;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.InnerStoreCellComparator;
import org.apache.hadoop.hbase.KeyValue;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.annotations.Validate;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;

/**
 * Operations of threads on a tree with a node that is almost full, so that it is split, or replaced
 * after removals, meanwhile.
 */
@Param(name = "key", gen = IntGen.class, conf = "0:7")
public class CellTreeRaces {
  /** Between the keys of operations, which are multiples of this. */
  private static final int STEP = 3;

  private final CellTree tree = new CellTree(InnerStoreCellComparator.INNER_STORE_COMPARATOR);

  public CellTreeRaces() {
    for (int i = 0; i < CellTree.SLOTS - 2; i++) {
      tree.put(cell(i / 2 * STEP + 1 + i % 2));
    }
  }

  private static Cell cell(int number, int... column) {
    byte[] qualifier = new byte[column.length];
    for (int i = 0; i < column.length; i++) {
      qualifier[i] = (byte) column[i];
    }
    return new KeyValue(String.format("row%05d", number).getBytes(StandardCharsets.UTF_8),
      new byte[] { 'f' }, qualifier, 1, new byte[0]);
  }

  @Operation
  public boolean add(@Param(name = "key") int key) {
    return tree.put(cell(key * STEP)) == null;
  }

  /** Adds it with other cells of its row, which are next to it. */
  @Operation
  public boolean addRow(@Param(name = "key") int key) {
    Cell cell = cell(key * STEP);
    Cell[] row = new Cell[CellTree.SLOTS / 2 + 1];
    for (int i = 1; i < row.length; i++) {
      row[i - 1] = cell(key * STEP, i);
    }
    row[row.length - 1] = cell;
    long replaced = tree.putAll(row, row.length);
    return (replaced >>> Arrays.asList(row).indexOf(cell) & 1) == 0;
  }

  @Operation
  public boolean remove(@Param(name = "key") int key) {
    return tree.remove(cell(key * STEP)) != null;
  }

  @Operation
  public boolean has(@Param(name = "key") int key) {
    return tree.get(cell(key * STEP)) != null;
  }

  @Validate
  public void isConsistent() {
    tree.assertConsistent();
  }

  /** The expected effects, one operation after the other. */
  public static class OneByOne {
    private final Set<Integer> keys = new TreeSet<>();

    public boolean add(int key) {
      return keys.add(key);
    }

    public boolean addRow(int key) {
      return keys.add(key);
    }

    public boolean remove(int key) {
      return keys.remove(key);
    }

    public boolean has(int key) {
      return keys.contains(key);
    }
  }
}
