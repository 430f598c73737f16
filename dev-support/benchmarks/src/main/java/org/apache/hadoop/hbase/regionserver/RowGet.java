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
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.hfile.SeekIndexes;
import org.apache.hadoop.hbase.ipc.RpcCallContext;
import org.apache.hadoop.hbase.ipc.RpcServer;
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

/** A get of a region whose blocks are in an off-heap BucketCache, from the request to its end. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowGet {
  private static final int BATCH = 50;

  /** A region. */
  @State(Scope.Benchmark)
  public static class Region {
    /**
     * What is read: rows of a single cell, rows of ten cells, or one column of such a row. Then
     * from where: one file and an empty memstore; or four files and a memstore, where the first
     * file has all rows, each of the others one cell of a third of them, and the memstore one cell
     * of a tenth.
     */
    @Param({ "cell", "row", "column", "cell-files", "row-files", "column-files" })
    public String shape;

    @Param("20000")
    public int rows;

    private LocalServer server;
    private HRegion region;
    private MethodHandle get;

    /** Writes the region, and reads all of it once. */
    @Setup
    public void open() throws Throwable {
      server = new LocalServer();
      server.cacheOffHeap();
      Configuration conf = server.conf();
      // As many leaves below the index' root as a big file has.
      conf.setInt("hfile.index.block.max.size", 8 * 1024);
      conf.setBoolean("hbase.regionserver.get.row.path.enabled", true);
      SeekIndexes.configure(true);
      region = server.createRegion(ColumnFamilyDescriptorBuilder.of(Rows.FAMILY));
      get = MethodHandles.privateLookupIn(RSRpcServices.class, MethodHandles.lookup())
        .findVirtual(RSRpcServices.class, "get",
          MethodType.methodType(Result.class, Get.class, HRegion.class,
            RSRpcServices.RegionScannersCloseCallBack.class, RpcCallContext.class));
      write();
      for (int i = 0; i < rows; i++) {
        // Twice, for indexes of blocks.
        if (serve(request(i), null) == 0 || serve(request(i), null) == 0) {
          throw new IllegalStateException("row " + i + " isn't there");
        }
      }
    }

    private void write() throws IOException {
      Rows row = new Rows(shape.startsWith("cell") ? 1 : 10, 100);
      for (int i = 0; i < rows; i++) {
        region.put(row.put(i));
      }
      region.flush(true);
      if (shape.endsWith("-files")) {
        for (int file = 0; file < 3; file++) {
          for (int i = file; i < rows; i += 3) {
            putCell(row, i);
          }
          region.flush(true);
        }
        for (int i = 0; i < rows; i += 10) {
          putCell(row, i);
        }
      }
    }

    private void putCell(Rows row, int number) throws IOException {
      int column = number % row.columns();
      region.put(row.put(number, column, column + 1));
    }

    final Get request(int row) {
      Get request = new Get(Rows.key(row));
      return shape.startsWith("column")
        ? request.addColumn(Rows.FAMILY, Rows.column(5))
        : request.addFamily(Rows.FAMILY);
    }

    final int serve(Get request, Blackhole consumer) throws Throwable {
      LocalCall call = new LocalCall();
      RpcServer.setCurrentCall(call);
      try {
        int cells = serve(request, null, call, consumer);
        call.end();
        return cells;
      } finally {
        RpcServer.setCurrentCall(null);
      }
    }

    final int serve(Get[] requests, Blackhole consumer) throws Throwable {
      LocalCall call = new LocalCall();
      RpcServer.setCurrentCall(call);
      try {
        RSRpcServices.RegionScannersCloseCallBack callBack =
          new RSRpcServices.RegionScannersCloseCallBack();
        int cells = 0;
        for (Get request : requests) {
          cells += serve(request, callBack, call, consumer);
        }
        callBack.run();
        return cells;
      } finally {
        RpcServer.setCurrentCall(null);
      }
    }

    private int serve(Get request, RSRpcServices.RegionScannersCloseCallBack callBack,
      LocalCall call, Blackhole consumer) throws Throwable {
      Result result = (Result) get.invokeExact(server.services(), request, region, callBack,
        (RpcCallContext) call);
      // As what writes the response goes through them.
      CellScanner cells = result.cellScanner();
      while (consumer != null && cells.advance()) {
        consumer.consume(cells.current().getValueLength());
      }
      return result.size();
    }

    @TearDown
    public void close() throws IOException {
      server.close();
    }
  }

  /** Which row is next. */
  @State(Scope.Thread)
  public static class Next {
    private final SplittableRandom random = new SplittableRandom(1);
  }

  @Benchmark
  public int get(Region region, Next next, Blackhole consumer) throws Throwable {
    return region.serve(region.request(next.random.nextInt(region.rows)), consumer);
  }

  /** A get of a batch. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int batch(Region region, Next next, Blackhole consumer) throws Throwable {
    Get[] requests = new Get[BATCH];
    for (int i = 0; i < BATCH; i++) {
      requests[i] = region.request(next.random.nextInt(region.rows));
    }
    return region.serve(requests, consumer);
  }
}
