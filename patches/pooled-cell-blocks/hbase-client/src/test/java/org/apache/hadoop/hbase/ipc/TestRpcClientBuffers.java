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

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.MediumTests;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameter;
import org.junit.runners.Parameterized.Parameters;

import org.apache.hbase.thirdparty.com.google.protobuf.RpcCallback;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.io.netty.buffer.PooledByteBufAllocator;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;

/** Both clients send whole blocks of several chunks, and give buffers back however a call ends. */
@RunWith(Parameterized.class)
@Category({ ClientTests.class, MediumTests.class })
public class TestRpcClientBuffers {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestRpcClientBuffers.class);

  private static final int LONG_TIMEOUT_MS = 120_000;
  private static final int SHORT_TIMEOUT_MS = 300;
  private static final long PATIENCE_SECONDS = 60;

  @Parameters(name = "{0}")
  public static List<Object[]> clients() {
    Function<Configuration, RpcClient> blocking = BlockingRpcClient::new;
    Function<Configuration, RpcClient> netty = NettyRpcClient::new;
    return Arrays.asList(new Object[] { "blocking", blocking }, new Object[] { "netty", netty });
  }

  @Parameter(0)
  public String name;

  @Parameter(1)
  public Function<Configuration, RpcClient> factory;

  private final Configuration conf = HBaseConfiguration.create();
  private final ExecutorService caller = Executors.newSingleThreadExecutor();
  private final List<Cell> cells = TestCells.onHeap(10_000, 1000, 1);
  private final HBaseRpcControllerImpl controller =
    new HBaseRpcControllerImpl(TestCells.ofBatch(cells));
  private LocalRpcServer server;
  private RpcClient client;

  private void start(LocalRpcServer.Behaviour behaviour) throws IOException {
    server = new LocalRpcServer(behaviour);
    // Others read a request of 10 MB, which may take longer on a busy machine.
    if (behaviour == LocalRpcServer.Behaviour.STALL) {
      conf.setInt(RpcClient.SOCKET_TIMEOUT_WRITE, 2 * SHORT_TIMEOUT_MS);
    }
    client = factory.apply(conf);
  }

  @After
  public void everythingIsGivenBack() throws Exception {
    caller.shutdownNow();
    assertTrue(caller.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS));
    client.close();
    server.close();
    awaitBuffers();
  }

  private static void awaitBuffers() throws InterruptedException {
    long start = System.nanoTime();
    long pinned = pinned();
    // Once is enough: a connection that is being closed takes a read buffer for a moment.
    while (
      pinned > 0 && System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)
    ) {
      Thread.sleep(1);
      pinned = pinned();
    }
    assertEquals("bytes of buffers that are still in use", 0, pinned);
  }

  private static long pinned() {
    return PooledByteBufAllocator.DEFAULT.pinnedDirectMemory()
      + PooledByteBufAllocator.DEFAULT.pinnedHeapMemory();
  }

  /** Calls in another thread. The result is the exception that the call failed with, or null. */
  private Future<Throwable> call(HBaseRpcController withCells, int timeoutMs) {
    ClientService.BlockingInterface stub = ClientService.newBlockingStub(
      client.createBlockingRpcChannel(server.name(), User.createUserForTesting(conf, "user",
        new String[0]), timeoutMs));
    return caller.submit(() -> {
      try {
        stub.multi(withCells, MultiRequest.getDefaultInstance());
        return null;
      } catch (ServiceException e) {
        return e.getCause();
      }
    });
  }

  @Test
  public void blockArrivesWhole() throws Exception {
    start(LocalRpcServer.Behaviour.ANSWER);
    ByteBuffer expected = new CellBlockBuilder(conf).buildCellBlock(new KeyValueCodec(), null,
      CellUtil.createCellScanner(cells));
    byte[] bytes = new byte[expected.remaining()];
    expected.get(bytes);
    assertNull(call(controller, LONG_TIMEOUT_MS).get());
    assertArrayEquals(bytes, server.lastCellBlock());
    awaitBuffers();
  }

  @Test
  public void callWithoutAnswerEnds() throws Exception {
    start(LocalRpcServer.Behaviour.IGNORE);
    assertNotNull(call(controller, SHORT_TIMEOUT_MS).get());
    awaitBuffers();
  }

  @Test
  public void callWhoseRequestIsStuckEnds() throws Exception {
    start(LocalRpcServer.Behaviour.STALL);
    assertNotNull(call(controller, SHORT_TIMEOUT_MS).get());
  }

  @Test
  public void cancelledCallEnds() throws Exception {
    start(LocalRpcServer.Behaviour.STALL);
    Future<Throwable> call = call(controller, LONG_TIMEOUT_MS);
    server.awaitRequest();
    controller.startCancel();
    call.get();
  }

  @Test
  public void callOnClosedClientEnds() throws Exception {
    start(LocalRpcServer.Behaviour.STALL);
    Future<Throwable> call = call(controller, LONG_TIMEOUT_MS);
    server.awaitRequest();
    client.close();
    assertNotNull(call.get());
    awaitBuffers();
  }

  @Test
  public void callWhoseServerClosesEnds() throws Exception {
    start(LocalRpcServer.Behaviour.CLOSE);
    assertNotNull(call(controller, LONG_TIMEOUT_MS).get());
    awaitBuffers();
  }

  @Test
  public void callWithoutServerEnds() throws Exception {
    start(LocalRpcServer.Behaviour.ANSWER);
    server.close();
    assertNotNull(call(controller, LONG_TIMEOUT_MS).get());
    awaitBuffers();
  }

  @Test
  public void failedEncodingEndsItsCallOnly() throws Exception {
    start(LocalRpcServer.Behaviour.ANSWER);
    // The second one uses a connection that is established.
    for (int i = 0; i < 2; i++) {
      Throwable failure = call(new HBaseRpcControllerImpl(failing()), LONG_TIMEOUT_MS).get();
      assertTrue("" + failure, failure.toString().contains("on purpose"));
      awaitBuffers();
      assertNull(
        call(new HBaseRpcControllerImpl(TestCells.ofBatch(cells)), LONG_TIMEOUT_MS).get());
    }
  }

  /** The calls wait for their connection together. */
  @Test
  public void whoLearnsOfAFailureMayCallAtOnce() throws Exception {
    start(LocalRpcServer.Behaviour.ANSWER);
    ClientService.Interface stub = ClientService.newStub(client.createRpcChannel(server.name(),
      User.createUserForTesting(conf, "user", new String[0]), LONG_TIMEOUT_MS));
    CountDownLatch answers = new CountDownLatch(3);
    HBaseRpcController failed = new HBaseRpcControllerImpl(failing());
    multi(stub, failed, none -> multi(stub, controller, answer -> answers.countDown()));
    for (int i = 0; i < 2; i++) {
      multi(stub, new HBaseRpcControllerImpl(TestCells.ofBatch(cells)),
        answer -> answers.countDown());
    }
    assertTrue(answers.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertTrue(failed.failed());
    awaitBuffers();
  }

  private static void multi(ClientService.Interface stub, HBaseRpcController controller,
    RpcCallback<MultiResponse> whenDone) {
    stub.multi(controller, MultiRequest.getDefaultInstance(), whenDone);
  }

  /** Returns a scanner whose cells fill chunks before it fails. */
  private CellScanner failing() {
    CellScanner scanner = TestCells.ofBatch(cells);
    return new CellScanner() {
      private int left = cells.size() / 2;

      @Override
      public Cell current() {
        return scanner.current();
      }

      @Override
      public boolean advance() throws IOException {
        if (left-- == 0) {
          throw new IOException("on purpose");
        }
        return scanner.advance();
      }
    };
  }
}
