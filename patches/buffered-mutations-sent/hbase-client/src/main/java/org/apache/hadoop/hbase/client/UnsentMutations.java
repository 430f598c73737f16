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

import static org.apache.hadoop.hbase.util.FutureUtils.addListener;

import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What was taken from the buffer of an {@link AsyncBufferedMutatorImpl} and has to be sent, in the
 * order in which it was taken. Batches are added under the mutator's lock; any thread sends, one at
 * a time.
 */
@InterfaceAudience.Private
final class UnsentMutations {

  private static final class Batch {
    final List<Mutation> mutations;
    final List<CompletableFuture<Void>> futures;

    Batch(List<Mutation> mutations, List<CompletableFuture<Void>> futures) {
      this.mutations = mutations;
      this.futures = futures;
    }
  }

  private final Queue<Batch> batches = new ConcurrentLinkedQueue<>();
  /** Calls of {@link #send} that the thread which is sending hasn't seen to; 0 if none is. */
  private final AtomicInteger calls = new AtomicInteger();

  /**
   * Keeps a batch for the next {@link #send}.
   * @param futures one for each mutation
   * @return true
   */
  boolean add(List<Mutation> mutations, List<CompletableFuture<Void>> futures) {
    return batches.add(new Batch(mutations, futures));
  }

  /**
   * Sends what is kept, or has the thread do it that is sending. If a batch can't be sent its
   * futures fail.
   */
  void send(AsyncTable<?> table) {
    if (batches.isEmpty() || calls.getAndIncrement() > 0) {
      return;
    }
    int seen = 1;
    while (seen > 0) {
      for (Batch batch; (batch = batches.poll()) != null;) {
        send(table, batch);
      }
      seen = calls.addAndGet(-seen);
    }
  }

  private static void send(AsyncTable<?> table, Batch batch) {
    try {
      completeAfter(table.batch(batch.mutations), batch.futures);
    } catch (RuntimeException | Error e) {
      batch.futures.forEach(future -> future.completeExceptionally(e));
    }
  }

  private static void completeAfter(List<? extends CompletableFuture<?>> sent,
    List<CompletableFuture<Void>> futures) {
    Iterator<CompletableFuture<Void>> waiting = futures.iterator();
    sent.forEach(answer -> completeAfter(answer, waiting.next()));
  }

  private static void completeAfter(CompletableFuture<?> answer, CompletableFuture<Void> future) {
    addListener(answer, (result, error) -> {
      if (error == null) {
        future.complete(null);
      } else {
        future.completeExceptionally(error);
      }
    });
  }
}
