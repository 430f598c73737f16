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
package org.apache.hadoop.hbase.io.hfile.bucket;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.nio.ByteBuff;

/** The device under a bucket cache, which can stall and fail. To be installed before it is used. */
public final class UnreliableEngine implements IOEngine {
  private static final long TIMEOUT_MS = 120_000;

  private final IOEngine engine;
  private final BucketCache cache;
  private volatile CountDownLatch stalled = new CountDownLatch(0);
  private volatile boolean failing;
  private volatile boolean failingReads;
  private volatile boolean failingSyncs;
  private volatile boolean failingUnexpectedly;
  private volatile boolean rotten;
  private volatile Runnable beforeReads = () -> {
  };

  private UnreliableEngine(IOEngine engine, BucketCache cache) {
    this.engine = engine;
    this.cache = cache;
  }

  /** Installs an unreliable engine in a cache. */
  public static UnreliableEngine under(BucketCache cache) throws ReflectiveOperationException {
    UnreliableEngine unreliable = new UnreliableEngine(cache.ioEngine, cache);
    Field field = BucketCache.class.getDeclaredField("ioEngine");
    field.setAccessible(true);
    field.set(cache, unreliable);
    return unreliable;
  }

  /** Stalls the cache's only writer at a block, and returns when its queue is empty. */
  public void stall() {
    stalled = new CountDownLatch(1);
    BlockCacheKey key = TestBlocks.key("stalls", 0, BlockType.DATA);
    cache.cacheBlock(key, TestBlocks.block(key, 1024));
    Waiter.waitFor(new Configuration(false), TIMEOUT_MS, 1, this::isStalled);
  }

  private boolean isStalled() {
    return Arrays.stream(cache.writerThreads[0].getStackTrace())
      .anyMatch(frame -> frame.getClassName().equals(CountDownLatch.class.getName()));
  }

  public void resume() {
    stalled.countDown();
  }

  /** Sets an action before each read, such as a delay. */
  public void beforeReads(Runnable before) {
    beforeReads = before;
  }

  /** Fails writes, like a full device. */
  public void fail() {
    failing = true;
  }

  /** Fails writes with an exception that engines shouldn't throw. */
  public void failUnexpectedly() {
    failingUnexpectedly = true;
  }

  /** Fails reads, like a device with bad sectors. */
  public void failReads() {
    failingReads = true;
  }

  /** Fails syncs, like a device that can't keep what it took. */
  public void failSyncs() {
    failingSyncs = true;
  }

  /** Makes each read return other bytes than were written. */
  public void rot() {
    rotten = true;
  }

  /** Ends all failures. */
  public void heal() {
    failing = false;
    failingReads = false;
    failingSyncs = false;
    failingUnexpectedly = false;
    rotten = false;
  }

  private void beforeWrite() throws IOException {
    try {
      stalled.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failingUnexpectedly) {
      throw new IllegalStateException("No state that an engine is in");
    }
    if (failing) {
      throw new IOException("No space left on device");
    }
  }

  @Override
  public void write(ByteBuffer source, long offset) throws IOException {
    beforeWrite();
    engine.write(source, offset);
  }

  @Override
  public void write(ByteBuff source, long offset) throws IOException {
    beforeWrite();
    engine.write(source, offset);
  }

  @Override
  public Cacheable read(BucketEntry entry) throws IOException {
    beforeReads.run();
    if (failingReads) {
      throw new IOException("Input/output error");
    }
    if (rotten) {
      throw new HBaseIOException("The slot at " + entry.offset() + " has another block");
    }
    return engine.read(entry);
  }

  @Override
  public boolean isPersistent() {
    return engine.isPersistent();
  }

  @Override
  public boolean usesSharedMemory() {
    return engine.usesSharedMemory();
  }

  @Override
  public void sync() throws IOException {
    if (failingSyncs) {
      throw new IOException("Input/output error");
    }
    engine.sync();
  }

  @Override
  public void shutdown() {
    engine.shutdown();
  }
}
