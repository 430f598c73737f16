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
package org.apache.hadoop.hbase.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseClassTestRule;
import org.apache.hadoop.hbase.testclassification.ClientTests;
import org.apache.hadoop.hbase.testclassification.SmallTests;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.After;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.experimental.categories.Category;

import org.apache.hbase.thirdparty.io.netty.util.HashedWheelTimer;

/**
 * Which threads wait while an AsyncBufferedMutator sends. On 2.6.4 the first two of these tests
 * failed, since the thread that sent held the lock, and the one of a batch that can't be sent.
 */
@Category({ ClientTests.class, SmallTests.class })
public class TestUnsentMutations {

  @ClassRule
  public static final HBaseClassTestRule CLASS_RULE =
    HBaseClassTestRule.forClass(TestUnsentMutations.class);

  /** After so many mutations they are sent. */
  private static final int IN_BATCH = 2;

  private final HashedWheelTimer timer = new HashedWheelTimer();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<List<?>> sent = Collections.synchronizedList(new ArrayList<>());
  private final List<CompletableFuture<Object>> answers =
    Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch sending = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private Function<List<?>, List<?>> batch = this::answerLater;

  /** A table of which only {@code batch} is called. */
  private final AsyncTable<?> table =
    (AsyncTable<?>) Proxy.newProxyInstance(AsyncTable.class.getClassLoader(),
      new Class<?>[] { AsyncTable.class }, (proxy, method, args) -> {
        assertEquals("batch", method.getName());
        sent.add((List<?>) args[0]);
        return batch.apply((List<?>) args[0]);
      });

  @After
  public void tearDown() {
    goOn.countDown();
    threads.shutdownNow();
    timer.stop();
  }

  private List<?> answerLater(List<?> mutations) {
    return mutations.stream().map(mutation -> {
      CompletableFuture<Object> answer = new CompletableFuture<>();
      answers.add(answer);
      return answer;
    }).collect(Collectors.toList());
  }

  /** Waits in the first batch until the test lets it go on. */
  private List<?> waitInFirst(List<?> mutations) {
    if (sent.size() == 1) {
      sending.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return Collections.nCopies(mutations.size(), CompletableFuture.completedFuture(null));
  }

  private AsyncBufferedMutatorImpl mutator(long periodMs) {
    return new AsyncBufferedMutatorImpl(timer, table, Long.MAX_VALUE,
      TimeUnit.MILLISECONDS.toNanos(periodMs), 1 << 20, IN_BATCH);
  }

  private static Put put(int row) {
    return new Put(Bytes.toBytes(row)).addColumn(Bytes.toBytes("f"), null, Bytes.toBytes(row));
  }

  @Test(timeout = 60_000)
  public void aThreadThatSendsKeepsNoOtherFromAdding() throws Exception {
    batch = this::waitInFirst;
    AsyncBufferedMutatorImpl mutator = mutator(0);
    mutator.mutate(put(0));
    Future<CompletableFuture<Void>> sender = threads.submit(() -> mutator.mutate(put(1)));
    sending.await();
    CompletableFuture<Void> added =
      threads.submit(() -> mutator.mutate(put(2))).get(10, TimeUnit.SECONDS);
    assertFalse(added.isDone());
    goOn.countDown();
    sender.get().get();
    mutator.flush();
    added.get();
    assertEquals(2, sent.size());
  }

  @Test(timeout = 60_000)
  public void whatIsTakenLaterIsSentLater() throws Exception {
    batch = this::waitInFirst;
    AsyncBufferedMutatorImpl mutator = mutator(0);
    mutator.mutate(put(0));
    Future<CompletableFuture<Void>> sender = threads.submit(() -> mutator.mutate(put(1)));
    sending.await();
    mutator.mutate(put(2));
    CompletableFuture<Void> last = mutator.mutate(put(3));
    mutator.flush();
    assertEquals("the first isn't sent yet", 1, sent.size());
    assertFalse(last.isDone());
    goOn.countDown();
    sender.get();
    assertEquals(2, sent.size());
    last.get();
  }

  @Test(timeout = 60_000)
  public void theTimerKeepsNoThreadFromAdding() throws Exception {
    batch = this::waitInFirst;
    AsyncBufferedMutatorImpl mutator = mutator(1);
    CompletableFuture<Void> first = mutator.mutate(put(0));
    sending.await();
    threads.submit(() -> mutator.mutate(put(1))).get(10, TimeUnit.SECONDS);
    goOn.countDown();
    first.get();
  }

  @Test
  public void eachMutationHasItsOwnAnswer() throws Exception {
    AsyncBufferedMutatorImpl mutator = mutator(0);
    CompletableFuture<Void> first = mutator.mutate(put(0));
    CompletableFuture<Void> second = mutator.mutate(put(1));
    assertEquals(IN_BATCH, answers.size());
    RuntimeException error = new RuntimeException();
    answers.get(1).completeExceptionally(error);
    assertSame(error, assertThrows(ExecutionException.class, second::get).getCause());
    assertFalse(first.isDone());
    answers.get(0).complete(null);
    first.get();
  }

  @Test
  public void aBatchThatCanNotBeSentFailsItsMutations() {
    RuntimeException error = new RuntimeException();
    batch = mutations -> {
      throw error;
    };
    AsyncBufferedMutatorImpl mutator = mutator(0);
    CompletableFuture<Void> first = mutator.mutate(put(0));
    CompletableFuture<Void> second = mutator.mutate(put(1));
    assertSame(error, assertThrows(ExecutionException.class, first::get).getCause());
    assertTrue(second.isCompletedExceptionally());
  }

  @Test
  public void flushAndCloseSend() {
    AsyncBufferedMutatorImpl mutator = mutator(0);
    mutator.mutate(put(0));
    mutator.flush();
    assertEquals(1, sent.size());
    mutator.mutate(put(1));
    mutator.close();
    assertEquals(2, sent.size());
    assertTrue(mutator.mutate(put(2)).isCompletedExceptionally());
  }
}
