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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.ipc.FifoRpcScheduler;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.ipc.PriorityFunction;
import org.apache.hadoop.hbase.ipc.RpcScheduler;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;

/*
 * With ours parallel multiget is on; upstream doesn't know the key. Each JMH thread stands for a
 * handler, and is counted as one that is at work. What is measured goes from the parsed request to
 * the last cell of the response.
 */

/** A get of a batch of 50. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public abstract class MultiGet {
  private static final int GETS = 50;
  private static final AtomicInteger HANDLERS = new AtomicInteger();

  /** Knows how many handlers are at work. */
  public static final class Scheduler extends FifoRpcScheduler {
    Scheduler(Configuration conf) {
      super(conf, 1);
    }

    @Override
    public int getActiveRpcHandlerCount() {
      return HANDLERS.get();
    }
  }

  /** Makes the scheduler. */
  public static final class SchedulerFactory implements RpcSchedulerFactory {
    @Override
    public RpcScheduler create(Configuration conf, PriorityFunction priority, Abortable server) {
      return new Scheduler(conf);
    }

    @Override
    @Deprecated
    public RpcScheduler create(Configuration conf, PriorityFunction priority) {
      return new Scheduler(conf);
    }
  }

  /** A region of one file. */
  @State(Scope.Benchmark)
  public static class Region {
    private static final int FIELDS = 10;
    private static final int FIELD_BYTES = 100;

    /** memory: from the block cache; device: each data block takes 100 us to read. */
    @Param({ "memory", "device" })
    public String blocks;

    @Param("20000")
    public int rows;

    private LocalServer server;
    private RegionSpecifier specifier;

    /** Writes the region. */
    @Setup
    public void open() throws IOException {
      server = new LocalServer();
      Configuration conf = server.conf();
      conf.setClass("hbase.region.server.rpc.scheduler.factory.class", SchedulerFactory.class,
        RpcSchedulerFactory.class);
      conf.setBoolean("hbase.regionserver.multiget.parallel.enabled", true);
      if (blocks.equals("device")) {
        conf.setClass("fs.file.impl", SlowFileSystem.class, SlowFileSystem.class);
        conf.set("hbase.bucketcache.ioengine", "file:" + server.folder().resolve("unused"));
        conf.setInt("hbase.bucketcache.size", 32);
      }
      HRegion region = server.createRegion(ColumnFamilyDescriptorBuilder.newBuilder(Rows.FAMILY)
        .setBlockCacheEnabled(blocks.equals("memory")).setBlocksize(32 * 1024).build());
      write(region);
      specifier = RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME,
        region.getRegionInfo().getRegionName());
    }

    private void write(HRegion region) throws IOException {
      byte[] value = new byte[FIELD_BYTES];
      for (int i = 0; i < rows; i++) {
        Put put = new Put(Rows.key(i)).setDurability(Durability.SKIP_WAL);
        for (int j = 0; j < FIELDS; j++) {
          ThreadLocalRandom.current().nextBytes(value);
          put.addColumn(Rows.FAMILY, Rows.column(j), value.clone());
        }
        region.put(put);
      }
      region.flush(true);
    }

    final MultiRequest randomRequest() throws IOException {
      RegionAction.Builder actions = RegionAction.newBuilder().setRegion(specifier);
      for (int i = 0; i < GETS; i++) {
        Get get = new Get(Rows.key(ThreadLocalRandom.current().nextInt(rows)));
        actions.addAction(Action.newBuilder().setIndex(i).setGet(ProtobufUtil.toGet(get)));
      }
      return MultiRequest.newBuilder().addRegionAction(actions).build();
    }

    final MultiResponse serve(MultiRequest request, Blackhole consumer)
      throws ServiceException, IOException {
      HBaseRpcController controller = new HBaseRpcControllerImpl();
      LocalCall call = new LocalCall();
      HANDLERS.incrementAndGet();
      RpcServer.setCurrentCall(call);
      try {
        MultiResponse response = server.services().multi(controller, request);
        CellScanner cells = controller.cellScanner();
        while (cells.advance()) {
          consumer.consume(cells.current());
        }
        call.end();
        return response;
      } finally {
        RpcServer.setCurrentCall(null);
        HANDLERS.decrementAndGet();
      }
    }

    @TearDown
    public void close() throws IOException {
      server.close();
    }
  }

  /** Requests of one thread, made beforehand. */
  @State(Scope.Thread)
  public static class Requests {
    private static final int COUNT = 256;

    private final MultiRequest[] requests = new MultiRequest[COUNT];
    private int next;

    /** Makes them. */
    @Setup
    public void make(Region region) throws IOException {
      for (int i = 0; i < COUNT; i++) {
        requests[i] = region.randomRequest();
      }
    }

    final MultiRequest next() {
      return requests[next++ & (COUNT - 1)];
    }
  }

  @Benchmark
  @OperationsPerInvocation(GETS)
  public MultiResponse get(Region region, Requests requests, Blackhole consumer)
    throws ServiceException, IOException {
    return region.serve(requests.next(), consumer);
  }

  /** A single handler. */
  @Threads(1)
  public static class Threads1 extends MultiGet {
  }

  /** More handlers than most test machines have CPUs. */
  @Threads(8)
  public static class Threads8 extends MultiGet {
  }
}
