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
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.CountRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.CountResponse;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.HelloRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.HelloResponse;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.IncrementCountRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.IncrementCountResponse;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.NoopRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.NoopResponse;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.PingRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.PingResponse;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.PingProtos.PingService;
import org.apache.hadoop.hbase.io.hfile.CoprocessorCellsSettings;
import org.apache.hadoop.hbase.io.hfile.MetricsCoprocessorCells;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils.BlockingRpcCallback;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RegionServerTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

/**
 * An endpoint that aggregates and one that exports use cells of scanners that they have closed. The
 * service that hbase-protocol has for tests stands for theirs.
 */
@Category({ RegionServerTests.class, MediumTests.class })
public class TestGuardedEndpoint {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestGuardedEndpoint.class);

  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final int ROWS = 100;
  private static Table table;

  /** Counts, exports, and keeps cells for the next call. */
  public static class Endpoint extends PingService implements RegionCoprocessor {
    private final List<Cell> kept = new ArrayList<>();
    private Region region;

    @Override
    public void start(@SuppressWarnings("rawtypes") CoprocessorEnvironment environment) {
      region = ((RegionCoprocessorEnvironment) environment).getRegion();
    }

    @Override
    public Iterable<Service> getServices() {
      return Collections.singleton(this);
    }

    /** Reads all rows by a scanner for each, which it closes. */
    private List<Cell> readAndClose() throws IOException {
      List<Cell> cells = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        try (RegionScanner scanner =
          region.getScanner(new Scan().withStartRow(row(i)).withStopRow(row(i), true))) {
          scanner.next(cells);
        }
      }
      return cells;
    }

    private static int sum(List<Cell> cells) {
      int sum = 0;
      for (Cell cell : cells) {
        sum += Bytes.toInt(CellUtil.cloneValue(cell));
      }
      return sum;
    }

    /** Computes an answer. */
    private interface Answer<T> {
      T get() throws IOException;
    }

    private static <T> void answer(RpcController controller, RpcCallback<T> done,
      Answer<T> answer) {
      try {
        done.run(answer.get());
      } catch (IOException | IllegalStateException e) {
        CoprocessorRpcUtils.setControllerException(controller, new DoNotRetryIOException(e));
      }
    }

    @Override
    public void count(RpcController controller, CountRequest request,
      RpcCallback<CountResponse> done) {
      answer(controller, done,
        () -> CountResponse.newBuilder().setCount(sum(readAndClose())).build());
    }

    @Override
    public void hello(RpcController controller, HelloRequest request,
      RpcCallback<HelloResponse> done) {
      answer(controller, done, () -> {
        StringBuilder export = new StringBuilder();
        for (Cell cell : readAndClose()) {
          export.append(Bytes.toString(CellUtil.cloneRow(cell))).append('=')
            .append(Bytes.toInt(CellUtil.cloneValue(cell))).append(' ');
        }
        return HelloResponse.newBuilder().setResponse(export.toString()).build();
      });
    }

    @Override
    public void ping(RpcController controller, PingRequest request,
      RpcCallback<PingResponse> done) {
      answer(controller, done, () -> {
        kept.addAll(readAndClose());
        return PingResponse.newBuilder().setPong(Integer.toString(sum(kept))).build();
      });
    }

    @Override
    public void increment(RpcController controller, IncrementCountRequest request,
      RpcCallback<IncrementCountResponse> done) {
      answer(controller, done,
        () -> IncrementCountResponse.newBuilder().setCount(sum(kept)).build());
    }

    @Override
    public void noop(RpcController controller, NoopRequest request,
      RpcCallback<NoopResponse> done) {
      done.run(NoopResponse.getDefaultInstance());
    }
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("%03d", i));
  }

  private static void put(int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      table.put(new Put(row(i)).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(i)));
    }
  }

  @BeforeClass
  public static void startCluster() throws Exception {
    Configuration conf = UTIL.getConfiguration();
    conf.setBoolean(CoprocessorCellsSettings.HELD.key(), true);
    System.setProperty(CoprocessorCellsSettings.GUARDED_PROPERTY, "true");
    UTIL.startMiniCluster(1);
    UTIL.getAdmin().createTable(TableDescriptorBuilder.newBuilder(TABLE)
      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
      .setCoprocessor(CoprocessorDescriptorBuilder.newBuilder(Endpoint.class.getName()).build())
      .build(), new byte[][] { row(ROWS / 2) });
    table = UTIL.getConnection().getTable(TABLE);
    put(0, ROWS * 3 / 4);
    UTIL.flush(TABLE);
    put(ROWS * 3 / 4, ROWS);
  }

  @AfterClass
  public static void stopCluster() throws Exception {
    System.clearProperty(CoprocessorCellsSettings.GUARDED_PROPERTY);
    table.close();
    UTIL.shutdownMiniCluster();
  }

  /** A call to the service of a region. */
  private interface Call<T> {
    void make(PingService service, RpcController controller, RpcCallback<T> done);
  }

  /** Calls both regions, in the order of their keys. */
  private static <T> List<T> call(Call<T> call) throws Throwable {
    Batch.Call<PingService, T> batch = service -> {
      ServerRpcController controller = new ServerRpcController();
      BlockingRpcCallback<T> done = new BlockingRpcCallback<>();
      call.make(service, controller, done);
      T answer = done.get();
      controller.checkFailed();
      return answer;
    };
    return new ArrayList<>(
      table.coprocessorService(PingService.class, null, null, batch).values());
  }

  private static int expectedSum() {
    return ROWS * (ROWS - 1) / 2;
  }

  @Test
  public void anAggregateIsRight() throws Throwable {
    List<CountResponse> counts = call(
      (service, controller, done) -> service.count(controller, CountRequest.getDefaultInstance(),
        done));
    assertEquals(2, counts.size());
    assertEquals(expectedSum(), counts.stream().mapToInt(CountResponse::getCount).sum());
    UTIL.waitFor(120_000, 10, () -> MetricsCoprocessorCells.getHeldBytes() == 0);
  }

  @Test
  public void anExportIsRight() throws Throwable {
    StringBuilder exported = new StringBuilder();
    List<HelloResponse> exports = call(
      (service, controller, done) -> service.hello(controller, HelloRequest.getDefaultInstance(),
        done));
    exports.forEach(export -> exported.append(export.getResponse()));
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < ROWS; i++) {
      expected.append(String.format("%03d=%d ", i, i));
    }
    assertEquals(expected.toString(), exported.toString());
  }

  @Test
  public void cellsThatAreKeptForTheNextCallFail() throws Throwable {
    List<PingResponse> first = call(
      (service, controller, done) -> service.ping(controller, PingRequest.getDefaultInstance(),
        done));
    assertEquals(expectedSum(),
      first.stream().mapToInt(response -> Integer.parseInt(response.getPong())).sum());
    IncrementCountRequest request = IncrementCountRequest.newBuilder().setDiff(0).build();
    Call<IncrementCountResponse> next =
      (service, controller, done) -> service.increment(controller, request, done);
    IOException e = assertThrows(IOException.class, () -> call(next));
    assertTrue(e.getMessage(), e.getMessage().contains("used after its memory was released"));
  }
}
