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
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.monitoring.TaskMonitor;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A flush of a memstore to a file in the page cache. An operation is a cell. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Flush {
  private static final int CELLS = 120_000;

  /** Cells of a row, and bytes of a value. */
  @Param({ "10x100", "5x20" })
  public String cells;

  /** What a memstore does in memory. */
  @Param({ "NONE", "BASIC" })
  public String policy;

  private LocalServer server;
  private DefaultStoreFlusher flusher;
  private HRegion region;
  private MemStoreSnapshot snapshot;

  /** Fills the memstore. */
  @Setup
  public void write() throws IOException {
    Rows rows = Rows.of(cells);
    server = new LocalServer();
    server.conf().setLong(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 1L << 30);
    server.conf().setBoolean("hbase.regionserver.compaction.cursor.enabled", true);
    region = server.createRegion(ColumnFamilyDescriptorBuilder.newBuilder(Rows.FAMILY)
      .setInMemoryCompaction(MemoryCompactionPolicy.valueOf(policy)).build());
    for (int i = 0; i < CELLS / rows.columns(); i++) {
      region.put(rows.put(i));
    }
    HStore store = region.getStore(Rows.FAMILY);
    flusher = new DefaultStoreFlusher(server.conf(), store);
    snapshot = store.memstore.snapshot();
    if (snapshot.getCellsCount() != CELLS) {
      throw new IllegalStateException(snapshot.getCellsCount() + " cells");
    }
  }

  @Benchmark
  @OperationsPerInvocation(CELLS)
  public List<Path> flush() throws IOException {
    return flusher.flushSnapshot(snapshot, 1, TaskMonitor.get().createStatus("flush"),
      NoLimitThroughputController.INSTANCE, FlushLifeCycleTracker.DUMMY, file -> {
      });
  }

  /** The next flush writes the same snapshot. */
  @TearDown(Level.Invocation)
  public void delete() throws IOException {
    region.getRegionFileSystem().cleanupTempDir();
  }

  @TearDown
  public void close() throws IOException {
    server.close();
  }
}
