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
package org.apache.hadoop.hbase.ipc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertTrue;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScannable;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RandomSeed;
import org.apache.hadoop.hbase.client.MetricsConnection;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.ByteBufferListOutputStream;
import org.apache.hadoop.hbase.nio.ResourceLeaks;
import org.apache.hadoop.hbase.nio.SingleByteBuff;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.apache.hadoop.hbase.testclassification.RPCTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.CompositeByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelFuture;
import org.apache.hbase.thirdparty.io.netty.channel.embedded.EmbeddedChannel;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;

/**
 * Encodes cell blocks, and fails at any place: cells, codec, compressor or allocator. Each time all
 * buffers are back at once, and netty's leak detector finds none that was forgotten. The property
 * {@code cellblocks.failures} sets the number of failures, a quarter for each test.
 */
@Category({ RPCTests.class, MediumTests.class })
public class TestCellBlockLeaks {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestCellBlockLeaks.class);

  private static final int TESTS = 4;
  private static final int FAILURES = Integer.getInteger("cellblocks.failures", 8_000) / TESTS;
  private static final int FIRST_CHUNK = 64;
  private static final int MAX_CELLS = 8;
  private static final int MAX_VALUE_BYTES = 300;

  @Rule
  public final RandomSeed seed = new RandomSeed();

  private final Random random = seed.newRandom();
  private final Faults faults = new Faults();
  private final FaultyPool pool = new FaultyPool();
  private final Configuration conf = HBaseConfiguration.create();
  private CellBlockBuilder builder;

  @BeforeClass
  public static void watch() {
    ResourceLeaks.watch();
  }

  /** Makes one of the places that a run passes fail, with any exception that it may throw. */
  private final class Faults {
    private int passed;
    private int failing = -1;

    void reset(int place) {
      passed = 0;
      failing = place;
    }

    int passed() {
      return passed;
    }

    boolean failed() {
      return failing >= 0 && passed > failing;
    }

    void pass() throws IOException {
      if (passed++ != failing) {
        return;
      }
      if (random.nextBoolean()) {
        throw new IOException("on purpose");
      }
      throwUnchecked();
    }

    void passUnchecked() {
      if (passed++ == failing) {
        throwUnchecked();
      }
    }

    private void throwUnchecked() {
      switch (random.nextInt(3)) {
        case 0:
          throw new IllegalStateException("on purpose");
        case 1:
          throw new IndexOutOfBoundsException("on purpose");
        default:
          throw new OutOfMemoryError("on purpose");
      }
    }
  }

  /** A pool of few chunks, which may have no buffer. */
  private final class FaultyPool extends PooledByteBufAllocator {
    FaultyPool() {
      super(true, 0, 1, 4096, 2, 256, 64, true);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      faults.passUnchecked();
      return super.newDirectBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public CompositeByteBuf compositeDirectBuffer(int maxNumComponents) {
      faults.passUnchecked();
      return super.compositeDirectBuffer(maxNumComponents);
    }
  }

  /** A pool with buffers so small that a block needs several. */
  private final class FaultyServerPool extends ByteBuffAllocator {
    FaultyServerPool() {
      super(true, 100, 256, 1);
    }

    @Override
    public SingleByteBuff allocateOneBuffer() {
      faults.passUnchecked();
      return super.allocateOneBuffer();
    }
  }

  private final class FaultyCodec extends KeyValueCodec {
    @Override
    public Codec.Encoder getEncoder(OutputStream target) {
      faults.passUnchecked();
      Codec.Encoder encoder = super.getEncoder(target);
      return new Codec.Encoder() {
        @Override
        public void write(Cell cell) throws IOException {
          faults.pass();
          encoder.write(cell);
        }

        @Override
        public void flush() throws IOException {
          encoder.flush();
          faults.pass();
        }
      };
    }
  }

  private final class FaultyCompressor extends DefaultCodec {
    private int created;

    FaultyCompressor() {
      setConf(conf);
    }

    @Override
    public Compressor createCompressor() {
      created++;
      return super.createCompressor();
    }

    @Override
    public CompressionOutputStream createOutputStream(OutputStream out, Compressor compressor)
      throws IOException {
      faults.pass();
      return super.createOutputStream(new FilterOutputStream(out) {
        @Override
        public void write(byte[] b, int off, int len) throws IOException {
          faults.pass();
          out.write(b, off, len);
        }

        @Override
        public void close() throws IOException {
          faults.pass();
          super.close();
        }
      }, compressor);
    }
  }

  private CellScanner scanner(List<Cell> cells) {
    CellScannable batch = () -> {
      faults.passUnchecked();
      return CellUtil.createCellScanner(cells);
    };
    return CellUtil.createCellScanner(Collections.singletonList(batch));
  }

  private List<Cell> randomCells() {
    List<Cell> cells = new ArrayList<>();
    for (int i = random.nextInt(MAX_CELLS); i >= 0; i--) {
      byte[] value = new byte[random.nextInt(MAX_VALUE_BYTES)];
      random.nextBytes(value);
      cells.add(new KeyValue(Bytes.toBytes(i), null, null, i, value));
    }
    return cells;
  }

  private interface Run {
    /** Encodes cells, and uses and releases the block. */
    void run(List<Cell> cells) throws IOException;
  }

  /** Makes runs fail at random places, and checks after each that no buffer is held. */
  private void failOften(Run run, Runnable checkBuffers) throws IOException {
    builder = builder();
    for (int failures = 0; failures < FAILURES; failures++) {
      List<Cell> cells = randomCells();
      faults.reset(-1);
      run.run(cells);
      checkBuffers.run();
      faults.reset(random.nextInt(faults.passed()));
      try {
        run.run(cells);
      } catch (IOException | IllegalStateException | IndexOutOfBoundsException
        | OutOfMemoryError e) {
        assertTrue(e.toString(), e.toString().contains("on purpose"));
      }
      assertTrue("the fault had no place", faults.failed());
      checkBuffers.run();
    }
  }

  private CellBlockBuilder builder() {
    conf.setInt("hbase.ipc.cellblock.building.initial.buffersize", FIRST_CHUNK);
    return new CellBlockBuilder(conf);
  }

  private void checkPool() {
    assertEquals(0, pool.pinnedDirectMemory());
  }

  private static void assertNoLeaks() throws InterruptedException {
    assertEquals(Collections.emptyList(), ResourceLeaks.find());
  }

  private void failClientBlocks(DefaultCodec compressor) throws Exception {
    Codec codec = new FaultyCodec();
    failOften(
      cells -> assertTrue(
        builder.buildCellBlock(codec, compressor, scanner(cells), pool).release()),
      this::checkPool);
    assertNoLeaks();
  }

  @Test
  public void failedBlockOfClientLeaksNothing() throws Exception {
    failClientBlocks(null);
  }

  @Test
  public void failedCompressedBlockOfClientLeaksNothing() throws Exception {
    FaultyCompressor compressor = new FaultyCompressor();
    failClientBlocks(compressor);
    assertTrue("a compressor that isn't given back is replaced", compressor.created <= 1);
  }

  @Test
  public void failedBlockOfServerLeaksNothing() throws Exception {
    ByteBuffAllocator serverPool = new FaultyServerPool();
    Codec codec = new FaultyCodec();
    FaultyCompressor compressor = new FaultyCompressor();
    failOften(cells -> {
      ByteBufferListOutputStream block = builder.buildCellBlockStream(codec,
        cells.size() % 2 == 0 ? compressor : null, scanner(cells), serverPool);
      block.releaseResources();
    }, () -> assertEquals(serverPool.getUsedBufferCount(), serverPool.getFreeBufferCount()));
    assertNoLeaks();
  }

  private static Call call(int id, CellScanner cells) {
    return new Call(id, ClientService.getDescriptor().findMethodByName("Multi"),
      MultiRequest.getDefaultInstance(), cells, MultiResponse.getDefaultInstance(), 0,
      HConstants.NORMAL_QOS, Collections.emptyMap(), done -> {
      }, MetricsConnection.newCallStats());
  }

  @Test
  public void requestThatCannotBeWrittenLeaksNothing() throws Exception {
    CellBlockBuilder faulty = builder();
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.config().setAllocator(pool);
    channel.pipeline()
      .addLast(new NettyRpcDuplexHandler(null, faulty, new FaultyCodec(), null));
    failOften(cells -> {
      Call call = call(1, scanner(cells));
      ChannelFuture written = channel.writeOneOutbound(call);
      channel.flushOutbound();
      if (written.isSuccess()) {
        assertFalse(call.isDone());
        releaseOutbound(channel);
      } else {
        Throwable cause = written.cause();
        assertTrue(call.isDone());
        assertSame(cause, cause instanceof IOException ? call.error : call.error.getCause());
      }
    }, this::checkPool);
    assertNoLeaks();
  }

  private static void releaseOutbound(EmbeddedChannel channel) {
    for (ByteBuf sent = channel.readOutbound(); sent != null; sent = channel.readOutbound()) {
      sent.release();
    }
  }
}
