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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The cells of a memstore's segment, whose bytes are off the heap, in a tree where there is one.
 * Rows come in random order.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Memstore {
  private static final int CELLS = 300_000;
  private static final int VALUE_BYTES = 100;
  private static final int MOST_KEY_BYTES = 60;

  /** What keys of rows are, "user" and digits or 16 random bytes, and how many cells a row has. */
  @Param({ "user-10", "user-1", "random-10", "random-1" })
  public String keys;

  private final Configuration conf = HBaseConfiguration.create();
  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Cell> cells = new ArrayList<>();
  private int columns;
  private MutableSegment segment;
  private KeyValueScanner scanner;

  /** Fills a segment. */
  @Setup
  public void write() {
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setBoolean("hbase.regionserver.memstore.index.tree.enabled", true);
    columns = Integer.parseInt(keys.substring(keys.indexOf('-') + 1));
    Random order = new Random(1);
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < CELLS / columns; i++) {
      byte[] row = new byte[16];
      order.nextBytes(row);
      rows.add(keys.startsWith("user") ? Rows.key(i) : row);
    }
    Collections.shuffle(rows, order);
    ByteBuffer bytes = ByteBuffer.allocateDirect(CELLS * (MOST_KEY_BYTES + VALUE_BYTES));
    for (byte[] row : rows) {
      for (int i = 0; i < columns; i++) {
        KeyValue cell =
          new KeyValue(row, Rows.FAMILY, Rows.column(i), 1, new byte[VALUE_BYTES]);
        cells.add(new NoTagByteBufferChunkKeyValue(bytes, bytes.position(), cell.getLength(), 1));
        bytes.put(cell.getBuffer(), cell.getOffset(), cell.getLength());
      }
    }
    segment = createSegment();
    add(segment, 0, 1);
    scanner = segment.getScanner(Long.MAX_VALUE);
  }

  private MutableSegment createSegment() {
    return SegmentFactory.instance().createMutableSegment(conf, CellComparator.getInstance(),
      new NonThreadSafeMemStoreSizing());
  }

  /** Adds the rows of one of some writers. */
  private void add(MutableSegment to, int writer, int writers) {
    CellSet set = to.getCellSet();
    for (int row = writer * columns; row < CELLS; row += writers * columns) {
      for (int i = row; i < row + columns; i++) {
        set.add(cells.get(i));
      }
    }
  }

  /** Threads that put. */
  @State(Scope.Benchmark)
  public static class Writers {
    @Param({ "1", "8" })
    public int writers;

    private ExecutorService threads;

    /** Starts them. */
    @Setup
    public void start() {
      threads = Executors.newFixedThreadPool(writers);
    }

    /** Ends them. */
    @TearDown
    public void end() {
      threads.shutdown();
    }
  }

  /** An operation is a cell that is put into a segment that fills. */
  @Benchmark
  @OperationsPerInvocation(CELLS)
  public Segment put(Writers writers) throws InterruptedException, ExecutionException {
    MutableSegment filled = createSegment();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int i = 0; i < writers.writers; i++) {
      int writer = i;
      tasks.add(() -> {
        add(filled, writer, writers.writers);
        return null;
      });
    }
    for (Future<Void> task : writers.threads.invokeAll(tasks)) {
      task.get();
    }
    return filled;
  }

  /** A seek to the first cell of a row. */
  @Benchmark
  public Cell seek() throws IOException {
    scanner.seek(cells.get(random.nextInt(CELLS / columns) * columns));
    return scanner.peek();
  }

  /** An operation is a cell that a scanner comes to. */
  @Benchmark
  @OperationsPerInvocation(CELLS)
  public void goThrough(Blackhole consumer) throws IOException {
    KeyValueScanner all = segment.getScanner(Long.MAX_VALUE);
    int count = 0;
    for (Cell cell = all.next(); cell != null; cell = all.next()) {
      consumer.consume(cell);
      count++;
    }
    if (count != CELLS) {
      throw new IllegalStateException(count + " cells");
    }
  }
}
